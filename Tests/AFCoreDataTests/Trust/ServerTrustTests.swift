import AFCore
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

/// Trust evaluation of real servers, before the first byte of a request.
@Suite(.timeLimit(.minutes(5))) struct ServerTrustTests {
    /// How a server is reached.
    enum Way: CaseIterable { case http1, http2, tunnel }

    /// An evaluator with a changeable result, which records the evaluated trusts.
    final class Judge: ServerTrustEvaluating {
        struct Refused: LocalizedError { var errorDescription: String? { "Not this one." } }

        private let state = Mutex((refuses: false, asked: [ServerTrust]()))
        var asked: [ServerTrust] { state.withLock(\.asked) }
        func refuse(_ refuses: Bool) { state.withLock { $0.refuses = refuses } }

        func evaluate(_ trust: ServerTrust, forHost host: String) throws {
            try state.withLock { state in
                state.asked.append(trust)
                if state.refuses { throw Refused() }
            }
        }
    }

    private let proxy: TunnelProxy

    init() throws { proxy = try TunnelProxy() }

    private func session(
        _ evaluator: any ServerTrustEvaluating,
        _ way: Way = .http2,
        root: String,
        configure: (inout SessionConfiguration) -> Void = { _ in }
    ) -> Session {
        var configuration = SessionConfiguration()
        configuration.tls.authorities = .file(root)
        if way == .http1 { configuration.httpVersion = .http1_1 }
        if way == .tunnel { configuration.proxies = ProxyRules(ProxyOptions(url: proxy.url)) }
        configure(&configuration)
        let manager = ServerTrustManager(evaluators: ["localhost": evaluator])
        return Session(configuration: configuration, serverTrustManager: manager)
    }

    /// Returns the error of a request to the server, or `nil`.
    private func failure(_ session: Session, _ nginx: NginxServer) async -> AFError? {
        await session.request(nginx.secureURL("/sink")).serializingData(emptyResponseCodes: [200]).response.error
    }

    private func reason(_ error: AFError?) -> AFError.ServerTrustFailureReason? {
        guard case .serverTrustEvaluationFailed(let reason) = error else { return nil }
        return reason
    }

    @Test(arguments: Way.allCases)
    func `a server is evaluated once per connection with the chain it sent, also in a tunnel`(way: Way) async throws {
        let certificates = try await TestCertificates.shared
        let nginx = try await NginxServer(files: ["a": .text("hello")], identity: certificates.chained)
        let judge = Judge()
        let evaluator = CompositeTrustEvaluator(evaluators: [
            judge, .default, .pinnedCertificates(certificates: [try certificates.chained.chain[1]]),
            .publicKeys(keys: [try #require(certificates.chained.chain[0].publicKey)]),
        ])
        let session = session(evaluator, way, root: nginx.root)
        for _ in 0..<2 {
            let response = await session.request(nginx.secureURL("/a")).validate().serializingString().response
            #expect(response.value == "hello")
            #expect(response.response?.httpVersion == (way == .http1 ? "HTTP/1.1" : "HTTP/2"))
        }
        // Once for a connection, which the second request reuses.
        #expect(judge.asked.map(\.certificates) == [try certificates.chained.chain])
        #expect(judge.asked.map(\.host) == ["localhost"])
        #expect(proxy.heads.count == (way == .tunnel ? 1 : 0))
    }

    @Test(arguments: Way.allCases)
    func `a rejected server receives no request, on the first and later connections`(way: Way) async throws {
        let nginx = try await NginxServer()
        let judge = Judge()
        judge.refuse(true)
        let session = session(judge, way, root: nginx.root)
        for _ in 0..<3 {
            let request = session.request(nginx.secureURL("/sink"), method: .post)
            let error = await request.serializingData().response.error
            #expect(error?.isServerTrustEvaluationError == true)
            #expect(error?.underlyingError is Judge.Refused)
            #expect(error?.localizedDescription == "An evaluator rejected the server: Not this one.")
            #expect(request.response == nil)
        }
        #expect(judge.asked.count == 3)
        judge.refuse(false)
        #expect(await failure(session, nginx) == nil)
        #expect(nginx.finalRequests().map(\.method) == ["GET"])
    }

    /// An invalid server, its evaluator, and the description of the reason.
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let identity: @Sendable (TestCertificates) -> TestCertificates.Identity
        var evaluator: @Sendable (TestCertificates) throws -> any ServerTrustEvaluating = { _ in .default }
        let sentence: String

        var testDescription: String { name }
    }

    private static let cases = [
        Case(
            name: "expired", identity: \.expired, sentence: "localhost is not trusted: certificate has expired."),
        Case(
            name: "wrong host", identity: \.wrongHost,
            sentence: "The certificate is not for localhost: hostname mismatch."),
        Case(
            name: "self-signed", identity: \.selfSigned,
            sentence: "localhost is not trusted: self-signed certificate."),
        Case(
            name: "no intermediate", identity: \.missingIntermediate,
            sentence: "localhost is not trusted: unable to get local issuer certificate."),
        Case(
            name: "wrong certificate", identity: \.server,
            evaluator: { .pinnedCertificates(certificates: try $0.chained.chain) },
            sentence: "localhost does not match the pinned certificates."),
        Case(
            name: "wrong key", identity: \.server, evaluator: { .publicKeys(keys: try $0.chained.chain.publicKeys) },
            sentence: "localhost does not match the pinned public keys."),
        Case(
            name: "key sent along", identity: \.mismatchedChain,
            evaluator: {
                .publicKeys(
                    keys: try $0.server.chain.publicKeys, performDefaultValidation: false, validateHost: false)
            },
            sentence: "localhost does not match the pinned public keys."),
        Case(
            name: "on the revocation list", identity: \.revoked,
            evaluator: {
                let list = try ScratchFolder.bytes(at: $0.revocationList)
                return .revocationChecking(revocationLists: CertificateRevocationList.lists(in: list))
            },
            sentence: "A certificate of localhost may be revoked: certificate revoked."),
    ]

    @Test(arguments: cases, [Way.http1, .http2])
    func `an invalid server is rejected with the reason`(example: Case, way: Way) async throws {
        let certificates = try await TestCertificates.shared
        let nginx = try await NginxServer(identity: example.identity(certificates))
        let session = session(try example.evaluator(certificates), way, root: nginx.root)
        let error = await failure(session, nginx)
        #expect(error?.isServerTrustEvaluationError == true)
        #expect(error?.localizedDescription == example.sentence)
        #expect(nginx.finalRequests().isEmpty)
    }

    @Test(arguments: [Way.http1, .http2])
    func `a stapled OCSP response decides on new and reused connections`(way: Way) async throws {
        let certificates = try await TestCertificates.shared
        for identity in [certificates.server, certificates.revoked, certificates.chained] {
            let staple = identity.stapledResponse.map { "ssl_stapling on; ssl_stapling_file \($0);" } ?? ""
            let nginx = try await NginxServer(identity: identity, directives: staple)
            let strict: any ServerTrustEvaluating = .revocationChecking(options: [.ocsp, .requirePositiveResponse])
            let session = session(strict, way, root: nginx.root)
            for _ in 0..<2 {
                let error = await failure(session, nginx)
                #expect((error == nil) == (identity.certificate == certificates.server.certificate))
                guard case .revocationCheckFailed(let output, let options)? = reason(error) else { continue }
                #expect(output.status == (identity.certificate == certificates.revoked.certificate ? 23 : 73))
                #expect(options == [.ocsp, .requirePositiveResponse])
            }
        }
    }

    @Test func `a self-signed server is accepted if its certificate is pinned`() async throws {
        let certificates = try await TestCertificates.shared
        let nginx = try await NginxServer(identity: certificates.selfSigned)
        let pin = PinnedCertificatesTrustEvaluator(
            certificates: try certificates.selfSigned.chain, acceptSelfSignedCertificates: true)
        #expect(await failure(session(pin, root: nginx.root), nginx) == nil)
    }

    @Test func `a host without a required evaluator is not connected to`() async throws {
        let server = try LocalServer.silent()
        let session = session(.default, root: try await TestCertificates.shared.root)
        let error = await session.request("https://127.0.0.1:\(server.port)/").serializingData().response.error
        guard case .noRequiredEvaluator("127.0.0.1") = reason(error) else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(server.acceptedConnections == 0)
    }

    @Test func `a host without an evaluator is verified by the session's configuration`() async throws {
        let manager = ServerTrustManager(allHostsMustBeEvaluated: false, evaluators: ["other.test": .disabled])
        let nginx = try await NginxServer(identity: TestCertificates.shared.selfSigned)
        var configuration = SessionConfiguration()
        configuration.tls.authorities = .file(nginx.root)
        let session = Session(configuration: configuration, serverTrustManager: manager)
        let error = await failure(session, nginx)
        #expect((error?.underlyingError as? TransferFailure)?.kind == .untrustedCertificate)
        #expect(error?.isSessionTaskError == true)
    }

    @Test func `a wildcard evaluator is used for a host below it`() async throws {
        let nginx = try await NginxServer()
        var configuration = SessionConfiguration()
        configuration.tls.authorities = .file(nginx.root)
        configuration.network.resolve = ["a.test.example:\(nginx.securePort):127.0.0.1"]
        let manager = ServerTrustManager(evaluators: ["*.test.example": .default])
        let session = Session(configuration: configuration, serverTrustManager: manager)
        let url = "https://a.test.example:\(nginx.securePort)/sink"
        #expect(await session.request(url).serializingData().response.response?.statusCode == 200)
    }

    @Test func `a server without TLS is not evaluated`() async throws {
        let server = try LocalServer { _ in .ok("clear") }
        let session = Session(serverTrustManager: ServerTrustManager(evaluators: [:]))
        #expect(try await session.request(server.url()).serializingString().value == "clear")
    }

    @Test func `the server of a redirect is evaluated, too`() async throws {
        let nginx = try await NginxServer()
        let judge = Judge()
        judge.refuse(true)
        let server = try LocalServer { _ in .redirect(to: nginx.secureURL("/sink")) }
        let session = session(judge, root: nginx.root)
        #expect(await session.request(server.url()).serializingData().response.error?.underlyingError is Judge.Refused)
        #expect(judge.asked.count == 1)
        #expect(nginx.finalRequests().isEmpty)
    }

    @Test func `a client certificate is presented to an evaluated server`() async throws {
        let certificates = try await TestCertificates.shared
        let nginx = try await NginxServer(clientCertificates: .verified)
        let session = session(.default, root: nginx.root) { configuration in
            configuration.tls.clientCertificate = ClientCertificate(
                certificatePath: certificates.client.certificate, keyPath: certificates.client.key)
        }
        #expect(await session.request(nginx.secureURL("/sink")).serializingData().response.response?.statusCode == 200)
        #expect(nginx.finalRequests().map(\.client) == ["CN=Test Client,O=afcli tests"])
    }

    @Test func `sessions that share a transport do not share their trust`() async throws {
        let nginx = try await NginxServer()
        let transport = CurlTransport()
        let judge = Judge()
        judge.refuse(true)
        var configuration = SessionConfiguration()
        configuration.tls.authorities = .file(nginx.root)
        let evaluators: [(any ServerTrustEvaluating, Bool)] = [(DisabledTrustEvaluator(), true), (judge, false)]
        for (evaluator, isFine) in evaluators {
            let session = Session(
                configuration: configuration,
                transport: transport,
                serverTrustManager: ServerTrustManager(evaluators: ["localhost": evaluator])
            )
            let error = await failure(session, nginx)
            #expect((error == nil) == isFine)
        }
        #expect(nginx.finalRequests().count == 1)
    }

    @Test func `rejecting one host does not affect connections to others`() async throws {
        let nginx = try await NginxServer(files: ["a": .text("a")])
        let judge = Judge()
        var configuration = SessionConfiguration()
        configuration.tls.authorities = .file(nginx.root)
        let manager = ServerTrustManager(evaluators: ["localhost": DisabledTrustEvaluator(), "127.0.0.1": judge])
        let session = Session(configuration: configuration, serverTrustManager: manager)
        judge.refuse(true)
        _ = await session.request(nginx.secureURL("/a")).serializingData().response
        let refused = "https://127.0.0.1:\(nginx.securePort)/a"
        #expect(await session.request(refused).serializingData().response.error != nil)
        let response = await session.request(nginx.secureURL("/a")).serializingData().response
        #expect(response.metrics?.transactionMetrics.first?.isReusedConnection == true)
    }
}
