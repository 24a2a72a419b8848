internal import AFHTTP
internal import AFTransport

/// Stores the credential of a hop for later requests after the server has requested and accepted it, and removes it
/// after a rejection.
struct CredentialRecorder: Sendable {
    private let origin: Origin
    /// The space that the credential was stored for.
    private let space: URLProtectionSpace?
    private let login: AuthenticationOptions
    private let hasBody: Bool
    private let storage: URLCredentialStorage

    /// Returns `nil` if nothing is to be stored.
    init?(_ login: AuthenticationOptions, of hop: Hop, storage: URLCredentialStorage) {
        guard login.credential.persistence != .none else { return nil }
        self.login = login
        hasBody = hop.body != nil
        origin = hop.url.origin
        space = hop.protectionSpace
        self.storage = storage
    }

    /// Stores or removes the credential according to the response.
    ///
    /// - Parameters:
    ///   - challenge: The 401 that requested authentication, if there was one.
    ///   - response: The final response.
    func update(challenge: HTTPURLResponse?, response: HTTPURLResponse) {
        if response.statusCode == 401 { return removeCredential(after: response) }
        // After a failed response it is unknown whether the server checked the password.
        guard let challenge, response.statusCode < 400 else { return }
        let chosen = login.choice(among: challenge.authenticationChallenges, hasBody: hasBody)
        guard let chosen, let method = chosen.method else { return }
        let space = URLProtectionSpace(origin: origin, realm: chosen.realm, authenticationMethod: method)
        storage.set(login.credential, for: space)
    }

    /// Removes the credential only if the challenge is for the same space: other rejections are unrelated.
    private func removeCredential(after refusal: HTTPURLResponse) {
        guard let space, let method = space.authenticationMethod else { return }
        let isSame = refusal.authenticationChallenges.contains {
            $0.method == method
                && URLProtectionSpace(origin: origin, realm: $0.realm, authenticationMethod: method) == space
        }
        if isSame { storage.remove(rejected: login.credential, for: space) }
    }
}

extension URLRequest {
    /// Whether the caller sets the `Authorization` field.
    var bringsAuthorization: Bool { headers.value(for: "Authorization") != nil }
}
