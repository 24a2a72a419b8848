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

    /// The head of the response.
    public let response: HTTPURLResponse
    /// The body, decoded as it was delivered.
    public let data: Data
    /// What the program wants to remember of the response; it is kept in memory only.
    public let userInfo: [String: any Sendable]?
    /// Where the cache may keep it.
    public let storagePolicy: StoragePolicy

    /// A response to be kept, wherever the cache keeps them unless told otherwise.
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
