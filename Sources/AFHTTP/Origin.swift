/// Scheme, host and port: the border that credentials do not cross (RFC 6454 §4).
public struct Origin: Hashable, Sendable, CustomStringConvertible {
    public let scheme: HTTPURL.Scheme
    /// As in ``HTTPURL/host``.
    public let host: String
    public let port: Int

    public init(scheme: HTTPURL.Scheme, host: String, port: Int) {
        self.scheme = scheme
        self.host = host
        self.port = port
    }

    public var description: String {
        let text = scheme.rawValue + "://" + host
        return port == scheme.defaultPort ? text : text + ":" + String(port)
    }
}
