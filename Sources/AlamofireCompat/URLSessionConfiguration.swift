public import AFCore
public import AFHTTP
internal import AFTransport
internal import Foundation
internal import Synchronization

/// A session's configuration with the members of Foundation's, changed in place as there.
///
/// ``sessionConfiguration`` is what a session makes of it, and has more to offer. What the transport has no use for,
/// such as the choice between mobile and other networks, can be set and changes nothing.
public final class URLSessionConfiguration: Sendable {
    private struct Contents {
        var core: SessionConfiguration
        var waitsForConnectivity = false
        var allowsCellularAccess = true
    }

    private let contents: Mutex<Contents>

    /// A configuration that begins as the given one.
    public init(_ configuration: SessionConfiguration) { contents = Mutex(Contents(core: configuration)) }

    /// A new configuration as Foundation makes it: without Alamofire's headers, which `af.default` adds.
    public static var `default`: URLSessionConfiguration { URLSessionConfiguration(SessionConfiguration(headers: [])) }

    /// A new configuration that keeps no cookies.
    public static var ephemeral: URLSessionConfiguration {
        var configuration = SessionConfiguration.ephemeral
        configuration.headers = []
        return URLSessionConfiguration(configuration)
    }

    /// What a session takes over when it is made: with Alamofire's headers where there are none of their names, as
    /// URLSession adds its own to every request.
    public var sessionConfiguration: SessionConfiguration {
        var configuration = self[\.core]
        for header in HTTPHeaders.default where configuration.headers.value(for: header.name) == nil {
            configuration.headers.append(header)
        }
        return configuration
    }

    /// Sent with every request that has no field of the same name.
    public var headers: HTTPHeaders {
        get { self[\.core.headers] }
        set { self[\.core.headers] = newValue }
    }

    /// ``headers`` as Foundation has them.
    public var httpAdditionalHeaders: [AnyHashable: Any]? {
        get { headers.isEmpty ? nil : headers.dictionary }
        set { headers = HTTPHeaders((newValue ?? [:]).map { HTTPHeader(name: "\($0.key)", value: "\($0.value)") }) }
    }

    /// Seconds without progress, connecting included, after which a request is given up.
    public var timeoutIntervalForRequest: Double {
        get { self[\.core.timeouts.idle] ?? .infinity }
        set {
            self[\.core.timeouts.idle] = newValue.isFinite ? newValue : nil
            self[\.core.timeouts.connect] = newValue.isFinite ? newValue : nil
        }
    }

    /// Seconds after which a request is given up, progress or not; seven days unless set.
    public var timeoutIntervalForResource: Double {
        get { self[\.core.timeouts.total] ?? 7 * 24 * 60 * 60 }
        set { self[\.core.timeouts.total] = newValue.isFinite ? newValue : nil }
    }

    /// How many connections to one host may stand at once.
    public var httpMaximumConnectionsPerHost: Int {
        get { self[\.core.connections.perHost] ?? .max }
        set { self[\.core.connections.perHost] = newValue }
    }

    /// Whether cookies are kept and sent.
    public var httpShouldSetCookies: Bool {
        get { self[\.core.httpShouldSetCookies] }
        set { self[\.core.httpShouldSetCookies] = newValue }
    }

    /// Where the session looks for credentials that requests do not have; `nil` keeps none.
    public var urlCredentialStorage: AFHTTP.URLCredentialStorage? {
        get { self[\.core.urlCredentialStorage] }
        set { self[\.core.urlCredentialStorage] = newValue }
    }

    /// Where responses are kept; `nil` keeps none.
    public var urlCache: ResponseCache? {
        get { self[\.core.urlCache] }
        set { self[\.core.urlCache] = newValue }
    }

    /// For requests that leave their `cachePolicy` at `useProtocolCachePolicy`.
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

    private subscript<Value: Sendable>(_ path: any WritableKeyPath<Contents, Value> & Sendable) -> Value {
        get { contents.withLock { $0[keyPath: path] } }
        set { contents.withLock { $0[keyPath: path] = newValue } }
    }
}

extension AlamofireExtension where ExtendedType == URLSessionConfiguration {
    /// A new configuration with Alamofire's headers (`HTTPHeaders.default`).
    public static var `default`: URLSessionConfiguration { URLSessionConfiguration(.default) }

    /// A new configuration with Alamofire's headers that keeps no cookies.
    public static var ephemeral: URLSessionConfiguration { URLSessionConfiguration(.ephemeral) }
}

extension URLSessionConfiguration: AlamofireExtended {}
