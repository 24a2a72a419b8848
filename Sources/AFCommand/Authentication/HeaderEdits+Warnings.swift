internal import AFHTTP

extension HeaderEdits {
    /// Returns a warning for each typed field that is not sent.
    ///
    /// - Parameter login: The source of the credentials that override a typed field; `nil` if there are none.
    func warnings(login: String?) -> [String] {
        guard let login, mentions("Authorization") else { return [] }
        return ["the typed Authorization is not sent: the credentials of \(login) are sent"]
    }
}

extension AuthenticationArguments {
    /// The option that sets the authentication; `nil` if there is none.
    var origin: String? { credential != nil ? "--auth" : kind != nil ? "--auth-type" : nil }
}
