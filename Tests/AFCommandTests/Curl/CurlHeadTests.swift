import Synchronization
import TestSupport
import Testing

@testable import AFCommand

/// Response headers in files, and the other files of `afcli curl`.
struct CurlHeadTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private func withResponses(_ body: (LocalServer) async throws -> Void) async throws {
        try await withServer { request in
            switch request.path {
            case "/redirect": .raw("HTTP/1.1 302 Found\r\nLocation: /x\r\nContent-Length: 2\r\n\r\nno")
            case "/early":
                .raw("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            case "/cut": .raw("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nok")
            case "/missing": .raw("HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\nno")
            case "/same": .raw("HTTP/1.1 304 Not Modified\r\n\r\n")
            case "/part" where request["Range"] == "bytes=2-":
                .raw("HTTP/1.1 206 Partial\r\nContent-Range: bytes 2-3/4\r\nContent-Length: 2\r\n\r\ncd")
            case "/end" where request["Range"] != nil:
                .raw("HTTP/1.1 416 No\r\nContent-Range: bytes */2\r\nContent-Length: 3\r\n\r\nbad")
            default: .raw("HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nContent-Length: 2\r\n\r\nok")
            }
        } _: {
            try await body($0)
        }
    }

    private let head = "HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nContent-Length: 2\r\n\r\n"

    @Test func `-D writes the headers of all responses to a file`() async throws {
        try await withResponses { server in
            let file = folder.file("head")
            let run = await runTool("curl", "-sL", "-D", file, server.url("/redirect"), server.url("/early"))
            #expect(run.status == 0 && run.output == "okok", "\(run.errors)")
            let expected = """
                HTTP/1.1 302 Found\r\nLocation: /x\r\nContent-Length: 2\r\n\r\n\(head)\
                HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n
                """
            #expect(folder.holds(expected, in: "head"))
            #expect(folder.list() == ["head"])
        }
    }

    @Test func `-D - writes the headers to standard output, and -o the body to a file`() async throws {
        try await withResponses { server in
            let run = await runTool("curl", "-s", "-D", "-", "-o", folder.file("f"), "-w", "%{http_code}", server.url())
            #expect(run.status == 0 && run.output == head + "200", "\(run.output)\(run.errors)")
            #expect(folder.holds("ok", in: "f") && run.errors.isEmpty)
        }
    }

    @Test(arguments: [["-i"], ["-I"], ["-iL"]])
    func `-o with -i or -I writes headers and body to the file`(words: [String]) async throws {
        try await withResponses { server in
            let path = words == ["-iL"] ? "/redirect" : "/"
            let run = await runTool(["curl", "-s", "-o", folder.file("f"), server.url(path)] + words)
            #expect(run.status == 0 && run.output.isEmpty && run.errors.isEmpty, "\(run.errors)")
            let first = words == ["-iL"] ? "HTTP/1.1 302 Found\r\nLocation: /x\r\nContent-Length: 2\r\n\r\n" : ""
            #expect(folder.holds(first + head + (words == ["-I"] ? "" : "ok"), in: "f"))
            #expect(folder.list() == ["f"])
        }
    }

    @Test func `-I with -o /dev/null shows only --write-out`() async throws {
        try await withResponses { server in
            let run = await runTool("curl", "-sI", "-o", "/dev/null", "-w", "%{http_code}\n", server.url())
            #expect(run.output == "200\n" && run.errors.isEmpty, "\(run.output)\(run.errors)")
        }
    }

    @Test func `a file with headers is unchanged after an incomplete response`() async throws {
        try folder.write("old", to: "f")
        try await withResponses { server in
            #expect(await runTool("curl", "-s", "-i", "-o", folder.file("f"), server.url("/cut")).status == 18)
            #expect(folder.holds("old", in: "f") && folder.list() == ["f"])
        }
    }

