import TestSupport
import Testing

@testable import AFCommand

/// `--header-file`.
@Suite(.timeLimit(.minutes(5))) struct HeaderFileTests {
    @Test func `the header of the final response is written`() async throws {
        let folder = try ScratchFolder()
        try await withServer { request in
            switch request.path {
            case "/r": .status(302, "").header("Location", "/404")
            case "/404": .status(404, "gone").header("X-Own", "1")
            default: .ok("body").header("X-Own", "2")
            }
        } _: { server in
            let path = folder.file("h")
            let saved = await runTool("--header-file", path, "-o", folder.file("b"), server.url())
            #expect(saved.status == 0)
            let head = try folder.text(of: "h")
            #expect(head.hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(head.contains("\r\nX-Own: 2\r\n"))
            #expect(head.hasSuffix("\r\n\r\n"))
            #expect(folder.holds("body", in: "b"))
            #expect(await runTool("-L", "--header-file", path, server.url("/r")).status == 4)
            let last = try folder.text(of: "h")
            #expect(last.hasPrefix("HTTP/1.1 404 Not Found\r\n"))
            #expect(folder.list() == ["b", "h"])
        }
    }

    @Test func `without a response, an existing file stays`() async throws {
        let folder = try ScratchFolder()
        let path = try folder.write("old", to: "h")
        let port = try RefusingPort()
        #expect(await runTool("--header-file", path, port.url()).status == 11)
        #expect(await runTool("--offline", "--header-file", path, port.url()).status == 0)
        #expect(folder.holds("old", in: "h"))
        #expect(await runTool("--curl", "--header-file", path, port.url()).output.contains("-D \(path)"))
    }

    @Test func `a file that cannot be written is an error before the request`() async throws {
        let folder = try ScratchFolder()
        try await withServer { _ in
            .ok()
        } _: { server in
            let missing = await runTool("--header-file", folder.file("no/h"), server.url())
            #expect(missing.status == 16)
            #expect(missing.messages.last == "  create the directory")
            #expect(await runTool("--header-file", folder.path, server.url()).status == 16)
            #expect(await runTool("--header-file", "-", server.url()).messages.last == "  -h shows the header")
            let same = await runTool("--header-file", folder.file("f"), "-o", folder.file("f"), server.url())
            #expect(same.status == 64)
            #expect(server.requests.isEmpty)
            #expect(folder.list() == [])
        }
    }
}
