import AFCore
import AFTransport
import Synchronization
import TestSupport
import Testing

@Suite("Safety 13: TLS", .timeLimit(.minutes(5)))
struct SafetyRow13TLSTests {
    let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    /// How a server is reached: the options for it, and those of a session.
    enum Way: CaseIterable { case http1, http2, tunnel }

    private func options(_ way: Way, _ proxy: TunnelProxy) -> [String] {
        switch way {
        case .http1: ["--http1.1"]
        case .http2: ["--http2"]
        case .tunnel: ["--proxy", proxy.url]
        }
    }

    private func configuration(_ way: Way, _ proxy: TunnelProxy, root: String) -> SessionConfiguration {
        var configuration = SessionConfiguration()
        configuration.tls.authorities = .file(root)
        if way == .http1 { configuration.httpVersion = .http1_1 }
        if way == .tunnel { configuration.proxies = ProxyRules(ProxyOptions(url: proxy.url)) }
        return configuration
    }

    /// Servers without a valid certificate for their name.
    enum Impostor: CaseIterable { case expired, wrongHost, selfSigned, missingIntermediate, forged }

    private func identity(_ impostor: Impostor, _ certificates: TestCertificates) -> TestCertificates.Identity {
        switch impostor {
        case .expired: certificates.expired
        case .wrongHost: certificates.wrongHost
        case .selfSigned: certificates.selfSigned
        case .missingIntermediate: certificates.missingIntermediate
        case .forged: certificates.forged
        }
    }

    @Test(arguments: Impostor.allCases)
    func `a server with an invalid certificate receives no request`(impostor: Impostor) async throws {
        let certificates = try await TestCertificates.shared
        let proxy = try TunnelProxy()
        try await withNginx(identity: identity(impostor, certificates)) { (nginx) async throws in
            for way in Way.allCases {
                let words = options(way, proxy) + ["--cacert", certificates.root, nginx.secureURL("/sink")]
                let run = try await folder.afcli(words + ["-a", "ada:s3cret"])
                #expect(run.status == 12, "\(run.errorText)")
                #expect(run.errorText.contains("afcli: error: "))
            }
            #expect(nginx.finalRequests().isEmpty)
        }
    }

    @Test func `only the system's authorities are trusted by default`() async throws {
        try await withNginx { (nginx) async throws in
            #expect(try await folder.afcli(nginx.secureURL("/sink")).status == 12)
            #expect(nginx.finalRequests().isEmpty)
        }
    }

    @Test func `disabled verification is reported, and applies to that run only`() async throws {
        let certificates = try await TestCertificates.shared
        let warning = "afcli: warning: the server's certificate is not verified\n"
        try await withNginx(identity: certificates.wrongHost) { nginx in
            let url = nginx.secureURL("/sink")
            for words in [["-k"], ["--verify", "no"]] {
                let run = try await folder.afcli(words + [url])
                #expect(run.status == 0 && run.errorText == warning, "\(run.errorText)")
            }
            let clear = try LocalServer { _ in .redirect(to: url) }
            #expect(try await folder.afcli("-k", "-L", clear.url()).errorText == warning)
            let list = try folder.write("\(url)\n", to: "list")
            let several = try await folder.afcli("-k", "-d", "--input", list)
            #expect(several.errorText.contains(warning), "\(several.errorText)")
            #expect(try await folder.afcli("--session", "./s.json", "-k", url).status == 0)
            #expect(try await folder.afcli("--session", "./s.json", url).status == 12)
        }
    }

    @Test func `disabled verification in one session does not affect others of the same transport`() async throws {
        let certificates = try await TestCertificates.shared
        let transport = CurlTransport()
        var careless = SessionConfiguration()
        (careless.tls.verifiesChain, careless.tls.verifiesHost) = (false, false)
        try await withNginx(files: ["x": .text("x")], identity: certificates.selfSigned) { nginx in
            let (first, second) = (
                Session(configuration: careless, transport: transport), Session(transport: transport)
            )
            for _ in 0..<2 {
                #expect(await first.request(nginx.secureURL("/x")).serializingString().response.value == "x")
                let refused = await second.request(nginx.secureURL("/x")).serializingString().response.error
                #expect((refused?.underlyingError as? TransferFailure)?.kind == .untrustedCertificate)
            }
        }
    }

    @Test(arguments: Way.allCases)
    func `a pin is checked before the request, with a valid and an invalid chain`(way: Way) async throws {
        let certificates = try await TestCertificates.shared
        let proxy = try TunnelProxy()
        try await withNginx { nginx in
            let words = options(way, proxy) + ["-b", nginx.secureURL("/sink"), "-a", "ada:s3cret"]
            for trust in [["--cacert", certificates.root], ["-k"]] {
                let run = try await folder.afcli(words + trust + ["--pin", certificates.client.pin])
                #expect(run.status == 12, "\(run.errorText)")
            }
            let good = ["--cacert", certificates.root, "--pin", certificates.server.pin]
            #expect(try await folder.afcli(words + good).status == 0)
            #expect(nginx.finalRequests().count == 1)
        }
    }

    /// Rejects every server.
    private final class Judge: ServerTrustEvaluating {
        struct Refused: Error {}

        let asked = Atomic(0)
        func evaluate(_ trust: ServerTrust, forHost host: String) throws {
            asked.add(1, ordering: .relaxed)
            throw Refused()
        }
    }

    @Test(arguments: Way.allCases)
    func `an evaluator is called before the request, on the first and later connections`(way: Way) async throws {
        let proxy = try TunnelProxy()
        let judge = Judge()
        try await withNginx { nginx in
            let manager = ServerTrustManager(evaluators: ["localhost": judge])
            let configuration = configuration(way, proxy, root: nginx.root)
            let session = Session(configuration: configuration, serverTrustManager: manager)
            for _ in 0..<3 {
                let request = session.request(nginx.secureURL("/sink"), method: .post, headers: ["X-Api-Key": "s3cret"])
                let error = await request.serializingData().response.error
                #expect(error?.underlyingError is Judge.Refused, "\(String(describing: error))")
            }
            // Several at once share a connection where that is possible.
            let requests = (0..<5).map { _ in session.request(nginx.secureURL("/sink")) }
            for request in requests { #expect(await request.serializingData().response.error != nil) }
            #expect(judge.asked.load(ordering: .relaxed) >= 4)
            #expect(nginx.finalRequests().isEmpty)
        }
    }

    @Test func `a host without a required evaluator is rejected`() async throws {
        try await withNginx { nginx in
            let manager = ServerTrustManager(evaluators: ["example.org": DefaultTrustEvaluator()])
            let configuration = configuration(.http2, try TunnelProxy(), root: nginx.root)
            let session = Session(configuration: configuration, serverTrustManager: manager)
            let error = await session.request(nginx.secureURL("/sink")).serializingData().response.error
            #expect(error?.isServerTrustEvaluationError == true)
            #expect(nginx.finalRequests().isEmpty)
        }
    }
}
