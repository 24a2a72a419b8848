extension HTTPHeader {
    /// Whether the value is, or by the name looks like, a password, a token or a cookie.
    package var holdsSecret: Bool {
        let name = name.lowercased()
        return ["authorization", "proxy-authorization", "cookie", "cookie2", "set-cookie"].contains(name)
            || ["api-key", "apikey", "token", "secret", "password", "-auth"].contains { name.hasSuffix($0) }
    }

    /// The field as it may be shown: a secret's value is `•••`.
    package var redactedDescription: String { holdsSecret ? "\(name): •••" : description }
}
