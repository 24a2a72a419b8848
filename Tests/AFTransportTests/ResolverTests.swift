import AFHTTP
import AFTransport
import TestSupport
import Testing

/// A silent name server only affects the transfer that uses it.
@Suite(
    .timeLimit(.minutes(5)),
    .enabled(if: MountNamespace.isAllowed, "a resolv.conf of the test's own needs root and unshare --mount")
) struct ResolverTests {
    @Test func `with a silent name server, canceling returns immediately and other transfers do not wait`() async {
        await #expect(processExitsWith: .success) {
            // Half of it is far more than a busy machine needs, and less than any wait for the name server.
            let nameServerTimeout = Duration.seconds(30)
            let resolver = try BlackHoleResolver(timeout: 30)
            let transport = try resolver.run { CurlTransport() }
            let server = try LocalServer { _ in .ok() }
            _ = await transport.fetch(Transfer(url: try HTTPURL(parsing: server.url())))
            let alone = try await time(of: 200, server, transport)

            let (controls, collectors) = try start(500, transport)
            try await eventually("look-ups are under way") { lookupThreads() == 64 }
            let besides = try await time(of: 200, server, transport)
            #expect(besides < alone + nameServerTimeout / 2, "\(alone) alone, \(besides) beside 500 look-ups")
            #expect(lookupThreads() <= 64)

            let cancelling = ContinuousClock.now
            controls.forEach { $0.cancel() }
            for collector in collectors { #expect(await collector.end().failure?.kind == .cancelled) }
            #expect(cancelling.duration(to: .now) < nameServerTimeout / 2)
            _ = try start(200, transport)
            _ = try await time(of: 20, server, transport)
            #expect(lookupThreads() <= 64)

            let ending = ContinuousClock.now
            transport.shutdown()
            try await eventually("the loop has ended") { ProcessResources.threads(named: "afcli.transport") == 64 }
            #expect(ending.duration(to: .now) < nameServerTimeout / 2)
        }
    }

    @Test func `the slot of an abandoned lookup is released when its thread ends`() async {
        await #expect(processExitsWith: .success) {
            let resolver = try BlackHoleResolver(timeout: 1)
            let transport = try resolver.run { CurlTransport() }
            let (controls, _) = try start(64, transport)
            try await eventually("look-ups are under way") { lookupThreads() == 64 }
            controls.forEach { $0.cancel() }
            let (_, collectors) = try start(10, transport)
            for collector in collectors { #expect(await collector.end().failure?.kind == .unresolvedHost) }
        }
    }

    @Test func `a transfer that waits for a lookup runs into its connect timeout`() async {
        await #expect(processExitsWith: .success) {
            let resolver = try BlackHoleResolver(timeout: 30)
            let transport = try resolver.run { CurlTransport() }
            _ = try start(64, transport)
            try await eventually("look-ups are under way") { lookupThreads() == 64 }
            let record = try await transport.fetch("http://late.example/") { $0.timeouts.connect = 0.2 }
            #expect(record.failure?.kind == .connectTimedOut)
        }
    }
}

/// Starts a number of transfers to different names.
private func start(_ count: Int, _ transport: CurlTransport) throws -> ([any TransferControl], [Collector]) {
    let collectors = (0..<count).map { _ in Collector() }
    let controls = try collectors.enumerated().map { number, collector in
        transport.start(Transfer(url: try HTTPURL(parsing: "http://host\(number).example/")), into: collector)
    }
    return (controls, collectors)
}

/// Returns the number of lookup threads: libcurl's threads inherit the name of the thread that starts them.
private func lookupThreads() -> Int { ProcessResources.threads(named: "afcli.transport") - 1 }

private func time(of count: Int, _ server: LocalServer, _ transport: CurlTransport) async throws -> Duration {
    let start = ContinuousClock.now
    for _ in 0..<count { #expect(try await transport.fetch(server.url()).failure == nil) }
    return start.duration(to: .now)
}
