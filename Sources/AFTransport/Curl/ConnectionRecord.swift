/// The observations of a transfer's connections that libcurl does not report.
struct ConnectionRecord {
    /// The open sockets of connections to the server or a proxy; at most one is connected.
    var openedSockets: [Int32] = []
    /// The error number of the last failed attempt to open a socket; libcurl reports only that it could not connect.
    var socketError: Int32?
    /// The end of the TLS connection to the server, if OpenSSL implements it.
    var tlsEnding: TLSEnding?
    /// The bytes of the headers that were sent before the server was reached: those of CONNECT.
    var sentToProxy = 0
}
