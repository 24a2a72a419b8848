internal import AFHTTP
internal import AFTransport

/// Keeps the credential of a hop for later requests, once the server has asked for it and accepted it, and forgets it
/// once it is refused.
struct CredentialMemory: Sendable {
    private let credential: URLCredential
    private let origin: Origin
    /// Where the credential was kept before.
    private let space: URLProtectionSpace?
    /// How the hop may prove it.
    private let kinds: AuthenticationOptions.Kinds
    private let storage: URLCredentialStorage

    /// `nil` where nothing is to be kept.
    init?(_ login: AuthenticationOptions, of hop: Hop, storage: URLCredentialStorage) {
        guard login.credential.persistence != .none else { return nil }
        credential = login.credential
        kinds = login.kinds
        origin = hop.url.origin
        space = hop.protectionSpace
        self.storage = storage
    }

    /// - Parameters:
    ///   - challenge: The 401 that asked for a login, where there was one.
    ///   - answer: The final response.
    func note(challenge: HTTPURLResponse?, answer: HTTPURLResponse) {
        if answer.statusCode == 401 { return forget(after: answer) }
        // Of a failure nobody knows whether the server got as far as the password.
        guard let challenge, answer.statusCode < 400 else { return }
        let challenges = challenge.authenticationChallenges
        // Of several libcurl takes the one that gives away least.
        let methods: [URLProtectionSpace.AuthenticationMethod] = [.negotiate, .digest, .ntlm, .basic]
        for method in methods where kinds.contains(method.kind) {
            guard let challenge = challenges.first(where: { $0.method == method }) else { continue }
            let space = URLProtectionSpace(origin: origin, realm: challenge.realm, authenticationMethod: method)
            return storage.set(credential, for: space)
        }
    }

    /// Only where the server asks for the very space: a refusal elsewhere says nothing about the credential.
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
    /// Whether the caller has seen to the login himself.
    var bringsAuthorization: Bool { headers.value(for: "Authorization") != nil }
}
