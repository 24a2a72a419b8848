extension HTTPHeader {
    /// Whether the value is, or by the name looks like, a password, a token or a cookie.
    ///
    /// Such fields go to no other origin after a redirect.
    public var holdsSecret: Bool { SecretNames().contains(name) }

    /// The field as it may be shown: a secret's value is `•••`.
    public var redactedDescription: String { holdsSecret ? "\(name): •••" : description }
}
