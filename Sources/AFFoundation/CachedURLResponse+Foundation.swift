public import AFHTTP
internal import Foundation
public import FoundationNetworking

extension AFHTTP.CachedURLResponse {
    /// What Foundation's cache keeps as one of ours; `nil` where it is no response over HTTP.
    ///
    /// `userInfo` stays behind, as Foundation does not promise that it can go to other threads.
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
    /// One of our kept responses as Foundation's; `nil` where it has no URL.
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
