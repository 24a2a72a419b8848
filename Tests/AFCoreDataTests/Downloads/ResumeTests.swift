import AFCore
import FoundationEssentials
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import AFDownloads

@Suite(.timeLimit(.minutes(5))) struct ResumeTests: ResumingSuite {
    let session = Session()
    let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    @Test func `the remainder is requested with the validator, and completes the file`() async throws {
        let server = try FileServer(Self.whole) { $0.breaks = [70_000] }
        let data = try await half(server)
        let record = try DownloadRecord(json: #require(data))
        #expect(record.completedBytes == 70_000)
        #expect(record.entityTag == "\"v1\"")
        #expect(record.length == 200_000)
        let request = await resume(server, data)
        #expect(server.requests.last?["Range"] == "bytes=4464-")
        #expect(server.requests.last?["If-Range"] == "\"v1\"")
        #expect(request.downloadProgress.resumedUnitCount == 70_000)
        #expect(request.downloadProgress.completedUnitCount == 200_000)
        #expect(request.downloadProgress.totalUnitCount == 200_000)
        #expect(request.resumeData == nil)
        try expectWhole()
    }

    @Test func `a part of a remainder of unknown length is incomplete`() async throws {
        let part = String(repeating: "a", count: 100)
        let head = "HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nTransfer-Encoding: chunked\r\n\r\n64\r\n"
        let answers = Mutex<[LocalServer.Response]>([
            .raw(head + part + "\r\n"),
            .status(206, part).header("ETag", "\"v1\"").header("Content-Range", "bytes 50-149/*"),
            .ok(String(repeating: "a", count: 1000)).header("ETag", "\"v1\""),
        ])
        let server = try LocalServer { _ in answers.withLock { $0.removeFirst() } }
        let first = session.download(server.url(), to: destination)
        let data = try #require(await first.serializingDownloadedFileURL().response.resumeData)
        let second = session.download(resumingWith: data, to: destination)
        #expect(await second.serializingDownloadedFileURL().response.error == nil)
        #expect(server.requests.map { $0["Range"] } == [nil, "bytes=50-", nil])
        #expect(try folder.size(of: "file.bin") == 1000)
    }

    @Test(arguments: [1, 2]) func `a decoded response has no ranges, with one coding or more`(count: Int) throws {
        var response: HTTPHeaders = ["ETag": "\"v1\""]
        if count == 2 { response.append(name: "Content-Encoding", value: "identity") }
        response.append(name: "Content-Encoding", value: "gzip")
        let url = "http://127.0.0.1/f"
        let answer = HTTPURLResponse(url: URL(string: url), statusCode: 200, headers: response)
        #expect(DownloadRecord(url: url, partialPath: "f.part", response: answer, isDecoded: true).validator == nil)
    }

    @Test func `the error holds the resume data`() async throws {
        let server = try FileServer(Self.whole) { $0.breaks = [70_000] }
        let request = session.download(server.url, to: destination)
        let error = try #require(await request.serializingDownloadedFileURL().response.error)
        #expect(error.downloadResumeData == request.resumeData)
        #expect((error.underlyingError as? TransferFailure)?.kind == .truncated)
    }

    @Test func `resume data alone suffices`() async throws {
        let server = try FileServer(Self.whole) { $0.breaks = [70_000] }
        let data = try #require(try await half(server))
        _ = try await session.download(resumingWith: data, to: destination).serializingDownloadedFileURL().value
        #expect(server.requests.last?["Range"] == "bytes=4464-")
        try expectWhole()
    }

    @Test func `invalid resume data is an error`() async {
        let request = session.download(resumingWith: Data("{}".utf8), to: destination)
        #expect(await request.serializingData().response.error?.isCreateURLRequestError == true)
    }

    @Test func `a killed process leaves a partial file that another can resume`() async throws {
        let halfway = Gate()
        let server = try LocalServer.scripted { connection in
            _ = try connection.readRequest()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 200000\r\nETag: \"v1\"\r\n\r\n")
            try connection.send(Array(Self.whole[..<50_000]))
            // For longer than it takes until a record is brought up to date.
            try connection.sendSlowly(Array(Self.whole[50_000..<150_000]), pieces: 2_000, every: .milliseconds(100))
            try connection.wait(for: halfway)
        }
        let request = session.download(server.url(), to: destination)
        let task = request.serializingDownloadedFileURL()
        let copy = try ScratchFolder()
        try await eventually("the record has grown") {
            let json = try? Data(contentsOf: URL(filePath: folder.file("file.bin.part.json")))
            return try json.map { try DownloadRecord(json: $0).completedBytes > 65_536 } ?? false
        }
        var record = try DownloadRecord(json: Data(folder.bytes(of: "file.bin.part.json")))
        let partial = try copy.write(folder.bytes(of: "file.bin.part"), to: "file.bin.part")
        request.cancel(producingResumeData: true)
        halfway.open()
        _ = await task.response
        let second = try FileServer(Self.whole)
        record.partialPath = partial
        // The remaining range is requested from another origin (port).
        record.finalResource = nil
        let place = URL(filePath: copy.file("file.bin"))
        _ = try await session.download(
            second.request,
            resumingWith: record.json,
            to: { _, _ in (place, []) }
        ).serializingDownloadedFileURL().value
        #expect(second.requests.first?["Range"] == "bytes=\(record.completedBytes - 65_536)-")
        #expect(try copy.bytes(of: "file.bin") == Self.whole)
    }

    @Test(arguments: [("length", "-9223372036854775808"), ("completedBytes", "-1"), ("version", "2")])
    func `a record with impossible values is rejected`(key: String, value: String) throws {
        var members = ["version": "1", "url": "\"http://h/\"", "partialPath": "\"p\"", "completedBytes": "5"]
        let text = { members.map { "\"\($0)\":\($1)" }.joined(separator: ",") }
        #expect(try DownloadRecord(json: Data("{\(text())}".utf8)).completedBytes == 5)
        members[key] = value
        #expect(throws: DecodingError.self) { try DownloadRecord(json: Data("{\(text())}".utf8)) }
    }

    @Test func `a retry resumes before the end of the last attempt, and always receives new bytes`() async throws {
        let server = try FileServer(Self.whole) { $0.breaks = [50_000, 60_000] }
        let session = Session(interceptor: RetryPolicy(exponentialBackoffScale: 0.01))
        let request = session.download(server.url, to: destination)
        _ = try await request.serializingDownloadedFileURL().value
        #expect(server.requests.map { $0["Range"] } == [nil, "bytes=25000-", "bytes=67500-"])
        try expectWhole()
    }

    @Test func `an error page between two attempts loses nothing`() async throws {
        let server = try FileServer(Self.whole) {
            $0.breaks = [50_000]
            $0.statuses = [nil, 503]
        }
        let session = Session(interceptor: RetryPolicy(exponentialBackoffScale: 0.01))
        _ = try await session.download(server.url, to: destination).validate().serializingDownloadedFileURL().value
        #expect(server.requests.map { $0["Range"] } == [nil, "bytes=25000-", "bytes=25000-"])
        try expectWhole()
    }

    private func otherFileSystem() throws -> ScratchFolder {
        let other = try ScratchFolder(in: "/dev/shm")
        try #require(try other.fileSystem() != folder.fileSystem())
        return other
    }

    @Test func `the remainder may be moved to another file system`() async throws {
        let server = try FileServer(Self.whole) { $0.breaks = [70_000] }
        let data = try await half(server)
        let disk = try otherFileSystem()
        let place = URL(filePath: disk.file("file.bin"))
        for old in [nil, "old"] {
            if let old { try disk.write(old, to: "file.bin") }
            let options: DownloadRequest.Options = old == nil ? [.rememberOrigin] : [.removePreviousFile]
            let request = session.download(server.request, resumingWith: data, to: { _, _ in (place, options) })
            _ = try await request.serializingDownloadedFileURL().value
            #expect(server.requests.last?["Range"] == (old == nil ? "bytes=4464-" : nil))
            #expect(try disk.bytes(of: "file.bin") == Self.whole)
            #expect(disk.list() == ["file.bin"])
            #expect(folder.list().isEmpty)
            #expect((DownloadRecord.complete(at: place)?.entityTag == "\"v1\"") == (old == nil))
        }
    }

    @Test
    func `a file on another file system is not replaced without permission; the partial file stays`() async throws {
        let server = try FileServer(Self.whole) { $0.breaks = [70_000] }
        var record = try DownloadRecord(json: try #require(await half(server)))
        // The remaining range is requested from another origin (port).
        record.finalResource = nil
        let disk = try otherFileSystem()
        let place = URL(filePath: disk.file("file.bin"))
        let halfway = Gate()
        let slow = try LocalServer.scripted { connection in
            _ = try connection.readRequest()
            try connection.send(
                """
                HTTP/1.1 206 Partial Content\r\nETag: "v1"\r\nContent-Length: 195536\r
                Content-Range: bytes 4464-199999/200000\r\n\r\n
                """
            )
            try connection.send(Array(Self.whole[4464...100_000]))
            try connection.wait(for: halfway)
            try connection.send(Array(Self.whole[100_001...]))
        }
        let convertible = RequestConvertible(url: slow.url())
        let request = session.download(convertible, resumingWith: record.json, to: { _, _ in (place, []) })
        let task = request.serializingDownloadedFileURL()
        try await eventually("more came") { request.downloadProgress.completedUnitCount > 70_000 }
        try disk.write("new", to: "file.bin")
        halfway.open()
        let error = try #require(await task.response.error?.underlyingError as? DownloadFailure)
        #expect(error.reason == .destinationExists)
        #expect(try disk.text(of: "file.bin") == "new")
        #expect(disk.list() == ["file.bin"])
        #expect(try folder.bytes(of: "file.bin.part") == Self.whole)
    }

    // Validators

    private func record(_ headers: HTTPHeaders, status: Int = 200) -> DownloadRecord {
        let response = HTTPURLResponse(url: nil, statusCode: status, headers: headers)
        return DownloadRecord(url: "http://a/", partialPath: "p", response: response)
    }

    @Test func `only strong validators allow resuming`() {
        let old = "Mon, 01 Jan 2024 00:00:00 GMT"
        let later = "Mon, 01 Jan 2024 00:00:01 GMT"
        #expect(record(["ETag": "\"x\""]).validator == "\"x\"")
        #expect(record(["ETag": "W/\"x\""]).validator == nil)
        #expect(record(["ETag": "W/\"x\"", "Last-Modified": old, "Date": later]).validator == old)
        #expect(record(["Last-Modified": old, "Date": old]).validator == nil)
        #expect(record(["Last-Modified": old]).validator == nil)
        #expect(record([:]).validator == nil)
        #expect(record(["ETag": "\"x\"", "Content-Encoding": "gzip"]).validator == "\"x\"")
        #expect(record(["ETag": "\"x\"", "Accept-Ranges": "none"]).validator == nil)
        #expect(record(["ETag": "\"x\""], status: 206).validator == nil)
        #expect(record(["ETag": "\"x\""], status: 404).validator == nil)
    }

    @Test func `a version is identified by a strong validator and its length`() {
        func describes(_ headers: HTTPHeaders, _ other: HTTPHeaders, status: Int = 200) -> Bool {
            record(headers).describes(HTTPURLResponse(url: nil, statusCode: status, headers: other))
        }
        let tagged: HTTPHeaders = ["ETag": "\"x\"", "Content-Length": "5"]
        let dated: HTTPHeaders = [
            "Last-Modified": "Mon, 01 Jan 2024 00:00:00 GMT", "Date": "Mon, 01 Jan 2024 00:00:01 GMT",
            "Content-Length": "5",
        ]
        #expect(describes(tagged, tagged))
        #expect(describes(dated, dated))
        #expect(!describes(tagged, tagged, status: 206))
        #expect(!describes(tagged, dated))
        #expect(!describes(tagged, ["ETag": "\"x\"", "Content-Length": "6"]))
        #expect(!describes(tagged, ["ETag": "\"y\"", "Content-Length": "5"]))
        #expect(!describes(tagged, ["ETag": "W/\"x\"", "Content-Length": "5"]))
        #expect(!describes(tagged, ["ETag": "\"x\"", "Content-Length": "5", "Content-Encoding": "gzip"]))
        #expect(!describes(["ETag": "\"x\""], ["ETag": "\"x\""]))
        #expect(!describes(["Content-Length": "5"], ["Content-Length": "5"]))
    }

    @Test func `without a validator the file is downloaded again`() async throws {
        let server = try FileServer(Self.whole) {
            $0.breaks = [70_000]
            $0.entityTag = nil
        }
        let data = try await half(server)
        #expect(data == nil)
        #expect(folder.has("file.bin.part"))
        _ = await resume(server, data)
        #expect(server.requests.last?["Range"] == nil)
        try expectWhole()
    }

    @Test(arguments: [("Accept-Ranges", "none"), ("Content-Encoding", "gzip")])
    func `a partial file that cannot be resumed is removed`(name: String, value: String) async throws {
        let server = try LocalServer { _ in
            .raw("HTTP/1.1 200 OK\r\nETag: \"1\"\r\n\(name): \(value)\r\nContent-Length: 8\r\n\r\nhalf")
        }
        let request = session.download(server.url(), to: destination)
        let error = try #require(await request.serializingDownloadedFileURL().response.error)
        #expect(error.underlyingError is TransferFailure)
        #expect(error.downloadResumeData == nil)
        #expect(folder.list().isEmpty)
    }

    @Test func `resume data is invalid without its partial file`() async throws {
        let server = try FileServer(Self.whole) { $0.breaks = [70_000, 0] }
        let data = try await half(server)
        server.change { $0.entityTag = "\"v2\"" }
        let request = await resume(server, data)
        #expect(request.response?.statusCode == 200)
        #expect(request.resumeData == nil)
        #expect(folder.list().isEmpty)
    }

    @Test func `the record has the requested URL, without user info`() async throws {
        let file = try FileServer(Self.whole) { $0.breaks = [70_000] }
        let server = try LocalServer { _ in .redirect(to: file.url) }
        let url = server.url("/latest?a=b").replacing("http://", with: "http://me:secret@")
        _ = await session.download(url, to: destination).serializingDownloadedFileURL().response
        let record = try #require(DownloadRecord.partial(at: URL(filePath: folder.file("file.bin"))))
        #expect(record.url == server.url("/latest?a=b"))
    }

    @Test func `a sufficiently old date is sent as validator`() async throws {
        let old = "Mon, 01 Jan 2024 00:00:00 GMT"
        let server = try FileServer(Self.whole) {
            $0.breaks = [70_000]
            $0.entityTag = nil
            $0.lastModified = old
            $0.date = "Tue, 02 Jan 2024 00:00:00 GMT"
        }
        let data = try await half(server)
        _ = await resume(server, data)
        #expect(server.requests.last?["If-Range"] == old)
        #expect(server.requests.last?["Range"] == "bytes=4464-")
        try expectWhole()
    }

    // Canceling

    @Test func `missing resume data is reported`() async throws {
        let request = session.download(resumingWith: Data("garbage".utf8), to: destination)
        let error = await request.serializingDownloadedFileURL().response.error
        #expect((error?.underlyingError as? DownloadFailure)?.reason == .invalidResumeData)
        #expect(error?.localizedDescription.contains("the resume data is damaged") == true)
    }

    @Test func `a range requested by the caller is a separate file, and is not resumed`() async throws {
        let server = try FileServer(Self.whole)
        let headers: HTTPHeaders = ["Range": "bytes=150000-"]
        _ = try await session.download(server.url, headers: headers, to: destination).serializingData().value
        #expect(try folder.bytes(of: "file.bin") == Array(Self.whole[150_000...]))
    }
}