    @Test func `-C OFFSET appends the rest, and changes nothing without one`() async throws {
        try await withResponses { server in
            for (path, offset, status, expected) in [
                ("/part", "2", 0, "abcd"), ("/", "1", 33, "ab"), ("/end", "2", 0, "ab"), ("/missing", "1", 33, "ab"),
                ("/", "0", 0, "ok"), ("/", "2", 0, "ab"),
            ] as [(String, String, Int32, String)] {
                try folder.write("ab", to: "f")
                let run = await runTool("curl", "-s", "-C", offset, "-o", folder.file("f"), server.url(path))
                #expect(run.status == status, "\(path): \(run.errors)")
                #expect(folder.holds(expected, in: "f") && folder.list() == ["f"], "\(path)")
            }
            #expect(await runTool("curl", "-s", "-C", "2", server.url("/part")).output == "cd")
            let refused = await runTool("curl", "-s", "-C", "1", server.url("/"))
            #expect(refused.status == 33 && refused.output.isEmpty)
        }
    }

    @Test func `--etag-save writes the entity tag, and keeps it after a 304`() async throws {
        try await withResponses { server in
            let words = ["curl", "-s", "--etag-save", folder.file("tag"), "--etag-compare", folder.file("tag")]
            #expect(await runTool(words + [server.url()]).output == "ok")
            #expect(folder.holds("\"v1\"\n", in: "tag"))
            #expect(await runTool(words + [server.url("/same")]).status == 0)
            #expect(folder.holds("\"v1\"\n", in: "tag"))
            #expect(server.requests.map { $0["If-None-Match"] } == ["\"\"", "\"v1\""])
        }
    }

    @Test func `a missing file of --etag-compare has no tag, which is a warning`() async throws {
        try await withResponses { server in
            let run = await runTool("curl", "--etag-compare", folder.file("none"), server.url())
            #expect(run.status == 0 && run.output == "ok", "\(run.errors)")
            #expect(run.errors.contains("--etag-compare: cannot read '\(folder.file("none"))': no such file"))
            #expect(run.errors.contains("no tag is compared"), "\(run.errors)")
            #expect(server.requests.map { $0["If-None-Match"] } == ["\"\""])
        }
    }

    @Test func `the exit number is curl's`() async throws {
        try await withResponses { server in
            let missing = server.url("/missing")
            for (words, status) in [
                ([missing], 0), (["-f", missing], 22), (["--fail-with-body", missing], 22),
                ([server.url("/cut")], 18), (["http://127.0.0.1:1/"], 7), (["http://a.invalid/"], 6),
                (["-x", "http://a.invalid/", missing], 5), (["--max-filesize", "1", server.url()], 63),
                (["--no-such-option", missing], 2), (["ftp://h/"], 1), (["--proto", "=https", missing], 1),
                (["http://[::1/"], 3), (["-T", folder.file("none"), missing], 26),
                (["-o", folder.file("none/f"), missing], 23),
                (["-L", "--max-redirs", "0", server.url("/redirect")], 47),
                (["--cacert", folder.file("none"), "https://127.0.0.1:1/"], 77), (["-f", missing, server.url()], 0),
                (["-f", "--fail-early", missing, server.url()], 22),
            ] as [([String], Int32)] {
                let run = await runTool(["curl", "-s"] + words)
                #expect(run.status == status, "\(words): \(run.errors)")
            }
        }
    }

    @Test func `--write-out has curl's exit number, and the number of the URL`() async throws {
        try await withResponses { server in
            let words = ["-sf", "-w", "%{exitcode} %{urlnum} %{xfer_id} "]
            let run = await runTool(["curl"] + words + [server.url("/missing"), server.url("/cut")])
            #expect(run.status == 18 && run.output == "22 0 0 ok18 1 1 ", "\(run.output)")
        }
    }

    @Test func `-S says which status failed`() async throws {
        try await withResponses { server in
            let run = await runTool("curl", "-fsSL", server.url("/missing"))
            #expect(run.messages.first == "curl: (22) The requested URL returned error: 404")
            #expect(await runTool("curl", "-fs", server.url("/missing")).errors.isEmpty)
        }
    }
}
