public import AFTransport

extension AFError {
    /// Why a server was not trusted; nothing was sent to it.
    ///
    /// Where Alamofire has `SecTrust`, `SecPolicy`, `SecCertificate` and `SecKey`, there are values of this library.
    public enum ServerTrustFailureReason: Sendable {
        /// A verdict of X.509 verification.
        public struct Output: Sendable, Hashable {
            /// The host that the request was for.
            public let host: String
            /// What was judged.
            public let trust: ServerTrust
            /// OpenSSL's verification result, an `X509_V_ERR_…` number.
            public let status: Int
            /// What the number means, in words.
            public let result: String

            /// A verdict, for evaluators of one's own.
            public init(host: String, trust: ServerTrust, status: Int, result: String) {
                self.host = host
                self.trust = trust
                self.status = status
                self.result = result
            }
        }

        /// Every host must have an evaluator, and this one has none.
        case noRequiredEvaluator(host: String)
        /// Certificates were to be pinned, but none were given.
        case noCertificatesFound
        /// Keys were to be pinned, but none were given.
        case noPublicKeysFound
        /// The policy is for something that is no host.
        case policyApplicationFailed(trust: ServerTrust, policy: TrustPolicy, status: Int)
        /// The certificates to be trusted cannot be read: these, or where there are none, those of the session's
        /// configuration.
        case settingAnchorCertificatesFailed(status: Int, certificates: [Certificate])
        /// Revocations were to be learnt of from revocation lists alone, but none were given.
        case revocationPolicyCreationFailed
        /// `evaluate()` of the server's trust failed, or a composite evaluator is empty.
        case trustEvaluationFailed(error: (any Error)?)
        /// The chain does not lead to a trusted certificate, or is out of date.
        case defaultEvaluationFailed(output: Output)
        /// The certificate is for another host.
        case hostValidationFailed(output: Output)
        /// A certificate was taken back, or nobody says that it was not.
        case revocationCheckFailed(output: Output, options: RevocationChecks)
        /// None of the pinned certificates vouches for the server.
        case certificatePinningFailed(
            host: String,
            trust: ServerTrust,
            pinnedCertificates: [Certificate],
            serverCertificates: [Certificate]
        )
        /// None of the pinned keys vouches for the server.
        case publicKeyPinningFailed(
            host: String,
            trust: ServerTrust,
            pinnedKeys: [PublicKey],
            serverKeys: [PublicKey]
        )
        /// An evaluator that is not part of this library threw.
        case customEvaluationFailed(error: any Error)
    }
}

extension AFError.ServerTrustFailureReason {
    var underlyingError: (any Error)? {
        switch self {
        case .trustEvaluationFailed(let error): error
        case .customEvaluationFailed(let error): error
        default: nil
        }
    }

    var sentence: String {
        switch self {
        case .noRequiredEvaluator(let host): "No trust evaluator was given for \(host), and every host needs one."
        case .noCertificatesFound: "No certificates were given to pin."
        case .noPublicKeysFound: "No public keys were given to pin."
        case .policyApplicationFailed(let trust, _, _): "\(trust.host) cannot be held to the policy."
        case .settingAnchorCertificatesFailed: "The certificates that are to be trusted cannot be used."
        case .revocationPolicyCreationFailed: "There are no revocation lists to find revoked certificates with."
        case .trustEvaluationFailed(let error?): "The server is not trusted: \(error.explanation)."
        case .trustEvaluationFailed(nil): "The server is not trusted."
        case .defaultEvaluationFailed(let output): "\(output.host) is not trusted: \(output.result)."
        case .hostValidationFailed(let output): "The certificate is not for \(output.host): \(output.result)."
        case .revocationCheckFailed(let output, _): "A certificate of \(output.host) may be revoked: \(output.result)."
        case .certificatePinningFailed(let host, _, _, _): "\(host) shows none of the pinned certificates."
        case .publicKeyPinningFailed(let host, _, _, _): "\(host) shows none of the pinned public keys."
        case .customEvaluationFailed(let error): "An evaluator refused the server: \(error.explanation)."
        }
    }
}
