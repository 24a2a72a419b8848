public import FoundationEssentials

/// The reason why bytes could not be decoded as text.
public enum CharsetError: Error, Hashable {
    /// The charset is unknown.
    case unknown(name: String)
    /// The bytes are not valid in the charset.
    case malformed(name: String)
}

extension CharsetError: LocalizedError {
    /// The message: lower case, without full stop.
    public var errorDescription: String? {
        switch self {
        case .unknown(let name): "the character set \(name.debugDescription) is unknown"
        case .malformed(let name): "the bytes are not valid in the character set \(name.debugDescription)"
        }
    }
}
