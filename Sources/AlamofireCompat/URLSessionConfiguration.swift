public import AFCore
public import AFHTTP
internal import AFTransport
internal import Foundation
internal import Synchronization

/// The configuration of a session with the members of Foundation's class, mutable by reference as there.
///
/// ``sessionConfiguration`` is the core's configuration made from it, which has more properties. Properties that the
/// transport does not use, such as `allowsCellularAccess`, can be set and have no effect.
public final class URLSessionConfiguration: Sendable {
    private struct State {
        var core: SessionConfiguration
        var waitsForConnectivity = false
        var allowsCellularAccess = true
    }

    private let state: Mutex<State>

    /// Creates a configuration from the core's.
    public init(_ configuration: SessionConfiguration) { state = Mutex(State(core: configuration)) }

    /// A new configuration as Foundation creates it: without Alamofire's headers, which `af.default` adds.
    public static var `default`: URLSessionConfiguration { URLSessionConfiguration(SessionConfiguration(headers: [])) }

    /// A new configuration that stores no cookies.
    public static var ephemeral: URLSessionConfiguration {
        var configuration = SessionConfiguration.ephemeral
        configuration.headers = []
        return URLSessionConfiguration(configuration)
    }

    /// The configuration for a session. Alamofire's default headers are added for names that are not set, as URLSession
    /// adds its own to every request.
    public var sessionConfiguration: SessionConfiguration {
        var configuration = self[\.core]
        for header in HTTPHeaders.default where configuration.headers.value(for: header.name) == nil {
            configuration.headers.append(header)
        }
        return configuration
    }

    /// The default header fields of requests, used for names that a request does not set.
    public var headers: HTTPHeaders {
        get { self[\.core.headers] }
        set { self[\.core.headers] = newValue }
    }

    /// The ``headers`` in Foundation's type.
    public var httpAdditionalHeaders: [AnyHashable: Any]? {
        get { headers.isEmpty ? nil : headers.dictionary }
        set { headers = HTTPHeaders((newValue ?? [:]).map { HTTPHeader(name: "\($0.key)", value: "\($0.value)") }) }
    }

    /// Seconds without progress, including connecting, before a request fails.
    public var timeoutIntervalForRequest: Double {
        get { self[\.core.timeouts.idle] ?? .infinity }
        set {
            self[\.core.timeouts.idle] = newValue.isFinite ? newValue : nil
            self[\.core.timeouts.connect] = newValue.isFinite ? newValue : nil
        }
    }

    /// Seconds before a request fails, regardless of progress; seven days by default.
    public var timeoutIntervalForResource: Double {
        get { self[\.core.timeouts.total] ?? 7 * 24 * 60 * 60 }
        set { self[\.core.timeouts.total] = newValue.isFinite ? newValue : nil }
    }

    /// The maximum number of connections to one host.
    public var httpMaximumConnectionsPerHost: Int {
        get { self[\.core.connections.perHost] ?? .max }
        set { self[\.core.connections.perHost] = newValue }
    }

    /// Whether cookies are stored and sent.
    public var httpShouldSetCookies: Bool {
        get { self[\.core.httpShouldSetCookies] }
        set { self[\.core.httpShouldSetCookies] = newValue }
    }

    /// The storage of credentials for requests without their own; `nil` for none.
    public var urlCredentialStorage: AFHTTP.URLCredentialStorage? {
        get { self[\.core.urlCredentialStorage] }
        set { self[\.core.urlCredentialStorage] = newValue }
    }

    /// The cache of responses; `nil` for none.
    public var urlCache: ResponseCache? {
        get { self[\.core.urlCache] }
        set { self[\.core.urlCache] = newValue }
    }

    /// The cache policy of requests that have `useProtocolCachePolicy`.
    public var requestCachePolicy: AFHTTP.URLRequest.CachePolicy {
        get { self[\.core.requestCachePolicy] }
        set { self[\.core.requestCachePolicy] = newValue }
    }

    /// Changes nothing: a request fails at once where there is no network. ``AFCore/OfflineRetrier`` waits.
    public var waitsForConnectivity: Bool {
        get { self[\.waitsForConnectivity] }
        set { self[\.waitsForConnectivity] = newValue }
    }

    /// Changes nothing: the transport does not choose between networks.
    public var allowsCellularAccess: Bool {
        get { self[\.allowsCellularAccess] }
        set { self[\.allowsCellularAccess] = newValue }
    }

    private subscript<Value: Sendable>(_ path: any WritableKeyPath<State, Value> & Sendable) -> Value {
        get { state.withLock { $0[keyPath: path] } }
        set { state.withLock { $0[keyPath: path] = newValue } }
    }
}

extension AlamofireExtension where ExtendedType == URLSessionConfiguration {
    /// A new configuration with Alamofire's headers (`HTTPHeaders.default`).
    public static var `default`: URLSessionConfiguration { URLSessionConfiguration(.default) }

    /// A new configuration with Alamofire's headers that keeps no cookies.
    public static var ephemeral: URLSessionConfiguration { URLSessionConfiguration(.ephemeral) }
}

extension URLSessionConfiguration: AlamofireExtended {}

extension ResponseCache {
    /// Creates a cache with Foundation's parameters; without a path it stores in memory only.
    public convenience init(memoryCapacity: Int, diskCapacity: Int, diskPath path: String?) {
        self.init(
            memoryCapacity: memoryCapacity,
            diskCapacity: diskCapacity,
            directory: path.map { URL(filePath: $0, directoryHint: .isDirectory) }
        )
    }
}
