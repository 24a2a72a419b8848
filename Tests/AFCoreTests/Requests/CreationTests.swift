import AFCore
import Dispatch
import FoundationEssentials
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct CreationTests {
    static let url = "http://scripted.test/"
    private let queue = DispatchQueue(label: "creation")

    @Test func `requests and tasks of every attempt are reported when created`() async throws {
        let transport = ScriptedTransport { exchange in
            exchange.respond(exchange.transfer.url.target == "/2" ? 200 : 500, body: "x")
        }
        let count = Journal()
        let adapter = Adapter { request, _, completion in
            count.note("adapt")
            completion(Result { try URLRequest(url: "http://scripted.test/\(count.all.count)", method: .get) })
        }
        let session = Session(
            transport: transport,
            interceptor: Interceptor(adapters: [adapter], retriers: [CountingRetrier(limit: 1)])
        )
        let made = Journal()
        let request = session.request(Self.url).validate()
        request.onURLRequestCreation(on: queue) { _ in made.note("replaced") }
        request.onURLRequestCreation(on: queue) { made.note("request \($0.url?.path ?? "")") }
        request.onTransferTaskCreation(on: queue) { made.note("task \($0.currentRequest.url?.path ?? "")") }
        _ = try await request.serializingData().value
        try await made.waitFor(4)
        #expect(made.all == ["request /1", "task /1", "request /2", "task /2"])
    }

    @Test func `a late handler receives the latest value immediately`() async throws {
        let session = Session(transport: ScriptedTransport { $0.respond(200, body: "x") })
        let request = session.request(Self.url)
        _ = try await request.serializingData().value
        let made = Journal()
        request.onURLRequestCreation(on: queue) { made.note($0.url?.absoluteString ?? "") }
        request.onTransferTaskCreation(on: queue) { made.note("\($0.id)") }
        try await made.waitFor(2)
        #expect(made.all == [Self.url, "\(request.task?.id ?? 0)"])
    }

    @Test func `a task is reported before it starts`() async throws {
        let transport = ScriptedTransport()
        let session = Session(transport: transport, startRequestsImmediately: false, requestSetup: .eager)
        let made = Journal()
        let request = session.request(Self.url)
        request.onTransferTaskCreation(on: queue) { made.note("\($0.state)") }
        try await made.waitFor(1)
        #expect(made.all == ["suspended"])
        #expect(transport.exchanges.isEmpty)
    }

    @Test func `an object released with a replaced closure may access the request`() async throws {
        let session = Session(transport: ScriptedTransport { $0.respond(200, body: "x") })
        let request = session.request(Self.url, shouldAutomaticallyResume: false)
        let gone = Journal()
        for _ in 0..<2 {
            let observer = DeinitObserver { [weak request] in gone.note("\(request?.isInitialized == true)") }
            request.onURLRequestCreation(on: queue) { _ in observer.retain() }
            request.onTransferTaskCreation(on: queue) { _ in observer.retain() }
            request.cURLDescription(on: queue) { _ in observer.retain() }
            request.onHTTPResponse(on: queue) { _ in observer.retain() }
        }
        #expect(gone.all == ["true"])
    }

    @Test func `suspending during the delay of a retry postpones the next attempt`() async throws {
        let transport = ScriptedTransport()
        let session = Session(transport: transport, interceptor: CountingRetrier(limit: 1, delay: 0.05))
        let request = session.request(Self.url).validate()
        let task = request.serializingData()
        try await transport.exchange(1).respond(500, body: "x")
        try await eventually("an attempt failed") { request.allMetrics.count == 1 }
        request.suspend()
        try await eventually("the next attempt has a task") { request.tasks.count == 2 }
        #expect(request.lastTask?.state == .suspended)
        #expect(transport.exchanges.count == 1)
        request.resume()
        try await transport.exchange(2).respond(200, body: "xy")
        #expect(try await task.value.count == 2)
    }

    @Test func `suspending while a serializer runs does not delay its handler`() async throws {
        let session = Session(transport: ScriptedTransport { $0.respond(200, body: "x") })
        let (running, goOn) = (Gate(), DispatchSemaphore(value: 0))
        let request = session.request(Self.url)
        let task = request.serializingResponse(using: BlockingSerializer(running: running, goOn: goOn))
        try await running.waitUntilOpen()
        request.suspend()
        #expect(request.isSuspended)
        goOn.signal()
        #expect(try await task.value == "x")
        #expect(request.isFinished)
    }
}

/// Blocks during serialization until it is signaled.
private struct BlockingSerializer: DataResponseSerializerProtocol {
    let running: Gate
    let goOn: DispatchSemaphore

    func serialize(request: URLRequest?, response: HTTPURLResponse?, data: Data?, error: (any Error)?) throws -> String
    {
        running.open()
        goOn.wait()
        if let error { throw error }
        return String(decoding: data ?? Data(), as: UTF8.self)
    }
}

/// Calls a closure when it is deallocated.
private final class DeinitObserver: Sendable {
    private let call: @Sendable () -> Void

    init(_ call: @escaping @Sendable () -> Void) { self.call = call }

    deinit { call() }

    func retain() {}
}
