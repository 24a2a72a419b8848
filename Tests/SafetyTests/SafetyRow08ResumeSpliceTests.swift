import Glibc
import TestSupport
import Testing

@Suite("Safety 8: resume splice", .timeLimit(.minutes(5)))
struct SafetyRow08ResumeSpliceTests {
    let folder: ScratchFolder
    let download = BrokenDownload()

    init() throws { folder = try ScratchFolder() }

    /// Resumes the download, and checks that the file is the server's current version.
    private nonisolated(nonsending) func resume(
        _ server: LocalServer,
        _ words: String...,
        expecting content: [UInt8]
    ) async throws {
        let run = try await folder.afcli(["-o", "f", "--resume", server.url("/f")] + words)
        #expect(run.status == 0, "\(run.errorText)")
        #expect(try folder.bytes(of: "f") == content)
        #expect(folder.list() == ["f"])
    }

    @Test func `the record has URL, validator, length and bytes on disk, and If-Range is sent`()
        async throws
    {
        try await download.interrupted(in: folder) { _ in
            download.rest()
        } _: { server in
            let record = try folder.text(of: "f.part.json")
            #expect(record.contains(#""entityTag":"\"v1\"""#), "\(record)")
            #expect(record.contains(#""length":200000"#) && record.contains(#""completedBytes":100000"#), "\(record)")
            #expect(record.replacing("\\/", with: "/").contains(server.url("/f")), "\(record)")
            try await resume(server, expecting: download.content)
            #expect(server.requests.last?["Range"] == "bytes=34464-")
            #expect(server.requests.last?["If-Range"] == "\"v1\"")
        }
    }

    @Test(arguments: [false, true])
    func `bytes that are not synchronized to disk are not recorded`(failsOnce: Bool) async throws {
        let disk = try await FailingDisk(failsOnce: failsOnce)
        try await withServer { _ in
            download.broken
        } _: { server in
            let run = try await folder.afcli(["-o", "f", server.url("/f")], variables: disk.variables)
            #expect(run.status != 0)
            #expect(!folder.has("f"))
            let record = (try? folder.text(of: "f.part.json")) ?? ""
            #expect(record.isEmpty || record.contains(#""completedBytes":0,"#), "\(record)")
        }
    }

    @Test func `bytes after the recorded ones are downloaded again`() async throws {
        try await download.interrupted(in: folder) { request in
            let start = Int(request["Range"]?.dropFirst(6).dropLast() ?? "0") ?? 0
            let range = "bytes \(start)-\(download.content.count - 1)/\(download.content.count)"
            return download.rest(range: range, bytes: Array(download.content[start...]))
        } _: { server in
            // A power failure may leave a file whose end was not written.
            let damaged = Array(download.content[..<100_000]) + [UInt8](repeating: 0, count: 40_000)
            try folder.write(damaged, to: "f.part", permissions: 0o600)
            try await resume(server, expecting: download.content)
            #expect(server.requests.last?["Range"] == "bytes=34464-")
        }
    }

