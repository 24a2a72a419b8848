import AFCore
import Dispatch
import FoundationEssentials
import Glibc
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct DownloadTests {
    let session = Session()
    let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private func destination(_ name: String = "file.bin", _ options: DownloadRequest.Options = [])
        -> DownloadRequest.Destination
    {
        let url = URL(filePath: folder.file(name))
        return { _, _ in (url, options) }
    }

    @Test func `a file gets its name once it is complete, with the mode of the umask`() async throws {
        let halfway = Gate()
        let server = try LocalServer.scripted { connection in
            _ = try connection.readRequest()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 8\r\nETag: \"1\"\r\n\r\nhalf")
            try connection.wait(for: halfway)
            try connection.send("half")
        }
        let task = session.download(server.url(), to: destination()).serializingDownloadedFileURL()
        try await eventually("half of it came") { (try? folder.size(of: "file.bin.part")) == 4 }
        #expect(folder.list() == ["file.bin.part", "file.bin.part.json"])
        #expect(try folder.permissions(of: "file.bin.part") == 0o600)
        #expect(try folder.permissions(of: "file.bin.part.json") == 0o600)
        halfway.open()
        #expect(try await task.value.path == folder.file("file.bin"))
        #expect(folder.list() == ["file.bin"])
        #expect(try folder.text(of: "file.bin") == "halfhalf")
        let mask = umask(0)
        umask(mask)
        #expect(try folder.permissions(of: "file.bin") == 0o666 & ~UInt32(mask))
    }

    @Test(arguments: [5, 200_000])
    func `other transfers continue while a destination is chosen`(length: Int) async throws {
        let server = try FileServer(Array(repeating: 1, count: length))
        let other = try LocalServer { _ in .ok("other") }
        let isOver = DispatchSemaphore(value: 0)
        let hasWaited = Mutex(false)
        let url = URL(filePath: folder.file("file.bin"))
        let destination: DownloadRequest.Destination = { _, _ in
            hasWaited.withLock { $0 = isOver.wait(timeout: .now() + 20) == .success }
            return (url, [])
        }
        let task = session.download(server.url, to: destination).serializingDownloadedFileURL()
        try await eventually("the file is requested") { server.requests.count == 1 }
        #expect(try await session.request(other.url()).serializingString().value == "other")
        isOver.signal()
        #expect(try await task.value == url)
        #expect(try folder.size(of: "file.bin") == length)
        #expect(hasWaited.withLock { $0 })
    }

    @Test func `a request with a body is sent with it`() async throws {
        let server = try LocalServer { .ok("got \($0.text)") }
        let upload = BodiedRequest(url: server.url(), body: "question")
        let url = try await session.download(upload, to: destination()).serializingDownloadedFileURL().value
        #expect(try String(contentsOf: url, encoding: .utf8) == "got question")
        #expect(server.requests.first?["Content-Length"] == "8")
    }

    @Test func `without a destination the file is temporary`() async throws {
        let server = try FileServer()
        let url = try await session.download(server.url).serializingDownloadedFileURL().value
        defer { unlink(url.path) }
        #expect(try Data(contentsOf: url).count == 200_000)
        #expect(url.path.hasPrefix(FileManager.default.temporaryDirectory.path))
    }

    @Test func `an empty body is an empty file`() async throws {
        let server = try FileServer([])
        _ = try await session.download(server.url, to: destination()).serializingDownloadedFileURL().value
        #expect(try folder.size(of: "file.bin") == 0)
    }

    @Test func `the destination closure receives the final response`() async throws {
        let server = try LocalServer { $0.path == "/" ? .redirect(to: "/b/name.txt") : .ok("x") }
        let folder = URL(filePath: folder.path)
        let url = try await session.download(
            server.url(),
            to: DownloadRequest.suggestedDownloadDestination(in: folder)
        ).serializingDownloadedFileURL().value
        #expect(url.lastPathComponent == "name.txt")
    }

    @Test func `a suggested destination may be one of the system's directories`() throws {
        let folder = try #require(FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first)
        let destination = DownloadRequest.suggestedDownloadDestination(
            for: .cachesDirectory,
            in: .userDomainMask,
            options: .removePreviousFile
        )
        let response = HTTPURLResponse(url: URL(string: "http://a.test/a.tar"), statusCode: 200, headers: [])
        let (place, options) = destination(URL(filePath: "/tmp/temporary"), response)
        #expect(place == folder.appending(path: "a.tar"))
        #expect(options == .removePreviousFile)
        let documents = DownloadRequest.suggestedDownloadDestination()(URL(filePath: "/tmp/temporary"), response)
        #expect(documents.destinationURL.lastPathComponent == "a.tar")
        #expect(documents.options.isEmpty)
    }

    @Test(arguments: [
        ("/", "temporary"), ("/..", "temporary"), ("/.bashrc", "bashrc"), ("/-rf", "rf"), ("/a%0Ab", "ab"),
        ("/..%2Fb", "b"), ("/a%FFb", "a%FFb"), ("/named", "n.txt"),
    ])
    func `a suggested name is a sanitized name in the directory`(path: String, name: String) throws {
        let destination = DownloadRequest.suggestedDownloadDestination(in: URL(filePath: folder.path))
        let response = HTTPURLResponse(
            url: URL(string: "http://a.test" + path),
            statusCode: 200,
            headers: path == "/named" ? ["Content-Disposition": "attachment; filename=\"../n.txt\""] : []
        )
        let place = destination(URL(filePath: "/tmp/temporary"), response).destinationURL
        #expect(place.path == folder.file(name))
    }

    @Test func `missing directories are created with the option`() async throws {
        let server = try FileServer()
        let refused = await session.download(server.url, to: destination("a/b/c")).serializingDownloadedFileURL()
            .response
        #expect((refused.error?.underlyingError as? DownloadFailure)?.reason == .system(ENOENT))
        let options: DownloadRequest.Options = [.createIntermediateDirectories]
        _ = try await session.download(server.url, to: destination("a/b/c", options)).serializingData().value
        #expect(folder.list("a/b") == ["c"])
        let blocked = session.download(server.url, to: destination("a/b/c/d/e", options))
        let failure = await blocked.serializingData().response.error?.underlyingError as? DownloadFailure
        #expect(failure == DownloadFailure(.system(ENOTDIR), path: folder.file("a/b/c/d")))
    }

    // The file at the destination

    @Test func `an existing file at the destination is an error, and remains`() async throws {
        let server = try FileServer()
        try folder.write("old", to: "file.bin")
        let response = await session.download(server.url, to: destination()).serializingDownloadedFileURL().response
        #expect((response.error?.underlyingError as? DownloadFailure)?.reason == .destinationExists)
        #expect(folder.list() == ["file.bin"])
        #expect(try folder.text(of: "file.bin") == "old")
    }

    @Test func `a file created while the body arrives is not replaced`() async throws {
        let halfway = Gate()
        let server = try LocalServer.scripted { connection in
            _ = try connection.readRequest()
            try connection.send("HTTP/1.1 200 OK\r\nAccept-Ranges: none\r\nContent-Length: 8\r\n\r\nhalf")
            try connection.wait(for: halfway)
            try connection.send("half")
        }
        let task = session.download(server.url(), to: destination()).serializingDownloadedFileURL()
        try await eventually("half of it came") { (try? folder.size(of: "file.bin.part")) == 4 }
        try folder.write("new", to: "file.bin")
        halfway.open()
        let error = try #require(await task.response.error)
        #expect(error.isDownloadedFileMoveError)
        #expect(error.sourceURL?.path == folder.file("file.bin.part"))
        #expect(try folder.text(of: "file.bin") == "new")
        #expect(try folder.text(of: "file.bin.part") == "halfhalf")
    }

    @Test func `an old file remains until the new one is complete, and if it never is`() async throws {
        let server = try FileServer { $0.breaks = [1000] }
        try folder.write("old", to: "file.bin")
        let request = session.download(server.url, to: destination("file.bin", [.removePreviousFile]))
        let error = try #require(await request.serializingDownloadedFileURL().response.error)
        #expect((error.underlyingError as? TransferFailure)?.kind == .truncated)
        #expect(try folder.text(of: "file.bin") == "old")
        #expect(folder.list() == ["file.bin", "file.bin.part", "file.bin.part.json"])
        let again = session.download(server.url, to: destination("file.bin", [.removePreviousFile]))
        _ = try await again.serializingDownloadedFileURL().value
        #expect(try folder.bytes(of: "file.bin") == FileServer.pattern(200_000))
        #expect(folder.list() == ["file.bin"])
    }

    @Test func `a directory at the destination is an error with any options`() async throws {
        let server = try FileServer()
        try folder.folder("file.bin")
        let request = session.download(server.url, to: destination("file.bin", [.removePreviousFile]))
        let response = await request.serializingDownloadedFileURL().response
        #expect((response.error?.underlyingError as? DownloadFailure)?.reason == .destinationIsDirectory)
        #expect(folder.list() == ["file.bin"])
    }

    @Test func `a rejected response never replaces a file`() async throws {
        let server = try LocalServer { _ in .status(404, "no such thing") }
        try folder.write("old", to: "file.bin")
        let request = session.download(server.url(), to: destination("file.bin", [.removePreviousFile])).validate()
        let response = await request.serializingDownloadedFileURL().response
        #expect(response.error?.responseCode == 404)
        #expect(try folder.text(of: "file.bin") == "old")
        #expect(folder.list() == ["file.bin"])
    }

    @Test func `an error page is saved without validation`() async throws {
        let server = try LocalServer { _ in .status(404, "no such thing") }
        _ = try await session.download(server.url(), to: destination()).serializingDownloadedFileURL().value
        #expect(try folder.text(of: "file.bin") == "no such thing")
    }

    @Test func `validators see the size of the file`() async throws {
        let server = try FileServer()
        let size = Mutex(-1)
        _ = try await session.download(server.url, to: destination())
            .validate(contentType: ["*/*"])
            .validate { _, _, url in
                size.withLock { $0 = url.flatMap { try? Data(contentsOf: $0).count } ?? -1 }
                return .success(())
            }
            .serializingDownloadedFileURL().value
        #expect(size.withLock(\.self) == 200_000)
    }

    /// Chunks of the maximum size to the end: after each one there may be another.
    @Test func `validators see the last bytes of a file that arrived quickly`() async throws {
        let body = FileServer.pattern(65_536)
        let headIsRead = Gate()
        let server = try LocalServer.scripted { connection in
            _ = try connection.readRequest()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 65536\r\n\r\n")
            try connection.wait(for: headIsRead)
            try connection.send(body)
        }
        let seen = Mutex<[UInt8]>([])
        let request = session.download(server.url(), to: destination())
            .validate { _, _, url in
                seen.withLock { $0 = url.flatMap { try? Data(contentsOf: $0) }.map(Array.init) ?? [] }
                return .success(())
            }
        let task = request.serializingDownloadedFileURL()
        try await eventually("the head has come") { request.response != nil }
        headIsRead.open()
        _ = try await task.value
        #expect(seen.withLock(\.self) == body)
    }

    @Test func `a retry after a rejected response finds its destination free`() async throws {
        let server = try FileServer { $0.statuses = [503, 503] }
        let session = Session(interceptor: RetryPolicy(exponentialBackoffScale: 0.01))
        let request = session.download(server.url, to: destination()).validate()
        _ = try await request.serializingDownloadedFileURL().value
        #expect(request.retryCount == 2)
        #expect(try folder.size(of: "file.bin") == 200_000)
    }

    @Test func `a retry after a serializer's failure may replace the request's own file`() async throws {
        let server = try LocalServer { _ in .ok("no json") }
        let session = Session(interceptor: CountingRetrier(limit: 1))
        let request = session.download(server.url(), to: destination())
        let response = await request.serializingDecodable([Int].self).response
        #expect(response.error?.isResponseSerializationError == true)
        #expect(request.retryCount == 1)
        #expect(folder.list() == ["file.bin"])
    }

    @Test func `a complete file stores its origin until it is changed`() async throws {
        let server = try FileServer()
        let place = URL(filePath: folder.file("file.bin"))
        func fetch(_ options: DownloadRequest.Options) async throws -> DownloadRecord? {
            _ = try await session.download(server.url, to: destination("file.bin", options.union(.removePreviousFile)))
                .serializingDownloadedFileURL().value
            return DownloadRecord.complete(at: place)
        }
        #expect(try await fetch([]) == nil)
        let record = try #require(try await fetch(.rememberOrigin))
        #expect(record.url == server.url)
        #expect(record.entityTag == "\"v1\"")
        #expect(record.completedBytes == 200_000)
        try folder.write(FileServer.pattern(200_000, seed: 1), to: "file.bin")
        #expect(DownloadRecord.complete(at: place) == nil)
        server.change { $0.entityTag = nil }
        let unproven = try #require(try await fetch(.rememberOrigin))
        #expect(unproven.url == server.url && unproven.validator == nil)
    }

    @Test(arguments: [nil, 0, 50_000])
    func `an existing file is not downloaded again with the destination's option`(end: Int?) async throws {
        let server = try FileServer()
        let place = URL(filePath: folder.file("file.bin"))
        _ = try await session.download(server.url, to: self.destination("file.bin", .rememberOrigin))
            .serializingDownloadedFileURL().value
        let record = try #require(DownloadRecord.complete(at: place))
        let number = try folder.fileNumber(of: "file.bin")
        // The transfer breaks off before the body, in its midst, or not at all.
        server.change { $0.breaks = end.map { [$0] } ?? [] }
        let destination: DownloadRequest.Destination = { _, response in
            (place, record.describes(response) ? .keepPreviousFile : .removePreviousFile)
        }
        let request = session.download(server.url, to: destination)
        #expect(try await request.serializingDownloadedFileURL().value == place)
        #expect(request.response?.statusCode == 200)
        #expect(request.retryCount == 0)
        #expect(try folder.fileNumber(of: "file.bin") == number)
        #expect(DownloadRecord.complete(at: place) == record)
        #expect(folder.list() == ["file.bin"])
    }
}

/// A POST with a body of its own.
private struct BodiedRequest: UploadConvertible {
    let url: String
    let body: String

    func asURLRequest() throws -> URLRequest { try URLRequest(url: url, method: .post) }
    func createUploadable() throws -> UploadRequest.Uploadable { .data(Data(body.utf8)) }
}
