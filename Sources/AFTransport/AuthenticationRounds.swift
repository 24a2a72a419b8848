internal import AFHTTP

/// The requests of a transfer that authenticates itself: the server's challenge decides how (RFC 9110 §11.6.1).
///
/// libcurl receives credentials only for a scheme that is sent at once, or that the challenge selected.
struct AuthenticationRounds {
    private var planned: Transfer
    private let options: AuthenticationOptions
    /// The first request: without credentials, unless a challenge was accepted earlier.
    let first: Transfer
    /// Whether the current request was sent without the body, as its first response will be a challenge.
    private(set) var withholdsBody: Bool
    /// The answered challenge, with the client's nonce.
    private var answered: (challenge: DigestChallenge, salt: String)?
    private var answers = 0
    private var isOpen = true

    /// Creates the rounds; `nil` for a transfer without credentials, or with a scheme that needs no challenge.
    init?(_ transfer: Transfer) {
        guard let options = transfer.options.authentication else { return nil }
        let isAtOnce = !options.waitsForChallenge && [.basic, .ntlm, .negotiate].contains(options.kinds)
        guard !isAtOnce else { return nil }
        planned = transfer
        self.options = options
        var first = transfer
        first.options.authentication = nil
        let known = options.kinds.contains(.digest) ? transfer.digestSession : nil
        let authorization = known?.authorization(options.credential, for: transfer)
        withholdsBody =
            authorization == nil && options.kinds == .digest && !options.waitsForChallenge && transfer.body != nil
        if let authorization { first.headers.update(.authorization(authorization)) }
        if withholdsBody {
            first.body = .bytes([])
            for name in ["Content-Length", "Transfer-Encoding", "Expect"] { first.headers.remove(name: name) }
            // As in curl: a form without its parts is not one.
            if first.headers.value(for: "Content-Type")?.lowercased().hasPrefix("multipart/") == true {
                first.headers.remove(name: "Content-Type")
            }
            first.options.expectContinue = .never
        }
        self.first = first
    }

    /// Returns the next request; `nil` if the response is final.
    mutating func next(after response: HTTPURLResponse) -> Transfer? {
        // libcurl answers the challenge of a proxy itself, and the server has not seen the request.
        guard isOpen, response.statusCode != 407 else { return nil }
        if planned.options.messages.keepsHTTP10, response.isHTTP10 { planned.options.httpVersion = .http1_0 }
        var transfer = planned
        transfer.options.authentication = nil
        defer { withholdsBody = false }
        guard response.statusCode == 401 else {
            isOpen = false
            if let (challenge, salt) = answered {
                planned.digestSession?.accept(challenge, options.credential, salt: salt)
            }
            // No credentials were needed; now the body must follow.
            return withholdsBody && response.statusCode < 300 ? transfer : nil
        }
        planned.digestSession?.reset()
        let challenge = options.choice(among: response.authenticationChallenges, hasBody: planned.body != nil)
        guard let challenge, let method = challenge.method else {
            isOpen = false
            return nil
        }
        guard let digest = DigestChallenge(challenge, hasBody: planned.body != nil) else {
            // libcurl implements the other schemes, but a rejected digest is not followed by a password in clear text.
            isOpen = false
            guard answers == 0 else { return nil }
            transfer.options.authentication = AuthenticationOptions(credential: options.credential, kinds: method.kind)
            return transfer
        }
        // The same answer would be rejected again. The limit protects from servers for which every nonce is stale.
        guard answers == 0 || digest.isStale && answers < 3 else { return nil }
        answers += 1
        let salt = (0..<16).map { _ in UInt8.random(in: 0...255) }.hexadecimal
        answered = (digest, salt)
        transfer.headers.update(
            .authorization(
                digest.authorization(
                    options.credential, method: planned.method, target: planned.url.target, salt: salt)))
        return transfer
    }
}
