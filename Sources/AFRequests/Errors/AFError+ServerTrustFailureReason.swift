public import AFTransport

extension AFError {
    /// The reason why a server was not trusted; nothing was sent to it.
    ///
    /// Values of this library replace Alamofire's `SecTrust`, `SecPolicy`, `SecCertificate` and `SecKey`.
    public enum ServerTrustFailureReason: Sendable {
        /// The result of an X.509 verification.
        public struct Output: Sendable, Hashable {
            /// The host of the request.
            public let host: String
            /// The evaluated trust.
            public let trust: ServerTrust
            /// OpenSSL's verification result, one of `X509_V_ERR_…`.
            public let status: Int
            /// OpenSSL's description of ``status``.
            public let result: String

            /// Creates a result, for custom evaluators.
            public init(host: String, trust: ServerTrust, status: Int, result: String) {
                self.host = host
                self.trust = trust
                self.status = status
                self.result = result
            }
        }

        /// Every host must have an evaluator, and this one has none.
        case noRequiredEvaluator(host: String)
        /// No certificates were given for pinning.
        case noCertificatesFound
        /// No keys were given for pinning.
        case noPublicKeysFound
        /// The policy's host is invalid.
        case policyApplicationFailed(trust: ServerTrust, policy: TrustPolicy, status: Int)
        /// The trusted certificates cannot be read: these or, if there are none, those of the session's configuration.
        case settingAnchorCertificatesFailed(status: Int, certificates: [Certificate])
        /// Revocation must be checked with revocation lists only, but none were given.
        case revocationPolicyCreationFailed
        /// `evaluate()` of the server's trust failed, or a composite evaluator is empty.
        case trustEvaluationFailed(error: (any Error)?)
        /// The chain does not lead to a trusted certificate, or is not currently valid.
        case defaultEvaluationFailed(output: Output)
        /// The certificate is for another host.
        case hostValidationFailed(output: Output)
        /// A certificate was revoked, or no source confirms that it was not.
        case revocationCheckFailed(output: Output, options: RevocationChecks)
        /// The server's chain contains none of the pinned certificates.
        case certificatePinningFailed(
            host: String,
            trust: ServerTrust,
            pinnedCertificates: [Certificate],
            serverCertificates: [Certificate]
        )
        /// The server's chain contains none of the pinned keys.
        case publicKeyPinningFailed(
            host: String,
            trust: ServerTrust,
            pinnedKeys: [PublicKey],
            serverKeys: [PublicKey]
        )
        /// A custom evaluator threw an error.
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
        case .noRequiredEvaluator(let host): "There is no trust evaluator for \(host), and every host requires one."
        case .noCertificatesFound: "No certificates were given to pin."
        case .noPublicKeysFound: "No public keys were given to pin."
        case .policyApplicationFailed(let trust, _, _): "\(trust.host) cannot be held to the policy."
        case .settingAnchorCertificatesFailed: "The trusted certificates cannot be read."
        case .revocationPolicyCreationFailed: "There are no revocation lists."
        case .trustEvaluationFailed(let error?): "The server is not trusted: \(error.explanation)."
        case .trustEvaluationFailed(nil): "The server is not trusted."
        case .defaultEvaluationFailed(let output): "\(output.host) is not trusted: \(output.result)."
        case .hostValidationFailed(let output): "The certificate is not for \(output.host): \(output.result)."
        case .revocationCheckFailed(let output, _): "A certificate of \(output.host) may be revoked: \(output.result)."
        case .certificatePinningFailed(let host, _, _, _): "\(host) does not match the pinned certificates."
        case .publicKeyPinningFailed(let host, _, _, _): "\(host) does not match the pinned public keys."
        case .customEvaluationFailed(let error): "An evaluator rejected the server: \(error.explanation)."
        }
    }
}
