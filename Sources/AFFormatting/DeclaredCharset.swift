/// The charset declared in a document: XML's declaration (§4.3.3), HTML's `<meta>`.
package enum DeclaredCharset {
    /// The number of bytes in which HTML's declaration must occur (HTML standard §4.2.5.4).
    private static let sampleSize = 1024

    /// Returns the declared charset; `nil` if there is none, or if it is UTF-8.
    ///
    /// - Parameter bytes: The start of the document.
    package static func find(in bytes: UnsafeRawBufferPointer, of kind: BodyKind) -> String? {
        let sample = bytes.prefix(sampleSize).map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 }
        var text = sample[...]
        let name: StaticString
        switch kind {
        case .xml:
            guard sample.starts(with: "<?xml".utf8) else { return nil }
            text = text.prefix { $0 != UInt8(ascii: ">") }
            name = "encoding"
        case .html: name = "charset"
        default: return nil
        }
        guard let charset = value(of: name, in: text), !charset.hasPrefix("utf-") else { return nil }
        return charset
    }

    /// Returns the quoted or unquoted value after the name and `=`.
    private static func value(of name: StaticString, in text: ArraySlice<UInt8>) -> String? {
        let name = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
        guard let index = text.indices.first(where: { text[$0...].starts(with: name) }) else { return nil }
        var rest = text[(index + name.count)...].drop(while: \.isMarkupSpace)
        guard rest.popFirst() == UInt8(ascii: "=") else { return nil }
        rest = rest.drop { $0.isMarkupSpace || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "'") }
        let value = rest.prefix { byte in
            0x61...0x7A ~= byte || 0x30...0x39 ~= byte || "-_.:".utf8.contains(byte)
        }
        return value.isEmpty ? nil : String(decoding: value, as: UTF8.self)
    }
}
