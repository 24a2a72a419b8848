import TestSupport
import Testing

@testable import AFCommand

/// Text files with a byte order mark, which editors and shells of Windows write.
@Suite struct MarkedFileTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private func offline(_ words: [String]) async -> ToolRun {
        await runTool(["--offline", "--show-secrets"] + words)
    }

    private func files(_ text: String) throws -> [String] {
        let littleEndian = text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
        return [
            try folder.write("\u{FEFF}\(text)", to: "utf8"),
            try folder.write([0xFF, 0xFE] + littleEndian, to: "utf16"),
        ]
    }

    @Test func `the mark is no part of a value`() async throws {
        for file in try files("grün\n") {
            #expect(await offline([":", "a=@\(file)"]).output.hasSuffix("{\"a\": \"grün\\n\"}"))
            #expect(await offline(["-f", ":", "a=@\(file)"]).output.hasSuffix("a=gr%C3%BCn%0A"))
            let head = await offline([":", "X:@\(file)", "q==@\(file)"]).output
            #expect(head.hasPrefix("GET /?q=gr%C3%BCn HTTP/1.1"))
            #expect(head.contains("X: grün\r\n"))
        }
        for file in try files("t0ken\n") {
            #expect(await offline([":", "-A", "bearer", "-a", "@\(file)"]).output.contains("Bearer t0ken\r\n"))
        }
    }

    @Test func `lists and settings are read after the mark`() async throws {
        for file in try files("machine localhost login u password p\n") {
            #expect(await offline([":", "--netrc-file", file]).output.contains("Authorization: Basic dTpw\r\n"))
        }
        for file in try files("# HTTP Cookie File\nlocalhost\tFALSE\t/\tFALSE\t0\tc\t1\n") {
            #expect(await offline([":", "--cookie-jar", file]).output.contains("Cookie: c=1\r\n"))
        }
        for file in try files("{\"default_options\": [\"--form\"]}") {
            #expect(await runTool("--config", file, "--offline", ":", "a=1").output.hasSuffix("a=1"))
        }
        for file in try files("header = \"X-C: 1\"\n") {
            #expect(await runTool("curl", "-K", file, "--offline", "http://h/").output.contains("X-C: 1\r\n"))
        }
        for file in try files("X-H: 1\nX-I: 2\n") {
            let run = await runTool("curl", "-H", "@\(file)", "--offline", "http://h/")
            #expect(run.output.contains("X-H: 1\r\nX-I: 2\r\n"))
        }
    }

    @Test func `a list of URLs is read after the mark`() async throws {
        try await withServer { _ in
            .ok("x")
        } _: { (server) async throws in
            for file in try files("\(server.url("/f")) f\r\n") {
                let run = await runTool("--input", file, "--output-dir", folder.path)
                #expect(run.status == 0, "\(run.errors)")
                #expect(folder.holds("x", in: "f"))
            }
        }
    }

    @Test func `a file that is sent is not changed`() async throws {
        let file = try folder.write("\u{FEFF}{\"a\":1}", to: "f")
        for words in [["--raw", "@\(file)"], ["@\(file)"]] {
            let output = await offline([":"] + words).output
            #expect(output.contains("Content-Type: application/json\r\n"))
            #expect(output.hasSuffix("\u{FEFF}{\"a\":1}"))
        }
    }
}
