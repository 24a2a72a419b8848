package import AFHTTP

extension AuthenticationOptions {
    /// Returns the challenge to answer: of the strongest accepted scheme, the first one that can be answered (RFC 7616
    /// §3.7); `nil` if none can be answered.
    ///
    /// - Parameter hasBody: Whether the request has a body.
    package func choice(among challenges: [AuthenticationChallenge], hasBody: Bool) -> AuthenticationChallenge? {
        for method in [.negotiate, .digest, .ntlm, .basic] as [URLProtectionSpace.AuthenticationMethod] {
            guard kinds.contains(method.kind), method != .negotiate || CurlFeatures.canLoadKerberos else { continue }
            let answerable = challenges.first { challenge in
                challenge.method == method
                    && (method != .digest || DigestChallenge(challenge, hasBody: hasBody) != nil)
            }
            if let answerable { return answerable }
        }
        return nil
    }
}

extension URLProtectionSpace.AuthenticationMethod {
    package var kind: AuthenticationOptions.Kinds {
        switch self {
        case .basic: .basic
        case .digest: .digest
        case .ntlm: .ntlm
        case .negotiate: .negotiate
        }
    }
}
