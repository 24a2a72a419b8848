internal import AFHTTP
internal import AFHurl

/// A Hurl file to which an entry is added: the names of variables that its entries use for secrets.
struct SuiteFile: Sendable {
    /// The entries: the start of the URL up to the path, and the lines, each after a line feed.
    private var entries: [(origin: Substring, text: String)] = []
    /// The names of all variables.
    private var names: Set<String> = []

    /// Creates a file without entries.
    init() {}

    /// - Throws: `HurlSyntaxError` if the text is no Hurl file.
    init(parsing text: String) throws(HurlSyntaxError) {
        let file = try HurlFile(parsing: text)
        let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
        let starts = file.entries.map { $0.request.range.start.line - 1 } + [lines.count]
        for (index, entry) in file.entries.enumerated() {
            let text = lines[starts[index]..<starts[index + 1]].map { "\n\($0)" }.joined()
            entries.append((entry.request.url.source.origin, text))
            names.formUnion(entry.response?.captures.map(\.name.source) ?? [])
        }
        for part in text.split(separator: "{{").dropFirst() {
            names.insert(String(part.prefix { $0 != "}" }.trimmed))
        }
        for line in lines.map({ $0[...].trimmed }) where line.hasPrefix("variable:") {
            names.insert(String(line.dropFirst("variable:".count).prefix { $0 != "=" }.trimmed))
        }
    }

    /// Whether an entry has the origin of a URL.
    func hasEntry(at url: String) -> Bool { entries.contains { $0.origin == url.origin } }

    /// Returns the names for the variables of some lines of an entry: those of the same lines in an entry of the same
    /// origin, or names that the file does not have, so that no secret is sent to another host.
    ///
    /// - Parameters:
    ///   - pieces: The lines without the variables between the pieces.
    ///   - base: The start of a new name.
    mutating func names(between pieces: [String], at url: String, base: String) -> [String] {
        for (index, entry) in entries.enumerated() where entry.origin == url.origin {
            guard let (names, range) = entry.text.variables(between: pieces) else { continue }
            // The next lines of this form have the next names.
            entries[index].text.removeSubrange(range)
            return names
        }
        return pieces.dropFirst().map { _ in
            var (name, number) = (base, 1)
            while !names.insert(name).inserted {
                number += 1
                name = "\(base)\(number)"
            }
            return name
        }
    }
}

extension String {
    /// The scheme and the authority of a URL.
    fileprivate var origin: Substring {
        let rest = firstRange(of: "://").map { self[$0.upperBound...] } ?? self[...]
        return self[..<(rest.firstIndex { "/?#".contains($0) } ?? endIndex)]
    }

    /// Returns the names of the variables between pieces of complete lines, and the lines; `nil` if this text does not have
    /// these lines.
    fileprivate func variables(between pieces: [String]) -> (names: [String], lines: Range<String.Index>)? {
        for range in ranges(of: "\n\(pieces[0]){{") {
            var (rest, names) = (self[range.upperBound...], [String]())
            for (index, piece) in pieces.dropFirst().enumerated() {
                let isLast = index == pieces.count - 2
                guard let end = rest.firstRange(of: "}}") else { break }
                let after = rest[end.upperBound...]
                let isNext = isLast ? after == piece || after.hasPrefix(piece + "\n") : after.hasPrefix(piece + "{{")
                guard isNext else { break }
                names.append(String(rest[..<end.lowerBound].trimmed))
                rest = after.dropFirst(piece.count + (isLast ? 0 : 2))
            }
            if names.count == pieces.count - 1 { return (names, range.lowerBound..<rest.startIndex) }
        }
        return nil
    }
}
