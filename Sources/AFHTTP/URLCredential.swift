/// A user name and a password.
public struct URLCredential: Hashable, Sendable {
    /// How long a session may use the credential again.
    public enum Persistence: Hashable, Sendable {
        /// For the one request.
        case none
        /// While the session's ``URLCredentialStorage`` lives, with later requests to the same server.
        case forSession
    }

    public let user: String
    public let password: String
    public let persistence: Persistence

    public init(user: String, password: String, persistence: Persistence = .forSession) {
        self.user = user
        self.password = password
        self.persistence = persistence
    }
}

extension URLCredential: CustomStringConvertible, CustomDebugStringConvertible {
    /// Never holds the password.
    public var description: String { "URLCredential(user: \(user))" }
    public var debugDescription: String { description }
}
