/// A user name and a password.
public struct URLCredential: Hashable, Sendable {
    /// How long a session may use the credential again.
    public enum Persistence: Hashable, Sendable {
        /// For the one request.
        case none
        /// While the session's ``URLCredentialStorage`` lives, with later requests to the same server.
        case forSession
    }

    /// The name as it is typed, not percent-encoded.
    public let user: String
    /// The password as it is typed, not percent-encoded.
    public let password: String
    /// Whether the session may use the credential again once a server has accepted it.
    public let persistence: Persistence

    /// A credential that the session may use again, unless told otherwise.
    public init(user: String, password: String, persistence: Persistence = .forSession) {
        self.user = user
        self.password = password
        self.persistence = persistence
    }
}

extension URLCredential: CustomStringConvertible, CustomDebugStringConvertible {
    /// Never holds the password.
    public var description: String { "URLCredential(user: \(user))" }
    /// The same as ``description``.
    public var debugDescription: String { description }
}
