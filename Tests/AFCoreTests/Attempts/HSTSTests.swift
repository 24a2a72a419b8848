import AFCore
import AFHTTP
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct HSTSTests {
    private func response(_ value: String, from url: String) throws -> (HTTPURLResponse, HTTPURL) {
        let place = try HTTPURL(parsing: url)
        let address = try #require(URL(string: url))
        let response = HTTPURLResponse(
            url: address, statusCode: 200, httpVersion: nil, headerFields: ["Strict-Transport-Security": value])
        return (try #require(response), place)
    }

    @Test func `a policy received over TLS is stored, and removed by max-age=0`() throws {
        let store = HSTSStore()
        let (told, url) = try response("max-age=100; includeSubDomains", from: "https://a.test/")
        store.record(told, from: url)
        #expect(try store.secured(HTTPURL(parsing: "http://b.a.test/x")).text == "https://b.a.test/x")
        let (back, _) = try response("max-age=0", from: "https://a.test/")
        store.record(back, from: url)
        #expect(store.entries.isEmpty)
        #expect(try store.secured(HTTPURL(parsing: "http://a.test/")).scheme == .http)
    }

    @Test func `no policy is stored over plain HTTP or for an address`() throws {
        let store = HSTSStore()
        for place in ["http://a.test/", "https://127.0.0.1/", "https://[::1]/"] {
            let (told, url) = try response("max-age=100", from: place)
            store.record(told, from: url)
        }
        #expect(store.entries.isEmpty)
    }

    @Test func `an expired entry is ignored`() throws {
        let store = HSTSStore([HSTSEntry(host: "a.test", expiresDate: Date(timeIntervalSince1970: 1000))])
        #expect(store.entries.isEmpty)
        #expect(try store.secured(HTTPURL(parsing: "http://a.test/")).scheme == .http)
    }

    @Test func `requests and redirects to a known host use TLS`() async throws {
        let directives = "add_header Strict-Transport-Security \"max-age=1000\" always;"
        try await withNginx(files: ["x": .text("safe")], directives: directives) { nginx in
            var configuration = SessionConfiguration.default
            configuration.tls.authorities = .file(nginx.root)
            let store = HSTSStore()
            configuration.hstsStore = store
            let session = Session(configuration: configuration)
            let clear = "http://localhost:\(nginx.securePort)/x"
            let before = await session.request(clear).serializingString().response
            #expect(before.response?.statusCode == 400)
            #expect(try await session.request(nginx.secureURL("/x")).serializingString().value == "safe")
            #expect(store.entries.map(\.host) == ["localhost"])
            let after = await session.request(clear).serializingString().response
            #expect(after.value == "safe")
            #expect(after.request?.url?.scheme == "https" || after.response?.url?.scheme == "https")
            try await withServer { _ in
                .redirect(to: clear)
            } _: { server in
                let followed = try await session.request(server.url()).serializingString().value
                #expect(followed == "safe")
            }
        }
    }

    @Test func `a trust manager may access the task of the response`() async throws {
        // `@unchecked` like its superclass; every added property is a `Mutex`.
        final class Curious: ServerTrustManager, @unchecked Sendable {
            let request = Mutex<Request?>(nil)
            let statuses = Mutex<[Int?]>([])

            override func serverTrustEvaluator(forHost host: String) throws -> (any ServerTrustEvaluating)? {
                let task = request.withLock { $0 }?.task
                statuses.withLock { $0.append(task?.response?.statusCode) }
                return nil
            }
        }
        await #expect(processExitsWith: .success) {
            let transport = ScriptedTransport()
            let manager = Curious(allHostsMustBeEvaluated: false, evaluators: [:])
            var configuration = SessionConfiguration.default
            configuration.hstsStore = HSTSStore()
            let session = Session(configuration: configuration, transport: transport, serverTrustManager: manager)
            let request = session.request("https://a.test/")
            manager.request.withLock { $0 = request }
            async let response = request.serializingData().response
            try await transport.exchange().respond(200)
            _ = await response
            manager.request.withLock { $0 = nil }
            #expect(manager.statuses.withLock { $0.last } == 200)
        }
    }

    @Test func `the policy of a host without a verified certificate is not stored`() async throws {
        let directives = "add_header Strict-Transport-Security \"max-age=1000\" always;"
        try await withNginx(files: ["x": .text("safe")], directives: directives) { nginx in
            var configuration = SessionConfiguration.default
            configuration.tls.verifiesChain = false
            configuration.tls.verifiesHost = false
            let store = HSTSStore()
            configuration.hstsStore = store
            let session = Session(configuration: configuration)
            let text = try await session.request(nginx.secureURL("/x")).serializingString().value
            #expect(text == "safe")
            #expect(store.entries.isEmpty)
        }
    }
}
