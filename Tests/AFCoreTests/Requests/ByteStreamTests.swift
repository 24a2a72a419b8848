import AFCore
import FoundationEssentials
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct ByteStreamTests {
    static let url = "http://scripted.test/"

    @Test func `a body is read to its end, in buffers of any size`() async throws {
        let text = String((0..<5000).map { _ in "abcdefghij".randomElement()! })
        let server = try LocalServer { _ in .ok(text) }
        let session = Session()
        let stream = session.streamRequest(server.url()).asByteStream(bufferSize: 100)
        let bytes = try await onThread {
            var bytes: [UInt8] = []
            var size = 1
            while case let piece = try stream.read(atMost: size), !piece.isEmpty {
                bytes += piece
                size = size % 700 + 1
            }
            return bytes
        }
        #expect(stream.hasBytesAvailable)
        #expect(try await onThread { try stream.read(atMost: 10).isEmpty })
        #expect(String(decoding: bytes, as: UTF8.self) == text)
    }

    @Test func `reading the body starts the request, even without automatic starts`() async throws {
        let transport = ScriptedTransport { $0.respond(200, body: "x") }
        let session = Session(transport: transport, startRequestsImmediately: false)
        let request = session.streamRequest(Self.url)
        let stream = request.asByteStream()
        #expect(request.isResumed || request.isFinished)
        #expect(try await onThread { try stream.read(atMost: 9) } == Array("x".utf8))
    }

    @Test func `a slow reader pauses the transfer, and receives all bytes`() async throws {
        let transport = ScriptedTransport()
        let session = Session(transport: transport)
        let stream = session.streamRequest(Self.url).asByteStream(bufferSize: 1000)
        let exchange = try await transport.exchange()
        exchange.receiveHead()
        for _ in 0..<10 { exchange.receive([UInt8](repeating: 7, count: 600)) }
        exchange.finish()
        try await eventually("the server is held back") { exchange.isPaused }
        #expect(!exchange.isFinished)
        let count = try await onThread {
            var count = 0
            while case let piece = try stream.read(atMost: 64), !piece.isEmpty { count += piece.count }
            return count
        }
        #expect(count == 6000)
        #expect(exchange.commands.contains(.drain))
    }

    @Test func `a non-blocking read calls its closure when bytes arrive`() async throws {
        let transport = ScriptedTransport()
        let session = Session(transport: transport)
        let stream = session.streamRequest(Self.url).asByteStream()
        let ready = Gate()
        #expect(try stream.poll { ready.open() } == .notYet)
        #expect(!stream.hasBytesAvailable)
        let exchange = try await transport.exchange()
        exchange.receiveHead()
        exchange.receive([1, 2])
        try await ready.waitUntilOpen()
        #expect(stream.hasBytesAvailable)
        #expect(try stream.poll {} == .bytes(2))
        exchange.finish()
        try await eventually("the end is there") { stream.hasBytesAvailable }
        #expect(try stream.poll {} == .end)
        #expect(!stream.rewind())
    }

    @Test func `bytes that arrived before a failure are read before its error`() async throws {
        let transport = ScriptedTransport()
        let session = Session(transport: transport)
        let stream = session.streamRequest(Self.url).asByteStream()
        let exchange = try await transport.exchange()
        exchange.receiveHead()
        exchange.receive([1])
        exchange.finish(TransferFailure(.connectionLost, "gone"))
        #expect(try await onThread { try stream.read(atMost: 5) } == [1])
        let error = await #expect(throws: AFError.self) { try await onThread { try stream.read(atMost: 5) } }
        #expect(error?.isSessionTaskError == true)
    }

    @Test func `closing the stream cancels the request and ends a blocked read`() async throws {
        let transport = ScriptedTransport()
        let session = Session(transport: transport)
        let request = session.streamRequest(Self.url)
        let stream = request.asByteStream()
        _ = try await transport.exchange()
        async let failure = onThread { () -> AFError? in
            do {
                _ = try stream.read(atMost: 1)
                return nil
            } catch {
                return error.asAFError
            }
        }
        stream.close()
        #expect(try await failure?.isExplicitlyCancelledError == true)
        try await eventually("the request is canceled") { request.isCancelled }
    }

    @Test func `a deallocated stream cancels its request`() async throws {
        let transport = ScriptedTransport()
        let session = Session(transport: transport)
        let request = session.streamRequest(Self.url)
        do { _ = request.asByteStream() }
        try await eventually("the request is canceled") { request.isCancelled }
    }

    @Test func `a retry is possible before the first byte is read, and an error after it`() async throws {
        for isRead in [false, true] {
            let transport = ScriptedTransport()
            let session = Session(transport: transport, interceptor: CountingRetrier(limit: 1))
            let stream = session.streamRequest(Self.url).asByteStream()
            let first = try await transport.exchange(1)
            first.receiveHead()
            first.receive(Array("old".utf8))
            try await eventually("there are bytes") { stream.hasBytesAvailable }
            if isRead { #expect(try stream.poll {} == .bytes(3)) }
            first.finish(TransferFailure(.connectionLost, "gone"))
            if isRead {
                let error = await #expect(throws: AFError.self) { try await onThread { try stream.read(atMost: 9) } }
                #expect((error?.underlyingError as? TransferFailure)?.kind == .stopped)
            } else {
                try await transport.exchange(2).respond(200, body: "new")
                #expect(try await onThread { try stream.read(atMost: 9) } == Array("new".utf8))
            }
        }
    }

    @Test func `a response may be the body of another request`() async throws {
        let text = String(repeating: "0123456789", count: 20_000)
        let server = try LocalServer { $0.method == "GET" ? .ok(text) : .ok("\($0.text.count)") }
        let session = Session()
        let stream = session.streamRequest(server.url()).asByteStream(bufferSize: 4096)
        let echo = try await session.upload(stream, to: server.url()).serializingString().value
        #expect(echo == "200000")
        // Both requests are active at the same time.
        let isComplete = server.requests.contains { $0.method == "POST" && $0.text == text }
        #expect(isComplete)
    }
}

extension ByteStream {
    fileprivate func read(atMost count: Int) throws -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            initialized = try read(into: UnsafeMutableRawBufferPointer(buffer))
        }
    }

    fileprivate func poll(_ whenReady: @escaping @Sendable () -> Void) throws -> BodyRead {
        try withUnsafeTemporaryAllocation(byteCount: 16, alignment: 1) { try read(into: $0, whenReady: whenReady) }
    }
}
