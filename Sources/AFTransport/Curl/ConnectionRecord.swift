/// The observations of a transfer's connections that libcurl does not report.
struct ConnectionRecord {
    /// The open sockets of connections to the server or a proxy; at most one is connected.
    var openedSockets: [Int32] = []
    /// The error number of the last failed attempt to open a socket; libcurl reports only that it could not connect.
    var socketError: Int32?
    /// The end of the TLS connection to the server, if OpenSSL implements it.
    var tlsEnding: TLSEnding?
    /// The reason why the certificate of the latest handshake was rejected; `nil` if it was not, or not observed.
    var verificationError: String?
    /// The fatal alert of a server or proxy; `nil` if no alert was sent, or it was not observed.
    var fatalAlert: Int32?
    /// Whether the SETTINGS frame of HTTP/2 was received, which is the first.
    var hasHTTP2 = false
    /// The bytes of the headers that were sent before the server was reached: those of CONNECT.
    var sentToProxy = 0
}
