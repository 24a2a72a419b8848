import AFCore
import FoundationEssentials
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct DataTaskTests {
    static let url = "http://scripted.test/"

    @Test func `value, result and response have the same outcome`() async throws {
        let session = Session(transport: ScriptedTransport { $0.respond(200, body: "[1,2]") })
        let task = session.request(Self.url).serializingDecodable([Int].self)
        #expect(try await task.value == [1, 2])
        #expect(try await task.result.get() == [1, 2])
        #expect(await task.response.response?.statusCode == 200)
    }

    @Test func `only the value throws`() async {
        let session = Session(transport: ScriptedTransport { $0.finish(TransferFailure(.connectionLost, "gone")) })
        let task = session.request(Self.url).serializingData()
        #expect(await task.result.failure?.isSessionTaskError == true)
        await #expect(throws: AFError.self) { try await task.value }
    }

    @Test func `many tasks may await one response`() async throws {
        let transport = ScriptedTransport()
        let session = Session(transport: transport)
        let task = session.request(Self.url).serializingString()
        async let values = withTaskGroup { group in
            for _ in 0..<20 { group.addTask { await task.response.value } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        try await transport.exchange().respond(200, body: "x")
        #expect(await values == Array(repeating: "x", count: 20))
        #expect(transport.exchanges.count == 1)
    }

    @Test func `canceling the waiting task cancels the request`() async throws {
        let transport = ScriptedTransport()
        let session = Session(transport: transport)
        let request = session.request(Self.url)
        let waiter = Task { await request.serializingData().response.error }
        _ = try await transport.exchange()
        waiter.cancel()
        #expect(await waiter.value?.isExplicitlyCancelledError == true)
        #expect(request.isCancelled)
    }

    @Test func `canceling the waiting task does not cancel the request with that option`() async throws {
        let transport = ScriptedTransport()
        let session = Session(transport: transport)
        let request = session.request(Self.url)
        let waiter = Task { await request.serializingData(automaticallyCancelling: false).response.value }
        let exchange = try await transport.exchange()
        waiter.cancel()
        exchange.respond(200, body: "x")
        #expect(await waiter.value == Data("x".utf8))
    }

    @Test func `a task that is already canceled sends no request`() async throws {
        let transport = ScriptedTransport { $0.respond(200, body: "x") }
        let session = Session(transport: transport)
        let ready = Gate()
        let waiter = Task {
            while !Task.isCancelled { await Task.yield() }
            return await session.request(Self.url).serializingData().response.error
        }
        waiter.cancel()
        ready.open()
        #expect(await waiter.value?.isExplicitlyCancelledError == true)
        #expect(transport.exchanges.isEmpty)
    }

    @Test func `a task suspends, resumes and cancels its request`() async throws {
        let transport = ScriptedTransport()
        let session = Session(transport: transport)
        let task = session.request(Self.url).serializingData()
        let exchange = try await transport.exchange()
        task.suspend()
        task.resume()
        task.cancel()
        #expect(await task.response.error?.isExplicitlyCancelledError == true)
        #expect(exchange.commands == [.suspend, .resume, .cancel])
    }

    @Test func `a download's value, result and response have the same outcome`() async throws {
        let server = try LocalServer { _ in .json("[1]") }
        let folder = try ScratchFolder()
        let file = URL(filePath: folder.file("f"))
        let session = Session()
        let request = session.download(server.url(), to: { _, _ in (file, []) })
        #expect(try await request.serializingDecodable([Int].self).value == [1])
        #expect(try await request.serializingString().value == "[1]")
        #expect(try await request.serializingDownloadedFileURL().value == file)
        #expect(server.requests.count == 1)
    }
}

extension Result {
    fileprivate var failure: Failure? { if case .failure(let error) = self { error } else { nil } }
}
