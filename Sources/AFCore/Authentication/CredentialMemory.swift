internal import AFHTTP
internal import AFTransport

/// Keeps the credential of a hop for later requests, once the server has asked for it and accepted it.
struct CredentialMemory: Sendable {
    private let credential: URLCredential
    private let origin: Origin
    private let kinds: AuthenticationOptions.Kinds
    private let storage: URLCredentialStorage

    /// `nil` where nothing is to be kept.
    init?(_ hop: Hop, kinds: AuthenticationOptions.Kinds, storage: URLCredentialStorage?) {
        guard let storage, let credential = hop.credential, credential.persistence != .none, hop.carriesCredentials
        else { return nil }
        self.credential = credential
        self.origin = hop.url.origin
        self.kinds = kinds
        self.storage = storage
    }

    /// - Parameters:
    ///   - challenge: The response that asked for a login.
    ///   - answer: The response to the login.
    func note(challenge: HTTPURLResponse, answer: HTTPURLResponse) {
        guard challenge.statusCode == 401, answer.statusCode != 401 else { return }
        let challenges = challenge.authenticationChallenges
        // Of several libcurl takes the one that gives away least.
        let methods: [(AuthenticationOptions.Kinds, URLProtectionSpace.AuthenticationMethod)] = [
            (.negotiate, .negotiate), (.digest, .digest), (.ntlm, .ntlm), (.basic, .basic),
        ]
        for (kind, method) in methods where kinds.contains(kind) {
            guard let challenge = challenges.first(where: { $0.method == method }) else { continue }
            let space = URLProtectionSpace(origin: origin, realm: challenge.realm, authenticationMethod: method)
            return storage.set(credential, for: space)
        }
    }
}

extension URLRequest {
    /// Whether the caller has seen to the login himself.
    var bringsAuthorization: Bool { headers.value(for: "Authorization") != nil }
}
