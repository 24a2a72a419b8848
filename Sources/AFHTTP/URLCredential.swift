/// A user name and a password.
public struct URLCredential: Hashable, Sendable {
    /// How long a session may reuse the credential.
    public enum Persistence: Hashable, Sendable {
        /// For one request.
        case none
        /// For later requests to the same server, as long as the session's ``URLCredentialStorage`` exists.
        case forSession
    }

    /// The user name, not percent-encoded.
    public let user: String
    /// The password, not percent-encoded.
    public let password: String
    /// Whether the session may reuse the credential after a server has accepted it.
    public let persistence: Persistence

    /// Creates a credential; by default the session may reuse it.
    public init(user: String, password: String, persistence: Persistence = .forSession) {
        self.user = user
        self.password = password
        self.persistence = persistence
    }
}

extension URLCredential: CustomStringConvertible, CustomDebugStringConvertible {
    /// The user name; never the password.
    public var description: String { "URLCredential(user: \(user))" }
    /// The ``description``.
    public var debugDescription: String { description }
}

extension HTTPURL {
    /// The credential in the URL's user info; `nil` if the URL has no user info.
    package var credential: URLCredential? {
        user.map { URLCredential(user: $0, password: password ?? "", persistence: .none) }
    }
}
