import Foundation
import Glibc
import TestSupport
import Testing

@testable import AFCommand

/// The files of bodies and headers, as far as curl itself is not compared.
struct CurlOutputTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    @Test func `a file with other bytes is unchanged after an error, and its mode is kept`() async throws {
        try folder.write("old", to: "f")
        try folder.setPermissions(0o600, of: "f")
        try await withServer { request in
            request.path == "/cut" ? .raw("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nok") : .status(404, "no")
        } _: { server in
            for words in [["-o"], ["-i", "-o"], ["--remove-on-error", "-o"]] {
                let run = await runTool(["curl", "-s"] + words + [folder.file("f"), server.url("/cut")])
                #expect(run.status == 18 && folder.holds("old", in: "f"), "\(words)")
            }
            for (words, text) in [(["-o"], "no"), (["-i", "-o"], "HTTP/1.1 404 "), (["-D"], "HTTP/1.1 404 ")] {
                let run = await runTool(["curl", "-s"] + words + [folder.file("f"), server.url()])
                #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
                let (saved, mode) = (try folder.text(of: "f"), try folder.permissions(of: "f"))
                #expect(saved.hasPrefix(text) && mode == 0o600, "\(words): \(saved)")
            }
        }
    }

    @Test func `--remove-on-error leaves no partial file`() async throws {
        try await withServer { _ in
            .raw("HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 9\r\n\r\nok")
        } _: { server in
            let words = ["curl", "-s", "-o", folder.file("f"), server.url()]
            #expect(await runTool(words).status == 18)
            #expect(folder.list() == ["f.part", "f.part.json"])
            #expect(await runTool(words + ["--remove-on-error", "-C", "-"]).status == 18)
            #expect(folder.list().isEmpty, "\(folder.list())")
        }
    }

    @Test func `--remove-on-error leaves no partial file after a time limit`() async throws {
        try await withServer { _ in
            .raw("HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 9\r\n\r\nok", keepsOpen: true)
        } _: { server in
            let words = ["curl", "-s", "-m", "1", "-o", folder.file("f"), server.url()]
            #expect(await runTool(words).status == 28)
            #expect(folder.list() == ["f.part", "f.part.json"])
            #expect(await runTool(words + ["--remove-on-error"]).status == 28)
            #expect(folder.list().isEmpty, "\(folder.list())")
        }
    }

    @Test(arguments: [404, 500, 416, 302])
    func `an error changes neither the file nor the partial file that -C - continues`(status: Int) async throws {
        let half = "HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 9\r\n\r\nhalf"
        try await withServer { request in
            request.path == "/half" && request["Range"] == nil ? .raw(half) : .status(status, "error")
        } _: { server in
            try folder.write("foreign", to: "f")
            let run = await runTool("curl", "-s", "-C", "-", "-o", folder.file("f"), server.url())
            #expect(run.status == 33 && folder.holds("foreign", in: "f"), "\(status): \(run.status)")
            #expect(folder.list() == ["f"], "\(folder.list())")
            let words = ["curl", "-s", "-C", "-", "-o", folder.file("own"), server.url("/half")]
            #expect(await runTool(words).status == 18)
            #expect(await runTool(words).status != 0)
            #expect(folder.holds("half", in: "own.part") && !folder.has("own"), "\(folder.list())")
        }
    }

    @Test func `a response to CONNECT is shown unless --suppress-connect-headers is given`() async throws {
        let proxy = try TunnelProxy()
        let (tunnel, head) = (
            "HTTP/1.1 200 Established\r\nX-Proxy: 1\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n"
        )
        try await withServer { _ in
            .raw("\(head)ok")
        } _: { server in
            let words = ["curl", "-s", "-p", "-x", proxy.url, "http://name.test:\(server.port)/"]
            #expect(await runTool(words + ["-i"]).output == "\(tunnel)\(head)ok")
            #expect(await runTool(words + ["-i", "--suppress-connect-headers"]).output == "\(head)ok")
            #expect(await runTool(words + ["-D", folder.file("h")]).output == "ok")
            #expect(folder.holds(tunnel + head, in: "h"))
            #expect(await runTool(words + ["-D", folder.file("h"), "--suppress-connect-headers"]).output == "ok")
            #expect(folder.holds(head, in: "h"))
        }
    }

    @Test func `a directory of -D or --etag-save that is missing is an error before the request`() async throws {
        try await withServer { _ in
            .ok()
        } _: { server in
            let missing = folder.file("no/file")
            #expect(await runTool("curl", "-D", missing, server.url()).status == 23)
            #expect(await runTool("curl", "--etag-save", missing, server.url()).status == 26)
            #expect(server.requests.isEmpty)
            #expect(await runTool("curl", "--create-dirs", "-D", missing, server.url()).status == 0)
            #expect(folder.has("no/file"))
            // As in curl, before the umask.
            let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
            let mask = try #require(status.firstMatch(of: #/Umask:\t([0-7]+)/#).flatMap { UInt32($0.1, radix: 8) })
            let permissions = try folder.permissions(of: "no")
            #expect(permissions == 0o750 & ~mask)
        }
    }

    @Test(arguments: [
        "204 No Content\r\n\r\n", "304 Not Modified\r\n\r\n", "200 OK\r\nContent-Length: 0\r\n\r\n",
        "416 Range Not Satisfiable\r\nContent-Range: bytes */5\r\nContent-Length: 2\r\n\r\nno",
    ])
    func `a file to which nothing is appended stays as it is`(response: String) async throws {
        try folder.write("first", to: "file")
        let number = try folder.fileNumber(of: "file")
        try await withServer { _ in
            .raw("HTTP/1.1 \(response)")
        } _: { server in
            let run = await runTool("curl", "-s", "-C", "5", "-o", folder.file("file"), server.url())
            #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
            let newNumber = try folder.fileNumber(of: "file")
            #expect(newNumber == number && folder.holds("first", in: "file"))
            #expect(await runTool("curl", "-s", "-C", "5", "-o", folder.file("new"), server.url()).status == 0)
            #expect(folder.holds("", in: "new"))
        }
    }

    @Test func `links to descriptors are not replaced`() async throws {
        for path in ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"] { #expect(path.descriptor == 1) }
        for path in ["/dev/fd/x", "/dev/fd/", "/dev/null", "dev/fd/1", "/dev/fd/1/x"] {
            #expect(path.descriptor == nil)
        }
        try folder.link("out", to: "/dev/stdout")
        try folder.link("loop", to: "loop")
        try folder.link("twice", to: "out")
        #expect(folder.file("twice").followingLinks == "/dev/stdout")
        #expect(folder.file("loop").followingLinks == folder.file("loop"))
    }
}
