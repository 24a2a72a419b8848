internal import Glibc

/// The octets of header fields as text, without loss.
///
/// A field value may contain any octets (RFC 9110 §5.5). Octets in UTF-8 are that text; of others, each byte beyond ASCII
/// becomes a private-use character, U+10FE80 to U+10FEFF. So different octets are never the same text, and
/// ``octets`` returns them.
extension String {
    /// Creates the text of a field from its octets.
    @inlinable package init(octets bytes: some Collection<UInt8>) {
        // Inlined, as a call from another module is not specialized: 6,000 instructions for two bytes.
        self =
            bytes.withContiguousStorageIfAvailable(Self.text(ofOctets:))
            ?? Array(bytes).withUnsafeBufferPointer(Self.text(ofOctets:))
    }

    @usableFromInline static func text(ofOctets bytes: UnsafeBufferPointer<UInt8>) -> String {
        // Combining all bytes is vectorized: most values are ASCII. 0xF4 starts the characters of plane 16, which would
        // be taken for escaped bytes.
        let isText =
            bytes.reduce(0, |) < 0x80 || (!bytes.contains(0xF4) && String(validating: bytes, as: UTF8.self) != nil)
        if Safety.requires("29-text", isText) { return String(decoding: bytes, as: UTF8.self) }
        let escaped = bytes.flatMap { $0 < 0x80 ? [$0] : [0xF4, 0x8F, 0xB8 | $0 >> 6, 0x80 | $0 & 0x3F] }
        return String(decoding: escaped, as: UTF8.self)
    }

    /// Whether both have the same octets. For `==`, the compositions of a character are equal.
    package func isSame(as other: String) -> Bool {
        // `elementsEqual` takes five times as long, and fields are compared for every request on a reused handle.
        var (text, other) = (self, other)
        return text.withUTF8 { left in
            other.withUTF8 { right in
                guard let start = left.baseAddress, let otherStart = right.baseAddress else {
                    return left.count == right.count
                }
                return left.count == right.count && memcmp(start, otherStart, left.count) == 0
            }
        }
    }

    /// The entity tag without its weakness prefix, for weak comparison (RFC 9110 §8.8.3.2).
    package var weakTag: String {
        utf8.starts(with: "W/".utf8) ? String(self[utf8.index(startIndex, offsetBy: 2)...]) : self
    }

    /// Calls a function with the octets as a C string.
    package func withOctets<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        guard hasPlane16 else { return withCString(body) }
        return (octets.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer {
            body($0.baseAddress.unsafelyUnwrapped)
        }
    }
}

extension StringProtocol {
    /// The octets of the text of a field.
    package var octets: [UInt8] {
        guard hasPlane16 else { return Array(utf8) }
        return unicodeScalars.flatMap { scalar in
            scalar.isEscapedByte ? [UInt8(truncatingIfNeeded: scalar.value)] : Array(String(scalar).utf8)
        }
    }

    /// The text for people: bytes that are not UTF-8 are read as ISO-8859-1 (RFC 2616 §2.2).
    package var legible: String {
        guard hasPlane16 else { return String(self) }
        let scalars = unicodeScalars.map { scalar in
            scalar.isEscapedByte ? Unicode.Scalar(UInt8(truncatingIfNeeded: scalar.value)) : scalar
        }
        return String(String.UnicodeScalarView(scalars))
    }

    /// Whether the text may have escaped bytes. `utf8.contains` takes twenty times as long.
    fileprivate var hasPlane16: Bool {
        utf8.withContiguousStorageIfAvailable { bytes in
            bytes.baseAddress.map { memchr($0, 0xF4, bytes.count) != nil } ?? false
        } ?? true
    }
}

extension Unicode.Scalar {
    fileprivate var isEscapedByte: Bool { 0x10FE80...0x10FEFF ~= value }
}
