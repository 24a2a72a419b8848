import AFCore
import Dispatch
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

/// A handler that fails or cancels at the last chunk, after the end of the transfer.
@Suite(.timeLimit(.minutes(5))) struct StreamEndingTests {
    private static let url = "http://scripted.test/"
    private static let runs = 50

    /// The results of a request and its handlers.
    private struct Ending: Sendable {
        var completions: [AFError?]
        var request: AFError?
        var isCancelled: Bool
    }

    /// Runs a request whose complete response arrives at once, with several equal handlers.
    private nonisolated(nonsending) func ending(
        handlers: Int = 1,
        on queue: DispatchQueue = DispatchQueue(label: "stream"),
        body: String = "x",
        _ handle: @escaping @Sendable (_ handler: Int, DataStreamRequest.Stream<String, Never>) throws -> Void
    ) async throws -> Ending {
        let transport = ScriptedTransport { $0.respond(200, body: body) }
        // Otherwise the first handler would start it, and the others would miss the chunk.
        let session = Session(transport: transport, startRequestsImmediately: false)
        let completions = Mutex<[AFError?]>([])
        let request = session.streamRequest(Self.url)
        for handler in 0..<handlers {
            request.responseStreamString(on: queue) { stream in
                if let completion = stream.completion { return completions.withLock { $0.append(completion.error) } }
                try handle(handler, stream)
            }
        }
        request.resume()
        try await eventually("every handler has its completion") { completions.withLock(\.count) == handlers }
        return Ending(
            completions: completions.withLock(\.self),
            request: request.error,
            isCancelled: request.isCancelled
        )
    }

    @Test(arguments: [true, false])
    func `a handler that throws at the last chunk ends the request with its error`(isSerial: Bool) async throws {
        for _ in 0..<Self.runs {
            let queue = isSerial ? DispatchQueue(label: "stream") : .global()
            let ending = try await ending(on: queue) { _, _ in throw Refused() }
            #expect(ending.completions.map { $0?.underlyingError is Refused } == [true])
            #expect(ending.request?.underlyingError is Refused)
            #expect(ending.isCancelled)
        }
    }

    @Test func `a stream that its handler cancels at the last chunk ends as canceled`() async throws {
        for _ in 0..<Self.runs {
            let ending = try await ending { _, stream in stream.cancel() }
            #expect(ending.completions.map { $0?.isExplicitlyCancelledError } == [true])
            #expect(ending.request?.isExplicitlyCancelledError == true)
        }
    }

    @Test func `every handler receives the error that one of them throws`() async throws {
        for _ in 0..<Self.runs {
            let queue = DispatchQueue(label: "streams", attributes: .concurrent)
            let ending = try await ending(handlers: 3, on: queue) { handler, _ in
                if handler == 2 { throw Refused() }
            }
            #expect(ending.completions.map { $0?.underlyingError is Refused } == [true, true, true])
        }
    }

    @Test func `a handler may throw for an incomplete character at the end, too`() async throws {
        // The first two bytes of three.
        let session = Session(
            transport: ScriptedTransport { exchange in
                exchange.receiveHead()
                exchange.receive([0xE2, 0x82])
                exchange.finish()
            })
        let error = Mutex<AFError??>(nil)
        session.streamRequest(Self.url).responseStreamString(on: .global()) { stream in
            guard let completion = stream.completion else { throw Refused() }
            error.withLock { $0 = .some(completion.error) }
        }
        try await eventually("it has ended") { error.withLock { $0 != nil } }
        #expect(error.withLock { $0 }??.underlyingError is Refused)
    }

    @Test func `an undecodable last chunk cancels a request with automatic cancellation`() async throws {
        for _ in 0..<Self.runs {
            let session = Session(transport: ScriptedTransport { $0.respond(200, body: "nonsense") })
            let error = Mutex<AFError??>(nil)
            session.streamRequest(Self.url, automaticallyCancelOnStreamError: true)
                .responseStreamDecodable(of: Int.self, on: .global()) { stream in
                    if let completion = stream.completion { error.withLock { $0 = .some(completion.error) } }
                }
            try await eventually("it has ended") { error.withLock { $0 != nil } }
            #expect(error.withLock { $0 }??.isExplicitlyCancelledError == true)
        }
    }

    @Test func `a request is active until its handlers have returned`() async throws {
        let gate = Gate()
        let finished = Gate()
        let monitor = ClosureEventMonitor(queue: DispatchQueue(label: "monitor"))
        monitor.requestDidFinish = { _ in finished.open() }
        let session = Session(transport: ScriptedTransport { $0.respond(200, body: "x") }, eventMonitors: [monitor])
        let ended = Gate()
        let request = session.streamRequest(Self.url).responseStream(on: DispatchQueue(label: "slow")) { stream in
            if stream.completion != nil { ended.open() } else { gate.block(atMost: Deadline.timeout) }
        }
        try await finished.waitUntilOpen()
        try await remains("the request is under way") { request.isResumed }
        gate.open()
        try await ended.waitUntilOpen()
        #expect(request.isFinished)
    }
}
