import Glibc
import TestSupport
import Testing

@testable import AFCommand

/// Cases that the corpus does not contain: pasted commands, the translation, variables and bad input.
struct CurlModeTests {
    func command(_ words: String..., in world: ToolWorld = ToolWorld()) async -> ToolRun {
        await runTool(["curl", "--show-command-long", "--show-secrets"] + words, in: world)
    }

    func world(pasting text: String, variables: [String: String] = [:]) -> ToolWorld {
        ToolWorld(standardInput: .fixed(.stream, delivery: .bytes, content: text)).with(variables: variables)
    }

    @Test func `the printed command sends the same request`() async throws {
        try await withServer {
            .ok("\($0.method) \($0.target)\n\($0.headText)\($0.text)")
        } _: { server in
            let words = [
                "-XPATCH", server.url("/a?b=c"), "-A", "same", "-H", "X-A: it's", "-d", "x=1", "--data-urlencode",
                "y=ä b",
                "--compressed",
            ]
            let translated = await runTool(["curl", "--show-command-long", "--show-secrets"] + words)
            let printed = try ShellWords.split(translated.output, variables: Variables([:]))
            #expect(printed.first == "afcli")
            let ours = await runTool(Array(printed.dropFirst()))
            let theirs = await runTool(["curl"] + words)
            #expect(ours.status == 0)
            #expect(ours.output == theirs.output)
            #expect(ours.output.hasPrefix("PATCH /a?b=c\n"))
        }
    }

    @Test(arguments: [[], ["--compressed"], ["-H", "Accept-Encoding: br"]])
    func `the printed command decodes a body if the command of curl does`(words: [String]) async throws {
        try await withServer { _ in
            .bytes(CodedBody.gzip.bytes).header("Content-Encoding", "gzip")
        } _: { server in
            let translated = await runTool(["curl", "--show-command-long", "--show-secrets"] + words + [server.url()])
            #expect(translated.errors.isEmpty)
            let printed = try ShellWords.split(translated.output, variables: Variables([:]))
            let expected = words == ["--compressed"] ? Array(CodedBody.text.utf8) : CodedBody.gzip.bytes
            #expect(await runTool(Array(printed.dropFirst())).outputBytes == expected)
            #expect(await runTool(["curl"] + words + [server.url()]).outputBytes == expected)
        }
    }

