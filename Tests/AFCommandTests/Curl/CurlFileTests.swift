import TestSupport
import Testing

@testable import AFCommand

/// Files that options of `afcli curl` read and write.
struct CurlFileTests {
    /// Returns the body of a form, with numbers for its boundaries.
    private func form(_ words: String...) async throws -> String {
        try await withServer { _ in
            .ok()
        } _: { server in
            let run = await runTool(["curl", "-s", server.url()] + words)
            #expect(run.status == 0, "\(run.errors)")
            let request = try #require(server.requests.first)
            // A boundary has 24 hyphens, and two more before it in the body.
            let pieces = "\(request["Content-Type"] ?? "")\r\n\(request.text)"
                .replacing(String(repeating: "-", count: 26), with: "--@")
                .replacing(String(repeating: "-", count: 24), with: "@")
                .split(separator: "@", omittingEmptySubsequences: false)
            var numbers: [Substring] = []
            return pieces.enumerated().map { index, piece in
                guard index > 0 else { return String(piece) }
                let digits = piece.prefix(16)
                if !numbers.contains(digits) { numbers.append(digits) }
                return "#\(numbers.firstIndex(of: digits) ?? 0)\(piece.dropFirst(digits.count))"
            }.joined()
        }
    }

    @Test func `several files in one part are a multipart in it`() async throws {
        let folder = try ScratchFolder()
        let (text, other) = (try folder.write("A", to: "a.txt"), try folder.write("B", to: "b,c"))
        #expect(
            try await form("-F", "f=@\(text);type=x/y,\"\(other)\";filename=z") == """
                multipart/form-data; boundary=#0\r\n--#0\r\nContent-Disposition: form-data; name="f"\r\n\
                Content-Type: multipart/mixed; boundary=#1\r\n\r\n\
                --#1\r\nContent-Disposition: attachment; filename="a.txt"\r\nContent-Type: x/y\r\n\r\nA\r\n\
                --#1\r\nContent-Disposition: attachment; filename="z"\r\n\
                Content-Type: application/octet-stream\r\n\r\nB\r\n--#1--\r\n\r\n--#0--\r\n
                """)
    }

    @Test func `parts may be nested and have no name`() async throws {
        #expect(
            try await form(
                "-F", "=(;type=multipart/alternative", "-F", "=x;type=text/plain", "-F", "=)", "-F", "z=1", "-F", "=y")
                    == """
                    multipart/form-data; boundary=#0\r\n--#0\r\nContent-Disposition: form-data\r\n\
                    Content-Type: multipart/alternative; boundary=#1\r\n\r\n\
                    --#1\r\nContent-Type: text/plain\r\n\r\nx\r\n--#1--\r\n\r\n\
                    --#0\r\nContent-Disposition: form-data; name="z"\r\n\r\n1\r\n\
                    --#0\r\nContent-Disposition: form-data\r\n\r\ny\r\n--#0--\r\n
                    """)
    }

    @Test(arguments: [
        ("a=hé =;encoder=quoted-printable", "quoted-printable", "h=C3=A9 =3D"),
        ("a=hé;encoder=base64", "base64", "aMOp"),
        ("a=x;encoder=7bit", "7bit", "x"),
    ])
    func `parts are encoded`(part: String, name: String, content: String) async throws {
        #expect(try await form("-F", part).contains("Content-Transfer-Encoding: \(name)\r\n\r\n\(content)\r\n"))
    }

    @Test func `--form-escape escapes quotes with backslashes`() async throws {
        #expect(try await form("--form-escape", "-F", #"a"b\c=v"#).contains(#"; name="a\"b\\c""#))
    }

    @Test func `a user name in the URL is an error with --disallow-username-in-url`() async {
        let run = await runTool("curl", "--disallow-username-in-url", "http://u@h/")
        #expect(run.status == 67)
        #expect(run.messages.first == "curl: (67) --disallow-username-in-url: the URL has a user name")
    }

    @Test func `messages are written to the file of --stderr`() async throws {
        let folder = try ScratchFolder()
        let run = await runTool("curl", "--stderr", folder.file("log"), "http://127.0.0.1:1/")
        #expect(run.status == 7 && run.errors.isEmpty && run.output.isEmpty)
        #expect(try folder.text(of: "log").hasPrefix("curl: (7) could not connect"))
        let shown = await runTool("curl", "--stderr", "-", "http://127.0.0.1:1/")
        #expect(shown.errors.isEmpty && shown.output.hasPrefix("curl: (7) "))
    }

    @Test func `the URLs of a file are saved under their names`() async throws {
        let folder = try ScratchFolder()
        try await withServer {
            .ok($0.path)
        } _: { server in
            try folder.write("# list\n \(server.url("/a")) \r\n\n\(server.url("/b"))\n", to: "list")
            let words = [server.url("/c"), "--url", "@" + folder.file("list"), "--output-dir", folder.path]
            let run = await runTool(["curl", "-s"] + words)
            #expect(run.status == 0 && run.output == "/c", "\(run.errors)")
            #expect(folder.list() == ["a", "b", "list"] && folder.holds("/b", in: "b"))
        }
    }

    @Test(
        arguments: [
            ("HTTP/1.1 200 OK\r\nServer: x\r\nSet-Cookie: a=b; path=/\r\n\r\n", "a=b"), ("Set-Cookie: a=b\n", "a=b"),
            ("127.0.0.1\tFALSE\t/\tFALSE\t0\ta\n", "a="), ("nonsense\n127.0.0.1\tFALSE\t/\tFALSE\t0\ta\tb\n", "a=b"),
            ("\u{FEFF}127.0.0.1\tFALSE\t/\tFALSE\t0\ta\tb\n", "a=b"), ("Set-Cookie: a=b; Domain=other.example\n", nil),
        ] as [(String, String?)])
    func `-b reads cookie files and response headers`(content: String, field: String?) async throws {
        let folder = try ScratchFolder()
        try folder.write(content, to: "cookies")
        try folder.write(
            "127.0.0.1\tFALSE\t/\tFALSE\t0\tz\t1\n127.0.0.1\tFALSE\t/\tFALSE\t4000000000\ty\t1\n", to: "more")
        try await withServer {
            .ok($0["Cookie"] ?? "none")
        } _: { server in
            let file = folder.file("cookies")
            let run = await runTool("curl", "-s", "-b", file, server.url())
            #expect(run.output == field ?? "none" && run.status == 0, "\(run.output)\(run.errors)")
            let both = await runTool("curl", "-s", "-b", file, "-b", folder.file("more"), server.url())
            #expect(
                both.output.split(separator: "; ").sorted()
                    == ([field].compactMap(\.self) + ["y=1", "z=1"]).map { $0[...] })
            let kept = await runTool("curl", "-s", "-j", "-b", folder.file("more"), server.url())
            #expect(kept.output == "y=1")
        }
    }
}
