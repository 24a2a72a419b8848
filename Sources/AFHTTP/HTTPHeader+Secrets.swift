extension HTTPHeader {
    /// Whether the name indicates a password, a token or a cookie.
    ///
    /// Such fields are not forwarded to another origin after a redirect.
    public var holdsSecret: Bool { SecretNames().contains(name) }

    /// The field with a secret value replaced by `•••`.
    public var redactedDescription: String { holdsSecret ? "\(name): •••" : description }
}
