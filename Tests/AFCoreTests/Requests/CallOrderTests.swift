import AFCore
import AFHTTP
import AFTransport
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

/// Calls of one thread that take effect before another thread's earlier ones.
@Suite(.timeLimit(.minutes(5))) struct CallOrderTests {
    /// A scripted transport whose suspend calls are overtaken by the test's actions.
    private final class SlowTransport: Transport {
        private struct Control: TransferControl {
            let exchange: any TransferControl
            let transport: SlowTransport

            func cancel() { exchange.cancel() }
            func resume() { exchange.resume() }
            func drain() { exchange.drain() }

            func suspend() {
                transport.hooks.withLock({ $0.overtake.take() })?()
                exchange.suspend()
            }
        }

        struct Hooks: Sendable {
            /// Called while a transfer starts.
            var start: (@Sendable () -> Void)?
            /// Called before a suspension takes effect.
            var overtake: (@Sendable () -> Void)?
        }

        let inner = ScriptedTransport()
        /// Each runs once.
        let hooks = Mutex(Hooks())

        func start(_ transfer: Transfer, into sink: any TransferSink) -> any TransferControl {
            let control = Control(exchange: inner.start(transfer, into: sink), transport: self)
            hooks.withLock({ $0.start.take() })?()
            return control
        }

        func cookies() async -> [HTTPCookie] { [] }
        func setCookies(_ cookies: [HTTPCookie]) {}
        func deleteAllCookies() {}
        func shutdown() { inner.shutdown() }
    }

    @Test(arguments: [false, true], [false, true])
    func `a task that is resumed while it is being suspended runs`(hasCache: Bool, isStarting: Bool) async throws {
        let transport = SlowTransport()
        var configuration = SessionConfiguration()
        if hasCache { configuration.urlCache = ResponseCache() }
        let session = Session(configuration: configuration, transport: transport, startRequestsImmediately: false)
        let request = session.request("http://scripted.test/")
        transport.hooks.withLock { hooks in
            hooks.overtake = { request.task?.resume() }
            if isStarting { hooks.start = { request.task?.suspend() } }
        }
        request.resume()
        let exchange = try await transport.inner.exchange()
        if !isStarting { request.task?.suspend() }
        try await eventually("it was suspended") { exchange.commands.contains(.suspend) }
        try await eventually("it was resumed in the end") { exchange.commands.last == .resume }
        #expect(exchange.commands == [.suspend, .resume])
        #expect(request.task?.state == .running)
        exchange.respond(200, body: "there")
        #expect(try await request.serializingString().value == "there")
    }
}
