public import AFTransport
public import FoundationEssentials

extension ServerTrust {
    /// Verifies the chain, for any host.
    ///
    /// - Throws: `AFError` with `defaultEvaluationFailed`.
    public func performDefaultValidation(forHost host: String) throws {
        try validate(policy: .default) { status, result in
            AFError.serverTrustEvaluationFailed(
                reason: .defaultEvaluationFailed(output: .init(host, self, status, result))
            )
        }
    }

    /// Verifies the chain and the host.
    ///
    /// - Throws: `AFError` with `hostValidationFailed` for a wrong name, else with `defaultEvaluationFailed`.
    ///   (Alamofire always uses `hostValidationFailed`.)
    public func performValidation(forHost host: String) throws {
        try validate(policy: .hostname(host)) { status, result in
            let output = AFError.ServerTrustFailureReason.Output(host, self, status, result)
            let isAboutName = Self.statusesAboutNames.contains(status)
            return AFError.serverTrustEvaluationFailed(
                reason: isAboutName ? .hostValidationFailed(output: output) : .defaultEvaluationFailed(output: output)
            )
        }
    }

    /// `X509_V_ERR_HOSTNAME_MISMATCH` and `X509_V_ERR_IP_ADDRESS_MISMATCH`.
    private static let statusesAboutNames = [62, 64]

    /// Verifies the chain against a policy.
    ///
    /// - Parameter errorProducer: Returns the error for OpenSSL's status and message if the server is rejected.
    /// - Throws: The error of `errorProducer`, or `AFError` if the policy cannot be applied.
    public func validate(
        policy: TrustPolicy,
        errorProducer: (_ status: Int, _ result: String) -> any Error
    ) throws {
        do throws(TrustFailure) {
            try verify(policy)
        } catch {
            guard error.kind != .untrusted else { throw errorProducer(error.status, error.result) }
            throw AFError.serverTrustEvaluationFailed(reason: reason(error, policy))
        }
    }

    /// Verifies the chain against a policy.
    ///
    /// - Throws: `AFError` with `trustEvaluationFailed`.
    public func evaluate(afterApplying policy: TrustPolicy) throws {
        do throws(TrustFailure) {
            try verify(policy)
        } catch {
            throw AFError.serverTrustEvaluationFailed(reason: reason(error, policy))
        }
    }

    /// Verifies the chain, for any host.
    ///
    /// - Throws: `AFError` with `trustEvaluationFailed`.
    public func evaluate() throws { try evaluate(afterApplying: .default) }

    /// Sets the only trusted certificates.
    public mutating func setAnchorCertificates(_ certificates: [Certificate]) { anchors = certificates }

    /// The certificates of ``AFTransport/ServerTrust/path`` in DER.
    public var certificateData: [Data] { path.data }

    /// The keys of ``AFTransport/ServerTrust/path``.
    public var publicKeys: [PublicKey] { path.publicKeys }

    /// Returns the default reason for a failure.
    private func reason(_ failure: TrustFailure, _ policy: TrustPolicy) -> AFError.ServerTrustFailureReason {
        switch failure.kind {
        case .unusablePolicy where policy.isAboutRevocation: .revocationPolicyCreationFailed
        case .unusablePolicy: .policyApplicationFailed(trust: self, policy: policy, status: failure.status)
        case .unusableAuthorities:
            .settingAnchorCertificatesFailed(status: failure.status, certificates: anchors ?? [])
        case .untrusted: .trustEvaluationFailed(error: failure)
        }
    }

    /// Performs the first steps of most evaluators.
    func validate(forHost host: String, chain: Bool, name: Bool) throws {
        // `performValidation` also verifies the chain.
        if chain, !name { try performDefaultValidation(forHost: host) }
        if name { try performValidation(forHost: host) }
    }
}

extension AFError.ServerTrustFailureReason.Output {
    init(_ host: String, _ trust: ServerTrust, _ status: Int, _ result: String) {
        self.init(host: host, trust: trust, status: status, result: result)
    }
}

extension Array where Element == Certificate {
    /// The certificates in DER.
    public var data: [Data] { map { Data($0.derBytes) } }
    /// The public keys of the certificates.
    public var publicKeys: [PublicKey] { compactMap(\.publicKey) }
}
