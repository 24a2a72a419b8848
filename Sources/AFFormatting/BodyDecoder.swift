internal import AFHTTP

/// Converts a body to UTF-8: from a given charset, else from the one that its first bytes declare.
package struct BodyDecoder {
    private var decoder: CharsetDecoder?
    /// The kind of the body, until its first bytes were checked for a declared charset.
    private var undecidedKind: BodyKind?

    /// Creates a decoder.
    ///
    /// - Parameter charset: The charset; `nil` if it is not known.
    package init(of kind: BodyKind, charset: String?) {
        if let charset { decoder = Self.decoder(for: charset) } else { undecidedKind = kind }
    }

    /// Returns `nil` for UTF-8 and ASCII, which need no decoder, and for unknown charsets.
    private static func decoder(for name: String) -> CharsetDecoder? {
        guard let charset = Charset(ianaName: name), !["UTF-8", "US-ASCII"].contains(charset.name) else { return nil }
        return CharsetDecoder(charset)
    }

    /// Returns a chunk in UTF-8; `nil` if it needs no conversion.
    package mutating func decode(_ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
        if let kind = undecidedKind.take() {
            decoder = DeclaredCharset.find(in: bytes, of: kind).flatMap(Self.decoder)
        }
        return decoder?.decode(bytes)
    }

    /// Returns the rest after the last chunk; `nil` if there was no conversion.
    package mutating func finish() -> [UInt8]? { decoder.take()?.finish() }
}
