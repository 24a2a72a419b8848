import AFCore
import Dispatch
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

/// Many threads at once; to be run under Thread Sanitizer too.
@Suite(.timeLimit(.minutes(5))) struct HammerTests {
    static let url = "http://scripted.test/"

    @Test func `concurrent calls from many threads end a request exactly once`() async throws {
        let transport = ScriptedTransport { exchange in
            exchange.receiveHead()
            exchange.receive([1, 2, 3])
            exchange.finish()
        }
        let session = Session(transport: transport, interceptor: CountingRetrier(limit: 2, delay: 0.001))
        for round in 0..<150 {
            let request = session.request(Self.url)
            if round % 3 == 0 { request.validate { _, _, _ in .failure(Refused()) } }
            let ends = Mutex(0)
            request.responseData(queue: .global()) { _ in ends.withLock { $0 += 1 } }
            await withTaskGroup { group in
                for worker in 0..<4 {
                    group.addTask {
                        for step in 0..<6 {
                            switch (worker + step) % 4 {
                            case 0: request.suspend()
                            case 1, 2: request.resume()
                            default: if worker == 3, round % 2 == 0 { request.cancel() }
                            }
                            _ = (request.state, request.error, request.response, request.metrics, request.data)
                        }
                        request.resume()
                    }
                }
            }
            try await eventually("the handler was called") { ends.withLock(\.self) > 0 }
            #expect(ends.withLock(\.self) == 1)
        }
    }

    @Test func `racing decisions, cancellations and readers end a stream exactly once`() async throws {
        let transport = ScriptedTransport { exchange in
            exchange.receiveHead()
            for _ in 0..<20 { exchange.receive([UInt8](repeating: 1, count: 100_000)) }
            exchange.finish()
        }
        let session = Session(transport: transport)
        for round in 0..<150 {
            let request = session.streamRequest(Self.url)
            let completions = Mutex(0)
            request.onHTTPResponse(on: .global()) { _, answer in
                DispatchQueue.global().async { answer(round % 3 == 0 ? .cancel : .allow) }
                if round % 5 == 0 { request.cancel() }
            }
            request.responseStream(on: .global()) { stream in
                if stream.completion != nil { completions.withLock { $0 += 1 } }
            }
            let task = request.streamTask()
            await withTaskGroup { group in
                for reader in 0..<3 {
                    group.addTask {
                        var count = 0
                        for await stream in task.streamingData(automaticallyCancelling: reader == 0) {
                            count += stream.value?.count ?? 0
                            if round % 4 == reader, count > 500_000 { break }
                        }
                    }
                }
            }
            try await eventually("the stream ended") { completions.withLock(\.self) > 0 }
            try await eventually("the request ended") { request.isFinished || request.isCancelled }
            #expect(completions.withLock(\.self) == 1)
        }
    }

    @Test func `sessions deallocated during their requests end all of them`() async throws {
        for _ in 0..<50 {
            let transport = ScriptedTransport { $0.respond(200, body: "x") }
            var session: Session? = Session(transport: transport, requestSetup: .eager)
            let requests = (0..<8).compactMap { _ in session?.request(Self.url) }
            let tasks = requests.map { $0.serializingData() }
            session = nil
            for task in tasks { _ = await task.response }
        }
    }

    @Test func `many requests over real sockets all end, canceled or not`() async throws {
        let server = try LocalServer { _ in .ok("hello") }
        let session = Session()
        await withTaskGroup { group in
            for number in 0..<400 {
                group.addTask {
                    let request = session.request(server.url("/\(number)"))
                    let task = request.serializingData()
                    if number % 5 == 0 { request.cancel() }
                    let response = await task.response
                    #expect(response.value == Data("hello".utf8) || response.error?.isExplicitlyCancelledError == true)
                }
            }
        }
        let left = await withCheckedContinuation { waiter in
            session.withAllRequests { waiter.resume(returning: $0.count) }
        }
        #expect(left == 0)
    }

    @Test func `a deallocated session with real sockets ends its requests`() async throws {
        let server = try LocalServer.silent()
        for _ in 0..<10 {
            var session: Session? = Session()
            let tasks = (0..<8).compactMap { _ in session?.request(server.url()).serializingData() }
            session = nil
            for task in tasks { #expect(await task.response.error?.isSessionDeinitializedError == true) }
        }
    }
}