    /// Wrong values of a 206.
    static let wrongRests: [(range: String?, fields: String?)] = [
        ("bytes 34463-199999/200000", nil), ("bytes 34465-199999/200000", nil), ("bytes 0-99999/200000", nil),
        ("bytes 34464-199999/300000", nil), ("bytes 34464-199999/199999", nil), ("lines 1-2/3", nil), ("", nil),
        (nil, #"ETag: "v2""#), (nil, #"ETag: W/"v1""#),
        (nil, "ETag: \"v1\"\r\nContent-Encoding: gzip"),
        // Several parts have their ranges inside, and none in the head.
        (nil, "ETag: \"v1\"\r\nContent-Type: multipart/byteranges; boundary=b"),
    ]

    @Test(arguments: wrongRests.indices)
    func `a 206 with another range is rejected, and the file is downloaded again`(index: Int) async throws {
        let (range, fields) = Self.wrongRests[index]
        let other = [UInt8](download.content.reversed())
        try await download.interrupted(in: folder) { request in
            guard request["Range"] != nil else { return download.whole(other, fields: #"ETag: "v2""#) }
            return download.rest(range: range, fields: fields)
        } _: { server in
            try await resume(server, expecting: other)
            #expect(server.requests.map { $0["Range"] } == [nil, "bytes=34464-", nil])
        }
    }

    /// A comparison of the joint does not show that the range is another one.
    @Test(arguments: [34_463, 34_465])
    func `another range is rejected even if all bytes at the joint are the same`(start: Int) async throws {
        var download = download
        download.content.replaceSubrange(..<150_000, with: repeatElement(0, count: 150_000))
        try await download.interrupted(in: folder) { [download] request in
            guard request["Range"] == "bytes=34464-" else { return download.whole() }
            let end = start + 165_000
            return download.rest(
                range: "bytes \(start)-\(end - 1)/200000", bytes: Array(download.content[start..<end]))
        } _: { server in
            try await resume(server, expecting: download.content)
            #expect(server.requests.map { $0["Range"] } == [nil, "bytes=34464-", nil])
        }
    }

    @Test(arguments: [["--resume"], ["--resume=unsafe"], ["--resume", "--segments", "4"]])
    func `other bytes at the joint restart the download, even with equal validators`(words: [String]) async throws {
        let other = [UInt8](download.content.reversed())
        try await download.interrupted(in: folder) { request in
            guard request["Range"] != nil else { return download.whole(other) }
            return download.rest(bytes: Array(other[download.restStart...]))
        } _: { server in
            let run = try await folder.afcli(["-o", "f", server.url("/f")] + words)
            #expect(run.status == 0, "\(run.errorText)")
            #expect(run.errorText.contains("(the server's ETag is not reliable): restarting"))
            #expect(try folder.bytes(of: "f") == other)
            #expect(server.requests.map { $0["Range"] } == [nil, "bytes=34464-", nil])
        }
    }

    @Test func `other bytes at the joint of a retry restart the download`() async throws {
        let other = [UInt8](download.content.reversed())
        let isFirst = Once()
        try await withServer { request in
            if isFirst.take() { return download.broken }
            guard request["Range"] != nil else { return download.whole(other) }
            return download.rest(bytes: Array(other[download.restStart...]))
        } _: { (server) async throws in
            let run = try await folder.afcli("-o", "f", "--retry", "2", "--retry-delay", "1ms", server.url())
            #expect(run.status == 0, "\(run.errorText)")
            #expect(try folder.bytes(of: "f") == other)
            #expect(server.requests.map { $0["Range"] } == [nil, "bytes=34464-", nil])
        }
    }

    @Test(arguments: [(20_000, false), (65_536, false), (65_537, false), (20_000, true)])
    func `what a response leaves out is requested next, without retries`(limit: Int, isVersioned: Bool) async throws {
        let other = [UInt8](download.content.reversed())
        try await download.interrupted(in: folder) { request in
            guard let words = request["Range"]?.dropFirst(6).split(separator: "-"), let start = Int(words[0]) else {
                return download.whole(other)
            }
            // Only the first range is compared.
            let content = isVersioned && start == download.restStart ? other : download.content
            let end = min(start + limit, words.count > 1 ? (Int(words[1]) ?? 0) + 1 : content.count)
            return download.rest(
                range: "bytes \(start)-\(end - 1)/\(content.count)", bytes: Array(content[start..<end]))
        } _: { server in
            let run = try await folder.afcli("-o", "f", "--resume", server.url("/f"))
            #expect(run.status == 0, "\(run.errorText)")
            #expect(try folder.bytes(of: "f") == (isVersioned ? other : download.content))
            let starts = server.requests.dropFirst().compactMap {
                $0["Range"]?.dropFirst(6).split(separator: "-").first
            }
            if !isVersioned {
                #expect(starts.compactMap { Int($0) } == Array(stride(from: 34_464, to: 200_000, by: limit)))
            }
        }
    }

    @Test func `a server that sends few bytes at a time is left after a thousand ranges`() async throws {
        try await download.interrupted(in: folder) { request in
            let start = request["Range"].flatMap { Int($0.dropFirst(6).prefix { $0 != "-" }) } ?? 0
            return download.rest(range: "bytes \(start)-\(start)/200000", bytes: [download.content[start]])
        } _: { server in
            let run = try await folder.afcli("-o", "f", "--resume", server.url("/f"))
            #expect(run.status == 13, "\(run.errorText)")
            #expect(folder.has("f.part") && !folder.has("f"))
            #expect((1000...1003).contains(server.requests.count))
        }
    }

    @Test func `a 200 restarts the download in a new file`() async throws {
        let other = [UInt8](download.content.reversed())
        try await download.interrupted(in: folder) { _ in
            download.whole(other, fields: #"ETag: "v2""#)
        } _: { server in
            // As long as it is open, nothing else gets its number.
            let old = open(folder.file("f.part"), O_RDONLY)
            defer { close(old) }
            let number = try folder.fileNumber(of: "f.part")
            try await resume(server, expecting: other)
            #expect(try folder.fileNumber(of: "f") != number)
            var status = stat()
            #expect(fstat(old, &status) == 0 && status.st_size == 100_000)
            var first: UInt8 = 0xFF
            #expect(pread(old, &first, 1, 0) == 1 && first == download.content[0])
        }
    }

    @Test(arguments: [
        #"ETag: W/"v1""#, "ETag: v1", "X-None: 1",
        "Last-Modified: Sun, 01 Feb 2026 10:00:00 GMT\r\nDate: Sun, 01 Feb 2026 10:00:00 GMT",
        "Last-Modified: Sun, 01 Feb 2026 10:00:00 GMT", "ETag: \"v1\"\r\nAccept-Ranges: none",
        "ETag: W/\"v1\"\r\nLast-Modified: Sun, 01 Feb 2026 10:00:00 GMT\r\nDate: Sun, 01 Feb 2026 10:00:00 GMT",
    ])
    func `without a strong validator no download is resumed`(fields: String) async throws {
        let download = BrokenDownload(fields: fields)
        let other = [UInt8](download.content.reversed())
        try await download.interrupted(in: folder) { request in
            request["Range"] == nil ? download.whole(other) : download.rest()
        } _: { server in
            try await resume(server, expecting: other)
            #expect(server.requests.last?["Range"] == nil)
        }
    }

    @Test func `a date older than its response is a validator`() async throws {
        let fields = "Last-Modified: Sun, 01 Feb 2026 10:00:00 GMT\r\nDate: Sun, 01 Feb 2026 10:00:01 GMT"
        let download = BrokenDownload(fields: fields)
        try await download.interrupted(in: folder) { _ in
            download.rest()
        } _: { server in
            try await resume(server, expecting: download.content)
            #expect(server.requests.last?["If-Range"] == "Sun, 01 Feb 2026 10:00:00 GMT")
        }
    }

    @Test func `a 416 alone does not prove that a file is complete`() async throws {
        let other = [UInt8](download.content.reversed())
        try await download.interrupted(in: folder) { request in
            guard request["Range"] == nil else {
                return .raw("HTTP/1.1 416 No\r\nContent-Range: bytes */100000\r\nContent-Length: 0\r\n\r\n")
            }
            return download.whole(other, fields: #"ETag: "v2""#)
        } _: { server in
            try await resume(server, expecting: other)
        }
    }

    @Test func `a complete file is left unchanged only if it is proven to be the server's`() async throws {
        let version = Journal<String>()
        version.note("v1")
        try await withServer { request in
            let tag = "\"\(version.entries.last ?? "")\""
            if request["If-None-Match"] == tag { return .raw("HTTP/1.1 304 Not Modified\r\nETag: \(tag)\r\n\r\n") }
            if request["Range"] != nil { return .status(416).header("Content-Range", "bytes */5") }
            return .ok(tag == "\"v1\"" ? "first" : "other").header("ETag", tag)
        } _: { server in
            let words = ["-o", "f", "--resume", server.url("/f")]
            #expect(try await folder.afcli(words).status == 0)
            #expect(try await folder.afcli(words).status == 0)
            #expect(server.requests.last?["If-None-Match"] == "\"v1\"")
            version.note("v2")
            #expect(try await folder.afcli(words).status == 0)
            #expect(folder.holds("other", in: "f"))
            // The same bytes, but of unknown origin.
            try folder.write("prior", to: "f")
            #expect(try await folder.afcli(words).status == 0)
            #expect(folder.holds("other", in: "f"))
            #expect(folder.list() == ["f"])
        }
    }

    @Test func `a digest verifies a complete file, and a partial one once it is complete`() async throws {
        // Of "first" and "other".
        let digest = "a7937b64b8caa58f03721bb6bacf5c78cb235febe0e70b1b84cd99541461a08e"
        let wrong = "d9298a10d1b0735837dc4bd85dac641b0f3cef27a47e5d53a54f2f3f5b2fcffa"
        try await withServer { request in
            request["Range"] == nil
                ? .ok("first") : .raw("HTTP/1.1 416 No\r\nContent-Range: bytes */5\r\nContent-Length: 0\r\n\r\n")
        } _: { server in
            try folder.write("first", to: "f")
            let words = ["-o", "f", "--resume", server.url("/f"), "--checksum"]
            #expect(try await folder.afcli(words + ["sha256:\(digest)"]).status == 0)
            #expect(server.requests.isEmpty)
            // A file with a wrong checksum is downloaded again, and is not replaced by another wrong one.
            let refused = try await folder.afcli(words + ["sha256:\(wrong)"])
            #expect(refused.status == 15, "\(refused.errorText)")
            #expect(folder.holds("first", in: "f") && server.requests.count > 0)
            try folder.write("fi", to: "f")
            #expect(try await folder.afcli(words + ["sha256:\(digest)"]).status == 0)
            #expect(folder.holds("first", in: "f"))
        }
    }

    @Test func `a partial file and its record are not trusted if a server sent them`() async throws {
        try await withServer { request in
            let record = """
                {"version":1,"url":"http://\(request["Host"] ?? "")/f","partialPath":"f.part",\
                "entityTag":"\\"v1\\"","length":200000,"completedBytes":100000}
                """
            let named: (String) -> String = { "attachment; filename=\"\($0)\"" }
            switch (request.path, request["Range"]) {
            case ("/beginning", _):
                return .bytes([UInt8](repeating: 0x45, count: 100_000)).header("Content-Disposition", named("f.part"))
            case ("/record", _): return .ok(record).header("Content-Disposition", named("f.part.json"))
            case ("/f", nil): return download.whole()
            default: return download.rest()
            }
        } _: { server in
            for path in ["/beginning", "/record"] {
                #expect(try await folder.afcli("-d", server.url(path)).status == 0)
            }
            // In any case, the file is not a mixture of two.
            let run = try await folder.afcli("-o", "f", "--resume", server.url("/f"))
            #expect(run.status == 16, "\(run.errorText)")
            #expect(!folder.has("f") && server.requests.last?["Range"] == nil)
        }
    }

    @Test func `two processes do not write to one file`() async throws {
        let hasSecond = Gate()
        let isFirst = Once()
        try await withScriptedServer { connection in
            _ = try connection.readRequest()
            try connection.send("HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nContent-Length: 6\r\n\r\n")
            guard isFirst.take() else { return try connection.send("second") }
            try connection.send("fir")
            try connection.wait(for: hasSecond)
            try connection.send("st!")
        } _: { server in
            defer { hasSecond.open() }
            let first = try folder.tool(["-o", "f", server.url()]).start()
            try await eventually("the first has begun") { (try? folder.size(of: "f.part")) == 3 }
            for words in [["-o", "f"], ["-o", "f", "--resume"]] {
                let second = try await folder.afcli(words + [server.url()])
                #expect(second.status == 16)
                #expect(second.errorText.contains("another download is writing to"), "\(second.errorText)")
            }
            hasSecond.open()
            #expect(try await first.waitForEnd().status == 0)
            #expect(folder.holds("first!", in: "f"))
        }
    }
}
