extension HTTPHeader {
    /// Whether the value is, or by the name looks like, a password, a token or a cookie.
    package var holdsSecret: Bool {
        let name = name.lowercased()
        return Self.secretNames.contains(name)
            || Self.secretEndings.contains { name.hasSuffix($0) } && !Self.openNames.contains(name)
    }

    private static let secretNames = ["authorization", "proxy-authorization", "cookie", "cookie2", "set-cookie"]
    private static let secretEndings = [
        "-key", "apikey", "token", "secret", "password", "-auth", "session", "session-id", "sessionid",
    ]
    /// Keys that open nothing.
    private static let openNames = ["idempotency-key", "sec-websocket-key", "surrogate-key"]

    /// The field as it may be shown: a secret's value is `•••`.
    package var redactedDescription: String { holdsSecret ? "\(name): •••" : description }
}
