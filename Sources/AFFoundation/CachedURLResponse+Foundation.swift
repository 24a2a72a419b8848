public import AFHTTP
internal import Foundation
public import FoundationNetworking

extension AFHTTP.CachedURLResponse {
    /// Converts a cached response of Foundation; `nil` if it is not an HTTP response.
    ///
    /// `userInfo` is dropped, as Foundation does not guarantee that it may be used on other threads.
    public init?(_ cached: FoundationNetworking.CachedURLResponse) {
        guard let response = cached.response as? FoundationNetworking.HTTPURLResponse else { return nil }
        let policy: StoragePolicy =
            switch cached.storagePolicy {
            case .allowedInMemoryOnly: .allowedInMemoryOnly
            case .notAllowed: .notAllowed
            default: .allowed
            }
        self.init(response: AFHTTP.HTTPURLResponse(response), data: cached.data, storagePolicy: policy)
    }
}

extension FoundationNetworking.CachedURLResponse {
    /// Converts a cached response to Foundation's type; `nil` if it has no URL.
    public convenience init?(_ cached: AFHTTP.CachedURLResponse) {
        guard let response = FoundationNetworking.HTTPURLResponse(cached.response) else { return nil }
        let policy: URLCache.StoragePolicy =
            switch cached.storagePolicy {
            case .allowed: .allowed
            case .allowedInMemoryOnly: .allowedInMemoryOnly
            case .notAllowed: .notAllowed
            }
        self.init(response: response, data: cached.data, userInfo: cached.userInfo, storagePolicy: policy)
    }
}
