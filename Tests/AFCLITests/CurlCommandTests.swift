import Glibc
import TestSupport
import Testing

/// Compares the request of curl, run with the command that `--curl` prints, with the request of the tool itself.
@Suite(.timeLimit(.minutes(5))) struct CurlCommandTests {
    let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private func program(_ path: String, _ words: [String], _ input: Program.Input) -> Program {
        // Without the curl configuration of the user.
        let variables = ["PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": folder.path, "LANG": "C.UTF-8"]
        return Program(path, words, input: input, environment: variables, workingDirectory: folder.path)
    }

    private nonisolated(nonsending) func command(
        _ words: [String],
        input: Program.Input = .empty
    ) async throws -> ProgramResult {
        try await program(Program.afcliPath(), words, input).run()
    }

    /// Sends the request with both programs, and returns the requests that the server received from each.
    private nonisolated(nonsending) func requests(
        _ words: [String],
        style: String = "--curl",
        input: Program.Input = .empty,
        shell: String = "/bin/sh",
        from server: LocalServer
    ) async throws -> (own: [RecordedRequest], others: [RecordedRequest]) {
        let before = server.requests.count
        let result = try await command(words, input: input)
        #expect([0, 3].contains(result.status), "\(words): \(result.errorText)")
        let between = server.requests.count
        let printed = try await command(words + [style, "--show-secrets"], input: input)
        #expect(printed.status == 0 && printed.errorText.isEmpty, "\(words): \(printed.errorText)")
        #expect(server.requests.count == between, "--curl has sent something")
        let run = try await program(shell, ["-c", printed.text], input).run()
        #expect(run.status == 0, "\(printed.text)\(run.errorText)")
        return (Array(server.requests[before..<between]), Array(server.requests[between...]))
    }

    @Test(arguments: [
        ["URL"], ["URL", "X-A:1", "x-b:2", "X-A:3", "X-Empty;"], ["URL", "Accept:", "User-Agent:"],
        ["URL", "Host:h.test"],
        ["URL?a=b c&d[]=[1-3]&{x,y}", "q==ü&='"], ["URL", "Cookie:a=b; c=d"], ["URL", "Cookie:odd"], ["head", "URL"],
        ["options", "URL"], ["delete", "URL"], ["-X", "PURGE", "URL"], ["post", "URL"], ["URL", "--range", "0-9"],
        ["URL", "name=O'Neil \\\\ \"$HOME\" `x` !1", "n:=1e400", "t=a\nb\tü"], ["put", "URL", "a=b"],
        ["URL", "--raw", "x@y"],
        ["URL", "--raw", ""], ["URL", "--raw", "it's", "Content-Type:"], ["-f", "URL", "a=b c", "d=ü&'"],
        ["get", "URL", "a=b"], ["URL", "@data.json"], ["URLx", "@data.json"], ["-T", "data.json", "URL"],
        ["post", "-T", "data.json", "URL"],
        ["URL", "--raw", "@odd [1] {a}.bin"], ["URL", "a=b", "--expect100", "yes"],
        ["-T", "data.json", "URL", "--expect100=no"],
        ["URL", "@big.bin"], ["URLx", "@big.bin"], ["URLx", "--raw", "@odd [1] {a}.bin"],
        ["URL", "-xx", "a=b"], ["URL", "--chunked", "a=b"],
        ["URL", "-A", "bearer", "-a", "t0k"], ["URL", "--http1.1", "-4", "--max-time", "20"],
        ["URL", "--timeout", "7.5", "--connect-timeout", "1.5"], ["--path-as-is", "URL/a/../b"],
        ["URL", "-H", "A: b'c"],
        ["-L", "REDIRECT"], ["-L", "REDIRECT", "a=b", "--post302"], ["REDIRECT"], ["URL", "X:-", "Y:@header.txt"],
    ])
    func `curl sends the same bytes, with the header fields in the same order`(words: [String]) async throws {
        try await withServer {
            $0.path == "/redirect" ? .redirect(to: "/there").header("Set-Cookie", "a=1; Path=/") : .ok()
        } _: { server in
            try prepareFiles()
            for style in ["--curl", "--curl-long"] {
                let typed = words.map { word in
                    word.hasPrefix("URL")
                        ? server.url() + word.dropFirst(3)
                        : word == "REDIRECT" ? server.url("/redirect") : word
                }
                let (own, others) = try await requests(typed, style: style, from: server)
                #expect(own.count == others.count)
                for (own, other) in zip(own, others) {
                    #expect(own.headText == other.headText, "\(typed)")
                    #expect(own.body == other.body, "\(typed)")
                }
            }
        }
    }

    private func prepareFiles() throws {
        _ = try folder.write("{\"a\": 1}", to: "data.json")
        _ = try folder.write("value", to: "header.txt")
        _ = try folder.write([UInt8](0...255), to: "odd [1] {a}.bin")
        _ = try folder.write([UInt8](repeating: 7, count: 1_200_000), to: "big.bin")
        _ = try folder.write([0xFF, 0x00, 0xFE], to: "bytes")
        _ = try folder.write("first\nsecond", to: "text.txt")
        _ = try folder.write("X-From-File: yes\n", to: "part-headers")
    }

    @Test(arguments: [
        ["-F", "a=b", "-F", "b=<text.txt", "c=d"], ["-F", "a=@data.json"],
        ["-F", "a=@data.json;type=x/y;filename=\"q\\\"u;o\""],
        ["-F", "a=\"x;y\";type=text/plain;charset=utf-8"],
        ["-F", "a=b;headers=\"X-P: 1\"", "-F", "c=d;headers=@part-headers"],
        ["--form-string", "a=@x;y<"], ["-f", "a=b", "f@data.json", "g@text.txt;filename=ü.txt"],
        ["--multipart", "a=@text.txt"],
        ["-F", "na\"me=va'l\\ue"], ["-F", "a=<bytes", "-F", "b=c"], ["-F", "a=", "-F", "b=@odd [1] {a}.bin"],
        ["-F", "a=\"@x\";type=a/b"], ["-F", "a=(x;type=a/b", "-F", "b=\" x\t\";type=a/b", "-F", "c=\"x\n\";type=a/b"],
    ])
    func `multipart bodies are equal except for the boundary`(words: [String]) async throws {
        try await withServer { _ in
            .ok()
        } _: { server in
            try prepareFiles()
            let (own, others) = try await requests(["post", server.url()] + words, from: server)
            let (mine, theirs) = (try #require(own.first), try #require(others.first))
            #expect(mine.bodyWithoutBoundary == theirs.bodyWithoutBoundary, "\(words)")
            #expect(mine.fieldsWithoutBoundary == theirs.fieldsWithoutBoundary)
            #expect(theirs["Content-Length"] == "\(theirs.body.count)")
        }
    }

    @Test func `bodies from standard input are the same`() async throws {
        try await withServer { _ in
            .ok()
        } _: { server in
            try prepareFiles()
            for (words, input) in [
                (["post", server.url()], Program.Input.text("from a pipe")),
                (["put", server.url(), "--raw", "@-"], .text("from a pipe")),
                (["post", server.url()], .file(folder.file("data.json"))),
            ] {
                let (own, others) = try await requests(words, input: input, from: server)
                #expect(own.first?.headText == others.first?.headText)
                #expect(own.first?.body == others.first?.body)
                #expect(own.first?.body.isEmpty == false)
            }
            let (own, others) = try await requests(
                ["post", server.url(), "-F", "f=@-;filename=x;type=a/b", "-F", "g=h"],
                input: .file(folder.file("data.json")),
                from: server
            )
            #expect(own.first?.bodyWithoutBoundary == others.first?.bodyWithoutBoundary)
        }
    }

    @Test func `Basic and Digest credentials are the same`() async throws {
        let login = DigestLogin()
        try await withServer { request in
            guard request.path == "/digest", !login.accepts(request) else { return .ok() }
            return .status(401).header("WWW-Authenticate", login.challenge())
        } _: { server in
            for words in [["-a", "ada:it's"], ["-a", "ada:"], ["-a", "ada:x:y", "a=b"]] {
                let (own, others) = try await requests([server.url()] + words, from: server)
                #expect(own.first?["Authorization"]?.hasPrefix("Basic ") == true)
                #expect(
                    own.first?.headers.map(\.description).sorted() == others.first?.headers.map(\.description).sorted())
                #expect(own.first?.body == others.first?.body)
            }
            let digest = [server.url("/digest"), "-A", "digest", "-a", "\(login.user):\(login.password)", "a=b"]
            let (own, others) = try await requests(digest, from: server)
            #expect(own.count == 2 && others.count == 2)
            #expect(others.last?["Authorization"]?.hasPrefix("Digest ") == true)
            #expect(own.map(\.body) == others.map(\.body))
        }
    }

    @Test func `requests over Unix sockets, proxies and other addresses are the same`() async throws {
        let socket = folder.file("socket")
        try await withServer(on: .unix(path: socket)) { _ in
            .ok()
        } _: { server in
            let (own, others) = try await requests(["http://name.test/x", "--unix-socket", socket], from: server)
            #expect(own.first?.headText == others.first?.headText)
        }
        try await withServer { _ in
            .ok()
        } _: { server in
            for words in [
                ["http://name.test/x", "--proxy", "http://ada:it's@\(server.authority)"],
                ["http://name.test/x", "--connect-to", "name.test:80:127.0.0.1:\(server.port)"],
                ["http://name.test:\(server.port)/x", "--resolve", "name.test:\(server.port):127.0.0.1"],
            ] {
                let (own, others) = try await requests(words, from: server)
                #expect(own.count == 1)
                #expect(own.first?.headText == others.first?.headText, "\(words)")
            }
        }
    }

    @Test func `the command has the certificate options, and hides the key password`() async throws {
        let certificates = try await TestCertificates.shared
        try await withNginx(files: ["x": .text("in")], clientCertificates: .verified) { nginx in
            for words in [
                [
                    "--cacert", nginx.root, "--cert", certificates.client.certificate, "--cert-key",
                    certificates.client.key,
                    "--pin", certificates.server.pin, "--ssl", "tls1.2",
                ],
                [
                    "-k", "--cert", certificates.client.certificate, "--cert-key", certificates.encryptedClientKey,
                    "--cert-key-pass", certificates.clientKeyPassword,
                ],
            ] {
                let printed = try await command(words + [nginx.secureURL("/x"), "--curl", "--show-secrets"])
                let run = try await program("/bin/sh", ["-c", printed.text], .empty).run()
                #expect(run.text == "in", "\(printed.text)\(run.errorText)")
                let hidden = try await command(words + [nginx.secureURL("/x"), "--curl"])
                #expect(!hidden.text.contains(certificates.clientKeyPassword))
            }
        }
    }

    @Test(arguments: ["/usr/bin/bash", "/usr/bin/zsh", "/usr/bin/fish"])
    func `the quoting is correct for bash, zsh and fish`(shell: String) async throws {
        let texts = [
            #"it's"#, #"a\b"#, #"a\\b\"#, #"\'"#, "!!", "$HOME `x` \"q\" ~ * ? [a] {b,c}", "=ls", "a\nb", "-n", "%s",
            "é\u{200D}", "#x", "<>|&;()",
        ]
        try await withServer { _ in
            .ok()
        } _: { server in
            for text in texts {
                let words = ["post", server.url(), "--raw", text]
                let (own, others) = try await requests(words, shell: shell, from: server)
                #expect(own.first?.text == text)
                #expect(others.first?.text == text, "\(shell)")
            }
        }
    }

    @Test func `secrets are hidden in the command, with a warning`() async throws {
        let words = [
            "-f", "http://example.invalid/?token=t0p", "-a", "ada:passw0rd", "Cookie:sid=c00kie", "X-Api-Key:k3y",
            "password=passw0rd", "note=x", "--proxy", "http://p:pr0xy@127.0.0.1:1",
        ]
        let hidden = try await command(words + ["--curl"])
        #expect(hidden.status == 0)
        for secret in ["t0p", "passw0rd", "c00kie", "k3y", "pr0xy", "YWRh"] { #expect(!hidden.text.contains(secret)) }
        #expect(hidden.text.contains("-u ada ") && hidden.text.contains("-U p "))
        #expect(hidden.errorText == "afcli: warning: secrets are shown as •••; --show-secrets shows them\n")
        let json = try await command(["http://example.invalid/", "user=ada", "token=t0p", "--curl"])
        #expect(json.text.contains(#"{"user": "ada", "token": "•••"}"#))
    }

    @Test(arguments: [
        (["-A", "ntlm", "-a", "ada:x"], " --ntlm -u ada:x ", " --ntlm -u ada "),
        (["-A", "negotiate", "-a", "ada:x"], " --negotiate -u ada:x ", " --negotiate -u ada "),
        (
            ["-A", "aws-sigv4", "-a", "AKID:s3cret"],
            " --aws-sigv4 aws:amz:eu-west-1:s3 -u AKID:s3cret ", " --aws-sigv4 aws:amz:eu-west-1:s3 -u AKID "
        ), (["-A", "bearer", "-a", "t0k"], " 'Authorization: Bearer t0k' ", " 'Authorization: Bearer •••' "),
    ])
    func `every authentication scheme is converted`(words: [String], shown: String, hidden: String) async throws {
        let all = words + ["http://s3.eu-west-1.amazonaws.com/", "--curl"]
        #expect(try await command(all + ["--show-secrets"]).text.contains(shown))
        let safe = try await command(all)
        #expect(safe.text.contains(hidden) && !safe.text.contains("s3cret"), "\(safe.text)\(safe.errorText)")
    }

    @Test(
        arguments: [
            (["--raw", "hello"], "s3", "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"),
            ([], "s3", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            (["--multipart", "a=b"], "s3", "UNSIGNED-PAYLOAD"), (["token=t0p"], "s3", "UNSIGNED-PAYLOAD"),
            (["--raw", "hello"], "execute-api", nil), (["x-amz-content-sha256:abc"], "s3", "abc"),
        ] as [([String], String, String?)])
    func `the command for S3 has the digest of the body`(words: [String], service: String, digest: String?) async throws
    {
        let text = try await command(
            ["put", "https://\(service).eu-west-1.amazonaws.com/a/b", "-A", "aws-sigv4", "-a", "AKID:s3cret", "--curl"]
                + words
        ).text
        #expect(text.contains("aws:amz:eu-west-1:\(service)"))
        let digests = text.split(separator: "'").filter { $0.hasPrefix("x-amz-content-sha256: ") }
        #expect(digests.map { String($0.dropFirst(22)) } == [digest].compactMap(\.self), "\(text)")
    }

    @Test func `the command for S3 has no digest of a large file`() async throws {
        let large = try folder.write("", to: "large")
        #expect(truncate(large, 1 << 40) == 0)
        let login = ["-A", "aws-sigv4", "-a", "AKID:s3cret"]
        let run = try await command(login + ["put", "https://s3.eu-west-1.amazonaws.com/a/b", "@\(large)", "--curl"])
        #expect(run.text.contains("'x-amz-content-sha256: UNSIGNED-PAYLOAD'"), "\(run.text)\(run.errorText)")
    }

    @Test func `--curl prints short options on one line, --curl-long one long option per line`() async throws {
        let words = ["-L", "put", "http://example.invalid/", "a=b", "User-Agent:me", "Accept-Encoding:"]
        let short = try await command(words + ["--curl"]).text
        #expect(
            short == """
                curl -X PUT -L --max-redirs 30 --proto-redir '=http,https' -b '' \
                -H 'Connection: keep-alive' -H 'User-Agent: me' -H 'Accept: application/json, */*;q=0.5' -H 'Content-Type: application/json' \
                --data-raw '{"a": "b"}' http://example.invalid/

                """)
        let long = try await command(words + ["--curl-long"]).text
        #expect(long.hasPrefix("curl \\\n  --request PUT \\\n  --location \\\n  --max-redirs 30 \\\n"))
        #expect(long.hasSuffix("  --data-raw '{\"a\": \"b\"}' \\\n  http://example.invalid/\n"))
    }

    @Test func `options for files, limits and retries are converted to curl's options`() async throws {
        let words = [
            "http://h.invalid/a", "-o", "f", "--create-dirs", "--remote-time", "--retry", "3", "--retry-delay", "1.5",
            "--retry-max-time", "60", "--max-filesize", "10k", "--curl",
        ]
        let result = try await command(words)
        let expected = "-o f -f --create-dirs -R --max-filesize 10240 --retry 3 --retry-delay 2 --retry-max-time 60"
        #expect(result.text.contains("\(expected) --retry-connrefused http://h.invalid/a"), "\(result.text)")
        #expect(result.errorText.isEmpty)
        #expect(
            try await command(["http://h.invalid/a/b.bin", "-d", "--curl"]).text.contains(" -o b.bin -f --no-clobber "))
    }

    @Test func `a warning is printed for behavior that differs in curl`() async throws {
        for (words, warning) in [
            (["-xx", "@unknown-type"], "curl does not compress request bodies"),
            (["--multipart", "a=b", "--boundary", "X"], "chooses its own multipart boundary"),
            (["-L", "-X", "put", "a=b"], "curl keeps put in redirects"),
            (["-f", "f@unknown-type"], "sends a Content-Type for each file"),
            (
                ["-F", "a=b", "Content-Type:multipart/related"],
                "part headers differ for multipart/related"
            ),
            (["-o", "f", "--segments", "2"], "curl downloads sequentially"), (["-o", "f", "-c"], "without proof"),
            (["--retry", "2", "--retry-on", "500"], "curl decides which failures to retry"),
            (
                ["--expect-status", "200", "--budget", "total=1", "--report", "r"],
                "the command does not contain --expect-status, --budget, --report"
            ),
        ] {
            _ = try folder.write("x", to: "unknown-type")
            let result = try await command(["http://example.invalid/"] + words + ["--curl"])
            #expect(result.status == 0)
            #expect(result.errorText.contains(warning), "\(result.errorText)")
        }
    }
}

extension RecordedRequest {
    private var boundary: String { self["Content-Type"]?.split(separator: "boundary=").last.map(String.init) ?? "?" }

    fileprivate var bodyWithoutBoundary: String {
        // Maps every byte to a Unicode scalar: not all bodies are UTF-8.
        let text = String(String.UnicodeScalarView(body.map { Unicode.Scalar($0) }))
        return text.split(separator: boundary, omittingEmptySubsequences: false).joined(separator: "BOUNDARY")
    }

    /// curl sends Content-Type last, and its boundary has another length.
    fileprivate var fieldsWithoutBoundary: [String] {
        headers.filter { $0.name != "Content-Length" }
            .map { $0.description.split(separator: boundary).joined(separator: "BOUNDARY") }.sorted()
    }
}
