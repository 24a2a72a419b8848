/// Well-formed XML, as written.
///
/// Tags, attributes and nesting are checked, on which the end of the document depends; entities are not.
extension HurlParser {
    mutating func xml() throws(HurlSyntaxError) -> String {
        let start = reader.cursor
        guard reader.next == "<" else { throw otherwise("<") }
        var open: [String] = []
        while true {
            if open.isEmpty { _ = reader.read(while: \.isJSONSpace) } else { _ = reader.read { $0 != "<" } }
            guard let markup = markup() else { throw HurlSyntaxError(.xml, at: start.position) }
            switch markup {
            case .other: continue
            case .start(let name): open.append(name)
            case .end(let name):
                guard open.popLast() == name else { throw HurlSyntaxError(.xml, at: start.position) }
            case .empty: break
            }
            if open.isEmpty { return reader.text(from: start) }
        }
    }

    private enum Markup {
        case start(String), end(String), empty
        /// A comment, an instruction, CDATA or the document type.
        case other
    }

    /// Returns `nil` if the markup is malformed.
    private mutating func markup() -> Markup? {
        if reader.skip("<!--") { return skip(through: "-->") ? .other : nil }
        if reader.skip("<?") { return skip(through: "?>") ? .other : nil }
        if reader.skip("<![CDATA[") { return skip(through: "]]>") ? .other : nil }
        if reader.skip("<!DOCTYPE") { return skipDoctype() ? .other : nil }
        if reader.skip("</") {
            let name = xmlName()
            skipXMLSpace()
            return !name.isEmpty && reader.skip(">") ? .end(name) : nil
        }
        guard reader.skip("<") else { return nil }
        let name = xmlName()
        guard !name.isEmpty, skipAttributes() else { return nil }
        if reader.skip("/>") { return .empty }
        return reader.skip(">") ? .start(name) : nil
    }

    private mutating func skip(through end: String) -> Bool {
        while !reader.isAtEnd {
            if reader.skip(end) { return true }
            reader.read()
        }
        return false
    }

    private mutating func skipDoctype() -> Bool {
        var isInSubset = false
        while let character = reader.read() {
            switch character {
            case "[": isInSubset = true
            case "]": isInSubset = false
            case ">" where !isInSubset: return true
            default: break
            }
        }
        return false
    }

    private mutating func skipAttributes() -> Bool {
        while true {
            let start = reader.cursor
            skipXMLSpace()
            guard let next = reader.next, next != ">", next != "/" else { return true }
            guard reader.cursor.index > start.index, !xmlName().isEmpty else { return false }
            skipXMLSpace()
            guard reader.skip("=") else { return false }
            skipXMLSpace()
            guard let quote = reader.read(), quote == "\"" || quote == "'" else { return false }
            _ = reader.read { $0 != quote && $0 != "<" }
            guard reader.read() == quote else { return false }
        }
    }

    private mutating func xmlName() -> String {
        guard let first = reader.next, first.isAlphanumeric && !first.isDigit || first == "_" || first == ":" else {
            return ""
        }
        return reader.read { $0.isAlphanumeric || "_:-.".unicodeScalars.contains($0) || $0.properties.isIDContinue }
    }

    private mutating func skipXMLSpace() { _ = reader.read(while: \.isJSONSpace) }
}
