import TestSupport
import Testing

@Suite("Safety 31: unsent bodies", .timeLimit(.minutes(5)))
struct SafetyRow31UnsentBodyTests {
    let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    /// A response that does not wait for the body.
    private static func early(_ status: Int) -> String {
        "HTTP/1.1 \(status) Early\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    }

    private func expectReport(_ result: ProgramResult, _ status: Int) {
        let sentence = "the server responded with \(status) Early before it had the body: "
        #expect(result.status == (status < 300 ? 0 : 4), "\(result.errorText)")
        #expect(result.errorText.ranges(of: sentence).count == 1, "\(result.errorText)")
    }

    @Test(
        arguments: [
            ["-T", "big"], ["-T", "big", "--chunked"], ["-F", "f=@big"], ["-T", "big", "-o", "f"],
        ],
        [200, 413])
    func `a response before the end of a file is reported`(words: [String], status: Int) async throws {
        _ = try folder.writeSparse("big", size: 64 << 20)
        try await withScriptedServer { connection in
            _ = try connection.readHead()
            try connection.send(Self.early(status))
        } _: { (server) async throws in
            expectReport(try await folder.afcli(["put", server.url(), "--expect100", "no"] + words), status)
        }
    }

    @Test(arguments: [["--chunked"], []], [200, 413])
    func `a response before the end of a pipe is reported`(words: [String], status: Int) async throws {
        try await withScriptedServer { connection in
            _ = try connection.readHead()
            try connection.send(Self.early(status))
        } _: { (server) async throws in
            let text = String(repeating: "0123456789abcdef", count: 4 << 20)
            let words = ["put", server.url(), "--expect100", "no"] + words
            expectReport(try await folder.afcli(words, input: .text(text)), status)
        }
    }

    @Test(arguments: [["-T", "big"], ["@big", "-x"], ["a=b"]], [200, 413])
    func `a response instead of 100 Continue is reported`(words: [String], status: Int) async throws {
        _ = try folder.writeSparse("big", size: 2 << 20)
        try await withScriptedServer { connection in
            _ = try connection.readHead()
            try connection.send(Self.early(status))
        } _: { (server) async throws in
            expectReport(try await folder.afcli(["put", server.url(), "--expect100", "yes"] + words), status)
        }
    }
}
