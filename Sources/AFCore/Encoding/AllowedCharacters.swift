/// ASCII characters that percent-encoding leaves as they are; every other becomes the escaped bytes of its UTF-8.
///
/// It stands where Alamofire takes a `CharacterSet`, which Foundation alone has.
public struct AllowedCharacters: Hashable, Sendable {
    /// What needs no escape in the name or the value of a query's pair: letters, digits, `-._~`, and `/` and `?`, which
    /// RFC 3986 §3.4 leaves to queries.
    public static let afURLQueryAllowed = AllowedCharacters(
        charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/?"
    )

    /// One bit for each ASCII character, those below 64 first.
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    /// The ASCII characters of the text; others are escaped whatever is said here.
    public init(charactersIn text: String) {
        for byte in text.utf8 where byte < 0x80 {
            if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte - 64) }
        }
    }

    /// The characters of both.
    public func union(_ other: AllowedCharacters) -> AllowedCharacters {
        var union = self
        (union.low, union.high) = (low | other.low, high | other.high)
        return union
    }

    /// The characters that are not in the other.
    public func subtracting(_ other: AllowedCharacters) -> AllowedCharacters {
        var rest = self
        (rest.low, rest.high) = (low & ~other.low, high & ~other.high)
        return rest
    }

    /// Whether the character stays as it is.
    public func contains(_ character: Unicode.Scalar) -> Bool {
        character.isASCII && contains(UInt8(truncatingIfNeeded: character.value))
    }

    func contains(_ byte: UInt8) -> Bool {
        byte < 64 ? low >> UInt64(byte) & 1 == 1 : byte < 0x80 && high >> UInt64(byte - 64) & 1 == 1
    }
}
