/// The decisions for a WebSocket connection.
struct WebSocketPlan: Sendable {
    let isBinary: Bool
    let maximumMessages: Int?
    /// The limit on received messages in bytes.
    let maximumMessageSize: Int
    /// The seconds between pings; `nil` for none.
    let pingInterval: Double?
    /// The silence in seconds after which the end of the input closes the connection; `nil` if it closes nothing.
    let linger: Double?
    /// Whether standard input is sent.
    let readsInput: Bool

    /// The default limit on received messages, in bytes.
    private static let defaultMessageSize: Int64 = 16 << 20

    /// Creates a plan.
    ///
    /// - Parameters:
    ///   - maximumSize: The limit on received messages in bytes; `nil` for the default.
    ///   - input: The standard input; `nil` if it is ignored.
    init(_ typed: WebSocketArguments, maximumSize: Int64?, input: StandardInput.Kind?) {
        isBinary = typed.isBinary
        maximumMessages = typed.maximumMessages
        maximumMessageSize = Int(clamping: maximumSize ?? Self.defaultMessageSize)
        pingInterval = typed.pingInterval?.limit
        linger = typed.maximumMessages == nil ? typed.linger?.value ?? 1 : nil
        switch input {
        case nil, .closed, .nullDevice, .directory: readsInput = false
        case .terminal, .regularFile, .stream: readsInput = true
        }
    }
}
