import AFCore
import FoundationEssentials
import TestSupport
import Testing

/// The decisions of all evaluators, without a network.
@Suite(.timeLimit(.minutes(5))) struct TrustEvaluatorTests {
    /// The reason's name, or "fine".
    private func verdict(
        _ evaluator: any ServerTrustEvaluating,
        _ trust: ServerTrust,
        host: String = "localhost"
    ) -> String {
        do {
            try evaluator.evaluate(trust, forHost: host)
            return "fine"
        } catch AFError.serverTrustEvaluationFailed(let reason) {
            return String("\(reason)".prefix { $0 != "(" })
        } catch {
            return "\(error)"
        }
    }

    private func key(of identity: TestCertificates.Identity) throws -> PublicKey {
        try #require(identity.chain.first?.publicKey)
    }

    private func root() async throws -> Certificate {
        let bytes = try ScratchFolder.bytes(at: await TestCertificates.shared.root)
        return try #require(Certificate.certificates(in: bytes).first)
    }

    @Test func `the default evaluator requires a valid chain for the host`() async throws {
        let certificates = try await TestCertificates.shared
        #expect(try await verdict(.default, certificates.server.trust()) == "fine")
        #expect(try await verdict(.default, certificates.server.trust(), host: "x.test.example") == "fine")
        let (expired, selfSigned) = (certificates.expired, certificates.selfSigned)
        for bad in [expired, selfSigned, certificates.missingIntermediate, certificates.forged] {
            let trust = try await bad.trust()
            #expect(verdict(.default, trust) == "defaultEvaluationFailed")
            #expect(verdict(DefaultTrustEvaluator(validateHost: false), trust) == "defaultEvaluationFailed")
        }
        #expect(try await verdict(.default, certificates.wrongHost.trust()) == "hostValidationFailed")
        #expect(try await verdict(DefaultTrustEvaluator(validateHost: false), certificates.wrongHost.trust()) == "fine")
    }

    @Test func `a pinned certificate may be the server's own or that of an authority above it`() async throws {
        let certificates = try await TestCertificates.shared
        let trust = try await certificates.chained.trust()
        for pinned in try certificates.chained.chain + [await root()] {
            #expect(verdict(.pinnedCertificates(certificates: [pinned]), trust) == "fine")
            let key = try #require(pinned.publicKey)
            #expect(verdict(.publicKeys(keys: [key]), trust) == "fine")
        }
        let others = try certificates.server.chain + certificates.wrongHost.chain
        #expect(verdict(.pinnedCertificates(certificates: others), trust) == "certificatePinningFailed")
        #expect(verdict(.publicKeys(keys: others.publicKeys), trust) == "publicKeyPinningFailed")
        #expect(verdict(.pinnedCertificates(certificates: []), trust) == "noCertificatesFound")
        #expect(verdict(.publicKeys(keys: []), trust) == "noPublicKeysFound")
    }

    @Test func `a pin is checked in addition to chain and host`() async throws {
        let certificates = try await TestCertificates.shared
        for (identity, reason) in [
            (certificates.expired, "defaultEvaluationFailed"), (certificates.wrongHost, "hostValidationFailed"),
            (certificates.selfSigned, "defaultEvaluationFailed"),
        ] {
            let trust = try await identity.trust()
            let (pinned, key) = (try identity.chain, try key(of: identity))
            #expect(verdict(.pinnedCertificates(certificates: pinned), trust) == reason)
            #expect(verdict(.publicKeys(keys: [key]), trust) == reason)
            let alone = PinnedCertificatesTrustEvaluator(
                certificates: pinned, performDefaultValidation: false, validateHost: false)
            #expect(verdict(alone, trust) == "fine")
            let keyAlone = PublicKeysTrustEvaluator(keys: [key], performDefaultValidation: false, validateHost: false)
            #expect(verdict(keyAlone, trust) == "fine")
        }
    }

    @Test func `a pin that matches only certificates outside of the verified chain is rejected`() async throws {
        let certificates = try await TestCertificates.shared
        for identity in [certificates.mismatchedChain, certificates.forged] {
            let trust = try await identity.trust()
            let known = try #require(trust.certificates.last)
            let byCertificate = PinnedCertificatesTrustEvaluator(
                certificates: [known], performDefaultValidation: false, validateHost: false)
            #expect(verdict(byCertificate, trust) == "certificatePinningFailed")
            let byKey = PublicKeysTrustEvaluator(
                keys: [known].publicKeys, performDefaultValidation: false, validateHost: false)
            #expect(verdict(byKey, trust) == "publicKeyPinningFailed")
        }
    }

    @Test func `a self-signed certificate is accepted if it is pinned and that is allowed`() async throws {
        let certificates = try await TestCertificates.shared
        let evaluator = PinnedCertificatesTrustEvaluator(
            certificates: try certificates.selfSigned.chain, acceptSelfSignedCertificates: true)
        let trust = try await certificates.selfSigned.trust()
        #expect(verdict(evaluator, trust) == "fine")
        #expect(verdict(evaluator, trust, host: "other.test") == "hostValidationFailed")
        // The session's authorities are no longer trusted.
        #expect(try await verdict(evaluator, certificates.server.trust()) == "defaultEvaluationFailed")
    }

    @Test func `revocation is checked with the stapled response and with lists`() async throws {
        let certificates = try await TestCertificates.shared
        let lists = CertificateRevocationList.lists(in: try ScratchFolder.bytes(at: certificates.revocationList))
        let byList = RevocationTrustEvaluator(options: .crl, revocationLists: lists)
        #expect(try await verdict(byList, certificates.server.trust()) == "fine")
        #expect(try await verdict(byList, certificates.revoked.trust()) == "revocationCheckFailed")
        #expect(try await verdict(.revocationChecking, certificates.revoked.trust()) == "fine")
        let stapled = try await certificates.revoked.trust(isStapled: true)
        #expect(verdict(.revocationChecking, stapled) == "revocationCheckFailed")
        let strict: any ServerTrustEvaluating = .revocationChecking(options: [.ocsp, .requirePositiveResponse])
        #expect(try await verdict(strict, certificates.server.trust()) == "revocationCheckFailed")
        #expect(try await verdict(strict, certificates.server.trust(isStapled: true)) == "fine")
        #expect(try await verdict(strict, certificates.wrongHost.trust()) == "hostValidationFailed")
        let nothing = RevocationTrustEvaluator(options: .crl)
        #expect(try await verdict(nothing, certificates.server.trust()) == "revocationPolicyCreationFailed")
        let alone = RevocationTrustEvaluator(performDefaultValidation: false, validateHost: false)
        #expect(try await verdict(alone, certificates.expired.trust()) == "revocationCheckFailed")
    }

    @Test func `a composite requires all evaluators, and rejects servers without any`() async throws {
        let certificates = try await TestCertificates.shared
        let trust = try await certificates.server.trust()
        let pin: any ServerTrustEvaluating = .publicKeys(keys: [try key(of: certificates.chained)])
        #expect(verdict(.composite(evaluators: [.default, .revocationChecking]), trust) == "fine")
        #expect(verdict(.composite(evaluators: [.default, pin]), trust) == "publicKeyPinningFailed")
        #expect(verdict(.composite(evaluators: [.disabled]), trust) == "fine")
        #expect(verdict(.composite(evaluators: []), trust) == "trustEvaluationFailed")
        let evaluators: [any ServerTrustEvaluating] = [DefaultTrustEvaluator(), pin]
        #expect(throws: AFError.self) { try evaluators.evaluate(trust, forHost: "localhost") }
    }

    @Test func `the disabled evaluator trusts every server`() async throws {
        let certificates = try await TestCertificates.shared
        for identity in [certificates.expired, certificates.wrongHost, certificates.selfSigned] {
            #expect(try await verdict(DisabledTrustEvaluator(), identity.trust()) == "fine")
        }
    }

    // The parts of custom evaluators

    @Test func `the parts of a trust are validated separately`() async throws {
        let certificates = try await TestCertificates.shared
        let trust = try await certificates.wrongHost.trust()
        try trust.performDefaultValidation(forHost: "localhost")
        try trust.evaluate()
        #expect(throws: AFError.self) { try trust.performValidation(forHost: "localhost") }
        try trust.performValidation(forHost: "elsewhere.example")
        let error = #expect(throws: AFError.self) { try trust.evaluate(afterApplying: .hostname("localhost")) }
        #expect((error?.underlyingError as? TrustFailure)?.status == 62)
        #expect(throws: CancellationError.self) {
            try trust.validate(policy: .hostname("localhost")) { _, _ in CancellationError() }
        }
        #expect(trust.publicKeys == [try key(of: certificates.wrongHost), try #require(await root().publicKey)])
        #expect(trust.certificateData == trust.path.map { Data($0.derBytes) })
    }

    @Test func `an empty host and an unreadable root file have their own errors`() async throws {
        let certificates = try await TestCertificates.shared
        let trust = try await certificates.server.trust()
        #expect(verdict(.default, trust, host: "") == "policyApplicationFailed")
        let unreadable = try await certificates.server.trust(root: "/missing.pem")
        #expect(verdict(.default, unreadable) == "settingAnchorCertificatesFailed")
        #expect(throws: AFError.self) { try unreadable.evaluate() }
    }

    @Test func `certificates and keys are read from a directory`() async throws {
        let certificates = try await TestCertificates.shared
        let (server, other) = (try certificates.server.chain[0], try certificates.wrongHost.chain[0])
        let scratch = try ScratchFolder()
        try scratch.write(server.derBytes, to: "b.CER")
        try scratch.write(ScratchFolder.bytes(at: certificates.wrongHost.certificate), to: "a.pem")
        try scratch.write("garbage", to: "c.der")
        try scratch.write(try certificates.chained.chain[0].derBytes, to: "d.txt")
        let folder = CertificateDirectory(path: scratch.path)
        #expect(folder.certificates == [other, server])
        #expect(folder.publicKeys == [other, server].compactMap(\.publicKey))
        #expect(folder.paths(forResourcesOfTypes: ["txt", "Der"]) == [scratch.file("c.der"), scratch.file("d.txt")])
        #expect(folder.certificates.data == [Data(other.derBytes), Data(server.derBytes)])
        #expect(CertificateDirectory(path: "/missing").certificates.isEmpty)
        #expect(CertificateDirectory.main.path.hasPrefix("/"))
        // There are no certificates beside the tests, so these evaluators reject every server.
        let trust = try await certificates.server.trust()
        #expect(verdict(.pinnedCertificates, trust) == "noCertificatesFound")
        #expect(verdict(.publicKeys, trust) == "noPublicKeysFound")
    }

    @Test func `every reason has a description, with the host if there is one`() async throws {
        let certificates = try await TestCertificates.shared
        let trust = try await certificates.server.trust()
        let output = AFError.ServerTrustFailureReason.Output(host: "localhost", trust: trust, status: 23, result: "so")
        typealias Reason = AFError.ServerTrustFailureReason
        let withHost: [Reason] = [
            .noRequiredEvaluator(host: "localhost"),
            .policyApplicationFailed(trust: trust, policy: .default, status: 0),
            .defaultEvaluationFailed(output: output), .hostValidationFailed(output: output),
            .revocationCheckFailed(output: output, options: .any),
            .certificatePinningFailed(host: "localhost", trust: trust, pinnedCertificates: [], serverCertificates: []),
            .publicKeyPinningFailed(host: "localhost", trust: trust, pinnedKeys: [], serverKeys: []),
        ]
        let withoutHost: [Reason] = [
            .noCertificatesFound, .noPublicKeysFound, .revocationPolicyCreationFailed,
            .settingAnchorCertificatesFailed(status: 0, certificates: []), .trustEvaluationFailed(error: nil),
            .trustEvaluationFailed(error: CancellationError()), .customEvaluationFailed(error: CancellationError()),
        ]
        let errors = (withHost + withoutHost).map { AFError.serverTrustEvaluationFailed(reason: $0) }
        let sentences = errors.map(\.localizedDescription)
        #expect(Set(sentences).count == errors.count)
        #expect(sentences.allSatisfy { $0.hasSuffix(".") })
        #expect(sentences.prefix(withHost.count).allSatisfy { $0.contains("localhost") })
        #expect(!sentences.dropFirst(withHost.count).contains { $0.contains("localhost") })
        #expect(errors.count { $0.underlyingError is CancellationError } == 2)
    }
}
