import TestSupport
import Testing

/// One rule where versions of libcurl differ. These tests also run with the libcurl of Debian 13.
@Suite(.timeLimit(.minutes(5))) struct LibraryDifferenceTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private func afcli(_ words: String...) async throws -> ProgramResult {
        var program = Program(try Program.afcliPath(), words)
        program.environment = ["PATH": "/usr/bin:/bin", "HOME": folder.path, "AFCLI_CONFIG_DIR": folder.file("config")]
        return try await program.run()
    }

    @Test func `a cookie expires when its server says, later than in 400 days as well`() async throws {
        try await withServer { request in
            request.path == "/set"
                ? .ok().header("Set-Cookie", "a=1; Expires=Mon, 01 Jan 2125 00:00:00 GMT")
                    .header("Set-Cookie", "b=2; Max-Age=3000000000")
                : .ok(request["Cookie"] ?? "none")
        } _: { (server) async throws in
            let jar = folder.file("jar")
            #expect(try await afcli("--cookie-jar", jar, server.url("/set")).status == 0)
            #expect(try await afcli("-b", "--cookie-jar", jar, server.url("/")).text == "a=1; b=2")
            let cookies = try folder.text(of: "jar").split(separator: "\n").map { $0.split(separator: "\t") }
            func expiry(_ name: String) -> Int? {
                cookies.first { $0.count == 7 && $0[5] == name }.flatMap { Int($0[4]) }
            }
            #expect(expiry("a") == 4_891_363_200)
            // 95 years after a date before this test.
            #expect(expiry("b") ?? 0 > 4_767_000_000)
        }
    }

    @Test func `the question mark of an empty query is sent`() async throws {
        try await withServer { request in
            request.target == "/redirect" ? .redirect(to: "/to?") : .ok()
        } _: { (server) async throws in
            for target in ["", "/", "/a", "/a?b"] {
                #expect(try await afcli(server.url(target) + "?").status == 0)
            }
            #expect(try await afcli("-L", server.url("/redirect")).status == 0)
            let proxied = "http://ada:open@origin.invalid/c?#d"
            #expect(try await afcli("--proxy", server.url(), proxied).status == 0)
            let direct = ["/?", "/?", "/a?", "/a?b?", "/redirect", "/to?"]
            #expect(server.requests.map(\.target) == direct + ["http://origin.invalid/c?"])
        }
    }

    @Test func `a response has at most 5000 header lines and trailers`() async throws {
        try await withServer { request in
            let count = Int(request.path.dropFirst(2)) ?? 0
            // After one other line.
            let more = String(repeating: "A: b\r\n", count: count - 1)
            guard request.path.hasPrefix("/t") else {
                return .raw("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\(more)\r\nok")
            }
            return .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\(more)\r\n")
        } _: { (server) async throws in
            for kind in ["h", "t"] {
                for (count, status) in [(1000, 0), (5000, 0), (5001, 13), (9000, 13)] as [(Int, Int32)] {
                    let run = try await afcli("--max-headers", "0", server.url("/\(kind)\(count)"))
                    #expect(run.status == status, "\(kind)\(count): \(run.errorText)")
                    let reason = "the headers of the response have more than 5000 lines together"
                    #expect(run.errorText.contains(reason) == (status != 0), "\(run.errorText)")
                }
            }
        }
    }

    @Test(arguments: [
        ("chunked", "ok"), ("identity, chunked", "ok"), ("CHUNKED", "ok"), (", chunked ,", "ok"),
        ("gzip, chunked", nil),
        ("chunked, gzip", nil), ("chunked, chunked", nil), ("chunked, identity", nil),
        ("chunked\r\nTransfer-Encoding: identity", nil), ("identityX", nil), ("x", nil),
    ])
    func `a transfer coding besides chunked, or after it, is malformed`(coding: String, body: String?) async throws {
        try await withServer { _ in
            .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: \(coding)\r\n\r\n2\r\nok\r\n0\r\n\r\n")
        } _: { server in
            let run = try await afcli("-b", server.url())
            #expect(run.status == (body == nil ? 13 : 0), "\(run.errorText)")
            #expect(run.text == body ?? "")
        }
    }
}
