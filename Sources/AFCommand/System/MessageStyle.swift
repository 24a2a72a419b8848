/// The form of messages.
enum MessageStyle: Equatable, Sendable {
    /// The program's name and the kind of the message.
    case afcli
    /// That of curl: `curl: (7) …` with the exit number, `Warning: …`, and `Note: …`.
    ///
    /// - Parameter failsOnStatus: Whether an unsuccessful status code is a failure.
    case curl(hidesErrors: Bool, failsOnStatus: Bool = false)
}
