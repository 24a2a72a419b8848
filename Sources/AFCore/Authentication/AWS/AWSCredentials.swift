/// The keys of somebody who may ask Amazon Web Services for something.
public struct AWSCredentials: Hashable, Sendable {
    /// Sent with every request: `AKIA…`, or `ASIA…` for keys that expire.
    public var accessKeyID: String
    /// Never sent.
    public var secretAccessKey: String
    /// What goes along with keys that expire.
    public var sessionToken: String?

    /// Keys that last, or with a token those that expire.
    public init(accessKeyID: String, secretAccessKey: String, sessionToken: String? = nil) {
        self.accessKeyID = accessKeyID
        self.secretAccessKey = secretAccessKey
        self.sessionToken = sessionToken
    }
}

extension AWSCredentials: CustomStringConvertible, CustomDebugStringConvertible {
    /// Never holds the secret key nor the token.
    public var description: String { "AWSCredentials(accessKeyID: \(accessKeyID))" }
    /// The same as ``description``.
    public var debugDescription: String { description }
}
