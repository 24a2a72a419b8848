import Synchronization
import TestSupport
import Testing

@testable import AFCommand

/// Downloads with a content coding, which may be the file's own.
@Suite(.timeLimit(.minutes(5))) struct CodedDownloadTests {
    let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private func server(_ body: CodedBody, named coding: String? = nil, type: String) throws -> LocalServer {
        try LocalServer { _ in
            .bytes(body.bytes).header("Content-Encoding", coding ?? body.coding).header("Content-Type", type)
        }
    }

    @Test(arguments: [
        ("pkg.tar.gz", "application/gzip", "x-gzip", false), ("pkg.tgz", "text/plain", "gzip", false),
        ("PKG.TAR.GZ", "text/plain", "gzip", false), ("pkg.tar.gz-1", "text/plain", "gzip", false),
        ("picture.svgz", "image/svg+xml", "gzip", false), ("out", "application/gzip", "gzip", false),
        ("out", "application/x-gzip", "GZIP", false), ("data.json", "application/json", "gzip", true),
        ("out", "text/plain", "gzip", true), ("gz", "text/plain", "gzip", true), ("a.br", "text/plain", "gzip", true),
        ("a.gz.txt", "text/plain", "gzip", true),
    ])
    func `the coding of an archive is its own, others are decoded`(
        name: String,
        type: String,
        coding: String,
        isDecoded: Bool
    ) async throws {
        let server = try server(.gzip, named: coding, type: type)
        let run = await runTool("-o", folder.file(name), server.url("/x"))
        #expect(run.status == 0, "\(run.errors)")
        #expect(try folder.bytes(of: name) == (isDecoded ? Array(CodedBody.text.utf8) : CodedBody.gzip.bytes))
    }

    @Test(arguments: [("a.br", CodedBody.brotli), ("a.zst", .zstd), ("a.tzst", .zstd)])
    func `archives of other codings are saved as received`(name: String, body: CodedBody) async throws {
        let server = try server(body, type: "text/plain")
        let run = await runTool("-o", folder.file(name), server.url())
        #expect(run.status == 0, "\(run.errors)")
        #expect(try folder.bytes(of: name) == body.bytes)
    }

    @Test func `the name of the server decides, too`() async throws {
        let server = try server(.gzip, type: "text/plain")
        #expect(await runTool("-d", "--output-dir", folder.path, server.url("/pkg.tar.gz")).status == 0)
        #expect(await runTool("-d", "--output-dir", folder.path, server.url("/pkg.tar.gz")).status == 0)
        #expect(await runTool("-d", "--output-dir", folder.path, server.url("/page")).status == 0)
        #expect(try folder.bytes(of: "pkg.tar.gz") == CodedBody.gzip.bytes)
        #expect(try folder.bytes(of: "pkg.tar.gz-1") == CodedBody.gzip.bytes)
        #expect(try folder.bytes(of: "page.txt") == Array(CodedBody.text.utf8))
    }

    @Test(arguments: [
        ["ETag": "\"1\"", "Content-Encoding": "gzip"], ["ETag": "\"1\"", "Content-Encoding": "br"],
        ["Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT", "Content-Encoding": "gzip"],
        ["ETag": "\"1\"", "Accept-Ranges": "none"],
    ])
    func `a complete file that cannot be resumed is asked for by its validator`(fields: [String: String]) async throws {
        let body: CodedBody? = fields["Content-Encoding"].map { $0 == "br" ? .brotli : .gzip }
        let version = Mutex("\"1\"")
        try await withServer { request in
            let isKnown = request["If-None-Match"] == version.withLock(\.self) || request["If-Modified-Since"] != nil
            let answer: LocalServer.Response =
                isKnown ? .status(304) : .bytes(body?.bytes ?? Array(CodedBody.text.utf8))
            let named = fields.reduce(answer) {
                isKnown && $1.key == "Content-Encoding" ? $0 : $0.header($1.key, $1.value)
            }
            return named.header("Date", "Mon, 07 Nov 1994 08:49:37 GMT")
        } _: { server in
            let words = ["-o", folder.file("f"), server.url()]
            #expect(await runTool(words).status == 0)
            for _ in 1...2 {
                let again = await runTool(words + ["--resume"])
                #expect(again.status == 0)
                #expect(again.errors.contains("is complete and up to date"), "\(again.errors)")
                #expect(server.requests.last?["Range"] == nil)
            }
            #expect(server.requests.count == 3)
            #expect(folder.holds(CodedBody.text, in: "f"))
            // A changed file is not known any more.
            try folder.write("mine", to: "f")
            #expect(await runTool(words + ["--resume"]).status == 0)
            #expect(server.requests.last?["If-None-Match"] == nil && server.requests.last?["If-Modified-Since"] == nil)
        }
    }

    @Test func `another version of a decoded file is downloaded`() async throws {
        let version = Mutex(1)
        try await withServer { _ in
            version.withLock { number in
                defer { number += 1 }
                return .bytes(CodedBody.gzip.bytes).header("Content-Encoding", "gzip").header("ETag", "\"\(number)\"")
            }
        } _: { server in
            for number in 1...3 {
                let run = await runTool("-o", folder.file("f"), "--resume", server.url())
                #expect(run.status == 0 && run.errors.contains("saved to"), "\(run.errors)")
                #expect(server.requests.last?["If-None-Match"] == (number == 1 ? nil : "\"\(number - 1)\""))
                #expect(server.requests.last?["Range"] == nil)
                #expect(folder.holds(CodedBody.text, in: "f"))
            }
        }
    }

    @Test func `an archive is resumed as received`() async throws {
        let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        let isFirst = Mutex(true)
        try await withServer { request in
            let fields = "ETag: \"1\"\r\nContent-Encoding: gzip\r\n"
            guard let range = request["Range"], let start = Int(range.dropFirst(6).dropLast()) else {
                let isBroken = isFirst.withLock { isFirst in
                    defer { isFirst = false }
                    return isFirst
                }
                let head = "HTTP/1.1 200 OK\r\n\(fields)Content-Length: 200000\r\n\r\n"
                return .raw(Array(head.utf8) + (isBroken ? bytes.prefix(100_000) : bytes[...]))
            }
            let head = """
                HTTP/1.1 206 Partial Content\r\n\(fields)Content-Length: \(200_000 - start)\r
                Content-Range: bytes \(start)-199999/200000\r\n\r\n
                """
            return .raw(Array(head.utf8) + bytes[start...])
        } _: { (server) async throws in
            let words = ["-o", folder.file("a.tar.gz"), server.url()]
            #expect(await runTool(words).status == 13)
            let run = await runTool(words + ["--resume"])
            #expect(run.status == 0, "\(run.errors)")
            #expect(server.requests.count == 2)
            #expect(try folder.bytes(of: "a.tar.gz") == bytes)
        }
    }

    @Test(arguments: [true, false], [true, false])
    func `a coded file and a decoded one do not continue each other`(isBroken: Bool, isDecodedFirst: Bool) async throws
    {
        let body = CodedBody.gzip.bytes
        let hasAnswered = Mutex(false)
        try await withServer { request in
            let fields = "ETag: \"1\"\r\nContent-Encoding: gzip\r\n"
            if request["If-None-Match"] != nil { return .raw("HTTP/1.1 304 Not Modified\r\nETag: \"1\"\r\n\r\n") }
            if let range = request["Range"], let start = Int(range.dropFirst(6).dropLast()) {
                let head = "HTTP/1.1 206 Partial Content\r\n\(fields)Content-Length: \(body.count - start)\r\n"
                let part = "Content-Range: bytes \(start)-\(body.count - 1)/\(body.count)\r\n\r\n"
                return .raw(Array((head + part).utf8) + body[start...])
            }
            let isFirst = !hasAnswered.withLock { hasAnswered in
                defer { hasAnswered = true }
                return hasAnswered
            }
            let head = "HTTP/1.1 200 OK\r\n\(fields)Content-Length: \(body.count)\r\n\r\n"
            return .raw(Array(head.utf8) + (isFirst && isBroken ? body.dropLast(10) : body[...]))
        } _: { server in
            let words = ["-o", folder.file("f"), server.url()]
            let first = await runTool(words + (isDecodedFirst ? [] : ["--no-decode"]))
            #expect(first.status == (isBroken ? 13 : 0))
            let second = await runTool(words + ["--resume"] + (isDecodedFirst ? ["--no-decode"] : []))
            #expect(second.status == 0, "\(second.errors)")
            #expect(try folder.bytes(of: "f") == (isDecodedFirst ? body : Array(CodedBody.text.utf8)))
            if isBroken, !isDecodedFirst {
                let reason = "the partial file was downloaded with --no-decode: restarting the download"
                #expect(second.errors.contains(reason), "\(second.errors)")
            }
            // The same options continue to find the file complete.
            let third = await runTool(words + ["--resume"] + (isDecodedFirst ? ["--no-decode"] : []))
            #expect(third.errors.contains("is complete and up to date"), "\(third.errors)")
        }
        #expect(folder.list() == ["f"])
    }

    @Test(arguments: ["UTF-8", "aws-chunked", "compress", "gzip, foo"])
    func `an unknown coding is a warning that names it`(coding: String) async throws {
        try await withServer { request in
            request.path == "/missing"
                ? .status(404, "text").header("Content-Encoding", coding)
                : .ok("text").header("Content-Encoding", coding)
        } _: { (server) async throws in
            let name = coding.split(separator: " ").last.map { $0.lowercased() } ?? ""
            let warning = "afcli: warning: the content coding '\(name)' is unknown: the body is not decoded"
            let shown = await runTool("-b", server.url())
            #expect(shown.output == "text")
            #expect((shown.status, shown.messages.first) == (0, warning))
            let saved = await runTool("-o", folder.file("f"), server.url())
            #expect(saved.status == 0)
            #expect(saved.messages.contains(warning))
            #expect(folder.holds("text", in: "f"))
            #expect(await runTool(server.url("/missing")).status == 4)
            #expect(await runTool("-I", "head", server.url()).messages.contains(warning) == false)
        }
    }
}
