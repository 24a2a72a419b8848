public import FoundationEssentials

/// A stored response of a cache.
///
/// The members are those of Foundation's type.
public struct CachedURLResponse: Sendable {
    /// The storage that a response may use.
    public enum StoragePolicy: Hashable, Sendable {
        /// Memory and disk.
        case allowed
        /// Memory only.
        case allowedInMemoryOnly
        case notAllowed
    }

    /// The head of the response.
    public let response: HTTPURLResponse
    /// The body, decoded as it was delivered.
    public let data: Data
    /// Values that the program attaches to the response; stored in memory only.
    public let userInfo: [String: any Sendable]?
    /// The storage that the cache may use for the response.
    public let storagePolicy: StoragePolicy

    /// Creates a response to be stored in memory and on disk, unless `storagePolicy` says otherwise.
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
