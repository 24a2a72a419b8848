import AFCore
import Dispatch
import FoundationEssentials
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import AFDownloads

/// Files that arrive in one chunk, which have no partial file.
@Suite(.timeLimit(.minutes(5))) struct SmallDownloadTests {
    let session = Session()
    let folder: ScratchFolder
    /// Marks the queue that several downloads share.
    let isShared = DispatchSpecificKey<Bool>()

    init() throws { folder = try ScratchFolder() }

    private func destination(_ options: DownloadRequest.Options = []) -> DownloadRequest.Destination {
        let url = URL(filePath: folder.file("file.bin"))
        return { _, _ in (url, options) }
    }

    /// Sends the header, and the body once the gate is open.
    private func server(opening gate: Gate) throws -> LocalServer {
        try LocalServer.scripted { connection in
            _ = try connection.readRequest()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nETag: \"1\"\r\n\r\n")
            try connection.wait(for: gate)
            try connection.send("hello")
        }
    }

    /// A download that shares the queue of small files.
    private func download(
        from server: LocalServer, on files: SmallFileQueue = SmallFileQueue(label: "shared"),
        to destination: @escaping DownloadRequest.Destination
    ) throws -> DownloadRequest {
        session.download(
            try URLRequest(url: server.url(), method: .get), resumingWith: nil, interceptor: nil, to: destination,
            choosing: nil, smallFiles: files)
    }

    @Test func `the directory holds nothing but the complete file`() async throws {
        let gate = Gate()
        let server = try server(opening: gate)
        let (headers, continuation) = AsyncStream.makeStream(of: Void.self)
        let url = URL(filePath: folder.file("file.bin"))
        let destination: DownloadRequest.Destination = { _, _ in
            continuation.yield()
            return (url, [.rememberOrigin])
        }
        let task = session.download(server.url(), to: destination).serializingDownloadedFileURL()
        for await _ in headers.prefix(1) {}
        #expect(folder.list() == [])
        gate.open()
        #expect(try await task.value.path == folder.file("file.bin"))
        #expect(folder.list() == ["file.bin"])
        #expect(try folder.text(of: "file.bin") == "hello")
        let mask = umask(0)
        umask(mask)
        #expect(try folder.permissions(of: "file.bin") == 0o666 & ~UInt32(mask))
        #expect(DownloadRecord.complete(at: url)?.entityTag == "\"1\"")
    }

    @Test func `a destination that is chosen late waits for the end of a body in one chunk`() async throws {
        let gate = Gate()
        let server = try server(opening: gate)
        let choices = Mutex(0)
        let url = URL(filePath: folder.file("file.bin"))
        let destination: DownloadRequest.Destination = { _, _ in
            choices.withLock { $0 += 1 }
            return (url, [])
        }
        let request = try download(from: server, to: destination)
        let task = request.serializingDownloadedFileURL()
        try await eventually("the header has arrived") { request.response != nil }
        #expect(choices.withLock(\.self) == 0)
        gate.open()
        #expect(try await task.value == url)
        #expect(choices.withLock(\.self) == 1)
        #expect(try folder.text(of: "file.bin") == "hello")
    }

    @Test func `a destination that is chosen late does not wait for the rest of a body`() async throws {
        let isChosen = Gate()
        let server = try LocalServer.scripted { connection in
            _ = try connection.readRequest()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhel")
            try connection.wait(for: isChosen)
            try connection.send("lo")
        }
        let url = URL(filePath: folder.file("file.bin"))
        let destination: DownloadRequest.Destination = { _, _ in
            isChosen.open()
            return (url, [])
        }
        let request = try download(from: server, to: destination)
        #expect(try await request.serializingDownloadedFileURL().value == url)
        #expect(try folder.text(of: "file.bin") == "hello")
    }

    @Test(arguments: [false, true])
    func `small files are saved on the shared queue, on a slow disk on their own one`(isSlow: Bool) async throws {
        let gate = Gate()
        gate.open()
        let server = try server(opening: gate)
        let files = SmallFileQueue(label: "shared")
        if isSlow { files.measure { _ = usleep(1000) } }
        files.queue.setSpecific(key: isShared, value: true)
        let queues = Mutex<[Bool]>([])
        let request = try download(from: server, on: files, to: destination())
        request.onReceived { queues.withLock { $0.append(DispatchQueue.getSpecific(key: isShared) ?? false) } }
        #expect(try await request.serializingDownloadedFileURL().value.path == folder.file("file.bin"))
        #expect(queues.withLock(\.self) == [!isSlow])
        #expect(try folder.text(of: "file.bin") == "hello")
    }

    @Test(arguments: ["Content-Length: 300000\r\n", "Content-Length: 5\r\n", ""])
    func `a body that does not arrive in one chunk is written on its own queue`(length: String) async throws {
        let isChosen = Gate()
        let server = try LocalServer.scripted { connection in
            _ = try connection.readRequest()
            try connection.send("HTTP/1.1 200 OK\r\nConnection: close\r\n\(length)\r\nhel")
            try connection.wait(for: isChosen)
            let rest = length.contains("300000") ? 299_997 : 2
            try connection.send([UInt8](repeating: 7, count: rest))
        }
        let files = SmallFileQueue(label: "shared")
        files.queue.setSpecific(key: isShared, value: true)
        let queues = Mutex<[Bool]>([])
        let url = URL(filePath: folder.file("file.bin"))
        let request = try download(from: server, on: files) { _, _ in
            queues.withLock { $0.append(DispatchQueue.getSpecific(key: isShared) ?? false) }
            isChosen.open()
            return (url, [])
        }
        request.onReceived { queues.withLock { $0.append(DispatchQueue.getSpecific(key: isShared) ?? false) } }
        #expect(try await request.serializingDownloadedFileURL().value == url)
        #expect(queues.withLock(\.self) == [false, false])
    }

    @Test func `bytes that arrive before the file exists are written although no others follow`() async throws {
        let (isSent, isChosen) = (Gate(), Gate())
        let server = try LocalServer.scripted { connection in
            _ = try connection.readRequest()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 500000\r\nETag: \"1\"\r\n\r\n")
            try connection.send([UInt8](repeating: 7, count: 100_000))
            isSent.open()
            try connection.waitForClose()
        }
        let url = URL(filePath: folder.file("file.bin"))
        let destination: DownloadRequest.Destination = { _, _ in
            isChosen.block(atMost: .seconds(30))
            return (url, [])
        }
        let request = session.download(server.url(), to: destination)
        let task = request.serializingDownloadedFileURL()
        try await isSent.waitUntilOpen()
        isChosen.open()
        try await eventually("all bytes") { (try? folder.size(of: "file.bin.part")) == 100_000 }
        request.cancel()
        _ = await task.response
    }

    @Test func `a validator reads the file before it is at its destination`() async throws {
        let gate = Gate()
        gate.open()
        let server = try server(opening: gate)
        let value = try await session.download(server.url(), to: destination())
            .validate { _, _, file in
                let text = file.flatMap { try? String(contentsOf: $0, encoding: .utf8) }
                return text == "hello" ? .success(()) : .failure(AFError.explicitlyCancelled)
            }
            .serializingDownloadedFileURL().value
        #expect(value.path == folder.file("file.bin"))
        #expect(folder.list() == ["file.bin"])
    }

    @Test(arguments: [false, true])
    func `a file created during the download is replaced only with the option`(replaces: Bool) async throws {
        let gate = Gate()
        let server = try server(opening: gate)
        let (headers, continuation) = AsyncStream.makeStream(of: Void.self)
        let url = URL(filePath: folder.file("file.bin"))
        let destination: DownloadRequest.Destination = { _, _ in
            continuation.yield()
            return (url, replaces ? [.removePreviousFile] : [])
        }
        let task = session.download(server.url(), to: destination).serializingDownloadedFileURL()
        for await _ in headers.prefix(1) {}
        try folder.write("other", to: "file.bin")
        gate.open()
        let result = await task.result
        #expect(folder.list() == ["file.bin"])
        #expect(try folder.text(of: "file.bin") == (replaces ? "hello" : "other"))
        #expect(((try? result.get()) != nil) == replaces)
    }

    @Test func `a body that stops within its only chunk leaves a partial file`() async throws {
        let server = try LocalServer.scripted { connection in
            _ = try connection.readRequest()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nETag: \"1\"\r\n\r\nhel")
        }
        let result = await session.download(server.url(), to: destination()).serializingDownloadedFileURL().result
        #expect(throws: AFError.self) { try result.get() }
        #expect(folder.list() == ["file.bin.part", "file.bin.part.json"])
        #expect(try folder.text(of: "file.bin.part") == "hel")
    }

    @Test func `an existing file that is kept has no progress`() async throws {
        let gate = Gate()
        gate.open()
        let server = try server(opening: gate)
        try folder.write("hello", to: "file.bin")
        let request = session.download(server.url(), to: destination(.keepPreviousFile))
        #expect(try await request.serializingDownloadedFileURL().value.path == folder.file("file.bin"))
        #expect(request.downloadProgress.completedUnitCount == 0)
        #expect(folder.list() == ["file.bin"])
    }

    @Test func `a body longer than announced is not complete`() async throws {
        let server = try LocalServer.scripted { connection in
            _ = try connection.readRequest()
            let head = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n"
            try connection.send(head + "5\r\nAAAAA\r\n")
            try connection.send("5\r\nBBBBB\r\n0\r\n\r\n")
        }
        let result = await session.download(server.url(), to: destination()).serializingDownloadedFileURL().result
        let failure = #expect(throws: AFError.self) { try result.get() }?.underlyingError as? DownloadFailure
        #expect(failure?.reason == .wrongLength(expected: 5, received: 10))
        #expect(!folder.list().contains("file.bin"))
    }

    @Test func `an early response to an upload is saved completely, even on a slow disk`() async throws {
        let isReset = Gate()
        let server = try LocalServer.scripted { connection in
            _ = try connection.readHead()
            try connection.send("HTTP/1.1 413 Too Large\r\nContent-Length: 5\r\n\r\nlarge")
            // Unread bytes turn the closing into a reset.
            connection.close()
            isReset.open()
        }
        let url = URL(filePath: folder.file("file.bin"))
        let destination: DownloadRequest.Destination = { _, _ in
            isReset.block(atMost: Deadline.timeout)
            return (url, [])
        }
        let upload = LargeUpload(url: server.url())
        #expect(try await session.download(upload, to: destination).serializingDownloadedFileURL().value == url)
        #expect(try folder.text(of: "file.bin") == "large")
    }
}

/// A body that is larger than the buffers of sockets.
private struct LargeUpload: UploadConvertible {
    let url: String

    func asURLRequest() throws -> URLRequest { try URLRequest(url: url, method: .post) }
    func createUploadable() throws -> UploadRequest.Uploadable { .data(Data(count: 32 << 20)) }
}
