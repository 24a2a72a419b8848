import AFCore
import FoundationEssentials
import TestSupport
import Testing

@Suite("Safety 23: validators on every 206", .timeLimit(.minutes(5)))
struct SafetyRow23ValidatorsTests {
    static let date = "Sun, 01 Feb 2026 10:00:00 GMT"
    static let otherDate = "Sun, 01 Feb 2026 10:00:07 GMT"
    static let bothValidators = "ETag: \"v1\"\r\nLast-Modified: \(date)"
    static let dateOnly = "Last-Modified: \(date)\r\nDate: Mon, 02 Feb 2026 10:00:00 GMT"

    let folder: ScratchFolder
    let download = BrokenDownload(fields: bothValidators)

    init() throws { folder = try ScratchFolder() }

    var other: [UInt8] { download.content.reversed() }

    /// Two ways to a request for the rest: another run, and another attempt of the same run.
    enum Way: CaseIterable {
        case resume, retry
    }

    /// Interrupts a download and continues it.
    ///
    /// - Returns: The run that sent the request for the rest.
    private nonisolated(nonsending) func continued(
        _ way: Way,
        _ download: BrokenDownload,
        _ words: [String] = [],
        _ response: @escaping @Sendable (RecordedRequest) -> LocalServer.Response,
        _ test: (ProgramResult, LocalServer) throws -> Void
    ) async throws {
        let isFirst = Once()
        try await withServer { request in
            isFirst.take() ? download.broken : response(request)
        } _: { server in
            var words = ["-o", "f", server.url("/f")] + words
            if way == .resume {
                try expect(try await folder.afcli(words).status == 13, "the first run is interrupted")
                words.append("--resume")
            } else {
                words += ["--retry", "2", "--retry-delay", "1ms"]
            }
            try test(try await folder.afcli(words), server)
        }
    }

    // A 206

    static let foreignRests: [(recorded: String, range: String?, fields: String)] = [
        (bothValidators, nil, "X-None: 1"), (bothValidators, nil, "Last-Modified: \(date)"),
        (bothValidators, nil, "ETag: \"v1\"\r\nLast-Modified: \(otherDate)"),
        (bothValidators, nil, "ETag: \"v1\"\r\nETag: \"v2\""), (bothValidators, nil, "ETag: \"v2\"\r\nETag: \"v1\""),
        (bothValidators, nil, "ETag: \"v1\"\r\nLast-Modified: \(date)\r\nLast-Modified: \(otherDate)"),
        (bothValidators, nil, "ETag: \"v1\"\r\nContent-Range: bytes 0-99999/200000"),
        (bothValidators, "bytes 0-99999/200000", "ETag: \"v1\"\r\nContent-Range: bytes 34464-199999/200000"),
        (bothValidators, "bytes 34464-199999/*", "ETag: \"v1\""),
        (dateOnly, nil, "X-None: 1"), (dateOnly, nil, "Last-Modified: \(otherDate)"),
        (dateOnly, nil, "ETag: \"v1\"\r\nETag: \"v2\"\r\nLast-Modified: \(date)"),
    ]

    @Test(arguments: foreignRests.indices, Way.allCases)
    func `a 206 without the recorded validator is rejected`(index: Int, way: Way) async throws {
        let (recorded, range, fields) = Self.foreignRests[index]
        let download = BrokenDownload(fields: recorded)
        try await continued(way, download) { request in
            guard request["Range"] != nil else { return download.whole(other, fields: "ETag: \"v2\"") }
            return download.rest(range: range, fields: fields, bytes: download.rest(of: other))
        } _: { (run, server) throws in
            #expect(run.status == 0, "\(run.errorText)")
            #expect(try folder.bytes(of: "f") == other)
            #expect(server.requests.map { $0["Range"] } == [nil, "bytes=34464-", nil])
            #expect(folder.list() == ["f"])
        }
    }

