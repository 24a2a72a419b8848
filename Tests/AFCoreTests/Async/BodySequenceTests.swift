import AFCore
import Dispatch
import FoundationEssentials
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct BodySequenceTests {
    static let url = "http://scripted.test/"

    @Test func `chunks and bytes arrive complete and in order`() async throws {
        try await withServer { _ in
            .bytes(Array(repeating: Array(0...255), count: 1000).flatMap(\.self)).chunked(of: 1000)
        } _: { server in
            var chunked = Data()
            for try await chunk in AF.streamRequest(server.url()).chunks(bufferSize: 1) { chunked += chunk }
            var count = 0
            var isOrdered = true
            for try await byte in AF.streamRequest(server.url()).bytes() {
                isOrdered = isOrdered && byte == UInt8(count & 0xFF)
                count += 1
            }
            #expect(chunked.count == 256_000 && count == 256_000)
            #expect(isOrdered && chunked.enumerated().allSatisfy { $0.element == UInt8($0.offset & 0xFF) })
        }
    }

    @Test(arguments: [1, 2, 3, 5, 100])
    func `lines may have any line end, and any chunks`(size: Int) async throws {
        let body = Array("one\ntwo\r\nthr\u{E9}e\r\r\n\nsix".utf8) + [0xFF]
        let transport = ScriptedTransport { exchange in
            exchange.receiveHead()
            for start in stride(from: 0, to: body.count, by: size) {
                exchange.receive(Array(body[start..<min(start + size, body.count)]))
            }
            exchange.finish()
        }
        var lines: [String] = []
        let session = Session(transport: transport)
        for try await line in session.streamRequest(Self.url).lines() { lines.append(line) }
        #expect(lines == ["one", "two", "thr\u{E9}e", "", "", "six\u{FFFD}"])
    }

    @Test func `a line that is too long throws and cancels the request`() async throws {
        let transport = ScriptedTransport { exchange in
            exchange.receiveHead()
            exchange.receive(Array("short\n12345678".utf8))
            exchange.receive(Array("9".utf8))
        }
        let session = Session(transport: transport)
        let request = session.streamRequest(Self.url)
        var lines: [String] = []
        let error = await #expect(throws: AFError.self) {
            for try await line in request.lines(maximumLength: 8) { lines.append(line) }
        }
        #expect(error?.underlyingError as? StreamLimitExceeded == StreamLimitExceeded(unit: .line, limit: 8))
        #expect("\(StreamLimitExceeded(unit: .line, limit: 8))" == "a line exceeds 8 bytes")
        #expect(lines == ["short"] && request.isCancelled)
    }

    @Test func `an unread body pauses the transfer`() async throws {
        let transport = ScriptedTransport()
        let session = Session(transport: transport)
        let chunks = session.streamRequest(Self.url).chunks(bufferSize: 100 << 10)
        let exchange = try await transport.exchange()
        exchange.receiveHead()
        for _ in 0..<64 { exchange.receive([UInt8](repeating: 1, count: 64 << 10)) }
        exchange.finish()
        try await eventually("the server is held back") { exchange.isPaused }
        #expect(!exchange.isFinished)
        var count = 0
        for try await chunk in chunks { count += chunk.count }
        #expect(count == 4 << 20)
    }

    @Test func `a lost connection throws after the bytes that arrived`() async throws {
        try await withServer { _ in
            .raw("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf\nq")
        } _: { server in
            var lines: [String] = []
            let error = await #expect(throws: AFError.self) {
                for try await line in AF.streamRequest(server.url()).lines() { lines.append(line) }
            }
            #expect(error?.transferFailure?.kind == .truncated)
            #expect(lines == ["half"])
        }
    }

    @Test func `the body of a response that is not valid is discarded, and its error thrown`() async throws {
        try await withServer { _ in
            .status(404, "line\n")
        } _: { server in
            let monitor = ClosureEventMonitor(queue: .init(label: "monitor"))
            let validations = Journal()
            monitor.requestDidValidateRequestResponseWithResult = { _, _, _, _ in validations.note("validated") }
            let session = Session(eventMonitors: [monitor])
            let request = session.streamRequest(server.url()).validate()
            var lines: [String] = []
            let error = await #expect(throws: AFError.self) {
                for try await line in request.lines() { lines.append(line) }
            }
            #expect(error?.responseCode == 404)
            #expect(lines.isEmpty)
            monitor.queue.sync {}
            #expect(validations.all.count == 1)
        }
    }

    @Test func `the body contains nothing of a retried response`() async throws {
        let transport = ScriptedTransport { exchange in
            let number = exchange.transfer.headers["Try"] ?? ""
            exchange.respond(number == "2" ? 200 : 503, body: "body of \(number)")
        }
        let count = Journal()
        let adapter = Adapter { request, _, completion in
            count.note("adapt")
            var request = request
            request.headers["Try"] = "\(count.all.count)"
            completion(.success(request))
        }
        let interceptor = Interceptor(adapters: [adapter], retriers: [CountingRetrier(limit: 1)])
        let session = Session(transport: transport, interceptor: interceptor)
        var lines: [String] = []
        for try await line in session.streamRequest(Self.url).validate().lines() { lines.append(line) }
        #expect(lines == ["body of 2"])
    }

    @Test func `leaving the loop or canceling its task cancels the request`() async throws {
        let transport = ScriptedTransport()
        let session = Session(transport: transport)
        let left = session.streamRequest(Self.url)
        let chunks = left.chunks()
        let exchange = try await transport.exchange()
        exchange.receiveHead()
        exchange.receive([1])
        for try await _ in chunks { break }
        #expect(left.isCancelled)
        let awaited = session.streamRequest(Self.url)
        let reader = Task { for try await _ in awaited.bytes() {} }
        _ = try await transport.exchange(2)
        reader.cancel()
        let error = await #expect(throws: AFError.self) { try await reader.value }
        #expect(error?.isExplicitlyCancelledError == true)
        #expect(awaited.isCancelled)
    }

    @Test func `a task that is canceled already sends nothing`() async {
        let transport = ScriptedTransport { $0.respond(200, body: "x") }
        let session = Session(transport: transport)
        let reader = Task {
            while !Task.isCancelled { await Task.yield() }
            for try await _ in session.streamRequest(Self.url).chunks() {}
        }
        reader.cancel()
        let error = await #expect(throws: AFError.self) { try await reader.value }
        #expect(error?.isExplicitlyCancelledError == true)
        #expect(transport.exchanges.isEmpty)
    }

    @Test func `trailers are part of every kind of response`() async throws {
        try await withServer { _ in
            .ok("body").chunked().trailer("Checksum", "42")
        } _: { server in
            let response = await AF.request(server.url()).serializingData().response
            let download = await AF.download(server.url()).serializingData().response
            let completions = AF.streamRequest(server.url()).streamTask().streamingData().compactMap(\.completion)
            let completion = try #require(await completions.first { _ in true })
            #expect(response.trailers["Checksum"] == "42" && response.metrics?.trailers.count == 1)
            #expect(download.trailers["Checksum"] == "42")
            #expect(completion.trailers["Checksum"] == "42")
        }
    }
}
