/// Well-formed XML, as written.
///
/// Tags, attributes and nesting are checked, on which the end of the document depends, and the names of references.
extension HurlParser {
    mutating func xml() throws(HurlSyntaxError) -> String {
        let start = reader.cursor
        guard reader.next == "<" else { throw otherwise("<") }
        let invalid = HurlSyntaxError(.xml, at: start.position)
        var (open, checked) = ([String](), "")
        while true {
            checked += open.isEmpty ? reader.read(while: \.isJSONSpace) : reader.read { $0 != "<" }
            let tag = reader.cursor
            guard let markup = markup() else { throw invalid }
            switch markup {
            case .other: continue
            case .start(let name): open.append(name)
            case .end(let name): guard open.popLast() == name else { throw invalid }
            case .empty: break
            }
            checked += reader.text(from: tag)
            if open.isEmpty { break }
        }
        let text = reader.text(from: start)
        // A document type may declare entities.
        guard text.contains("<!DOCTYPE") || checked.hasKnownReferences else { throw invalid }
        return text
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

extension String {
    /// Whether each ampersand begins a character reference, or a reference to one of XML's own entities.
    fileprivate var hasKnownReferences: Bool {
        split(separator: "&", omittingEmptySubsequences: false).dropFirst().allSatisfy { part in
            guard let end = part.firstIndex(of: ";") else { return false }
            let name = part[..<end]
            if ["amp", "lt", "gt", "quot", "apos"].contains(name) { return true }
            if name.hasPrefix("#x") { return UInt32(name.dropFirst(2), radix: 16) != nil }
            return name.hasPrefix("#") && UInt32(name.dropFirst()) != nil
        }
    }
}
