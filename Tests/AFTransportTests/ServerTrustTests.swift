import AFTransport
import TestSupport
import Testing

/// Verification of certificate chains, without a network.
@Suite(.timeLimit(.minutes(5))) struct ServerTrustTests {
    /// OpenSSL's error codes.
    enum Status {
        static let expired = 10, selfSigned = 18, missingIssuer = 20, revoked = 23
        static let hostMismatch = 62, addressMismatch = 64, unknownRevocation = 73
    }

    typealias Name = any KeyPath<TestCertificates, TestCertificates.Identity> & Sendable

    private func failure(_ trust: ServerTrust, _ policy: TrustPolicy = .default) -> TrustFailure? {
        do throws(TrustFailure) {
            try trust.verify(policy)
            return nil
        } catch {
            return error
        }
    }

    @Test(
        arguments: [
            (\TestCertificates.server, nil), (\TestCertificates.chained, nil), (\TestCertificates.wrongHost, nil),
            (\TestCertificates.expired, Status.expired), (\TestCertificates.selfSigned, Status.selfSigned),
            (\TestCertificates.missingIntermediate, Status.missingIssuer),
            (\TestCertificates.mismatchedChain, Status.selfSigned),
        ] as [(Name, Int?)])
    func `a chain is trusted if it leads to a trusted root and is valid now`(name: Name, status: Int?) async throws {
        let trust = try await TestCertificates.shared[keyPath: name].trust()
        #expect(failure(trust)?.status == status)
        #expect(failure(trust)?.kind == (status == nil ? nil : .untrusted))
        #expect(try await failure(trust.rooted(in: \.unknownAuthority)) != nil)
    }

    @Test func `a certificate signed in the root's name with another key is rejected`() async throws {
        let trust = try await TestCertificates.shared.forged.trust()
        #expect(failure(trust)?.kind == .untrusted)
        #expect(trust.path.count == 1)
    }

    @Test func `a certificate is valid only for the names and addresses that it contains`() async throws {
        let trust = try await TestCertificates.shared.server.trust()
        for host in ["localhost", "LOCALHOST", "localhost.", "a.test.example", "127.0.0.1", "[::1]", "::1"] {
            #expect(failure(trust, .hostname(host)) == nil, "\(host)")
        }
        for host in ["elsewhere.example", "test.example", "a.b.test.example", "x.localhost", "127.0.0.1.nip.io"] {
            #expect(failure(trust, .hostname(host))?.status == Status.hostMismatch, "\(host)")
        }
        #expect(failure(trust, .hostname("127.0.0.2"))?.status == Status.addressMismatch)
        for host in ["", "a\0localhost"] {
            #expect(failure(trust, .hostname(host))?.kind == .unusablePolicy)
        }
    }

    @Test func `a client certificate is rejected for a server`() async throws {
        #expect(try await failure(TestCertificates.shared.client.trust())?.result.contains("purpose") == true)
    }

    @Test func `anchors are trusted instead of the authorities`() async throws {
        let certificates = try await TestCertificates.shared
        var trust = try await certificates.selfSigned.trust()
        trust.anchors = try certificates.selfSigned.chain
        #expect(failure(trust) == nil)
        trust = try await certificates.chained.trust()
        trust.anchors = [try certificates.chained.chain[1]]
        #expect(failure(trust) == nil)
        trust.anchors = try certificates.server.chain
        #expect(failure(trust) != nil)
        trust.anchors = []
        #expect(failure(trust) != nil)
    }

    @Test func `authorities can be a directory or a bundle, and must be usable`() async throws {
        let certificates = try await TestCertificates.shared
        let chain = try certificates.server.chain
        func failure(with authorities: TLSOptions.Authorities) -> TrustFailure? {
            self.failure(ServerTrust(host: "localhost", certificates: chain, authorities: authorities))
        }
        #expect(failure(with: .directory(certificates.rootFolder)) == nil)
        #expect(failure(with: .bundle(try ScratchFolder.bytes(at: certificates.root))) == nil)
        #expect(failure(with: .bundle(try ScratchFolder.bytes(at: certificates.unknownAuthority)))?.kind == .untrusted)
        #expect(failure(with: .system)?.kind == .untrusted)
        #expect(failure(with: .file("/missing.pem"))?.kind == .unusableAuthorities)
        #expect(failure(with: .bundle([]))?.kind == .unusableAuthorities)
    }

    @Test func `a bundle that changes is read again`() async throws {
        let certificates = try await TestCertificates.shared
        let folder = try ScratchFolder()
        let path = try folder.write(ScratchFolder.bytes(at: certificates.unknownAuthority), to: "bundle.pem")
        let trust = try await certificates.server.trust(root: path)
        #expect(failure(trust)?.kind == .untrusted)
        let both =
            try ScratchFolder.bytes(at: certificates.unknownAuthority) + ScratchFolder.bytes(at: certificates.root)
        try folder.write(both, to: "bundle.pem")
        #expect(failure(trust) == nil)
    }

    @Test func `an empty chain is untrusted, and invalid DER is not a certificate`() async throws {
        let trust = ServerTrust(host: "localhost", certificates: [])
        #expect(failure(trust)?.kind == .untrusted)
        #expect(trust.path.isEmpty)
        #expect(Certificate(derBytes: []) == nil)
        #expect(Certificate(derBytes: Array("no certificate".utf8)) == nil)
        let bytes = try #require(try await TestCertificates.shared.server.chain.first).derBytes
        #expect(Certificate(derBytes: bytes) != nil)
        #expect(Certificate(derBytes: bytes + [0]) == nil)
        #expect(Certificate(derBytes: bytes.dropLast()) == nil)
    }

    // The verified path

    @Test func `the path goes from the leaf up to the root, even if the root was not sent`() async throws {
        let certificates = try await TestCertificates.shared
        let root = try #require(Certificate.certificates(in: ScratchFolder.bytes(at: certificates.root)).first)
        #expect(try await certificates.chained.trust().path == certificates.chained.chain + [root])
        #expect(
            try await certificates.chained.trust(root: certificates.unknownAuthority).path == certificates.chained.chain
        )
        #expect(try await certificates.expired.trust().path == certificates.expired.chain + [root])
    }

    @Test func `a sent certificate that is not part of the chain is not in the path`() async throws {
        let trust = try await TestCertificates.shared.mismatchedChain.trust()
        #expect(trust.certificates.count == 2)
        #expect(trust.path == Array(trust.certificates.prefix(1)))
    }

    @Test func `certificates for the same key have equal public keys`() async throws {
        let certificates = try await TestCertificates.shared
        let chained = try #require(certificates.chained.chain.first?.publicKey)
        #expect(try chained == certificates.missingIntermediate.chain.first?.publicKey)
        #expect(try chained != certificates.server.chain.first?.publicKey)
        #expect(PublicKey(subjectPublicKeyInfo: chained.subjectPublicKeyInfo) == chained)
    }

    @Test func `certificates and revocation lists are read from PEM and DER`() async throws {
        let certificates = try await TestCertificates.shared
        let text = try ScratchFolder.bytes(at: certificates.chained.certificate)
        let key = try ScratchFolder.bytes(at: certificates.chained.key)
        let chain = Certificate.certificates(in: key + text)
        #expect(chain.count == 2)
        #expect(Certificate.certificates(in: chain[0].derBytes) == [chain[0]])
        #expect(Certificate.certificates(in: key).isEmpty)
        #expect(Certificate.certificates(in: Array("nothing".utf8)).isEmpty)
        #expect(Certificate.certificates(in: []).isEmpty)
        let list = try #require(
            CertificateRevocationList.lists(in: ScratchFolder.bytes(at: certificates.revocationList)).first)
        #expect(CertificateRevocationList.lists(in: list.derBytes) == [list])
        #expect(CertificateRevocationList(derBytes: chain[0].derBytes) == nil)
    }

    // Revocation

    private func lists(_ path: KeyPath<TestCertificates, String>) async throws -> [CertificateRevocationList] {
        try await CertificateRevocationList.lists(in: ScratchFolder.bytes(at: TestCertificates.shared[keyPath: path]))
    }

    @Test func `a revocation list rejects revoked certificates, and a strict policy requires a list`() async throws {
        let certificates = try await TestCertificates.shared
        let policy = TrustPolicy.revocation(checks: .crl, lists: try await lists(\.revocationList))
        let strict = TrustPolicy.revocation(
            checks: [.crl, .requirePositiveResponse], lists: try await lists(\.revocationList))
        #expect(policy.isAboutRevocation)
        for policy in [policy, strict] {
            #expect(try await failure(certificates.revoked.trust(), policy)?.status == Status.revoked)
            #expect(try await failure(certificates.server.trust(), policy) == nil)
        }
        // No list covers the certificates issued by the intermediate authority.
        #expect(try await failure(certificates.chained.trust(), policy) == nil)
        #expect(try await failure(certificates.chained.trust(), strict)?.status == Status.unknownRevocation)
    }

    @Test func `an outdated revocation list does not confirm certificates that are not on it`() async throws {
        let certificates = try await TestCertificates.shared
        let old = try await lists(\.oldRevocationList)
        #expect(try await failure(certificates.server.trust(), .revocation(checks: .crl, lists: old)) == nil)
        let strict = TrustPolicy.revocation(checks: [.crl, .requirePositiveResponse], lists: old)
        #expect(try await failure(certificates.server.trust(), strict)?.status == Status.unknownRevocation)
        #expect(try await failure(certificates.revoked.trust(), strict)?.status == Status.revoked)
    }

    @Test func `a stapled OCSP response indicates whether the server's certificate was revoked`() async throws {
        let certificates = try await TestCertificates.shared
        let strict = TrustPolicy.revocation(checks: [.ocsp, .requirePositiveResponse])
        #expect(try await failure(certificates.server.trust(isStapled: true), strict) == nil)
        #expect(try await failure(certificates.revoked.trust(isStapled: true), strict)?.status == Status.revoked)
        #expect(try await failure(certificates.server.trust(), strict)?.status == Status.unknownRevocation)
        #expect(try await failure(certificates.revoked.trust(), .revocation(checks: .any)) == nil)
        let revoked = try await certificates.revoked.trust(isStapled: true)
        #expect(failure(revoked, .revocation(checks: .any))?.status == Status.revoked)
    }

    @Test func `an OCSP response that is invalid or for another certificate is ignored`() async throws {
        let certificates = try await TestCertificates.shared
        let strict = TrustPolicy.revocation(checks: [.ocsp, .requirePositiveResponse])
        let good = try await certificates.server.trust(isStapled: true)
        for response in [good.stapledResponse, Array("no response".utf8), []] {
            let trust = ServerTrust(
                host: "localhost",
                certificates: try certificates.revoked.chain,
                stapledResponse: response,
                authorities: good.authorities
            )
            #expect(failure(trust, strict)?.status == Status.unknownRevocation)
        }
    }

    @Test func `a revocation list can take precedence over the stapled response`() async throws {
        let certificates = try await TestCertificates.shared
        let revoked = try await certificates.revoked.trust(isStapled: true)
        let server = ServerTrust(
            host: "localhost",
            certificates: try certificates.server.chain,
            stapledResponse: revoked.stapledResponse,
            authorities: revoked.authorities
        )
        let strict: RevocationChecks = [.any, .preferCRL, .requirePositiveResponse]
        #expect(failure(server, .revocation(checks: strict, lists: try await lists(\.revocationList))) == nil)
        #expect(failure(revoked, .revocation(checks: [.any, .preferCRL]))?.status == Status.revoked)
    }

    @Test func `a revocation policy without any source is unusable`() async throws {
        let trust = try await TestCertificates.shared.server.trust()
        #expect(failure(trust, .revocation(checks: .crl))?.kind == .unusablePolicy)
        #expect(failure(trust, .revocation(checks: []))?.kind == .unusablePolicy)
        #expect(failure(trust, .revocation(checks: .any)) == nil)
        let expired = try await TestCertificates.shared.expired.trust()
        #expect(failure(expired, .revocation(checks: .any))?.status == Status.expired)
    }
}

extension ServerTrust {
    fileprivate func rooted(in root: KeyPath<TestCertificates, String>) async throws -> ServerTrust {
        let path = try await TestCertificates.shared[keyPath: root]
        return ServerTrust(host: host, certificates: certificates, authorities: .file(path))
    }
}
