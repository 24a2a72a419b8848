import AFCore
import Dispatch
import FoundationEssentials
import Glibc
import Synchronization
import TestSupport
import Testing

/// Uploads of the library that are resumed.
@Suite(.timeLimit(.minutes(5))) struct ResumableUploadTests {
    let folder: ScratchFolder
    let session = Session()
    let content = (0..<400_000).map { UInt8(truncatingIfNeeded: $0 / 241 ^ $0) }

    init() throws { folder = try ScratchFolder() }

    @Test(arguments: [UploadServer.Dialect.draft, .tus]) func `resume data continues an upload`(
        dialect: UploadServer.Dialect
    ) async throws {
        let file = URL(filePath: try folder.write(content, to: "f"))
        let server = UploadServer(dialect) { $0.cuts = [150_000] }
        try await withScriptedServer(server.serve) { address in
            let first = session.upload(file, to: address.url("/files"), resumingWith: nil)
            let failed = await first.serializingData().response
            #expect(failed.error != nil)
            let data = try #require(first.resumeData)
            #expect(folder.list() == ["f"])
            let second = session.upload(file, to: address.url("/files"), resumingWith: data)
            let response = await second.serializingData(emptyResponseCodes: [200, 201, 204]).response
            #expect(response.error == nil)
            #expect(server.bytes == content && server.isComplete)
            #expect(second.resumeData == nil)
            #expect(second.uploadProgress.completedUnitCount == Int64(content.count))
            #expect(second.uploadProgress.resumedUnitCount > 0)
        }
    }

    @Test(arguments: [UploadServer.Dialect.draft, .tus], [0, 2])
    func `the default retry policy resumes an upload, whose exchanges are not retries`(
        dialect: UploadServer.Dialect,
        locks: Int
    ) async throws {
        let file = URL(filePath: try folder.write(content, to: "f"))
        let server = UploadServer(dialect) { $0.cuts = [150_000] }
        try await withScriptedServer(server.serve) { address in
            var options = ResumableUpload.Options()
            options.uploadProtocol = dialect == .tus ? .tus : .draft
            let request = session.upload(
                file, to: address.url("/files"), resumingWith: nil, options: options, method: .post,
                interceptor: RetryPolicy())
            request.onTransferTaskCreation(on: DispatchQueue(label: "tasks")) { task in
                // After the first question for the offset of tus.
                if task.originalRequest.method == (dialect == .tus ? .patch : .post) {
                    server.change { $0.locks = locks }
                }
            }
            let response = await request.serializingData(emptyResponseCodes: [200, 201, 204]).response
            #expect(response.error == nil)
            #expect(server.bytes == content && server.isComplete)
            #expect(request.retryCount == 1 + locks)
            #expect(request.allMetrics.count == (dialect == .tus ? 6 : 3) + locks)
        }
    }

    @Test func `the parts of an upload are not retries`() async throws {
        let content = Array(repeating: UInt8(7), count: 30 << 20)
        let file = URL(filePath: try folder.write(content, to: "f"))
        let server = StorageServer { $0.cuts = [nil, nil, 1 << 20] }
        try await withScriptedServer(server.serve) { address in
            var options = ResumableUpload.Options()
            options.uploadProtocol = .s3
            let request = session.upload(
                file, to: address.url("/b/f"), resumingWith: nil, options: options, interceptor: RetryPolicy())
            let response = await request.serializingData().response
            #expect(response.error == nil && server.object == content)
            #expect(request.retryCount == 1)
        }
    }

    /// Returns an upload in three parts at once.
    private func upload(_ file: URL, to url: String) -> UploadRequest {
        var options = ResumableUpload.Options()
        (options.uploadProtocol, options.segments) = (.s3, 3)
        return session.upload(file, to: url, resumingWith: nil, options: options)
    }

    @Test func `the progress of parallel parts does not decrease`() async throws {
        let content = Array(repeating: UInt8(7), count: 45 << 20)
        let file = URL(filePath: try folder.write(content, to: "f"))
        let server = StorageServer { ($0.cuts, $0.altersParts) = ([nil, 5 << 20], 1) }
        let values = Mutex<[Int64]>([])
        try await withScriptedServer(server.serve) { address in
            let request = upload(file, to: address.url("/b/f")).uploadProgress(queue: DispatchQueue(label: "p")) {
                (progress: TransferProgress) in values.withLock { $0.append(progress.completedUnitCount) }
            }
            let response = await request.serializingData().response
            #expect(response.error == nil && server.object == content)
            #expect(request.uploadProgress.completedUnitCount == Int64(content.count))
            #expect(request.partMetrics.contains { $0.transactionMetrics.last?.requestBodyBytes ?? 0 > 0 })
        }
        let all = values.withLock(\.self)
        #expect(all == all.sorted() && all.last == Int64(content.count), "\(all)")
    }

    @Test func `a cancellation ends all parts, and then the file is free`() async throws {
        let path = try folder.write(Array(repeating: UInt8(7), count: 45 << 20), to: "f")
        let started = Mutex(0)
        let canceled = Gate()
        let server = StorageServer {
            $0.onPart = { _ in
                started.withLock { $0 += 1 }
                canceled.block(atMost: Deadline.timeout)
            }
        }
        try await withScriptedServer(server.serve) { address in
            let request = upload(URL(filePath: path), to: address.url("/b/f"))
            let response = Task { await request.serializingData().response }
            try await eventually("three parts are sent") { started.withLock { $0 == 3 } }
            request.cancel()
            canceled.open()
            #expect(await response.value.error?.isExplicitlyCancelledError == true)
            #expect(request.resumeData != nil)
            try await eventually("the file is free") {
                let file = open(path, O_RDONLY)
                defer { close(file) }
                return flock(file, LOCK_EX | LOCK_NB) == 0
            }
            try await address.waitUntilIdle()
            try await remains("no further part is sent") { started.withLock { $0 == 3 } }
            #expect(server.object == nil)
        }
    }

    /// A request that is created when the gate is open.
    private struct LateRequest: URLRequestConvertible {
        let url: String
        let isAsked = Gate()
        let gate = Gate()

        func asURLRequest() throws -> URLRequest {
            isAsked.open()
            gate.block(atMost: Deadline.timeout)
            return try URLRequest(url: url, method: .put)
        }
    }

    @Test func `a file that is opened after a cancellation is free`() async throws {
        let path = try folder.write(content, to: "f")
        let late = LateRequest(url: "http://127.0.0.1:1/")
        let request = session.upload(URL(filePath: path), with: late, resumingWith: nil)
        request.resume()
        try await eventually("the request is asked for") { late.isAsked.isOpen }
        request.cancel()
        #expect(await request.serializingData().response.error?.isExplicitlyCancelledError == true)
        late.gate.open()
        try await eventually("the file was opened") {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").contains { name in
                (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)")) == path
            }
        }
        try await eventually("the file is free") {
            let file = open(path, O_RDONLY)
            defer { close(file) }
            return flock(file, LOCK_EX | LOCK_NB) == 0
        }
        withExtendedLifetime(request) {}
    }

    @Test func `resume data of another upload is an error`() async throws {
        let file = URL(filePath: try folder.write(content, to: "f"))
        let request = session.upload(file, to: "http://127.0.0.1:1/", resumingWith: Data("{}".utf8))
        let error = await request.serializingData().response.error
        #expect((error?.underlyingError as? UploadFailure)?.reason == .invalidResumeData)
    }

    @Test func `resume data of a request with another method is an error`() async throws {
        let file = URL(filePath: try folder.write(content, to: "f"))
        let server = UploadServer(.draft) { $0.cuts = [150_000] }
        try await withScriptedServer(server.serve) { address in
            let first = session.upload(file, to: address.url("/files"), resumingWith: nil)
            _ = await first.serializingData().response
            let data = try #require(first.resumeData)
            let second = session.upload(file, to: address.url("/files"), resumingWith: data, method: .post)
            let error = await second.serializingData().response.error
            #expect((error?.underlyingError as? UploadFailure)?.reason == .invalidResumeData)
        }
    }

    @Test func `the handler of a restart may ask for the resume data`() async throws {
        let file = URL(filePath: try folder.write(content, to: "f"))
        let server = UploadServer(.draft) { $0.cuts = [150_000] }
        let request = Mutex<UploadRequest?>(nil)
        let journal = Journal()
        try await withScriptedServer(server.serve) { address in
            let first = session.upload(file, to: address.url("/files"), resumingWith: nil)
            _ = await first.serializingData().response
            let data = try #require(first.resumeData)
            try folder.write(Array(content.reversed()), to: "f")
            let second = session.upload(
                file, to: address.url("/files"), resumingWith: data,
                onEvent: { event in
                    guard event == .restarted(.changedFile) else { return }
                    let upload = request.withLock { $0 }
                    // The new upload has no resource yet.
                    journal.note(upload?.resumeData == nil ? "no data" : "data")
                })
            request.withLock { $0 = second }
            let response = await second.serializingData(emptyResponseCodes: [200, 201, 204]).response
            #expect(response.error == nil)
            #expect(journal.all == ["no data"])
            // Its handler retains it.
            _ = request.withLock { $0.take() }
        }
    }

    @Test func `the file is free for the next upload before the handlers`() async throws {
        let path = try folder.write(content, to: "f")
        try await withServer { _ in
            .status(503)
        } _: { server in
            let request = session.upload(URL(filePath: path), to: server.url(), resumingWith: nil)
            let isFree = await withCheckedContinuation { continuation in
                request.response(queue: DispatchQueue(label: "handler")) { _ in
                    let file = open(path, O_RDONLY)
                    defer { close(file) }
                    continuation.resume(returning: flock(file, LOCK_EX | LOCK_NB) == 0)
                }
            }
            #expect(isFree)
        }
    }

    /// The first hop receives all bytes, the second none. Both have the header of a success of the draft.
    @Test(arguments: [(307, UploadFailure.Reason.unsent), (303, nil)])
    func `the bytes of a hop before a redirect do not count if they are sent again`(
        status: Int,
        failure: UploadFailure.Reason?
    ) async throws {
        let path = folder.file("f")
        _ = try folder.writeSparse("f", size: 32 << 20)
        try await withScriptedServer { connection in
            while let request = try connection.readHead() {
                guard request.target == "/f" else {
                    try connection.send("HTTP/1.1 201 Created\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
                    return
                }
                if request["Expect"] != nil { try connection.send("HTTP/1.1 100 Continue\r\n\r\n") }
                _ = try connection.readBody(of: request)
                try connection.send("HTTP/1.1 \(status) R\r\nLocation: /g\r\nContent-Length: 0\r\n\r\n")
            }
        } _: { server in
            let request = session.upload(URL(filePath: path), to: server.url("/f"), resumingWith: nil)
            let error = await request.serializingData(emptyResponseCodes: [201]).response.error
            #expect((error?.underlyingError as? UploadFailure)?.reason == failure)
            #expect((error == nil) == (failure == nil), "\(String(describing: error))")
        }
    }

    @Test func `an unchanged file is required until the end`() async throws {
        let path = try folder.write(content, to: "f")
        try await withServer { _ in
            utimes(path, [timeval(tv_sec: 1, tv_usec: 0), timeval(tv_sec: 1, tv_usec: 0)])
            return .ok()
        } _: { server in
            let request = session.upload(URL(filePath: path), to: server.url(), resumingWith: nil)
            let error = await request.serializingData().response.error
            #expect((error?.underlyingError as? UploadFailure)?.reason == .changedFile)
        }
    }
}