    @Test(arguments: [
        (bothValidators, "ETag: \"v1\""), (bothValidators, bothValidators), (dateOnly, "Last-Modified: \(date)"),
        (bothValidators, "ETag: \"v1\"\r\nETag: \"v1\""), (dateOnly, "Last-Modified: \(date)\r\nETag: \"new\""),
    ])
    func `an unused validator may be missing`(recorded: String, fields: String) async throws {
        let download = BrokenDownload(fields: recorded)
        try await continued(.resume, download) { _ in
            download.rest(fields: fields)
        } _: { (run, server) throws in
            #expect(run.status == 0, "\(run.errorText)")
            #expect(try folder.bytes(of: "f") == download.content)
            #expect(server.requests.count == 2)
        }
    }

    // A 200 that contradicts itself

    /// Heads that make the second half look like the complete file; the length follows.
    static let contradictions = [
        "ETag: \"v1\"\r\nContent-Range: bytes 34464-199999/200000", "Content-Range: bytes 34464-199999/200000",
        "ETag: \"v2\"\r\nContent-Range: bytes 0-199999/200000", "ETag: \"v2\"\r\nContent-Range: bytes */200000",
        "ETag: \"v1\"",
    ]

    @Test(arguments: contradictions.indices, Way.allCases)
    func `after an inconsistent 200 the complete file is requested`(index: Int, way: Way) async throws {
        let tail = Array(download.content[download.restStart...])
        try await continued(way, download) { request in
            guard request["Range"] != nil else { return download.whole() }
            return download.whole(tail, fields: Self.contradictions[index])
        } _: { (run, server) throws in
            #expect(run.status == 0, "\(run.errorText)")
            #expect(try folder.bytes(of: "f") == download.content)
            #expect(server.requests.map { $0["Range"] } == [nil, "bytes=34464-", nil])
        }
    }

    @Test(arguments: contradictions.indices.dropLast(), Way.allCases)
    func `a second contradiction is an error, and nothing is saved`(index: Int, way: Way) async throws {
        let tail = Array(download.content[download.restStart...])
        try folder.write("old", to: "f")
        try await continued(way, download) { _ in
            download.whole(tail, fields: Self.contradictions[index])
        } _: { (run, server) throws in
            #expect(run.status == 13, "\(run.errorText)")
            #expect(folder.holds("old", in: "f"))
            #expect(server.requests.prefix(3).map { $0["Range"] } == [nil, "bytes=34464-", nil])
        }
    }

    @Test(arguments: [150_000, 250_000])
    func `another length under the same strong entity tag is a contradiction`(length: Int) async throws {
        let bytes = [UInt8](repeating: 7, count: length)
        // Without Content-Length, the end of the connection ends the body.
        let unannounced = Array("HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nConnection: close\r\n\r\n".utf8) + bytes
        for isAnnounced in [true, false] {
            try await continued(.resume, download) { request in
                guard request["Range"] != nil else { return download.whole() }
                return isAnnounced ? download.whole(bytes) : .raw(unannounced)
            } _: { (run, server) throws in
                #expect(run.status == 0, "\(run.errorText)")
                #expect(try folder.bytes(of: "f") == download.content)
                #expect(server.requests.map { $0["Range"] } == [nil, "bytes=34464-", nil])
                #expect(folder.list() == ["f"])
            }
        }
    }

    @Test(arguments: [["-o", "f"], ["-o", "f", "--segments", "4"], ["-d"], ["-o", "f", "Range:bytes=100000-"]])
    func `a 200 with the Content-Range of a part is rejected`(words: [String]) async throws {
        try await withServer { _ in
            download.whole([1, 2, 3], fields: "ETag: \"v1\"\r\nContent-Range: bytes 3-5/6")
        } _: { server in
            let run = try await folder.afcli(["GET", server.url("/f")] + words)
            #expect(run.status == 13, "\(run.errorText)")
            #expect(folder.list().isEmpty)
        }
    }

    @Test(arguments: ["0-24/*", "0-24/319", "items 0-24/319", "items */319"])
    func `a 200 with a range of all bytes, or in another unit, is the complete file`(range: String) async throws {
        try await withServer { _ in
            .ok("[1, 2, 3]").header("Content-Range", range)
        } _: { server in
            let run = try await folder.afcli("-o", "f", server.url("/list"))
            #expect(run.status == 0, "\(run.errorText)")
            #expect(folder.holds("[1, 2, 3]", in: "f"))
        }
    }

