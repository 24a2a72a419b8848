internal import AFHTTP

/// An argument of `--form` as curl reads it: text that afcli rejects is ignored.
struct CurlFormArgument {
    /// The argument without the ignored text.
    private(set) var text: String
    /// The unknown attributes, and the text after closing quotes.
    private(set) var ignored: [String] = []

    init(_ typed: String) {
        text = typed
        guard let (name, value) = typed.halves(around: "="), !(name.isEmpty && value == ")") else { return }
        let start = value.first.map { "@<(".contains($0) } == true ? String(value.prefix(1)) : ""
        let contents = value.dropFirst(start.count)
        let parts = start == "@" ? CurlForm.files(of: contents) : [contents]
        var kept: [String] = []
        for part in parts { kept.append(takePart(part)) }
        text = "\(name)=\(start)\(kept.joined(separator: ","))"
    }

    /// Returns a value with its known attributes.
    private mutating func takePart(_ part: Substring) -> String {
        var rest = part
        var kept = takeWord(&rest)
        while rest.popFirst() == ";" {
            let attribute = rest.drop { $0 == " " }
            guard let name = Self.name(of: attribute) else {
                rest = attribute
                let unknown = takeWord(&rest)
                if !unknown.isEmpty { ignored.append(unknown) }
                continue
            }
            rest = attribute.dropFirst(name.count + 1)
            kept += ";\(name)="
            switch name {
            case "type": kept += Self.takeMediaType(&rest)
            case "headers" where rest.first == "@" || rest.first == "<":
                rest.removeFirst()
                kept += "@\(takeWord(&rest))"
            default: kept += takeWord(&rest)
            }
        }
        return kept
    }

    private static let names = ["type", "filename", "headers", "encoder"]

    /// Returns the name of an attribute, which is typed in any case; `nil` for another text.
    private static func name(of attribute: Substring) -> String? {
        names.first { attribute.prefix($0.count + 1).lowercased() == "\($0)=" }
    }

    /// Consumes text up to a semicolon, or between double quotes. A quote without a closing one is text.
    private mutating func takeWord(_ rest: inout Substring) -> String {
        let blanks = rest.prefix { $0 == " " || $0 == "\t" }
        let start = rest[blanks.endIndex...]
        if start.first == "\"", let end = Self.closingQuote(of: start) {
            let trailing = start[end...].prefix { $0 != ";" }
            if !trailing.allSatisfy(\.isWhitespace) { ignored.append(String(trailing)) }
            rest = rest[trailing.endIndex...]
            return String(start[..<end])
        }
        let word = rest.prefix { $0 != ";" }
        rest = rest[word.endIndex...]
        // After blanks, the sign of a file is text.
        guard start.first == "\"" || !blanks.isEmpty && start.first.map({ "@<(".contains($0) }) == true else {
            return String(word)
        }
        return "\"\(word.trimmed.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : "\($0)" }.joined())\""
    }

    /// Returns the index after the closing quote of a text that starts with one; `nil` if the quote is not closed.
    private static func closingQuote(of text: Substring) -> String.Index? {
        var isEscaped = false
        for index in text.indices.dropFirst() {
            if text[index] == "\"", !isEscaped { return text.index(after: index) }
            isEscaped = text[index] == "\\" && !isEscaped
        }
        return nil
    }

    /// Consumes a media type with its parameters, up to the next attribute.
    private static func takeMediaType(_ rest: inout Substring) -> String {
        var end = rest.startIndex
        while end < rest.endIndex {
            let attribute = rest[end...].dropFirst().drop { $0 == " " }
            if rest[end] == ";", name(of: attribute) != nil { break }
            end = rest.index(after: end)
        }
        defer { rest = rest[end...] }
        return String(rest[..<end])
    }
}
