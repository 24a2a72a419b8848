public import AFHTTP
public import FoundationNetworking

extension AFHTTP.URLCredential {
    /// Foundation's credential as one of ours; `nil` where it lacks user or password.
    ///
    /// What Foundation keeps beyond the session's end is kept for the session.
    public init?(_ credential: FoundationNetworking.URLCredential) {
        guard let user = credential.user, let password = credential.password else { return nil }
        self.init(user: user, password: password, persistence: credential.persistence == .none ? .none : .forSession)
    }
}

extension FoundationNetworking.URLCredential {
    /// One of our credentials as Foundation's.
    public convenience init(_ credential: AFHTTP.URLCredential) {
        self.init(
            user: credential.user,
            password: credential.password,
            persistence: credential.persistence == .none ? .none : .forSession
        )
    }
}
