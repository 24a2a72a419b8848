/// The form of messages.
enum MessageStyle: Equatable, Sendable {
    /// The program's name and the kind of the message.
    case afcli
    /// That of curl: `curl: (7) …` with the exit number, `Warning: …`, and `Note: …`.
    ///
    /// - Parameter failsOnTunnel: Whether an error of a proxy for CONNECT has the number of an error of the server.
    case curl(hidesErrors: Bool, failsOnTunnel: Bool = false)
}
