internal import Synchronization

/// The place of a transfer in a command with several.
struct TransferPlace: Sendable {
    /// The zero-based index of the URL.
    var url = 0
    /// The zero-based index of the transfer.
    var transfer = 0
    /// The URL of a curl command as typed; `nil` in other commands.
    var typedURL: String?
    /// The path of its file as typed; `nil` if it is not in a file.
    var path: String?
    /// Whether the request after a redirect names the URL before as its `Referer`.
    var sendsReferer = false
    /// Whether the headers of responses are written with their bodies.
    var printsHeaders = false
    /// Whether the body of an error (400 and above) is not received, as with `--fail`.
    var hidesErrorBodies = false
    /// The connections of the command; `nil` if there is one transfer.
    var connections: ConnectionNumbers?
}

/// The numbers of connections, in the order of their first use.
final class ConnectionNumbers: Sendable {
    private let endpoints = Mutex<[String]>([])

    /// Returns the number of the connection between two endpoints.
    func number(of endpoint: String) -> Int {
        endpoints.withLock { known in
            if let number = known.firstIndex(of: endpoint) { return number }
            known.append(endpoint)
            return known.count - 1
        }
    }
}
