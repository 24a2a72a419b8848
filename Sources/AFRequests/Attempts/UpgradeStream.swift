public import AFHTTP
public import AFTransport

/// The bytes to send after the server has switched protocols.
@_spi(Requests) public protocol UpgradeStream: BodyStream {
    /// Renews the header fields that each request has of its own, such as the key of a WebSocket handshake.
    func renewFields(of headers: inout HTTPHeaders)
}

extension String {
    /// The URL with http in place of ws, and https in place of wss (RFC 6455 §3).
    package var withHTTPScheme: String {
        let scheme = prefix { $0 != ":" }.lowercased()
        guard scheme == "ws" || scheme == "wss" else { return self }
        return (scheme == "ws" ? "http" : "https") + dropFirst(scheme.count)
    }
}