    @Test func `a 204 with the recorded entity tag is a contradiction`() async throws {
        try await continued(.resume, download) { request in
            guard request["Range"] != nil else { return download.whole() }
            return .status(204).header("ETag", "\"v1\"")
        } _: { (run, server) throws in
            #expect(run.status == 0, "\(run.errorText)")
            #expect(try folder.bytes(of: "f") == download.content)
            #expect(server.requests.map { $0["Range"] } == [nil, "bytes=34464-", nil])
        }
    }

    @Test(arguments: ["Repr-Digest", "Content-Digest"])
    func `a digest of a trailer must match the finished file`(name: String) async throws {
        let response = LocalServer.Response.ok("hello").chunked()
            .trailer(name, "sha-256=:\(Data(repeating: 7, count: 32).base64EncodedString()):")
        try await withServer { _ in
            response
        } _: { server in
            let run = try await folder.afcli([server.url(), "-o", folder.file("f")])
            #expect(run.status == 15 && !folder.has("f"), "\(run.errorText)")
        }
    }

    // Digests announced by an earlier response

    /// The fields that announce digests of some content.
    func announcements(of content: [UInt8]) throws -> [String] {
        func digest(_ algorithm: Checksum.Algorithm) throws -> String {
            Data(try checksum(algorithm, of: content).bytes).base64EncodedString()
        }
        return [
            "Repr-Digest: sha-256=:\(try digest(.sha256)):", "Digest: SHA-512=\(try digest(.sha512))",
            "Content-MD5: \(try digest(.md5))",
        ]
    }

    func checksum(_ algorithm: Checksum.Algorithm, of content: [UInt8]) throws -> Checksum {
        let scratch = try ScratchFolder()
        return try Checksum(of: URL(filePath: try scratch.write(content, to: "content")), algorithm)
    }

    @Test(arguments: Way.allCases, 0..<3)
    func `a digest announced once must match the finished file`(way: Way, field: Int) async throws {
        let announced = try announcements(of: download.content)[field]
        let download = BrokenDownload(fields: "ETag: \"v1\"\r\n\(announced)")
        let mixed = download.content[..<download.half] + other[download.half...]
        // The server vouches for a rest of other bytes, and does not repeat the digest.
        try await continued(way, download) { request in
            request["Range"] == nil
                ? download.whole(Array(mixed), fields: "ETag: \"v1\"\r\n\(announced)")
                : download.rest(fields: "ETag: \"v1\"", bytes: download.rest(of: other))
        } _: { (run, _) throws in
            #expect(run.status == 15, "\(run.errorText)")
            #expect(!folder.has("f"))
        }
        // The right rest is as good as ever.
        try await continued(way, download) { _ in
            download.rest(fields: "ETag: \"v1\"")
        } _: { (run, server) throws in
            #expect(run.status == 0, "\(run.errorText)")
            #expect(try folder.bytes(of: "f") == download.content)
            #expect(server.requests.count == 2)
        }
    }

    @Test func `a 206 with another digest is of another version`() async throws {
        let announced = try announcements(of: download.content)[0]
        let otherAnnounced = try announcements(of: other)[0]
        let download = BrokenDownload(fields: "ETag: \"v1\"\r\n\(announced)")
        try await continued(.resume, download) { request in
            request["Range"] == nil
                ? download.whole(other, fields: "ETag: \"v1\"\r\n\(otherAnnounced)")
                : download.rest(fields: "ETag: \"v1\"\r\n\(otherAnnounced)", bytes: download.rest(of: other))
        } _: { (run, _) throws in
            #expect(run.status == 0, "\(run.errorText)")
            #expect(try folder.bytes(of: "f") == other)
        }
    }

    @Test func `a 304 with the validators of another version is no proof`() async throws {
        for fields in ["ETag: \"v2\"", "ETag: \"v1\"\r\nLast-Modified: \(Self.otherDate)"] {
            let isFirst = Once()
            try await withServer { request in
                if request["If-None-Match"] != nil { return .raw("HTTP/1.1 304 Not Modified\r\n\(fields)\r\n\r\n") }
                let body = isFirst.take() ? "old" : "new"
                return .ok(body).header("ETag", "\"v1\"").header("Last-Modified", Self.date)
            } _: { (server) async throws in
                let words = ["-o", "f", "--overwrite", "--resume", server.url()]
                #expect(try await folder.afcli(words).status == 0)
                #expect(try await folder.afcli(words).status == 0)
                #expect(folder.holds("new", in: "f"))
            }
        }
    }

