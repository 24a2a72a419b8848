import Foundation
import Synchronization
import TestSupport

/// A case of the files in `Table`: a Hurl file with the responses of the server and the expected result.
///
/// A line `==== TITLE` begins a case. Its other parts begin with `-- NAME`:
/// - `args WORD …`, `env NAME=VALUE`, `status NUMBER`: one line each. After the word `--`, no file follows.
/// - `response`: the status line, the header and the body of the next response; the last one is repeated.
/// - `file PATH`: a file beside the Hurl file. `input`: standard input.
/// - `hurl`: the Hurl file. A line feed ends each line; `\r` at the end of a line is a carriage return.
/// - `output`, `errors`: the expected texts; in errors, `~~~` is any text.
/// - `request`: lines that the next request must have; with `!` before the start of one that it must not have. A blank
///   line precedes the complete body.
///
/// `URL/` is the server, `FILE` the Hurl file, `FOLDER` its folder, and `\xHH` a byte.
struct RunTableCase: Sendable {
    let title: String
    var words: [String] = []
    var variables: [String: String] = [:]
    var status: Int32 = 0
    var responses: [[String]] = []
    var requests: [[String]] = []
    var files: [String: String] = [:]
    var input: String?
    var hurl = ""
    var output: String?
    var errors: String?

    /// Returns the cases of a file.
    static func cases(in text: String) -> [RunTableCase] {
        (text.hasSuffix("\n") ? text.dropLast() : text[...]).split(separator: "\n==== ").map { part in
            let text = part.hasPrefix("==== ") ? part.dropFirst(5) : part
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            var result = RunTableCase(title: lines[0])
            var rest = lines.dropFirst()
            while let line = rest.popFirst() {
                let content = rest.prefix { !$0.hasPrefix("-- ") }
                rest = rest.dropFirst(content.count)
                result.add(line.dropFirst(3), Array(content))
            }
            return result
        }
    }

    private mutating func add(_ line: Substring, _ content: [String]) {
        let name = line.prefix { $0 != " " }
        let value = String(line.dropFirst(name.count + 1))
        let text = content.joined(separator: "\n")
        switch name {
        case "args": words += value.split(separator: " ").map(String.init)
        case "env": value.firstIndex(of: "=").map { variables[String(value[..<$0])] = String(value[$0...].dropFirst()) }
        case "status": status = Int32(value) ?? -1
        case "response": responses.append(content)
        case "request": requests.append(content)
        case "file": files[value] = text
        case "input": input = text + "\n"
        case "hurl": hurl = text + "\n"
        case "output": output = text
        case "errors": errors = text
        default: fatalError("\(title): \(line)")
        }
    }

    /// Returns a response with its length, unless it has one.
    func response(_ index: Int, to method: String) -> [UInt8] {
        let usual = ["HTTP/1.1 200 OK", "Content-Type: text/plain", "", "hello"]
        let lines = responses.isEmpty ? usual : responses[min(index, responses.count - 1)]
        let end = lines.firstIndex(of: "") ?? lines.count
        var head = Array(lines[..<end])
        let body = lines.dropFirst(end + 1).joined(separator: "\n").bytesOfEscapes
        if !head.contains(where: { $0.lowercased().hasPrefix("content-length") }) {
            head.append("Content-Length: \(body.count)")
        }
        return Array((head.joined(separator: "\r\n") + "\r\n\r\n").utf8) + (method == "HEAD" ? [] : body)
    }

    /// Returns the differences between a request and its expected lines.
    func problems(of request: RecordedRequest, _ lines: [String]) -> [String] {
        let received = request.headText.split(separator: "\r\n").map(String.init)
        let end = lines.firstIndex(of: "")
        var problems = lines[..<(end ?? lines.count)].filter { line in
            line.hasPrefix("!")
                ? received.contains { $0.lowercased().hasPrefix(line.dropFirst().lowercased()) }
                : !received.contains(line)
        }
        if let end, request.body != lines[(end + 1)...].joined(separator: "\n").bytesOfEscapes {
            problems.append("the body is \(request.text.debugDescription)")
        }
        return problems.isEmpty ? [] : problems + [request.headText]
    }
}

extension String {
    /// The bytes of a text in which `\xHH` is a byte.
    var bytesOfEscapes: [UInt8] {
        let parts = split(separator: "\\x", omittingEmptySubsequences: false)
        return Array(parts[0].utf8)
            + parts.dropFirst().flatMap { [UInt8($0.prefix(2), radix: 16) ?? 0] + Array($0.dropFirst(2).utf8) }
    }

    /// Whether the text has these parts in order, with any texts between them.
    func matches(_ pattern: String) -> Bool {
        let parts = pattern.components(separatedBy: "~~~")
        guard parts.count > 1 else { return self == pattern }
        guard hasPrefix(parts[0]), hasSuffix(parts[parts.count - 1]) else { return false }
        var rest = dropFirst(parts[0].count)
        for part in parts.dropFirst().dropLast() where !part.isEmpty {
            guard let range = rest.range(of: part) else { return false }
            rest = rest[range.upperBound...]
        }
        return rest.count >= parts[parts.count - 1].count
    }
}
