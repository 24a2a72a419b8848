internal import AFHTTP

extension HeadItems {
    /// What was typed and is not sent, in a sentence each.
    ///
    /// - Parameter login: Where a login comes from that goes before a typed one; `nil` where there is none.
    func warnings(login: String?) -> [String] {
        guard let login, mentions("Authorization") else { return [] }
        return ["the typed Authorization is passed over: the login of \(login) is sent"]
    }
}

extension AuthenticationArguments {
    /// The option that says how to log in; `nil` where none does.
    var origin: String? { credential != nil ? "--auth" : kind != nil ? "--auth-type" : nil }
}
