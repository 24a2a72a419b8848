import AFCore
import AFTransport
import Dispatch
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

/// Bytes in memory, a part of which is not ready at once.
private struct MemorySource: UploadSource {
    let bytes: [UInt8]
    var version = "1"
    /// Whether it has no more bytes after the first ones, and no end.
    var stalls = false
    var length: Int64 { Int64(bytes.count) }

    func open(_ range: Range<Int64>) throws -> any BodyStream {
        if version == "gone" { throw Gone() }
        return Stream(bytes[Int(range.lowerBound)..<Int(range.upperBound)], stalls: stalls)
    }

    struct Gone: Error {}

    private final class Stream: BodyStream {
        private let whole: ArraySlice<UInt8>
        private let stalls: Bool
        private let state: Mutex<(rest: ArraySlice<UInt8>, isReady: Bool)>

        init(_ bytes: ArraySlice<UInt8>, stalls: Bool) {
            (whole, self.stalls) = (bytes, stalls)
            state = Mutex((bytes, false))
        }

        func read(
            into buffer: UnsafeMutableRawBufferPointer,
            whenReady: @escaping @Sendable () -> Void
        ) -> BodyRead {
            state.withLock { state in
                if stalls, state.rest.count < whole.count { return .notYet }
                state.isReady.toggle()
                guard !state.isReady else {
                    DispatchQueue.global().async(execute: whenReady)
                    return .notYet
                }
                guard !state.rest.isEmpty else { return .end }
                let count = min(buffer.count, state.rest.count, 30_000)
                buffer.copyBytes(from: state.rest.prefix(count))
                state.rest = state.rest.dropFirst(count)
                return .bytes(count)
            }
        }

        func rewind() -> Bool {
            state.withLock { $0 = (whole, false) }
            return true
        }
    }
}

/// More bytes than can be read.
private final class EndlessSource: UploadSource {
    let length: Int64 = 1 << 50
    let version = "1"
    private let count = Mutex(0)
    /// The number of reads.
    var reads: Int { count.withLock(\.self) }

    func open(_ range: Range<Int64>) -> any BodyStream { Stream(source: self) }

    private final class Stream: BodyStream {
        let source: EndlessSource

        init(source: EndlessSource) { self.source = source }

        func read(into buffer: UnsafeMutableRawBufferPointer, whenReady: @escaping @Sendable () -> Void) -> BodyRead {
            source.count.withLock { $0 += 1 }
            return .bytes(buffer.count)
        }

        func rewind() -> Bool { true }
    }
}

/// Counts the events of exchanges.
private final class ExchangeCounter: EventMonitor, RequestAdapter, RequestInterceptor {
    let queue = DispatchQueue(label: "exchanges")
    let adapted = Mutex<[String]>([])
    let finished = Mutex(0)
    let retries = Mutex(0)

    func adapt(
        _ urlRequest: URLRequest,
        for session: Session,
        completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
    ) {
        adapted.withLock { $0.append(urlRequest.httpMethod ?? "") }
        var request = urlRequest
        request.headers.update(name: "X-Adapted", value: "yes")
        completion(.success(request))
    }

    func retry(
        _ request: Request,
        for session: Session,
        dueTo error: any Error,
        completion: @escaping @Sendable (RetryResult) -> Void
    ) {
        let count = retries.withLock { retries in
            retries += 1
            return retries
        }
        completion(count <= 2 ? .retry : .doNotRetry)
    }

    func request(_ request: Request, didCompleteTask task: TransferTask, with error: AFError?) {
        finished.withLock { $0 += 1 }
    }
}

