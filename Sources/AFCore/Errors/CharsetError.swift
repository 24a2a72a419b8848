public import FoundationEssentials

/// Why bytes could not be read as text.
public enum CharsetError: Error, Hashable {
    /// Nothing here knows a character set of this name.
    case unknown(name: String)
    /// The bytes are no text in the character set of this name.
    case malformed(name: String)
}

extension CharsetError: LocalizedError {
    /// A clause without capital and full stop.
    public var errorDescription: String? {
        switch self {
        case .unknown(let name): "the character set \(name.debugDescription) is unknown"
        case .malformed(let name): "the bytes are no text in the character set \(name.debugDescription)"
        }
    }
}
