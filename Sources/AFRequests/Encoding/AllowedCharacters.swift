/// The ASCII characters that percent-encoding leaves unchanged; all others become escapes of their UTF-8 bytes.
///
/// Replaces `CharacterSet` in Alamofire's API, as only Foundation has that.
public struct AllowedCharacters: Hashable, Sendable {
    /// The characters allowed in names and values of a query: letters, digits, `-._~`, and `/` and `?`, which RFC 3986
    /// §3.4 allows in queries.
    public static let afURLQueryAllowed = AllowedCharacters(
        charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/?"
    )

    /// One bit per ASCII character; this mask has those below 64.
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    /// Creates a set from the ASCII characters of a string; others are always escaped.
    public init(charactersIn text: String) {
        for byte in text.utf8 where byte < 0x80 {
            if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte - 64) }
        }
    }

    /// Returns the characters of both sets.
    public func union(_ other: AllowedCharacters) -> AllowedCharacters {
        var union = self
        (union.low, union.high) = (low | other.low, high | other.high)
        return union
    }

    /// Returns the characters that are not in the other set.
    public func subtracting(_ other: AllowedCharacters) -> AllowedCharacters {
        var rest = self
        (rest.low, rest.high) = (low & ~other.low, high & ~other.high)
        return rest
    }

    /// Whether the character is left unchanged.
    public func contains(_ character: Unicode.Scalar) -> Bool {
        character.isASCII && contains(UInt8(truncatingIfNeeded: character.value))
    }

    func contains(_ byte: UInt8) -> Bool {
        byte < 64 ? low >> UInt64(byte) & 1 == 1 : byte < 0x80 && high >> UInt64(byte - 64) & 1 == 1
    }
}
