import Synchronization
import TestSupport
import Testing

@testable import AFCommand

/// The messages about a download besides its result.
@Suite(.timeLimit(.minutes(5))) struct DownloadMessageTests {
    let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private static let half = "HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 10\r\n\r\n01234"

    /// Downloads five of ten bytes of version "1", then responds to another run.
    private nonisolated(nonsending) func resumed(
        with answer: @escaping @Sendable (RecordedRequest) -> LocalServer.Response
    ) async throws -> ToolRun {
        let count = Mutex(0)
        return try await withServer { request in
            let isFirst = count.withLock { count in
                count += 1
                return count == 1
            }
            return isFirst ? .raw(Self.half) : answer(request)
        } _: { server in
            #expect(await runTool("-o", folder.file("f"), server.url()).status == 13)
            return await runTool("--resume", "-o", folder.file("f"), server.url())
        }
    }

    @Test func `restarting is reported with the reason`() async throws {
        let other = try await resumed { _ in .ok("abcdefghij").header("ETag", "\"2\"") }
        #expect(other.status == 0)
        #expect(other.messages.first == "afcli: the server has another version: restarting the download")
        let whole = try await resumed { _ in .ok("0123456789").header("ETag", "\"1\"") }
        #expect(whole.status == 0)
        #expect(whole.messages.first == "afcli: the server sends the complete file: restarting the download")
        let refused = try await resumed { request in
            request["Range"] != nil ? .status(416, "") : .ok("0123456789").header("ETag", "\"1\"")
        }
        #expect(refused.status == 0)
        #expect(refused.messages.first == "afcli: the server refuses to send the rest: restarting the download")
        let rest = try await resumed { _ in
            .status(206, "3456789").header("ETag", "\"1\"").header("Content-Range", "bytes 3-9/10")
        }
        #expect(rest.status == 0)
        #expect(!rest.errors.contains("restarting"))
    }

    /// A response to the request for the rest of a file, with the messages that it leads to.
    struct Rest: Sendable, CustomTestStringConvertible {
        var first = "ETag: \"1\""
        var status = 206
        var fields: String
        var range: String? = "3-9/10"
        var body = "3456789"
        var reason: String?
        var advice: String?
        var testDescription: String { "\(status) \(fields) \(range ?? "")" }

        static let date = "Last-Modified: Sun, 01 Feb 2026 10:00:00 GMT"
        static let dated = "\(date)\r\nDate: Sun, 01 Feb 2026 11:00:00 GMT"
        static let laterDate = "Last-Modified: Sun, 01 Feb 2026 12:00:00 GMT"
        static let ignored = "the server has another version (this server ignores If-Range)"
        static let badTag = "the file has changed under the same ETag (the server's ETag is not reliable)"
        static let badDate = "the file has changed under the same date (the server's Last-Modified is not reliable)"
        static let tornado = "Server: TornadoServer/6.4"
        static let otherReason = "the server has another version"
        static let checksum = "--checksum verifies the complete file"

        var response: String {
            let range = range.map { "Content-Range: bytes \($0)\r\n" } ?? ""
            let head = "HTTP/1.1 \(status) X\r\n\(fields)\r\n\(range)Content-Length: \(body.utf8.count)\r\n\r\n"
            return head + body
        }
    }

    static let rests = [
        // Another version in spite of If-Range.
        Rest(fields: "ETag: \"2\"", reason: Rest.ignored),
        Rest(fields: "ETag: \"2\"\r\nServer: any/1", reason: Rest.ignored),
        Rest(
            fields: "ETag: \"2\"\r\nServer: TwistedWeb/22.4",
            reason: "the server has another version (Twisted ignores If-Range)"),
        Rest(first: Rest.dated, fields: Rest.laterDate, reason: Rest.ignored),
        // A weak tag, a missing one, several ones, and a complete response do not prove that.
        Rest(fields: "ETag: W/\"1\"", reason: Rest.otherReason),
        Rest(fields: "X-None: 1", reason: Rest.otherReason),
        Rest(fields: "ETag: \"1\"\r\nETag: \"2\"", reason: Rest.otherReason),
        Rest(status: 200, fields: "ETag: \"2\"", range: nil, body: "0123456789ab", reason: Rest.otherReason),
        // Other bytes or another length under the same validator.
        Rest(fields: "ETag: \"1\"", body: "xxxxxxx", reason: Rest.badTag, advice: Rest.checksum),
        Rest(fields: "ETag: \"1\"", range: "3-11/12", body: "3456789ab", reason: Rest.badTag, advice: Rest.checksum),
        Rest(
            status: 200, fields: "ETag: \"1\"", range: nil, body: "0123456789ab", reason: Rest.badTag,
            advice: Rest.checksum),
        Rest(
            fields: "ETag: \"1\"\r\n\(Rest.tornado)", range: "3-11/12", body: "3456789ab",
            reason: "the file has changed under the same ETag (Tornado's ETag is not reliable)",
            advice: "Tornado keeps the ETag of a changed file until it is restarted; \(Rest.checksum)"),
        Rest(first: Rest.dated, fields: Rest.date, body: "xxxxxxx", reason: Rest.badDate, advice: Rest.checksum),
        Rest(
            first: Rest.dated, fields: Rest.date, range: "3-11/12", body: "3456789ab", reason: Rest.badDate,
            advice: Rest.checksum),
        // The file may have been written again with the same bytes.
        Rest(
            first: "ETag: \"1\"\r\n\(Rest.date)", fields: "ETag: \"1\"\r\n\(Rest.laterDate)",
            reason: "Last-Modified has changed, but the ETag has not", advice: Rest.checksum),
        // A known server without a fault is not named.
        Rest(fields: "ETag: \"1\"\r\n\(Rest.tornado)"),
    ]

    @Test(arguments: rests)
    func `a restart names the fault of the server's validators that its response proves`(rest: Rest) async throws {
        let count = Mutex(0)
        try await withServer { request in
            let isFirst = count.withLock { count in
                count += 1
                return count == 1
            }
            if isFirst { return .raw("HTTP/1.1 200 OK\r\n\(rest.first)\r\nContent-Length: 10\r\n\r\n01234") }
            return request["Range"] == nil ? .ok("abcdefghijkl").header("ETag", "\"3\"") : .raw(rest.response)
        } _: { (server) async throws in
            #expect(await runTool("-o", folder.file("f"), server.url()).status == 13)
            let run = await runTool("--resume", "-o", folder.file("f"), server.url())
            #expect(run.status == 0, "\(run.errors)")
            #expect(server.requests.dropFirst().first?["Range"] == "bytes=3-")
            let notes = rest.reason.map { ["afcli: \($0): restarting the download"] } ?? []
            #expect(run.messages.filter { $0.contains("restarting") } == notes, "\(run.errors)")
            #expect(run.messages.filter { $0.contains("--checksum") } == (rest.advice.map { ["afcli: \($0)"] } ?? []))
            let isComplete = rest.status == 200 && rest.reason == Rest.otherReason
            #expect(folder.holds(isComplete ? rest.body : rest.reason == nil ? "0123456789" : "abcdefghijkl", in: "f"))
        }
    }

    @Test(arguments: [
        ("56789", ["ETag: \"1\"", "Content-Range: bytes 5-9/10"], " sent another range than requested"),
        ("3456789", ["Content-Range: bytes 3-9/10"], " sent a part without the validator of the file"),
        ("3456789", ["ETag: \"1\""], " did not say which range of the file it sent"),
        ("3456789", ["ETag: \"1\"", "Content-Range: bytes 3-9/*"], " did not say which range of the file it sent"),
        ("345", ["ETag: \"1\"", "Content-Range: bytes 3-9/10"], " sent another number of bytes than its range has"),
        (
            "--x--", ["ETag: \"1\"", "Content-Type: multipart/byteranges; boundary=x"],
            " sent several ranges instead of the rest"
        ),
    ])
    func `a rejected part is reported with the reason`(body: String, fields: [String], reason: String) async throws {
        let run = try await resumed { request in
            guard request["Range"] != nil else { return .ok("0123456789").header("ETag", "\"1\"") }
            let head = ["HTTP/1.1 206 Partial Content", "Content-Length: \(body.utf8.count)"] + fields
            return .raw(head.joined(separator: "\r\n") + "\r\n\r\n" + body)
        }
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.messages.first == "afcli: the server\(reason): restarting the download", "\(run.errors)")
        #expect(folder.holds("0123456789", in: "f"))
    }

    @Test func `a message says that the partial file is of another resource`() async throws {
        try await withServer { request in
            let isRange = request["Range"] != nil
            return isRange ? .status(206, "0123456789").header("Content-Range", "bytes 0-9/10") : .ok("0123456789")
        } _: { server in
            try folder.write("01x", to: "f")
            let run = await runTool("--resume=unsafe", "-o", folder.file("f"), server.url())
            #expect(run.status == 0)
            let sentence = "afcli: the partial file is not the start of the server's file: restarting the download"
            #expect(run.messages.contains(sentence), "\(run.errors)")
            #expect(folder.holds("0123456789", in: "f"))
        }
    }

    @Test func `programs receive a failure and the name of the file`() async throws {
        let name = "Content-Disposition: attachment; filename=own.bin"
        let head = "HTTP/1.1 200 OK\r\n\(name)\r\nContent-Length: 10\r\n\r\n01234"
        try await withServer { _ in
            .raw(head)
        } _: { server in
            let run = await runTool("--progress=json", "-d", "-o", folder.path + "/", server.url("/url.bin"))
            #expect(run.status == 13)
            let events = run.messages.filter { $0.hasPrefix("{") }
            #expect(events.last?.contains("\"phase\":\"failed\",\"bytes\":5,\"total\":10") == true, "\(run.errors)")
            #expect(events.allSatisfy { $0.contains("\"name\":\"own.bin\"") }, "\(run.errors)")
            #expect(!events.contains { $0.contains("done") })
            let directory = try folder.folder("b") + "/"
            let bar = await runTool("--progress=always", "-d", "-o", directory, server.url("/url.bin"))
            #expect(bar.errors.contains("own.bin  ━") && !bar.errors.contains("url.bin"), "\(bar.errors)")
        }
    }

    @Test func `a binary body among messages is not shown`() async throws {
        try await withServer { _ in
            .raw("HTTP/1.1 404 Not Found\r\nContent-Type: image/png\r\nContent-Length: 5\r\n\r\nPNG\u{0}\u{1}")
        } _: { server in
            let run = await runTool("-o", folder.file("f"), server.url())
            #expect(run.status == 4)
            #expect(run.errors.contains("| NOTE: binary data not shown |"))
            #expect(!run.errors.utf8.contains(0))
            #expect(run.output.isEmpty && !folder.has("f"))
        }
    }

    @Test func `a text is shown unchanged`() async throws {
        try await withServer { _ in
            .raw("HTTP/1.1 404 Not Found\r\nContent-Type: application/json\r\n\r\n{\"a\":  1}")
        } _: { server in
            let run = await runTool("-o", folder.file("f"), server.url())
            #expect(run.errors.contains("{\"a\":  1}"))
        }
    }

    @Test func `standard output has several names`() async throws {
        try await withServer { _ in
            .ok("body")
        } _: { server in
            for name in ["-", "/dev/stdout", "/dev/fd/1"] {
                #expect(await runTool("-o", name, server.url()).output == "body")
            }
        }
    }

    @Test func `a replaced file keeps its permissions`() async throws {
        try await withServer { _ in
            .ok("new")
        } _: { server in
            for mode in [0o600, 0o755, 0o640] as [UInt32] {
                try folder.write("old", to: "f")
                try folder.setPermissions(mode, of: "f")
                #expect(await runTool("-o", folder.file("f"), server.url()).status == 0)
                #expect(folder.holds("new", in: "f"))
                #expect(try folder.permissions(of: "f") == mode)
            }
        }
    }
}