    @Test func `a digest of an encoded body is compared with the bytes that it is about`() async throws {
        let (right, wrong) = try (announcements(of: CodedBody.gzip.bytes)[0], announcements(of: [1])[0])
        for (fields, status) in [(right, 0), (wrong, 15)] {
            try await withServer { _ in
                .raw(
                    Array(
                        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\(fields)\r\nConnection: close\r\n\r\n".utf8)
                        + CodedBody.gzip.bytes)
            } _: { (server) async throws in
                for name in ["decoded\(status).txt", "archive\(status).gz"] {
                    let run = try await folder.afcli("-o", name, "--overwrite", server.url())
                    #expect(run.status == Int32(status), "\(name): \(run.errorText)")
                    #expect(folder.has(name) == (status == 0))
                }
            }
        }
    }

    // A typed range

    static let wrongRanges: [(range: String, answer: String)] = [
        ("0-3", "Content-Range: bytes 4-7/20\r\nContent-Length: 4\r\n\r\n4567"),
        ("-4", "Content-Range: bytes 0-3/20\r\nContent-Length: 4\r\n\r\n0123"),
        ("0-3", "Content-Range: bytes 0-3/20\r\nContent-Length: 2\r\n\r\n01"),
        ("0-3", "Content-Range: bytes 0-3/20\r\nContent-Length: 6\r\n\r\n012345"),
        ("0-3", "Content-Range: bytes 0-1/20\r\nContent-Length: 2\r\n\r\n01"),
        ("0-3", "Content-Length: 4\r\n\r\n0123"),
        ("0-3", "Content-Range: bytes 0-3/20\r\nContent-Range: bytes 4-7/20\r\nContent-Length: 4\r\n\r\n0123"),
        ("0-3", "Content-Range: bytes 0-3/20\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n01\r\n0\r\n\r\n"),
    ]

    @Test(arguments: wrongRanges)
    func `a 206 that is not the typed range is an error`(range: String, answer: String) async throws {
        try folder.write("old", to: "f")
        try await withServer { _ in
            .raw("HTTP/1.1 206 Partial Content\r\n" + answer)
        } _: { (server) async throws in
            for words in [
                ["--range", range], ["Range:bytes=\(range)"], ["--range", range, "--overwrite", "-o", "f"],
                ["--range", range, "-o", "new", "--no-check-status", "--retry", "2"],
            ] {
                let run = try await folder.afcli([server.url()] + words)
                #expect(run.status == 13, "\(words): \(run.errorText)")
                // Bytes in chunks are shown before their end is known.
                if !answer.contains("chunked") { #expect(run.text.isEmpty, "\(words)") }
            }
            let curl = try await folder.afcli(["curl", "-s", "-r", range, server.url()])
            #expect(curl.status != 0)
            #expect(server.requests.count == 5)
            #expect(folder.holds("old", in: "f"))
            #expect(folder.list() == ["f"])
        }
    }

    @Test(arguments: [
        ("0-99", "Content-Range: bytes 0-3/4\r\nContent-Length: 4\r\n\r\n0123"),
        ("0-3", "Content-Range: bytes 0-3/*\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n0123\r\n0\r\n\r\n"),
        ("-4", "Content-Range: bytes 0-3/4\r\nContent-Range: bytes 0-3/4\r\nContent-Length: 4\r\n\r\n0123"),
        ("0-1,3-4", "Content-Type: multipart/byteranges; boundary=b\r\nContent-Length: 4\r\n\r\n0123"),
    ])
    func `a 206 that is the typed range is accepted`(range: String, answer: String) async throws {
        try await withServer { _ in
            .raw("HTTP/1.1 206 Partial Content\r\n" + answer)
        } _: { (server) async throws in
            #expect(try await folder.afcli("-b", "--range", range, server.url()).text == "0123")
            #expect(try await folder.afcli("-o", "f", "--range", range, server.url()).status == 0)
            #expect(folder.holds("0123", in: "f"))
        }
    }
}
