/// A scheme, host and port: the boundary for credentials (RFC 6454 §4).
public struct Origin: Hashable, Sendable, CustomStringConvertible {
    /// The scheme: http and https are different origins.
    public let scheme: HTTPURL.Scheme
    /// The host, as in ``HTTPURL/host``.
    public let host: String
    /// The port to connect to, explicit even if it is the scheme's default.
    public let port: Int

    /// Creates an origin; ``host`` must be in lower case.
    public init(scheme: HTTPURL.Scheme, host: String, port: Int) {
        self.scheme = scheme
        self.host = host
        self.port = port
    }

    /// The origin as text, such as `https://example.org:8443`, without the scheme's default port.
    public var description: String { followed(by: "") }

    /// Returns the origin as text with a path appended, built in one allocation.
    func followed(by path: String) -> String {
        var text = ""
        // `https://` and `:65535` at most.
        text.reserveCapacity(8 + host.utf8.count + 6 + path.utf8.count)
        text += scheme.rawValue
        text += "://"
        text += host
        if port != scheme.defaultPort {
            text += ":"
            text += String(port)
        }
        text += path
        return text
    }

    /// Whether a text equals ``followed(by:)``, without building that.
    func isFollowed(by path: String, in text: String) -> Bool {
        text.withBytes { bytes in
            var rest = bytes[...]
            return rest.skip(scheme.rawValue) && rest.skip("://") && rest.skip(host)
                && (port == scheme.defaultPort || rest.skip(":") && rest.skip(String(port)))
                && rest.skip(path) && rest.isEmpty
        }
    }
}

extension Slice<UnsafeBufferPointer<UInt8>> {
    /// Removes a prefix; returns `false` if there is another one.
    fileprivate mutating func skip(_ part: String) -> Bool {
        guard part.withBytes({ starts(with: $0) }) else { return false }
        removeFirst(part.utf8.count)
        return true
    }
}
