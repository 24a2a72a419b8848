public import FoundationEssentials

extension AFError {
    /// Why a server was not trusted.
    ///
    /// Alamofire's cases that speak about the making of Security framework objects have no counterpart here.
    public enum ServerTrustFailureReason: Sendable {
        /// A verdict of X.509 verification.
        public struct Output: Sendable, Hashable {
            public let host: String
            /// OpenSSL's verification result, an `X509_V_ERR_…` number.
            public let status: Int
            /// What the number means, in words.
            public let result: String

            public init(host: String, status: Int, result: String) {
                self.host = host
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
        case trustEvaluationFailed(error: (any Error)?)
        /// The chain does not lead to a trusted root, or is out of date.
        case defaultEvaluationFailed(output: Output)
        /// The certificate is for another host.
        case hostValidationFailed(output: Output)
        /// None of the pinned certificates is in the server's chain. All are DER.
        case certificatePinningFailed(host: String, pinnedCertificates: [Data], serverCertificates: [Data])
        /// None of the pinned keys is in the server's chain. All are DER of a SubjectPublicKeyInfo.
        case publicKeyPinningFailed(host: String, pinnedKeys: [Data], serverKeys: [Data])
        /// For evaluators that are not part of this library.
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
        case .trustEvaluationFailed(let error?): "The server is not trusted: \(error.explanation)."
        case .trustEvaluationFailed(nil): "The server is not trusted."
        case .defaultEvaluationFailed(let output): "\(output.host) is not trusted: \(output.result)."
        case .hostValidationFailed(let output): "The certificate is not for \(output.host): \(output.result)."
        case .certificatePinningFailed(let host, _, _): "\(host) shows none of the pinned certificates."
        case .publicKeyPinningFailed(let host, _, _): "\(host) shows none of the pinned public keys."
        case .customEvaluationFailed(let error): "The server is not trusted: \(error.explanation)."
        }
    }
}
