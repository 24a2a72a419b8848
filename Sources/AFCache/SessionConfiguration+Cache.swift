public import AFRequests
package import AFTransport

extension SessionConfiguration {
    /// The cache of responses; `nil` for none.
    public var urlCache: ResponseCache? {
        get { cache as? ResponseCache }
        set { cache = newValue }
    }
}

extension ResponseCache: TransportCache {
    /// Returns a transport that uses this cache.
    package func caching(_ transport: any Transport) -> any Transport { CachingTransport(transport, cache: self) }
}