    @Test func `an unknown content coding is an error with --compressed`() async throws {
        let folder = try ScratchFolder()
        try await withServer { request in
            let length = request.target == "/empty" ? 0 : 2
            let head = "HTTP/1.1 200 OK\r\nContent-Encoding: aws-chunked\r\nContent-Length: \(length)\r\n\r\n"
            return .raw(head + (length == 0 || request.method == "HEAD" ? "" : "ab"))
        } _: { server in
            #expect(await runTool("curl", server.url()).output == "ab")
            for words in [[], ["-o", folder.file("f")]] {
                let run = await runTool(["curl", "--compressed", server.url()] + words)
                #expect(run.status == 61 && run.output.isEmpty)
                #expect(
                    run.errors == """
                        curl: (61) the content coding 'aws-chunked' is unknown
                          omit --compressed to keep the body as received

                        """)
            }
            #expect(folder.list().isEmpty)
            #expect(await runTool("curl", "--compressed", server.url("/empty")).status == 0)
            #expect(await runTool("curl", "--compressed", "-I", server.url()).status == 0)
            #expect(await runTool(server.url()).output == "ab")
        }
    }

    @Test func `HTTP_PROXY is ignored as by curl`() async throws {
        try await withServer { _ in
            .ok("proxy")
        } _: { proxy in
            try await withServer { _ in
                .ok("direct")
            } _: { (server) async throws in
                func run(_ variable: String, _ words: String...) async -> ToolRun {
                    let world = ToolWorld().with(variables: [variable: proxy.url()])
                    return await runTool(["curl"] + words + [server.url()], in: world)
                }
                #expect(await run("HTTP_PROXY").output == "direct")
                for variable in ["http_proxy", "all_proxy", "ALL_PROXY"] {
                    #expect(await run(variable).output == "proxy", "\(variable)")
                }
                #expect(await run("HTTPS_PROXY").output == "direct")
                let shown = await run("HTTP_PROXY", "--show-command")
                #expect(shown.errors.contains("the printed command uses the variable HTTP_PROXY"), "\(shown.errors)")
                #expect(await run("http_proxy", "--show-command").errors.isEmpty)
            }
        }
    }

    @Test func `a binary body is piped into the printed command`() async {
        let run = await command("--data-raw", "@'%\\ü", "http://h/")
        #expect(run.output.hasPrefix(#"printf '@\047%%\134\303\274' | afcli --method POST "#), "\(run.output)")
        #expect(run.output.hasSuffix(" --raw @- http://h/\n"))
    }

    @Test func `nothing is sent with --offline`() async {
        let run = await runTool("curl", "--offline", "-d", "a=1", "http://example.invalid/x")
        #expect(run.status == 0)
        #expect(run.output.hasPrefix("POST /x HTTP/1.1\r\n") || run.output.hasPrefix("POST /x HTTP/1.1\n"))
    }

    @Test func `secrets are masked with --offline outside of a terminal, unless --show-secrets is given`() async {
        let words = ["curl", "--offline", "-u", "ada:s3cret", "http://h/?token=s3cret"]
        let masked = await runTool(words)
        #expect(masked.output.hasPrefix("GET /?token=••• HTTP/1.1\r\n"), "\(masked.output)")
        #expect(masked.output.contains("Authorization: Basic •••\r\n"))
        let shown = await runTool(words + ["--show-secrets"])
        #expect(shown.output.hasPrefix("GET /?token=s3cret HTTP/1.1\r\n"))
        #expect(shown.output.contains("Authorization: Basic YWRh"))
    }

    @Test(arguments: ["--offline", "--show-command"])
    func `nothing is sent for any URL of a dry run`(option: String) async throws {
        try await withServer { _ in
            .ok()
        } _: { server in
            for words in [
                [option, "-X", "DELETE", server.url("/a"), "--next", "-X", "DELETE", server.url("/b")],
                ["-X", "DELETE", server.url("/a"), "--next", server.url("/b"), option],
            ] {
                let run = await runTool(["curl"] + words)
                #expect(run.status == 0)
                #expect(run.output.contains("/a") && run.output.contains("/b"), "\(run.output)")
            }
            #expect(server.requests.isEmpty)
        }
    }

    @Test func `options missing in the printed command are a warning`() async throws {
        let folder = try ScratchFolder()
        try folder.write("# Netscape HTTP Cookie File\n", to: "jar")
        for words in [
            ["-b", folder.file("jar")], ["-f"], ["--rate", "1/s"], ["-y", "1", "-Y", "100"],
            ["-L", "--proto-redir", "=https"], ["-C", "-", "-o", "f"],
        ] {
            let run = await runTool(["curl", "--show-command-long", "--show-secrets"] + words + ["http://h/"])
            #expect(run.status == 0)
            #expect(run.errors.hasPrefix("Warning: "), "\(words) \(run.errors)")
        }
    }

    @Test func `curl must be the first argument`() async {
        let run = await runTool("--offline", "curl", "-X", "DELETE", "http://h/")
        #expect(run.status == 64)
        #expect(run.errors.contains("'curl' is the first word of a curl command"))
    }

    @Test func `--max-time limits each transfer`() async throws {
        try await withServer {
            $0.path == "/silent" ? .silence : .ok("late")
        } _: { server in
            let silent = server.url("/silent")
            let run = await runTool("curl", "-m", "0.3", silent, silent, server.url("/"))
            #expect(run.status == 0)
            #expect(run.output == "late")
            #expect(run.messages.count { $0.hasPrefix("curl: (28) ") } == 2, "\(run.errors)")
            #expect(server.requests.count == 3)
        }
    }

    @Test func `a FIFO does not wait longer than --max-time`() async throws {
        let folder = try ScratchFolder()
        #expect(mkfifo(folder.file("fifo"), 0o600) == 0)
        let run = await runTool("curl", "-m", "0.3", "-d", "@" + folder.file("fifo"), "http://127.0.0.1:1/")
        #expect(run.status == 28)
    }

    @Test func `the configuration file of afcli has no effect`() async throws {
        let folder = try ScratchFolder()
        try folder.write(#"{"default_options": ["--form", "X-Default:1"]}"#, to: "config.json")
        let run = await runTool(
            "curl", "--offline", "http://h/",
            in: ToolWorld().with(variables: ["AFCLI_CONFIG_DIR": folder.path]))
        #expect(run.status == 0)
        #expect(!run.output.contains("X-Default"))
    }

    // Options

    @Test(
        arguments: [
            (["--variable", "n=a b", "--expand-url", "http://h/{{n:url}}"], "http://h/a%20b"),
            (["--variable", "%X", "--expand-url", "http://h/{{X}}"], "http://h/v"),
            (["--variable", "%NONE=d", "--expand-url", "http://h/{{NONE:b64}}"], "http://h/ZA=="),
            (["--variable", "n= v ", "--expand-url", "http://h/{{n:trim}}"], "http://h/v"),
            (["--expand-url", "http://h/\\{{n}}{{unset}}", "-g"], "http://h/{{n}}"),
            (["--proto-default", "https", "h/x"], "https://h/x"),
            (["--variable", "n[2-4]=0123456", "--expand-url", "http://h/{{n}}"], "http://h/234"),
            (["--variable", "n[5-]=0123456", "--expand-url=http://h/{{n}}"], "http://h/56"),
            (["--variable", "n[9-]=0123456", "--expand-url", "http://h/{{n}}"], "http://h/"),
            (["--expand-url", "http://h/{{}}{{no.pe}}", "-g"], "http://h/{{}}{{no.pe}}"),
            (["http://h/x?ids[]=1&ids[]=2"], "http://h/x?ids[]=1&ids[]=2"), (["--url=http://h/x"], "http://h/x"),
            (["--url-query", "a=b c", "h#f"], "'http://h?a=b+c#f'"),
        ])
    func `variables and URLs`(words: [String], url: String) async {
        let run = await runTool(
            ["curl", "--show-command-long", "--show-secrets"] + words, in: ToolWorld().with(variables: ["X": "v"]))
        #expect(run.output.hasSuffix(" \(url)\n") || run.output.hasSuffix(" '\(url)'\n"), "\(run.output)\(run.errors)")
    }

    @Test(
        arguments: [
            (["-L"], "--follow --max-redirects 50"), (["--location-trusted"], "--trust-redirects"),
            (["-u", "a:b", "--digest"], "--auth-type digest --auth a:b"),
            (["--anyauth", "-u", "a:b"], "--auth-type any --auth a:b"),
            (["--digest", "--basic", "-u", "a:b"], "--auth-type any --auth a:b"),
            (["-E", "c.pem:pw"], "--cert c.pem --cert-key-pass pw"),
            (["--aws-sigv4", "aws:amz:eu-west-1:s3", "-u", "k:s"], "--auth k:s:eu-west-1:s3"),
            (["-x", "p:1", "-U", "a b:c"], "--proxy http://a%20b:c@p:1"),
            (["-x", "http://a:b@p:1", "-U", "c:d"], "--proxy http://a:b@p:1 "),
            (["-x", "a@p:1", "-U", "c:d"], "--proxy http://a@p:1 "),
            (["-x", "p:1/@x", "-U", "c:d"], "--proxy http://c:d@p:1/@x "),
            (["-H", "Cookie: h=1", "-b", "c=2"], "-H 'Cookie: h=1' --"),
            (["-H", "cookie;", "-b", "c=2"], "-H 'cookie;' --"),
            (["--socks5-hostname", "p:1"], "--proxy socks5h://p:1"),
            (["--retry", "2"], "--retry-on 408,429,500,502,503,504,timeout,lookup "),
            (["--retry", "2", "--retry-all-errors"], "--retry-on 408,429,500,502,503,504,any "),
            (["-p", "-x", "p:1"], "--proxy-tunnel "), (["-0"], "--http1.0"), (["--raw"], "--keep-transfer-coding"),
            (["--proxy-ntlm", "--proxy-digest", "-x", "p:1"], "--proxy-auth-type ntlm "),
            (["--proxy-ntlm", "--proxy-digest", "--no-proxy-ntlm", "-x", "p:1"], "--proxy-auth-type digest "),
            (["--proxy-anyauth", "--proxy-digest", "--no-proxy-anyauth", "-x", "p:1"], "--proxy-auth-type digest "),
            (["--anyauth", "--no-anyauth", "-u", "a:b"], "--auth-type any"),
            (["--proxy-anyauth", "-x", "p:1"], "--proxy-auth-type basic,digest,ntlm,negotiate"),
            (["--proxy1.0", "p:1"], "--proxy http://p:1 --proxy-http1.0"),
            (["--proxy-header", "X: 1", "--proxy-header", "Y;"], "--proxy-header 'X: 1' --proxy-header 'Y;'"),
            (
                ["--pinnedpubkey", "sha256//47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="],
                "--pin 'sha256//47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='"
            ),
            (["-r", "5"], "--range 5-"), (["-r", "a-b"], "-H 'Range: bytes=a-b'"), (["--follow"], "--follow"),
            (["--header=X: a=b"], "-H 'X: a=b'"), (["--out-null"], "--output /dev/null"),
            (["--resolve", "-h:80"], "--resolve -h:80"), (["--no-disallow-username-in-url"], "http://h/name"),
            (["--tlsv1.3"], "--ssl tls1.3"), (["--tlsv1.3", "--tlsv1.2", "--tls-max", "1.2"], "--ssl tls1.2"),
            (["--tls-max", "1.2", "--tls-max", "default", "--tlsv1.3"], "--ssl tls1.3"),
            (["-6", "-4"], "--ipv6 --ipv4"), (["-4", "-6"], "--ipv4 --ipv6"),
            (["--http2", "--http1.1"], "--http2 --http1.1"), (["-R"], "--ignore-stdin http://h/name"),
            (["-H", "X: 1", "-H", "X:"], "-H X: -H 'X: 1'"), (["--digest", "--no-digest", "-u", "a:b"], "--auth a:b"),
            (["-O", "http://h/d/?q"], "--output d "), (["-O", "http://h"], "--output curl_response "),
            (["--output-dir", "d", "-OJ"], "--output d/name"), (["--output-dir", "d", "-o", "f"], "--output d/f"),
            (["-F", "f= hi ;filename=a.pdf"], "--part 'f= hi ;filename=a.pdf;type=application/pdf'"),
            (["-F", "f=<t.txt"], "--part 'f=<t.txt'"), (["-F", "f=@t.bin"], "type=application/octet-stream"),
            (["-C", "-", "-o", "f"], "--output f '--resume=unsafe'"), (["-OJ"], "--output name"),
            (["-o", "~/f"], "--output './~/f'"), (["--output-dir", "~", "-O"], "--output './~/name'"),
            (["-o", "#1", "http://h/{-}"], "--output ./- "), (["--cacert", "~/c"], "--cacert './~/c'"),
            (["-E", "~/c:p"], "--cert './~/c'"), (["-c", "~/jar"], "--cookie-jar './~/jar'"),
            (["--data-binary", "@~/f"], "--raw '@./~/f'"), (["-w", "%{http_code}"], "--write-out '%{http_code}'"),
            (["-F", "f=@~/f"], "--part 'f=@./~/f;"), (["-F", "f=<\"~/f\";type=a/b"], "--part 'f=<\"./~/f\";type=a/b'"),
            (["-F", "f=~/f"], "--part 'f=~/f'"),
            (["-F", "f=x;headers=@~/h"], #"--part 'f=x;headers=@~/h;headers=@"./~/h"'"#),
            (["-F", "f=x;headers=@h"], "--part 'f=x;headers=@h'"),
            (["-F", #"f=x;headers=@"~/a\"b";type=a/b"#], #";headers=@"./~/a\"b"' "#),
            (["--loc"], nil), (["--no-insecure", "-k", "--no-insecure"], nil),
        ] as [([String], String?)])
    func `options are translated`(words: [String], expected: String?) async {
        let run = await runTool(["curl", "--show-command-long", "--show-secrets"] + words + ["http://h/name"])
        if let expected {
            #expect(run.output.contains(expected), "\(run.output)\(run.errors)")
        } else {
            #expect(!run.output.contains("--insecure") && !run.output.contains("--follow"), "\(run.output)")
        }
    }

    @Test(
        arguments: [
            (["--frobnicate", "http://h/"], "--frobnicate: unknown or unsupported option of curl"),
            (["-Xget"], "no URL given"),
            (["http://h/", "-d"], "-d: requires an argument"),
            (["ftp://h/"], "the scheme is neither http nor https: 'ftp'"),
            (["http://h/", "--next"], "--next is followed by no URL"),
            (["-C", "x", "http://h/"], "-C: expected a number, got 'x'"),
            (["-C", "5", "-T", "/dev/null", "http://h/"], "--continue-at: '/dev/null' has only 0 bytes"),
            (["-i", "-OJ", "http://h/f"], "--include: cannot be combined with --remote-header-name"),
            (["-C", "-", "-OJ", "http://h/f"], "--continue-at: cannot be combined with --remote-header-name"),
            (["-C", "-", "-i", "-o", "f", "http://h/f"], "--continue-at: cannot be combined with --include"),
            (["--create-file-mode", "800", "http://h/"], "--create-file-mode: expected a number from 0 to 0777"),
            (["-x", "h:0", "http://h/"], "no proxy has port 0"), (["http://h:0/"], "invalid port '0'"),
            (["--proto", "=https", "http://h/"], "--proto: '=https' excludes http"),
            (["--proto", "-http", "http://h/"], "--proto: '-http' excludes http"),
            (["--proto-redir", "=1", "http://h/"], "--proto-redir: expected a list"),
            (["--tlsv1.3", "--tls-max", "1.2", "https://h/"], "--tls-max: 1.2 excludes TLS 1.3"),
            (["--tls-max", "1.2", "--tlsv1.3", "https://h/"], "--tls-max: 1.2 excludes TLS 1.3"),
            (["--no-tlsv1.3", "http://h/"], "--tlsv1.3: cannot be negated"),
            (["--no-http2", "http://h/"], "--http2: cannot be negated"), (["--no-fai", "http://h/"], "--no-fai: "),
            (["--aws-sigv4", "aws:amz:r:s", "http://h/"], "--aws-sigv4: requires --user KEY_ID:SECRET"),
            (["--aws-sigv4", "aws:amz:r:s", "-u", "id", "http://h/"], "--aws-sigv4: requires --user KEY_ID:SECRET"),
            (["-x", "https:http://p", "http://h/"], "--proxy: unsupported proxy scheme 'https:http'"),
            (["-x", "http:/p", "http://h/"], "--proxy: a scheme is followed by two slashes"),
            (["--socks5", "localhost/run/x.sock", "http://h/"], "--socks5: the URL of a SOCKS proxy has a path"),
            (["--socks4a", "localhost/x", "http://h/"], "--socks4a: the URL of a SOCKS proxy has a path"),
            (["-x", "socks5://localhost/x", "http://h/"], "--proxy: the URL of a SOCKS proxy has a path"),
            (["--local-port", "9-8", "http://h/"], "--local-port: expected a port or a range"),
            (["http:/h/x"], "a scheme is followed by two slashes"),
            (["hTTps:/h"], "a scheme is followed by two slashes"),
            (["http://u@x:80@h/"], "the URL has two @ before the path"),
            (["-o", "sub/", "http://h/"], "--output: cannot write 'sub/': it is a directory"),
            (["-F", "=)", "http://h/"], "--form: '=)' has no opening '=('"),
            (["-F", "a=b;encoder=x", "http://h/"], "--form: unknown encoder 'x'"),
            (["-F", "a=ä;encoder=7bit", "http://h/"], "--form: a part with the encoder 7bit"),
            (["-d", "@-", "http://h/1", "--next", "-d", "@-", "http://h/2"], "standard input can be read only once"),
            (["-T", "-", "-H", "@-", "http://h/"], "standard input can be read only once"),
            (["http://h/{a"], "the URL has '{' without '}'"), (["http://h/[5-1]"], "an invalid range"),
            (["--libcurl", "f", "http://h/"], "--libcurl: is not supported by afcli"),
            (["--haproxy-clientip", "1.2.3.4", "http://h/"], "--haproxy-clientip: is not supported by afcli"),
            (["--request-target", "a b", "http://h/"], "--request-target: expected a target without blanks"),
            (["--proxy-header", "x", "http://h/"], "--proxy-header: expected a header field"),
            (["--tls13-ciphers", "X", "https://h/"], "--tls13-ciphers: OpenSSL does not support"),
            (["--pinnedpubkey", "none.pem", "https://h/"], "--pinnedpubkey: cannot read 'none.pem'"),
            (["http://h/[1-100001]"], "the URL expands to more than 100000 URLs\n  use several commands"),
            (["http://h/{a,b}[1-50001]"], "the URL expands to more than 100000 URLs"),
            (["http://h/[0-9223372036854775807]"], "the URL expands to more than 100000 URLs"),
            (["http://h/{}"], "the URL has an empty set {}"), (["http://h/a]"], "the URL has ']' without '['"),
            (["--variable", "n[2]=x", "http://h/"], "--variable: expected a range of bytes"),
            (["--variable", "n[3-2]=x", "http://h/"], "--variable: expected a range of bytes"),
            (["--silent=x", "http://h/"], "--silent: takes no argument"),
            (["--url", "@none", "http://h/"], "--url: cannot read 'none'"),
            (["--cert-type", "DER", "http://h/"], "--cert-type: is not supported by afcli"),
            (["--no-output", "http://h/"], "--no-output: takes an argument"), (["--tls2", "http://h/"], "--tls2"),
            (["--variable", "%NONE", "http://h/"], "the environment variable 'NONE' is not set"),
            (["-K", "missing.conf"], "-K: cannot read 'missing.conf'"), (["--re", "http://h/"], "--re: is ambiguous"),
            (["-d", "a", "-F", "b=c", "http://h/"], "only one of --data, --form, --head"),
        ])
    func `invalid input is one sentence`(words: [String], message: String) async {
        let run = await runTool(["curl"] + words)
        #expect([1, 2, 3, 5, 7, 18, 23, 26, 35, 43, 59].contains(run.status), "\(run.status)")
        #expect(run.output.isEmpty)
        #expect(run.errors.contains(message), "\(run.errors)")
    }

    @Test func `unknown variables of --write-out are omitted with a warning`() async throws {
        try await withServer { _ in
            .ok("x")
        } _: { server in
            let run = await runTool("curl", "-w", "%{nope}|%{http_code}|%%{nope}|%%%{nope}", server.url())
            #expect(run.output == "x|200|%{nope}|%")
            #expect(run.messages.first == "Warning: unknown variable of --write-out: 'nope'")
            let folder = try ScratchFolder()
            let file = try folder.write("%{nope}%{http_code}", to: "format")
            #expect(await runTool("curl", "-w", "@\(file)", server.url()).output == "x200")
            try folder.write("@a\r\n%{http_code}\n", to: "format")
            #expect(await runTool("curl", "-w", "@\(file)", server.url()).output == "x@a200")
        }
    }

    @Test func `-s hides all messages but those about the command line, and -sS all but errors`() async throws {
        let folder = try ScratchFolder()
        try await withServer { request in
            request.path == "/404" ? .status(404, "gone") : .ok("x")
        } _: { server in
            let file = folder.file("f")
            #expect(await runTool("curl", "-s", "-o", file, server.url("/x")).errors.isEmpty)
            #expect(await runTool("curl", "-s", server.url("/x")).output == "x")
            #expect(await runTool("curl", "-sf", server.url("/404")).errors.isEmpty)
            #expect(await runTool("curl", "-sS", "http://127.0.0.1:1/").errors.hasPrefix("curl: (7) could not"))
            #expect(await runTool("curl", server.url("/404")).errors.isEmpty)
            for words in [["http://127.0.0.1:1/"], ["-o", folder.file("no/f"), server.url()], ["http://:bad:/"]] {
                let (silent, shown) = (await runTool(["curl", "-s"] + words), await runTool(["curl", "-sS"] + words))
                #expect(silent.errors.isEmpty && silent.status != 0, "\(silent.errors)")
                #expect(shown.errors.hasPrefix("curl: (\(silent.status)) ") && shown.status == silent.status)
            }
            #expect(await runTool("curl", "-s", "--frobnicate", "http://h/").errors.hasPrefix("curl: (2) "))
        }
    }

    // The body of an error

    @Test func `the hint about bytes that are no text names curl's options`() async throws {
        let folder = try ScratchFolder()
        let file = try folder.write([0x2D, 0x64, 0xFF], to: "f")
        let run = await runTool("curl", "-K", file, "http://h/")
        #expect(run.messages.last == "  bytes can go as they are: --data-binary @FILE, or --form name=@FILE")
    }

    @Test func `a secret after a space in the argument of an option is not shown`() async {
        let run = await runTool("curl", "--user u:s3cret", "http://h/")
        #expect(run.status == 2)
        #expect(
            run.messages == [
                "curl: (2) --user: is followed by a space in the same argument",
                "  write each option and each value as an argument of its own",
            ])
    }

    @Test func `a secret after an equals sign is not shown`() async {
        let run = await runTool("curl", "--oauth2-baerer=s3cret", "http://h/")
        #expect(run.messages.first == "curl: (2) --oauth2-baerer: unknown or unsupported option of curl")
    }
}
