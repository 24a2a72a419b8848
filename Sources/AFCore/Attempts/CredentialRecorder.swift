internal import AFHTTP
internal import AFTransport

/// Stores the credential of a hop for later requests after the server has requested and accepted it, and removes it
/// after a rejection.
struct CredentialRecorder: Sendable {
    private let credential: URLCredential
    private let origin: Origin
    /// The space that the credential was stored for.
    private let space: URLProtectionSpace?
    /// The authentication schemes that the hop may use.
    private let kinds: AuthenticationOptions.Kinds
    private let storage: URLCredentialStorage

    /// Returns `nil` if nothing is to be stored.
    init?(_ login: AuthenticationOptions, of hop: Hop, storage: URLCredentialStorage) {
        guard login.credential.persistence != .none else { return nil }
        credential = login.credential
        kinds = login.kinds
        origin = hop.url.origin
        space = hop.protectionSpace
        self.storage = storage
    }

    /// Stores or removes the credential according to the response.
    ///
    /// - Parameters:
    ///   - challenge: The 401 that requested authentication, if there was one.
    ///   - answer: The final response.
    func note(challenge: HTTPURLResponse?, answer: HTTPURLResponse) {
        if answer.statusCode == 401 { return forget(after: answer) }
        // After a failed response it is unknown whether the server checked the password.
        guard let challenge, answer.statusCode < 400 else { return }
        let challenges = challenge.authenticationChallenges
        // libcurl uses the most secure of the offered schemes.
        let methods: [URLProtectionSpace.AuthenticationMethod] = [.negotiate, .digest, .ntlm, .basic]
        for method in methods where kinds.contains(method.kind) {
            guard let challenge = challenges.first(where: { $0.method == method }) else { continue }
            let space = URLProtectionSpace(origin: origin, realm: challenge.realm, authenticationMethod: method)
            return storage.set(credential, for: space)
        }
    }

    /// Removes the credential only if the challenge is for the same space: other rejections are unrelated.
    private func forget(after refusal: HTTPURLResponse) {
        guard let space, let method = space.authenticationMethod else { return }
        let isSame = refusal.authenticationChallenges.contains {
            $0.method == method
                && URLProtectionSpace(origin: origin, realm: $0.realm, authenticationMethod: method) == space
        }
        if isSame { storage.forget(credential, for: space) }
    }
}

extension URLProtectionSpace.AuthenticationMethod {
    var kind: AuthenticationOptions.Kinds {
        switch self {
        case .basic: .basic
        case .digest: .digest
        case .ntlm: .ntlm
        case .negotiate: .negotiate
        }
    }
}

extension URLRequest {
    /// Whether the caller sets the `Authorization` field.
    var bringsAuthorization: Bool { headers.value(for: "Authorization") != nil }
}
