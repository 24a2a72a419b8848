import AFCore
import Dispatch
import FoundationEssentials
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct StreamTaskTests {
    static let url = "http://scripted.test/"

    @Test func `chunks are awaited in order, then the completion`() async {
        let transport = ScriptedTransport { exchange in
            exchange.receiveHead()
            for number in 0..<20 { exchange.receive(Array("\(number)".utf8)) }
            exchange.finish()
        }
        let session = Session(transport: transport)
        var events: [String] = []
        for await stream in session.streamRequest(Self.url).streamTask().streamingStrings() {
            if let value = stream.value { events.append(value) }
            if let completion = stream.completion { events.append("end \(completion.response?.statusCode ?? 0)") }
        }
        #expect(events == (0..<20).map(String.init) + ["end 200"])
    }

    @Test func `one request has streams of every kind`() async {
        let session = Session(transport: ScriptedTransport { $0.respond(200, body: "[1,2]") })
        let task = session.streamRequest(Self.url, shouldAutomaticallyResume: false).streamTask()
        let data = task.streamingData()
        let numbers = task.streamingDecodables([Int].self)
        let failures = task.streamingDecodables(String.self)
        let counts = task.streamingResponses(serializedUsing: .string)
        task.resume()
        #expect(await data.compactMap(\.value).first { _ in true } == Data("[1,2]".utf8))
        #expect(await numbers.compactMap(\.value).first { _ in true } == [1, 2])
        #expect(await failures.compactMap(\.error).first { _ in true }?.isResponseSerializationError == true)
        #expect(await counts.compactMap(\.value).first { _ in true } == "[1,2]")
    }

    @Test func `a slow reader slows the server down, and loses nothing`() async throws {
        let transport = ScriptedTransport()
        let session = Session(transport: transport)
        let pieces = session.streamRequest(Self.url).streamTask().streamingData()
        let exchange = try await transport.exchange()
        exchange.receiveHead()
        for _ in 0..<64 { exchange.receive([UInt8](repeating: 1, count: 64 << 10)) }
        exchange.finish()
        try await eventually("the server is held back") { exchange.isPaused }
        #expect(!exchange.isFinished)
        var count = 0
        for await piece in pieces { count += piece.value?.count ?? 0 }
        #expect(count == 4 << 20)
    }

    @Test func `a policy that drops chunks applies no back-pressure`() async throws {
        let transport = ScriptedTransport()
        let session = Session(transport: transport)
        let request = session.streamRequest(Self.url)
        let newest = request.streamTask().streamingData(bufferingPolicy: .bufferingNewest(2))
        let exchange = try await transport.exchange()
        exchange.receiveHead()
        for number in 0..<64 { exchange.receive([UInt8](repeating: UInt8(number), count: 64 << 10)) }
        exchange.finish()
        try await eventually("the request is over") { request.isFinished }
        var left: [UInt8?] = []
        for await piece in newest { left.append(piece.value?.first) }
        #expect(left == [63, nil])
    }

    @Test func `leaving the loop cancels the request`() async throws {
        let transport = ScriptedTransport()
        let session = Session(transport: transport)
        let request = session.streamRequest(Self.url)
        let pieces = request.streamTask().streamingData()
        let exchange = try await transport.exchange()
        exchange.receiveHead()
        exchange.receive([1])
        for await _ in pieces { break }
        #expect(request.isCancelled)
        try await eventually("the request ended") { request.error != nil && exchange.isFinished }
        var rest = pieces.makeAsyncIterator()
        #expect(await rest.next() == nil)
    }

    @Test func `leaving the loop does not cancel the request with that option`() async throws {
        let transport = ScriptedTransport()
        let session = Session(transport: transport)
        let request = session.streamRequest(Self.url)
        let pieces = request.streamTask().streamingData(automaticallyCancelling: false)
        let exchange = try await transport.exchange()
        exchange.receiveHead()
        exchange.receive([1])
        for await _ in pieces { break }
        // More than would wait for a reader.
        for _ in 0..<64 { exchange.receive([UInt8](repeating: 1, count: 64 << 10)) }
        exchange.finish()
        try await eventually("the request is over") { request.isFinished }
        #expect(request.error == nil)
        withExtendedLifetime(pieces) {}
    }

    @Test func `a deallocated unread stream cancels the request`() async throws {
        let transport = ScriptedTransport()
        let session = Session(transport: transport)
        let request = session.streamRequest(Self.url)
        do { _ = request.streamTask().streamingData() }
        try await eventually("the request is canceled") { request.isCancelled }
    }

    @Test func `canceling the waiting task cancels the request and ends the loop`() async throws {
        let transport = ScriptedTransport()
        let session = Session(transport: transport)
        let request = session.streamRequest(Self.url)
        let reader = Task {
            for await _ in request.streamTask().streamingData() {}
            return request.isCancelled
        }
        _ = try await transport.exchange()
        reader.cancel()
        #expect(await reader.value)
    }

    @Test func `a task that is already canceled sends no request`() async {
        let transport = ScriptedTransport { $0.respond(200, body: "x") }
        let session = Session(transport: transport)
        let reader = Task {
            while !Task.isCancelled { await Task.yield() }
            for await _ in session.streamRequest(Self.url).streamTask().streamingData() {}
        }
        reader.cancel()
        await reader.value
        #expect(transport.exchanges.isEmpty)
    }

    @Test func `a task controls its request, and a canceled one still delivers its completion`() async throws {
        let transport = ScriptedTransport()
        let session = Session(transport: transport)
        let task = session.streamRequest(Self.url).streamTask()
        let pieces = task.streamingData()
        let exchange = try await transport.exchange()
        task.suspend()
        // The transport may still be handing over the means to steer the transfer.
        try await eventually("it is suspended") { exchange.commands == [.suspend] }
        task.resume()
        task.cancel()
        var completions: [DataStreamRequest.Completion?] = []
        for await stream in pieces { completions.append(stream.completion) }
        #expect(completions.count == 1)
        #expect(completions.first??.error?.isExplicitlyCancelledError == true)
        #expect(exchange.commands == [.suspend, .resume, .cancel])
    }

    @Test func `hundreds of megabytes for a slow reader need constant memory`() async throws {
        try await withNginx(files: ["big": .zeros(size: 200 << 20)]) { nginx in
            let session = Session()
            let before = residentBytes()
            var (count, peak, pieces) = (0, 0, 0)
            for await stream in session.streamRequest(nginx.url("/big")).streamTask().streamingData() {
                count += stream.value?.count ?? 0
                pieces += 1
                guard pieces.isMultiple(of: 50) else { continue }
                // The reader must be slower than the server.
                try await Task.sleep(for: .milliseconds(2))
                peak = max(peak, residentBytes())
            }
            #expect(count == 200 << 20)
            #expect(peak - before < 64 << 20)
        }
    }
}

/// Returns the resident memory of the process.
private func residentBytes() -> Int {
    let pages = (try? String(contentsOf: URL(filePath: "/proc/self/statm"), encoding: .utf8))?.split(separator: " ")
    return (pages.flatMap { Int($0[1]) } ?? 0) * 4096
}