/// Uploads of streams that can be opened again, and the events of all exchanges.
@Suite(.timeLimit(.minutes(5))) struct UploadSourceTests {
    private let session = Session()
    private let content = (0..<400_000).map { UInt8(truncatingIfNeeded: $0 / 241 ^ $0) }

    private func upload(
        _ source: MemorySource,
        to url: String,
        resumingWith data: Data? = nil,
        _ options: ResumableUpload.Options = .init(),
        onEvent: @escaping @Sendable (UploadEvent) -> Void = { _ in }
    ) throws -> UploadRequest {
        session.upload(
            source, named: "object", with: try URLRequest(url: url, method: .post), resumingWith: data,
            options: options,
            onEvent: onEvent)
    }

    @Test(arguments: [UploadServer.Dialect.draft, .tus]) func `a stream is opened again at the server's offset`(
        dialect: UploadServer.Dialect
    ) async throws {
        let server = UploadServer(dialect) { $0.cuts = [150_000] }
        try await withScriptedServer(server.serve) { address in
            let source = MemorySource(bytes: content)
            let first = try upload(source, to: address.url("/files"))
            #expect(await first.serializingData().response.error != nil)
            let data = try #require(first.resumeData)
            let second = try upload(source, to: address.url("/files"), resumingWith: data)
            let response = await second.serializingData(emptyResponseCodes: [200, 201, 204]).response
            #expect(response.error == nil)
            #expect(server.bytes == content && server.isComplete)
            #expect(second.uploadProgress.resumedUnitCount > 0)
        }
    }

    @Test func `a stream that stalls ends with the idle timeout, and is resumed`() async throws {
        let server = UploadServer(.draft)
        try await withScriptedServer(server.serve) { address in
            var request = try URLRequest(url: address.url("/files"), method: .post)
            request.timeoutInterval = 1
            let stalled = session.upload(
                MemorySource(bytes: content, stalls: true), named: "object", with: request, resumingWith: nil,
                options: .init())
            let error = await stalled.serializingData().response.error
            #expect((error?.underlyingError as? TransferFailure)?.kind == .idleTimedOut, "\(String(describing: error))")
            let data = try #require(stalled.resumeData)
            let second = try upload(MemorySource(bytes: content), to: address.url("/files"), resumingWith: data)
            #expect(await second.serializingData(emptyResponseCodes: [200, 201, 204]).response.error == nil)
            #expect(server.bytes == content && server.isComplete)
        }
    }

    @Test func `another version restarts, and a stream that cannot be opened is an error`() async throws {
        let server = UploadServer(.draft) { $0.cuts = [150_000] }
        try await withScriptedServer(server.serve) { address in
            let first = try upload(MemorySource(bytes: content), to: address.url("/files"))
            #expect(await first.serializingData().response.error != nil)
            let data = try #require(first.resumeData)
            let gone = try upload(MemorySource(bytes: content, version: "gone"), to: address.url("/files"))
            let error = await gone.serializingData().response.error
            #expect(error?.underlyingError is MemorySource.Gone)
            let events = Mutex<[UploadEvent]>([])
            let other = MemorySource(bytes: content.reversed(), version: "2")
            let second = try upload(other, to: address.url("/files"), resumingWith: data) { event in
                events.withLock { $0.append(event) }
            }
            #expect(await second.serializingData(emptyResponseCodes: [200, 201, 204]).response.error == nil)
            #expect(events.withLock(\.self) == [.restarted(.changedFile)])
            #expect(server.bytes == content.reversed())
        }
    }

    @Test func `the digests of a stream are those of its ranges, also in parallel parts`() async throws {
        let content = Array(repeating: content, count: 50).flatMap(\.self)
        let server = StorageServer()
        try await withScriptedServer(server.serve) { address in
            var options = ResumableUpload.Options()
            (options.uploadProtocol, options.segments) = (.s3, 2)
            options.digests = [UploadDigest(algorithm: "SHA2-256", bytes: SHA256Digest(of: content).bytes)]
            let request = session.upload(
                MemorySource(bytes: content), named: "object",
                with: try URLRequest(url: address.url("/b/f"), method: .put), resumingWith: nil, options: options)
            #expect(await request.serializingData().response.error == nil)
            #expect(server.object == content)
        }
    }

    private var digested: ResumableUpload.Options {
        var options = ResumableUpload.Options()
        options.digests = [UploadDigest(algorithm: "SHA2-256", bytes: [])]
        return options
    }

    @Test func `a digest does not block other requests of the session`() async throws {
        try await withServer { _ in
            .ok()
        } _: { server in
            let stalled = try upload(MemorySource(bytes: content, stalls: true), to: server.url(), digested)
            stalled.resume()
            let start = ContinuousClock.now
            let other = await session.request(server.url()).serializingData(emptyResponseCodes: [200]).response
            #expect(other.error == nil && start.duration(to: .now) < .seconds(30))
            #expect(stalled.isResumed)
            stalled.cancel()
            #expect(await stalled.serializingData().response.error?.isExplicitlyCancelledError == true)
            #expect(server.requests.count == 1)
        }
    }

    @Test func `a cancellation ends a digest`() async throws {
        let source = EndlessSource()
        let request = session.upload(
            source, named: "object", with: try URLRequest(url: "http://127.0.0.1:1/", method: .post), resumingWith: nil,
            options: digested)
        request.resume()
        try await eventually("bytes are read") { source.reads > 0 }
        request.cancel()
        let response = await request.serializingData().response
        #expect(response.error?.isExplicitlyCancelledError == true)
        let count = source.reads
        try await remains("no further block is read") { source.reads <= count + 1 }
    }

    @Test func `adapters, monitors, retriers and metrics are those of each exchange`() async throws {
        let server = UploadServer(.tus) { $0.cuts = [150_000] }
        let counter = ExchangeCounter()
        let session = Session(eventMonitors: [counter])
        try await withScriptedServer(server.serve) { address in
            var options = ResumableUpload.Options()
            options.uploadProtocol = .tus
            let request = session.upload(
                MemorySource(bytes: content), named: "object",
                with: try URLRequest(url: address.url("/files"), method: .post), resumingWith: nil, options: options,
                interceptor: counter)
            #expect(await request.serializingData(emptyResponseCodes: [201, 204]).response.error == nil)
            #expect(server.bytes == content)
            let methods = counter.adapted.withLock(\.self)
            #expect(
                methods == address.requests.map(\.method) && Set(methods).isSuperset(of: ["POST", "HEAD", "PATCH"]))
            #expect(address.requests.allSatisfy { $0["X-Adapted"] == "yes" })
            #expect(request.allMetrics.count == methods.count)
            #expect(counter.retries.withLock(\.self) == 1)
            try await eventually("all ends are reported") { counter.finished.withLock(\.self) == methods.count }
        }
    }

    @Test func `a cancellation gives the resume data`() async throws {
        let server = UploadServer(.draft) { $0.cuts = [150_000] }
        try await withScriptedServer(server.serve) { address in
            let request = try upload(MemorySource(bytes: content), to: address.url("/files"))
            #expect(await request.serializingData().response.error != nil)
            let data: Data? = await withCheckedContinuation { continuation in
                request.cancel(byProducingResumeData: { continuation.resume(returning: $0) })
            }
            #expect(data != nil && data == request.resumeData)
        }
    }
}
