public import FoundationEssentials

/// A response as a cache keeps it.
///
/// The members are those of Foundation's type.
public struct CachedURLResponse: Sendable {
    /// Where a response may be kept.
    public enum StoragePolicy: Hashable, Sendable {
        /// Wherever the cache keeps responses.
        case allowed
        /// Not on disk.
        case allowedInMemoryOnly
        case notAllowed
    }

    public let response: HTTPURLResponse
    /// The body, decoded as it was delivered.
    public let data: Data
    /// What the program wants to remember of the response; it is kept in memory only.
    public let userInfo: [String: any Sendable]?
    public let storagePolicy: StoragePolicy

    public init(
        response: HTTPURLResponse,
        data: Data,
        userInfo: [String: any Sendable]? = nil,
        storagePolicy: StoragePolicy = .allowed
    ) {
        self.response = response
        self.data = data
        self.userInfo = userInfo
        self.storagePolicy = storagePolicy
    }
}
