internal import AFHTTP
internal import AFTransport
internal import FoundationEssentials

/// The opening handshake (RFC 6455 §4.1).
enum WebSocketHandshake {
    /// The parameters of an established connection.
    struct NegotiatedParameters: Hashable, Sendable {
        /// The subprotocol that the server chose; `nil` for none.
        var subprotocol: String?
        /// `nil` if messages are not compressed.
        var compression: WebSocketCompression?
    }

    /// The name of the field with the client's random key.
    static let keyField = "Sec-WebSocket-Key"
    private static let extensionsField = "Sec-WebSocket-Extensions"
    private static let protocolField = "Sec-WebSocket-Protocol"
    /// Appended to the key, whose digest proves that the server understood the handshake.
    private static let identifier = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

    /// Returns a random key: 16 bytes in base64.
    static func newKey() -> String {
        let bytes = (UInt64.random(in: 0 ... .max), UInt64.random(in: 0 ... .max))
        return withUnsafeBytes(of: bytes) { Data($0).base64EncodedString() }
    }

    /// Adds the fields of the handshake. Subprotocols and extensions of the caller stay.
    static func addFields(to headers: inout HTTPHeaders, subprotocol: String?, offersCompression: Bool) {
        headers["Connection"] = "Upgrade"
        headers["Upgrade"] = "websocket"
        headers["Sec-WebSocket-Version"] = "13"
        headers[keyField] = newKey()
        if let subprotocol, headers.value(for: protocolField) == nil { headers[protocolField] = subprotocol }
        if offersCompression, headers.value(for: extensionsField) == nil {
            headers[extensionsField] = WebSocketCompression.offer
        }
    }

    /// Replaces the key, as each connection has its own.
    static func renewKey(in headers: inout HTTPHeaders) { headers[keyField] = newKey() }

    /// Checks the server's 101.
    ///
    /// - Parameter request: The fields of the request, with the key.
    /// - Throws: ``WebSocketError/Kind/invalidHandshake``.
    static func check(_ response: HTTPURLResponse, request: HTTPHeaders) throws(WebSocketError) -> NegotiatedParameters
    {
        func invalid(_ detail: String) -> WebSocketError { WebSocketError(.invalidHandshake, detail) }
        let headers = response.headers
        guard headers.listed("Upgrade").contains("websocket") else {
            throw invalid("the server's 101 does not upgrade to websocket")
        }
        guard headers.listed("Connection").contains("upgrade") else {
            throw invalid("the server's 101 has no 'Connection: Upgrade'")
        }
        let accept = accept(for: request.value(for: keyField) ?? "")
        guard headers.values(for: "Sec-WebSocket-Accept") == [accept] else {
            throw invalid("the server's Sec-WebSocket-Accept does not match the request")
        }
        var parameters = NegotiatedParameters()
        let chosen = headers.values(for: protocolField)
        if let first = chosen.first {
            guard chosen.count == 1, request.elements(protocolField).contains(first[...]) else {
                throw invalid("the server chose the subprotocol '\(first)', which was not offered")
            }
            parameters.subprotocol = first
        }
        let extensions = headers.elements(extensionsField)
        let isOffered = request.listed(extensionsField).contains { $0.hasPrefix("permessage-deflate") }
        let other = extensions.first { !isOffered || WebSocketCompression($0) == nil } ?? extensions.dropFirst().first
        if let other { throw invalid("the server chose an extension that was not offered: \(other)") }
        parameters.compression = extensions.first.flatMap { WebSocketCompression($0) }
        return parameters
    }

    /// Returns the `Sec-WebSocket-Accept` for a key (RFC 6455 §4.2.2).
    static func accept(for key: String) -> String {
        guard let digest = RunningDigest("SHA1") else { return "" }
        Array((key + identifier).utf8).withUnsafeBytes { digest.update($0) }
        return Data(digest.finish()).base64EncodedString()
    }
}
