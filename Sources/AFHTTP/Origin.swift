/// Scheme, host and port: the border that credentials do not cross (RFC 6454 §4).
public struct Origin: Hashable, Sendable, CustomStringConvertible {
    /// Over TLS or not: the same host and port are two origins by it.
    public let scheme: HTTPURL.Scheme
    /// As in ``HTTPURL/host``.
    public let host: String
    /// The port to connect to, be it the scheme's own.
    public let port: Int

    /// An origin of these parts; ``host`` must be in lower case already.
    public init(scheme: HTTPURL.Scheme, host: String, port: Int) {
        self.scheme = scheme
        self.host = host
        self.port = port
    }

    /// Such as `https://example.org:8443`; the scheme's own port is left out.
    public var description: String { followed(by: "") }

    /// The text of the origin with a path behind it, made in one piece.
    func followed(by path: String) -> String {
        var text = ""
        // https:// in front, and :65535 behind.
        text.reserveCapacity(8 + host.utf8.count + 6 + path.utf8.count)
        text += scheme.rawValue
        text += "://"
        text += host
        if port != scheme.defaultPort { text += ":\(port)" }
        text += path
        return text
    }
}
