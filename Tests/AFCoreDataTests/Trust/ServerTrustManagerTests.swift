import AFCore
import FoundationEssentials
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct ServerTrustManagerTests {
    private let exact = DefaultTrustEvaluator()
    private let wild = DisabledTrustEvaluator()

    private func manager(mustBeEvaluated: Bool = true) -> ServerTrustManager {
        ServerTrustManager(
            allHostsMustBeEvaluated: mustBeEvaluated,
            evaluators: ["API.example.com": exact, "*.example.com": wild, "127.0.0.1": exact]
        )
    }

    @Test func `a host has the evaluator of its own name, else that of a wildcard for one label`() throws {
        let manager = manager()
        #expect(try manager.serverTrustEvaluator(forHost: "api.example.com") as? DefaultTrustEvaluator === exact)
        #expect(try manager.serverTrustEvaluator(forHost: "Api.Example.Com") as? DefaultTrustEvaluator === exact)
        #expect(try manager.serverTrustEvaluator(forHost: "www.example.com") as? DisabledTrustEvaluator === wild)
        #expect(try manager.serverTrustEvaluator(forHost: "127.0.0.1") as? DefaultTrustEvaluator === exact)
        #expect(manager.evaluators.count == 3)
        #expect(manager.allHostsMustBeEvaluated)
    }

    @Test(arguments: ["example.com", "a.b.example.com", ".example.com", "other.test", "www.example.com.test", ""])
    func `a host without an evaluator is rejected, or evaluated by default`(host: String) throws {
        let error = #expect(throws: AFError.self) { try manager().serverTrustEvaluator(forHost: host) }
        guard case .serverTrustEvaluationFailed(.noRequiredEvaluator(host)) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try manager(mustBeEvaluated: false).serverTrustEvaluator(forHost: host) == nil)
    }

    @Test(arguments: ["api.example.com.", "pinned.test", "pinned.test."])
    func `a dot at the end of a host does not bypass an evaluator`(host: String) async throws {
        let manager = ServerTrustManager(
            allHostsMustBeEvaluated: false,
            evaluators: ["api.example.com": exact, "pinned.test.": exact]
        )
        #expect(try manager.serverTrustEvaluator(forHost: host) as? DefaultTrustEvaluator === exact)
        let transport = ScriptedTransport { $0.respond(200) }
        let session = Session(transport: transport, serverTrustManager: manager)
        _ = await session.request("https://\(host)/").serializingData().response
        #expect(transport.exchanges.map { $0.transfer.options.tls.evaluation == nil } == [false])
    }

    @Test func `a subclass may choose the evaluator of each host`() async throws {
        // `@unchecked` like its superclass; it adds no mutable state.
        final class EveryHost: ServerTrustManager, @unchecked Sendable {
            override func serverTrustEvaluator(forHost host: String) throws -> (any ServerTrustEvaluating)? {
                .disabled
            }
        }
        let nginx = try await NginxServer(identity: TestCertificates.shared.selfSigned)
        let session = Session(serverTrustManager: EveryHost(evaluators: [:]))
        #expect(await session.request(nginx.secureURL("/sink")).serializingData().response.response?.statusCode == 200)
        #expect(session.serverTrustManager is EveryHost)
    }
}
