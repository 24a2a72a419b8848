import AFCore
import AFFoundation
import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct ResponseStreamTests {
    private let session = Session()

    @Test func `the stream delivers the body unchanged`() async throws {
        let body = (0..<500_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        try await withServer { _ in
            .bytes(body)
        } _: { server in
            let stream = try #require(session.streamRequest(server.url()).asInputStream(bufferSize: 4096))
            #expect(stream.streamStatus == .notOpen)
            stream.open()
            let (bytes, last) = await read(stream)
            #expect(last == 0)
            let isComplete = bytes == body
            #expect(isComplete)
            #expect(stream.streamStatus == .atEnd)
            #expect(stream.streamError == nil)
            stream.close()
            #expect(stream.streamStatus == .closed)
        }
    }

    @Test func `a slow reader slows the server down`() async throws {
        let transport = ScriptedTransport()
        let session = Session(transport: transport)
        let stream = try #require(session.streamRequest("http://scripted.test/").asInputStream(bufferSize: 1024))
        stream.open()
        let exchange = try await transport.exchange()
        exchange.receiveHead()
        for _ in 0..<64 { exchange.receive([UInt8](repeating: 1, count: 64 << 10)) }
        exchange.finish()
        try await eventually("the server is held back") { exchange.isPaused }
        let (bytes, last) = await read(stream)
        #expect(last == 0)
        #expect(bytes.count == 4 << 20)
    }

    @Test func `a failure is the stream's error after the received bytes were read`() async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"
        try await withServer { _ in
            .raw(head)
        } _: { server in
            let stream = try #require(session.streamRequest(server.url()).asInputStream())
            stream.open()
            let (bytes, last) = await read(stream)
            #expect(String(decoding: bytes, as: UTF8.self) == "half")
            #expect(last == -1)
            #expect(stream.streamStatus == .error)
            let failure = (stream.streamError as? AFError)?.underlyingError as? TransferFailure
            #expect(failure?.kind == .truncated)
        }
    }

    @Test func `closing the stream cancels the request`() async throws {
        let transport = ScriptedTransport()
        let session = Session(transport: transport)
        let request = session.streamRequest("http://scripted.test/")
        let stream = try #require(request.asInputStream())
        stream.open()
        let exchange = try await transport.exchange()
        exchange.receiveHead()
        for _ in 0..<8 { exchange.receive([UInt8](repeating: 1, count: 4096)) }
        try await eventually("there is something to read") { stream.hasBytesAvailable }
        stream.close()
        try await eventually("the transfer ended") { exchange.isFinished }
        #expect(request.error?.isExplicitlyCancelledError == true)
        #expect(!stream.hasBytesAvailable)
    }

    @Test func `releasing the stream cancels the request`() async throws {
        let transport = ScriptedTransport()
        let session = Session(transport: transport)
        let request = session.streamRequest("http://scripted.test/")
        do {
            let stream = try #require(request.asInputStream())
            stream.open()
        }
        try await eventually("the request was canceled") { request.isCancelled }
    }

    @Test func `the stream starts its request even without automatic starts`() async throws {
        try await withServer { _ in
            .ok("started")
        } _: { server in
            let session = Session(startRequestsImmediately: false)
            let stream = try #require(session.streamRequest(server.url()).asInputStream())
            stream.open()
            #expect(await read(stream).bytes == Array("started".utf8))
        }
    }

    /// Reads to the end, away from the threads that tests share.
    private func read(_ stream: InputStream) async -> (bytes: [UInt8], last: Int) {
        // The complete buffer is passed: the caller waits meanwhile.
        nonisolated(unsafe) let stream = stream
        return await withCheckedContinuation { waiter in
            DispatchQueue(label: "reader").async {
                var bytes: [UInt8] = []
                var buffer = [UInt8](repeating: 0, count: 10_000)
                while true {
                    let count = stream.read(&buffer, maxLength: buffer.count)
                    guard count > 0 else { return waiter.resume(returning: (bytes, count)) }
                    bytes += buffer[..<count]
                }
            }
        }
    }
}
