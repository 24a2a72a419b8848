extension HTTPHeader {
    /// Whether the value is, or by the name looks like, a password, a token or a cookie.
    package var holdsSecret: Bool {
        let name = name.lowercased()
        return ["authorization", "proxy-authorization", "cookie", "set-cookie"].contains(name)
            || name.hasSuffix("api-key") || name.hasSuffix("apikey") || name.hasSuffix("token")
            || name.hasSuffix("secret") || name.hasSuffix("password")
    }

    /// The field as it may be shown: a secret's value is `•••`.
    package var redactedDescription: String { holdsSecret ? "\(name): •••" : description }
}
