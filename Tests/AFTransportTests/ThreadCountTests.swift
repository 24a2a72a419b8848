import AFHTTP
import AFTransport
import Glibc
import Synchronization
import TestSupport
import Testing

/// A transport with several threads.
@Suite(.timeLimit(.minutes(5))) struct ThreadCountTests {
    /// The thread of each transfer's body.
    private final class Threads: Sendable {
        private let all = Mutex<Set<pthread_t>>([])
        var found: Set<pthread_t> { all.withLock(\.self) }
        func note() { all.withLock { _ = $0.insert(pthread_self()) } }
    }

    @Test func `origins are divided among the threads, and each has its own connections`() async throws {
        let transport = CurlTransport(threadCount: 2)
        let servers = try (0..<4).map { _ in try LocalServer { _ in .ok("x") } }
        var all: [Set<pthread_t>] = []
        for server in servers {
            let threads = Threads()
            for _ in 0..<3 {
                let collector = Collector { _, _ in
                    threads.note()
                    return .proceed
                }
                _ = transport.start(Transfer(url: try HTTPURL(parsing: server.url())), into: collector)
                #expect(await collector.end().text == "x")
            }
            #expect(server.acceptedConnections == 1)
            all.append(threads.found)
        }
        #expect(all.allSatisfy { $0.count == 1 })
        #expect(all[0] != all[1] && all[0] == all[2] && all[1] == all[3])
        transport.shutdown()
    }

    @Test func `transfers of all origins share the connections to a proxy`() async throws {
        let proxy = try LocalServer { _ in .ok("proxied") }
        let transport = CurlTransport(threadCount: 2)
        for host in ["a.example", "b.example", "c.example"] {
            let record = try await transport.fetch("http://\(host)/") {
                $0.proxy = ProxyOptions(url: "http://\(proxy.authority)")
            }
            #expect(record.text == "proxied")
        }
        #expect(proxy.acceptedConnections == 1)
        transport.shutdown()
    }

    @Test func `a cookie that one thread receives is sent by the others`() async throws {
        let transport = CurlTransport(threadCount: 3)
        let setting = try LocalServer { _ in .ok().header("Set-Cookie", "n=v") }
        let others = try (0..<4).map { _ in try LocalServer { .ok($0["Cookie"] ?? "none") } }
        _ = try await transport.fetch(setting.url())
        for other in others { #expect(try await transport.fetch(other.url()).text == "n=v") }
        transport.deleteAllCookies()
        for other in others { #expect(try await transport.fetch(other.url()).text == "none") }
        transport.setCookies([HTTPCookie(name: "m", value: "w", domain: "127.0.0.1")])
        #expect(await transport.cookies().map(\.name) == ["m"])
        transport.shutdown()
        #expect(await transport.cookies().isEmpty)
    }

    @Test func `shutting down ends the transfers of every thread exactly once`() async throws {
        let transport = CurlTransport(threadCount: 3)
        let servers = try (0..<6).map { _ in try LocalServer { _ in .silence } }
        let collectors = try servers.map { server in
            let collector = Collector()
            _ = transport.start(Transfer(url: try HTTPURL(parsing: server.url())), into: collector)
            return collector
        }
        for server in servers { try await server.waitForRequests(1) }
        transport.shutdown()
        for collector in collectors { #expect(await collector.end().failure?.kind == .shutDown) }
        try await remains("each has ended once") { collectors.allSatisfy { $0.finishCount == 1 } }
    }

    @Test func `transfers are controlled on the thread of their origin`() async throws {
        let transport = CurlTransport(threadCount: 2)
        let servers = try (0..<2).map { _ in try LocalServer { _ in .silence } }
        let collectors = servers.map { _ in Collector() }
        var controls: [any TransferControl] = []
        for (server, collector) in zip(servers, collectors) {
            controls.append(transport.start(Transfer(url: try HTTPURL(parsing: server.url())), into: collector))
            try await server.waitForRequests(1)
        }
        // The transfers of different threads may have equal numbers.
        controls[1].cancel()
        #expect(await collectors[1].end().failure?.kind == .cancelled)
        try await remains("the other one runs") { collectors[0].finishCount == 0 }
        controls[0].cancel()
        #expect(await collectors[0].end().failure?.kind == .cancelled)
        transport.shutdown()
    }

    @Test func `the threads end with their transport`() async {
        await #expect(processExitsWith: .success) {
            let left = try await ProcessResources.leaks {
                let transport = CurlTransport(threadCount: 4)
                try await eventually("all threads run") { ProcessResources.threads(named: "afcli.transport") == 4 }
                transport.shutdown()
            }
            #expect(left == [])
        }
    }
}
