import AFHTTP
import AFTransport
import Synchronization
import TestSupport
import Testing

/// The caller's evaluation of a server: before the first byte, and for every request.
@Suite(.timeLimit(.minutes(5))) struct TrustTests {
    struct Refused: Error {}

    /// An evaluation that records its calls.
    final class Judge: Sendable {
        private let state: Mutex<(accepts: Bool, asked: [ServerTrust])>
        init(accepts: Bool) { state = Mutex((accepts, [])) }

        var asked: [ServerTrust] { state.withLock(\.asked) }
        func change(accepts: Bool) { state.withLock { $0.accepts = accepts } }

        func evaluation(named name: String = "judge", for scope: TrustEvaluation.Scope = .request) -> TrustEvaluation {
            TrustEvaluation(name: name, scope: scope) { trust in
                try self.state.withLock { state in
                    state.asked.append(trust)
                    if !state.accepts { throw Refused() }
                }
            }
        }
    }

    static let versions: [HTTPVersion] = [.http1_1, .automatic]
    let transport = CurlTransport()

    private func fetch(
        _ nginx: NginxServer,
        _ judge: Judge,
        version: HTTPVersion,
        configure: (inout TransferOptions) -> Void = { _ in }
    ) async throws -> Collector.Record {
        try await transport.fetch(nginx.secureURL("/sink")) { options in
            options.httpVersion = version
            options.tls.authorities = .file(nginx.root)
            options.tls.evaluation = judge.evaluation()
            configure(&options)
        }
    }

    @Test(arguments: versions)
    func `every request to a rejected server fails without a response`(version: HTTPVersion) async throws {
        let nginx = try await NginxServer()
        let judge = Judge(accepts: false)
        for _ in 0..<3 {
            let record = try await fetch(nginx, judge, version: version)
            #expect(record.failure?.kind == .trustRefused)
            #expect(record.failure?.detail.contains("Refused") == true)
            #expect(record.heads.isEmpty)
        }
        #expect(judge.asked.count == 3)
        judge.change(accepts: true)
        #expect(try await fetch(nginx, judge, version: version).status == 200)
    }

    @Test(arguments: versions)
    func `reused connections are evaluated too, with the complete chain`(version: HTTPVersion) async throws {
        let nginx = try await NginxServer(identity: TestCertificates.shared.chained)
        let judge = Judge(accepts: true)
        for round in 0..<3 {
            let record = try await fetch(nginx, judge, version: version)
            #expect(record.failure == nil)
            #expect(record.outcome?.metrics.isReusedConnection == (round > 0))
            #expect(record.outcome?.metrics.protocolName == (version == .automatic ? "HTTP/2" : "HTTP/1.1"))
            #expect(record.outcome?.metrics.certificates == judge.asked[round].certificates.map(\.derBytes))
        }
        #expect(judge.asked.map(\.certificates.count) == [2, 2, 2])
        #expect(judge.asked.map(\.host) == ["localhost", "localhost", "localhost"])
        judge.change(accepts: false)
        #expect(try await fetch(nginx, judge, version: version).failure?.kind == .trustRefused)
        #expect(nginx.finalRequests().count == 3)
    }

    @Test(arguments: versions)
    func `an evaluation with connection scope runs once per connection`(version: HTTPVersion) async throws {
        let nginx = try await NginxServer()
        let judge = Judge(accepts: false)
        func fetch() async throws -> Collector.Record {
            try await self.fetch(nginx, judge, version: version) {
                $0.tls.evaluation = judge.evaluation(for: .connection)
                $0.timeouts.idle = 10
            }
        }
        for _ in 0..<2 { #expect(try await fetch().failure?.kind == .trustRefused) }
        judge.change(accepts: true)
        for round in 0..<3 {
            let record = try await fetch()
            #expect(record.status == 200)
            #expect(record.outcome?.metrics.isReusedConnection == (round > 0))
            #expect(record.outcome?.metrics.certificates.count == 1)
        }
        #expect(judge.asked.count == 3)
        // Another evaluation has a separate scope.
        judge.change(accepts: false)
        let other = try await self.fetch(nginx, judge, version: version) {
            $0.tls.evaluation = judge.evaluation(named: "other", for: .connection)
        }
        #expect(other.failure?.kind == .trustRefused)
        #expect(nginx.finalRequests().count == 3)
    }

    @Test func `rejecting one stream does not affect other streams of the connection`() async throws {
        let nginx = try await NginxServer(files: ["big": .pattern(size: 4 << 20)])
        let judge = Judge(accepts: true)
        var transfer = Transfer(url: try HTTPURL(parsing: nginx.secureURL("/big")))
        transfer.options.tls.authorities = .file(nginx.root)
        transfer.options.tls.evaluation = judge.evaluation()
        transfer.options.network.maximumReceiveRate = 2 << 20
        let collector = Collector()
        _ = transport.start(transfer, into: collector)
        try await eventually("the body comes") { !collector.record.body.isEmpty }
        judge.change(accepts: false)
        #expect(try await fetch(nginx, judge, version: .automatic).failure?.kind == .trustRefused)
        let record = await collector.end()
        #expect(record.failure == nil)
        #expect(record.body.count == 4 << 20)
        #expect(nginx.finalRequests().count == 1)
    }

    @Test(arguments: versions)
    func `the server is evaluated before the first byte inside a tunnel`(version: HTTPVersion) async throws {
        let proxy = try TunnelProxy()
        let nginx = try await NginxServer()
        let judge = Judge(accepts: false)
        let through: (inout TransferOptions) -> Void = { $0.proxy = ProxyOptions(url: proxy.url) }
        for _ in 0..<2 {
            let record = try await fetch(nginx, judge, version: version, configure: through)
            #expect(record.failure?.kind == .trustRefused)
            #expect(record.heads.map(\.kind) == [.tunnel])
        }
        judge.change(accepts: true)
        #expect(try await fetch(nginx, judge, version: version, configure: through).status == 200)
        #expect(try await fetch(nginx, judge, version: version, configure: through).status == 200)
        #expect(judge.asked.allSatisfy { $0.certificates.count == 1 })
        #expect(proxy.heads.count == 3)
        #expect(nginx.finalRequests().count == 2)
    }

    @Test func `the server is evaluated, not the proxy, if both use TLS`() async throws {
        let certificates = try await TestCertificates.shared
        let tunnel = try TunnelProxy()
        let front = try TLSFront(to: tunnel.port, identity: certificates.server)
        let nginx = try await NginxServer(identity: certificates.chained)
        let judge = Judge(accepts: true)
        let through: (inout TransferOptions) -> Void = {
            $0.proxy = ProxyOptions(url: "https://localhost:\(front.port)")
        }
        let record = try await fetch(nginx, judge, version: .http1_1, configure: through)
        #expect(record.status == 200)
        #expect(judge.asked.map(\.certificates) == [try certificates.chained.chain])
        judge.change(accepts: false)
        #expect(try await fetch(nginx, judge, version: .http1_1, configure: through).failure?.kind == .trustRefused)
        #expect(nginx.finalRequests().count == 1)
    }

    @Test func `a proxy is verified even if the server is verified only by an evaluation`() async throws {
        let certificates = try await TestCertificates.shared
        let tunnel = try TunnelProxy()
        let front = try TLSFront(to: tunnel.port, identity: certificates.selfSigned)
        let nginx = try await NginxServer()
        let judge = Judge(accepts: true)
        let record = try await fetch(nginx, judge, version: .http1_1) { options in
            options.proxy = ProxyOptions(url: "https://localhost:\(front.port)")
            options.tls.verifiesChain = false
            options.tls.verifiesHost = false
        }
        #expect(record.failure?.kind == .untrustedCertificate && record.failure?.isOfProxy == true)
        #expect(judge.asked.isEmpty)
        #expect(tunnel.heads.isEmpty)
    }

    @Test func `an evaluation can replace the verification of the chain`() async throws {
        let nginx = try await NginxServer(identity: TestCertificates.shared.selfSigned)
        let judge = Judge(accepts: true)
        let record = try await fetch(nginx, judge, version: .automatic) { $0.tls.verifiesChain = false }
        #expect(record.status == 200)
        #expect(judge.asked.count == 1)
    }

    @Test func `a server with an invalid chain is not evaluated`() async throws {
        let nginx = try await NginxServer(identity: TestCertificates.shared.selfSigned)
        let judge = Judge(accepts: true)
        #expect(try await fetch(nginx, judge, version: .automatic).failure?.kind == .untrustedCertificate)
        #expect(judge.asked.isEmpty)
    }

    // Separate connections

    @Test func `transfers with different TLS, proxy or resolve options never share a connection`() async throws {
        let certificates = try await TestCertificates.shared
        let proxy = try TunnelProxy()
        let nginx = try await NginxServer()
        let judge = Judge(accepts: true)
        let client = ClientCertificate(
            certificatePath: certificates.client.certificate, keyPath: certificates.client.key)
        let identities: [@Sendable (inout TransferOptions) -> Void] = [
            { _ in },
            { $0.tls.verifiesHost = false },
            { $0.tls.verifiesChain = false },
            { $0.tls.pinnedPublicKey = certificates.server.pin },
            { $0.tls.authorities = .directory(certificates.rootFolder) },
            { $0.tls.clientCertificate = client },
            { $0.tls.evaluation = judge.evaluation(named: "one") },
            { $0.tls.evaluation = judge.evaluation(named: "two") },
            { $0.tls.maximumVersion = .tls1_2 },
            { $0.proxy = ProxyOptions(url: proxy.url) },
            { $0.proxy = ProxyOptions(url: proxy.url, credential: URLCredential(user: "u", password: "p")) },
            { $0.network.resolve = ["localhost:\(nginx.securePort):127.0.0.1"] },
        ]
        for round in 0..<2 {
            for configure in identities {
                let record = try await transport.fetch(nginx.secureURL("/sink")) { options in
                    options.tls.authorities = .file(nginx.root)
                    configure(&options)
                }
                #expect(record.failure == nil)
                #expect(record.outcome?.metrics.isReusedConnection == (round == 1))
            }
        }
        #expect(proxy.heads.count == 2)
    }

    @Test func `old connections of many different evaluations are closed`() async throws {
        let server = try LocalServer { _ in .ok() }
        for number in 0..<100 {
            let record = try await transport.fetch(server.url()) {
                $0.tls.evaluation = TrustEvaluation(name: "\(number)") { _ in }
            }
            #expect(record.failure == nil)
        }
        try await eventually("the oldest connections are closed") { server.openConnections <= 40 }
    }
}
