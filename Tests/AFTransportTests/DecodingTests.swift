import AFHTTP
import AFTransport
import Synchronization
import TestSupport
import Testing

/// Bodies that decode to far more than their received size, and sinks that cannot keep up with them.
@Suite(.timeLimit(.minutes(5))) struct DecodingTests {
    @Test func `a highly compressed body is delivered completely to a pausing sink in little memory`() async {
        await #expect(processExitsWith: .success) {
            let size = 200 << 20
            let folder = try ScratchFolder()
            let zeros = try folder.writeSparse("zeros", size: size)
            let packed = try await Program("/bin/gzip", ["-9c"], input: .file(zeros)).run().output
            // Both kinds of framing, as libcurl handles each separately; and a coding that is denser than gzip.
            let server = try LocalServer { request in
                switch request.path {
                case "/zstd": .bytes(CodedBody.zeros(inZstd: size)).header("Content-Encoding", "zstd")
                case "/chunked": .bytes(packed).header("Content-Encoding", "gzip").chunked(of: 100_000)
                default: .bytes(packed).header("Content-Encoding", "gzip")
                }
            }
            let transport = CurlTransport()
            let before = peakMemory()
            for path in ["/", "/chunked", "/zstd"] {
                var transfer = Transfer(
                    url: try HTTPURL(parsing: server.url(path)),
                    headers: [HTTPHeader(name: "Accept-Encoding", value: "gzip")]
                )
                transfer.options.receiveBufferSize = 128 * 1024
                let sink = HesitantSink()
                let outcome = await sink.receive(transfer, over: transport)
                #expect(outcome.failure == nil)
                #expect(sink.count == size)
            }
            #expect(peakMemory() - before < 48 << 20)
        }
    }

    @Test func `a byte that decodes to megabytes is delivered in chunks of at most 64 KiB`() async throws {
        let server = try LocalServer { _ in
            .bytes(CodedBody.tenMebibytes).header("Content-Encoding", "br").chunked(of: 1)
        }
        let sink = HesitantSink(offerLimit: 3)
        let outcome = await sink.receive(Transfer(url: try HTTPURL(parsing: server.url())), over: CurlTransport())
        #expect(outcome.failure == nil)
        #expect(sink.count == 10 << 20)
        #expect(sink.largestPiece <= 64 << 10)
    }

    @Test func `a transfer can be canceled while its body decodes to gigabytes`() async throws {
        let packed = CodedBody.zeros(inZstd: 4 << 30)
        let server = try LocalServer { _ in .bytes(packed).header("Content-Encoding", "zstd") }
        let transport = CurlTransport()
        let control = Mutex<(any TransferControl)?>(nil)
        let collector = Collector { _, _ in
            control.withLock { $0?.cancel() }
            return .proceed
        }
        let transfer = Transfer(url: try HTTPURL(parsing: server.url()))
        control.withLock { $0 = transport.start(transfer, into: collector) }
        let record = await collector.end()
        #expect(record.failure?.kind == .cancelled)
        #expect(record.body.count < 16 << 20)
        control.withLock { $0 = nil }
    }

    @Test(arguments: [
        "zstd", "gzip", "br", "deflate", "gzip, chunked", "x-unknown", "chunked, chunked",
        "chunked, identity", "chunked\r\nTransfer-Encoding: identity", "identityX",
    ])
    func `a transfer coding that was not requested is malformed`(coding: String) async throws {
        let server = try LocalServer { _ in
            .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: \(coding)\r\n\r\n5\r\nhello\r\n0\r\n\r\n")
        }
        let record = try await CurlTransport().fetch(server.url())
        #expect(record.failure?.kind == .malformedResponse, "\(String(describing: record.failure))")
        #expect(record.body.isEmpty)
    }

    @Test func `a large body that exceeds the decoding ratio limit is rejected`() async throws {
        let large = CodedBody.zeros(inZstd: 64 << 20)
        let small = CodedBody.zeros(inZstd: 4 << 20)
        let server = try LocalServer { request in
            .bytes(request.path == "/large" ? large : small).header("Content-Encoding", "zstd")
        }
        let transport = CurlTransport()
        for (path, ratio, isRefused) in [("/large", 100, true), ("/large", 1000, false), ("/small", 100, false)] {
            var transfer = Transfer(url: try HTTPURL(parsing: server.url(path)))
            transfer.options.limits.decodingRatio = ratio
            let failure = await HesitantSink(offerLimit: .max).receive(transfer, over: transport).failure
            #expect(failure?.kind == (isRefused ? .decodingOverflow : nil), "\(path) \(ratio)")
            #expect(failure?.reason == (isRefused ? .decodingRatio : nil))
            if isRefused { #expect(failure?.detail == "the body decodes to more than 100 times its received size") }
        }
    }
}

/// Counts the bytes, and pauses briefly after a number of chunks.
private final class HesitantSink: TransferSink {
    private struct State {
        var offers = 0
        var count = 0
        var largestPiece = 0
        var control: (any TransferControl)?
        var waiter: CheckedContinuation<TransferOutcome, Never>?
    }

    private let state = Mutex(State())
    private let offerLimit: Int

    init(offerLimit: Int = 64) { self.offerLimit = offerLimit }

    var count: Int { state.withLock(\.count) }
    var largestPiece: Int { state.withLock(\.largestPiece) }

    func receive(_ transfer: Transfer, over transport: CurlTransport) async -> TransferOutcome {
        await withCheckedContinuation { waiter in
            state.withLock { $0.waiter = waiter }
            let control = transport.start(transfer, into: self)
            state.withLock { $0.control = control }
            control.drain()
        }
    }

    func receive(_ head: TransferHead) {}

    func receive(_ bytes: UnsafeRawBufferPointer) -> Flow {
        let (flow, control): (Flow, (any TransferControl)?) = state.withLock { state in
            state.offers += 1
            state.largestPiece = max(state.largestPiece, bytes.count)
            if state.offers.isMultiple(of: offerLimit) { return (.pause, state.control) }
            state.count += bytes.count
            return (.proceed, nil)
        }
        control?.drain()
        return flow
    }

    func finish(_ outcome: TransferOutcome) {
        let waiter = state.withLock { state in
            state.control = nil
            return state.waiter.take()
        }
        waiter?.resume(returning: outcome)
    }
}
