internal import AFHTTP
internal import AFTransport

/// Keeps the credential of a hop for later requests, once the server has asked for it and accepted it.
struct CredentialMemory: Sendable {
    private let credential: URLCredential
    private let origin: Origin
    /// How the hop may prove it.
    private let kinds: AuthenticationOptions.Kinds
    private let storage: URLCredentialStorage

    /// `nil` where nothing is to be kept.
    init?(_ login: AuthenticationOptions, of hop: Hop, storage: URLCredentialStorage) {
        guard login.credential.persistence != .none else { return nil }
        credential = login.credential
        kinds = login.kinds
        origin = hop.url.origin
        self.storage = storage
    }

    /// - Parameters:
    ///   - challenge: The response that asked for a login.
    ///   - answer: The response to the login.
    func note(challenge: HTTPURLResponse, answer: HTTPURLResponse) {
        guard challenge.statusCode == 401, answer.statusCode != 401 else { return }
        let challenges = challenge.authenticationChallenges
        // Of several libcurl takes the one that gives away least.
        let methods: [URLProtectionSpace.AuthenticationMethod] = [.negotiate, .digest, .ntlm, .basic]
        for method in methods where kinds.contains(method.kind) {
            guard let challenge = challenges.first(where: { $0.method == method }) else { continue }
            let space = URLProtectionSpace(origin: origin, realm: challenge.realm, authenticationMethod: method)
            return storage.set(credential, for: space)
        }
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
