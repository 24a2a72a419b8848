import TestSupport
import Testing

@Suite("Safety 6: decompression bombs", .timeLimit(.minutes(5)))
struct SafetyRow06DecompressionBombsTests {
    let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    /// So many zeros and a brace, as gzip makes them.
    private nonisolated(nonsending) func bomb(megabytes: Int) async throws -> [UInt8] {
        let script = "{ printf '{\"a\": \"'; head -c \(megabytes)M /dev/zero | tr '\\0' 0; printf '\"}'; } | gzip -9"
        return try await Program("/bin/sh", ["-c", script], environment: ["PATH": "/usr/bin:/bin"]).run().output
    }

    @Test func `a buffered or displayed body with an extreme compression ratio is rejected`() async throws {
        let bomb = try await bomb(megabytes: 300)
        // Twice: that is more than a thousand to one.
        let doubled = try await Program("/usr/bin/gzip", ["-9"], input: .bytes(bomb)).run().output
        try await withServer { _ in
            .bytes(doubled).header("Content-Type", "application/json").header("Content-Encoding", "gzip, gzip")
        } _: { server in
            let ways = [
                ["--pretty=format"], ["--pretty=format", "--sorted", "--max-ratio=9"],
                ["--expect-json", "a", "--max-ratio=9"],
            ]
            for words in ways {
                let run = try await folder.afcli(["-b"] + words + [server.url()])
                #expect(run.status == 13, "\(words): \(run.errorText)")
                #expect(run.errorText.contains("--max-ratio"), "\(words): \(run.errorText)")
                // 128 MiB: the delivered chunks, and nothing that grows with the bomb.
                #expect(run.output.count < 140 << 20)
            }
            let screen = try await folder.afcliOnTerminal("--max-ratio=9", server.url())
            #expect(screen.status == 13, "\(screen.screenText.suffix(200))")
        }
    }

    @Test func `the size of a buffered body is limited`() async throws {
        let body = #"{"b": ""# + String(repeating: "x", count: 3 << 20) + #"", "a": 1}"#
        try await withServer { _ in
            .json(body)
        } _: { server in
            let words = ["-b", "--pretty=format", "--sorted", server.url()]
            let bounded = try await folder.afcli(words + ["--max-formatted", "1M"])
            #expect(bounded.text.hasPrefix("{\n    \"b\"") || bounded.text.hasPrefix("{\"b\""))
            #expect(bounded.errorText.contains("--max-formatted"), "\(bounded.errorText)")
            let lifted = try await folder.afcli(words + ["--max-formatted", "16M"])
            #expect(lifted.text.hasPrefix("{\n    \"a\": 1"), "\(lifted.errorText)")
        }
    }

    @Test func `a streamed body needs constant memory at any compression ratio`() async throws {
        let bomb = try await bomb(megabytes: 1000)
        try await withServer { _ in
            .bytes(bomb).header("Content-Encoding", "gzip")
        } _: { server in
            let program = try folder.tool(["-b", server.url()])
            let script = #"exec "$@" > /dev/null"#
            let words = ["-c", script, "sh", program.path] + program.arguments
            let run = try await Program("/bin/sh", words, environment: program.environment).run(within: .seconds(60))
            #expect(run.status == 0, "\(run.errorText)")
            #expect(run.peakMemory < 100 << 20)
        }
    }

    @Test func `downloads request the identity coding`() async throws {
        try await withServer { request in
            .ok(request["Accept-Encoding"] ?? "none")
        } _: { (server) async throws in
            for words in [["-d"], ["-o", "g"], ["-d", "-o", "h", "--resume"]] {
                #expect(try await folder.afcli(words + [server.url("/f")]).status == 0)
            }
            #expect(server.requests.map { $0["Accept-Encoding"] } == ["identity", "identity", "identity"])
        }
    }

    @Test func `a long chain of codings is rejected before decoding`() async throws {
        try await withServer { request in
            let count = Int(request.path.dropFirst()) ?? 0
            return .bytes([1]).header(
                "Content-Encoding", Array(repeating: "gzip", count: count).joined(separator: ", "))
        } _: { server in
            let refused = try await folder.afcli("-b", server.url("/6"))
            #expect(refused.status == 13)
            #expect(refused.errorText.contains("more than 5 codings"), "\(refused.errorText)")
            let split = try await folder.afcli("-b", server.url("/5"))
            #expect(split.status == 13)
            #expect(!split.errorText.contains("codings"), "\(split.errorText)")
        }
    }
}
