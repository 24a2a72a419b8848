internal import AFHTTP
internal import AFJSON

/// The charset declared in a document: XML's declaration (§4.3.3), HTML's `<meta>`.
package enum DeclaredCharset: Equatable, Sendable {
    /// The bytes may be the start of a declaration.
    case incomplete
    /// There is none, or it is UTF-8.
    case absent
    /// The name, and the number of bytes up to its end.
    case found(String, end: Int)

    /// The number of bytes in which HTML's declaration must occur (HTML standard §4.2.5.4).
    package static let sampleSize = 1024

    /// Finds the declaration.
    ///
    /// - Parameter start: The first bytes of the document; further ones are ignored.
    package init(in start: some Collection<UInt8>, of kind: BodyKind) {
        let sample = start.prefix(Self.sampleSize).map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 }
        let isFull = sample.count == Self.sampleSize
        switch kind {
        case .xml: self = Self.inXML(sample, isFull: isFull)
        case .html: self = Self.inHTML(sample, isFull: isFull)
        default: self = .absent
        }
    }

    private static func inXML(_ sample: [UInt8], isFull: Bool) -> Self {
        let name = Array("<?xml".utf8)
        guard sample.starts(with: name) else { return name.starts(with: sample) ? .incomplete : .absent }
        guard let end = sample.firstIndex(of: UInt8(ascii: ">")) else { return isFull ? .absent : .incomplete }
        let declaration = sample[...end]
        let values = declaration.indices.lazy.compactMap { value(of: "encoding", at: $0, in: declaration) }
        guard case .found(let charset, _)? = values.first else { return .absent }
        return .found(charset, end: end)
    }

    /// Finds the declaration of a `<meta>` outside of comments and other tags (HTML standard, "prescan a byte stream").
    private static func inHTML(_ sample: [UInt8], isFull: Bool) -> Self {
        var rest = sample[...]
        while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
            rest = rest[start...]
            if rest.starts(with: "<!--".utf8) {
                guard let end = rest.dropFirst(2).firstRange(of: Array("-->".utf8)) else { break }
                rest = rest[end.upperBound...]
            } else if let name = tagName(rest) {
                guard let (attributes, end) = attributes(rest[name.endIndex...]) else { break }
                if name.elementsEqual("<meta".utf8), let declared = charset(attributes, in: sample[...]) {
                    return declared
                }
                rest = rest[end...]
            } else {
                rest.removeFirst()
            }
        }
        return isFull ? .absent : .incomplete
    }

    /// Returns the start of a tag up to the end of its name; `nil` for other text.
    private static func tagName(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let slash = text.dropFirst().first == UInt8(ascii: "/") ? 1 : 0
        let name = text.dropFirst(1 + slash).prefix { !$0.isMarkupSpace && !"/>".utf8.contains($0) }
        return name.first?.isASCIILetter == true ? text[..<name.endIndex] : nil
    }

    /// Returns the charset of the attributes of a `<meta>`: `charset`, or that of the `content` for `Content-Type`.
    private static func charset(
        _ attributes: [(name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)], in sample: ArraySlice<UInt8>
    ) -> Self? {
        func value(_ name: StaticString) -> ArraySlice<UInt8>? {
            attributes.first { $0.name.elementsEqual(name.description.utf8) }?.value
        }
        if let value = value("charset") { return declared(value) }
        // Some pages omit `http-equiv`.
        let isOther = (value("name") ?? value("property")) != nil
        guard value("http-equiv").map({ $0.elementsEqual("content-type".utf8) }) ?? !isOther,
            let content = value("content")
        else { return nil }
        // The content ends before a quote, a space or the end of the tag.
        let text = sample[content.startIndex...content.endIndex]
        return content.indices.lazy.compactMap { Self.value(of: "charset", at: $0, in: text) }.first
    }

    /// Returns the attributes of a tag, and where it ends; `nil` if it is incomplete.
    private static func attributes(
        _ tag: ArraySlice<UInt8>
    ) -> (list: [(name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)], end: Int)? {
        var list: [(name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)] = []
        var rest = tag
        while true {
            rest = rest.drop { $0.isMarkupSpace || $0 == UInt8(ascii: "/") }
            guard let first = rest.first else { return nil }
            if first == UInt8(ascii: ">") { return (list, rest.startIndex + 1) }
            let name = rest.prefix { !$0.isMarkupSpace && !"/>=".utf8.contains($0) }
            rest = rest[name.endIndex...].drop(while: \.isMarkupSpace)
            guard rest.first == UInt8(ascii: "=") else {
                list.append((name, []))
                continue
            }
            rest = rest.dropFirst().drop(while: \.isMarkupSpace)
            guard let quote = rest.first else { return nil }
            let isQuoted = "\"'".utf8.contains(quote)
            if isQuoted { rest.removeFirst() }
            let value = rest.prefix { isQuoted ? $0 != quote : !$0.isMarkupSpace && $0 != UInt8(ascii: ">") }
            guard value.endIndex < rest.endIndex else { return nil }
            list.append((name, value))
            rest = rest[(value.endIndex + (isQuoted ? 1 : 0))...]
        }
    }

    /// Returns the quoted or unquoted value, if the name, `=` and a complete value are at an index.
    private static func value(of name: StaticString, at index: Int, in text: ArraySlice<UInt8>) -> Self? {
        let name = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
        guard text[index...].starts(with: name) else { return nil }
        var rest = text[(index + name.count)...].drop(while: \.isMarkupSpace)
        guard rest.popFirst() == UInt8(ascii: "=") else { return nil }
        rest = rest.drop { $0.isMarkupSpace || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "'") }
        guard case .found(_, let end)? = declared(rest), end == text.endIndex else { return declared(rest) }
        return nil
    }

    /// Returns the charset at the start of a text; `nil` if there is none.
    private static func declared(_ text: ArraySlice<UInt8>) -> Self? {
        let value = text.drop(while: \.isMarkupSpace).prefix { byte in
            0x61...0x7A ~= byte || 0x30...0x39 ~= byte || "-_.:".utf8.contains(byte)
        }
        guard !value.isEmpty else { return nil }
        let charset = String(decoding: value, as: UTF8.self)
        return charset.hasPrefix("utf-") ? .absent : .found(charset, end: value.endIndex)
    }
}
