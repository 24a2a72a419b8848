public import AFHTTP
public import FoundationNetworking

extension AFHTTP.URLCredential {
    /// Converts a credential of Foundation; `nil` if it has no user or no password.
    ///
    /// Persistence beyond the session becomes persistence for the session.
    public init?(_ credential: FoundationNetworking.URLCredential) {
        guard let user = credential.user, let password = credential.password else { return nil }
        self.init(user: user, password: password, persistence: credential.persistence == .none ? .none : .forSession)
    }
}

extension FoundationNetworking.URLCredential {
    /// Converts a credential to Foundation's type.
    public convenience init(_ credential: AFHTTP.URLCredential) {
        self.init(
            user: credential.user,
            password: credential.password,
            persistence: credential.persistence == .none ? .none : .forSession
        )
    }
}
