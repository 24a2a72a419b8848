/// Access keys for Amazon Web Services.
public struct AWSCredentials: Hashable, Sendable {
    /// The access key ID, sent with every request: `AKIA…`, or `ASIA…` for temporary keys.
    public var accessKeyID: String
    /// The secret key; never sent.
    public var secretAccessKey: String
    /// The session token of temporary keys.
    public var sessionToken: String?

    /// Creates permanent keys, or with a token temporary ones.
    public init(accessKeyID: String, secretAccessKey: String, sessionToken: String? = nil) {
        self.accessKeyID = accessKeyID
        self.secretAccessKey = secretAccessKey
        self.sessionToken = sessionToken
    }
}

extension AWSCredentials: CustomStringConvertible, CustomDebugStringConvertible {
    /// The access key ID; never the secret key or the token.
    public var description: String { "AWSCredentials(accessKeyID: \(accessKeyID))" }
    /// The ``description``.
    public var debugDescription: String { description }
}
