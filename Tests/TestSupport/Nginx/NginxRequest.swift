/// A line of nginx's access log.
public struct NginxRequest: Sendable, Hashable {
    /// nginx's number of the connection: requests on the same connection have equal numbers.
    public let connection: Int
    public let method: String
    public let target: String
    /// The version: `HTTP/1.1` or `HTTP/2.0`.
    public let version: String
    public let status: Int
    /// The subject of the client certificate; empty if there is none.
    public let client: String

    /// The log format for nginx's configuration.
    static let logFormat = "$connection $request_method $request_uri $server_protocol $status $ssl_client_s_dn"

    init?(logged line: some StringProtocol) {
        let words = line.split(separator: " ", maxSplits: 5)
        guard words.count == 6, let connection = Int(words[0]), let status = Int(words[4]) else { return nil }
        self.connection = connection
        self.status = status
        (method, target, version) = (String(words[1]), String(words[2]), String(words[3]))
        client = words[5] == "-" ? "" : String(words[5])
    }
}
