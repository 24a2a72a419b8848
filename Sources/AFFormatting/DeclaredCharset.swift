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

    private static func inHTML(_ sample: [UInt8], isFull: Bool) -> Self {
        let values = sample.indices.lazy.compactMap { index -> Self? in
            guard let value = value(of: "charset", at: index, in: sample[...]),
                let tag = sample[..<index].lastIndex(of: UInt8(ascii: "<")),
                sample[tag...].starts(with: "<meta".utf8)
            else { return nil }
            return value
        }
        return values.first ?? (isFull ? .absent : .incomplete)
    }

    /// Returns the quoted or unquoted value, if the name, `=` and a complete value are at an index.
    private static func value(of name: StaticString, at index: Int, in text: ArraySlice<UInt8>) -> Self? {
        let name = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
        guard text[index...].starts(with: name) else { return nil }
        var rest = text[(index + name.count)...].drop(while: \.isMarkupSpace)
        guard rest.popFirst() == UInt8(ascii: "=") else { return nil }
        rest = rest.drop { $0.isMarkupSpace || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "'") }
        let value = rest.prefix { byte in
            0x61...0x7A ~= byte || 0x30...0x39 ~= byte || "-_.:".utf8.contains(byte)
        }
        guard !value.isEmpty, value.endIndex < text.endIndex else { return nil }
        let charset = String(decoding: value, as: UTF8.self)
        return charset.hasPrefix("utf-") ? .absent : .found(charset, end: value.endIndex)
    }
}
