import TestSupport
import Testing

@testable import AFCommand

/// The messages about usage errors: the named arguments and the hints.
@Suite struct UsageMessageTests {
    private func expect(
        _ words: [String], _ message: String, hint: String?, status: Int32 = 64, variables: [String: String] = [:]
    ) async {
        let run = await runTool(words, in: ToolWorld().with(variables: variables))
        #expect(run.status == status, "\(run.errors)")
        #expect(run.errors == "afcli: error: \(message)\n" + (hint.map { "  \($0)\n" } ?? ""))
    }

    @Test(arguments: [
        (["-F", "bad"], "-F: expected name=value, got 'bad'"),
        (["--part", "bad"], "--part: expected name=value, got 'bad'"),
        (["-F", "a=1", "--part=bad"], "--part: expected name=value, got 'bad'"),
        (["--form-string", "bad"], "--form-string: expected name=value, got 'bad'"),
        (["--form-string", "a=b", "--json"], "--form-string: cannot be combined with --json"),
        (["-F", "a=b", "--raw", "x"], "-F: cannot be combined with --raw, which is the complete body"),
        (["-X", "a b"], "-X: invalid method 'a b'"),
        (["-a", "env:NONE"], "-a: the environment variable 'NONE' is not set"),
        (["-u", "env:NONE"], "-u: the environment variable 'NONE' is not set"),
        (["--auth", "env:NONE"], "--auth: the environment variable 'NONE' is not set"),
    ])
    func `an option is named as it was typed`(words: [String], message: String) async {
        let run = await runTool(["http://127.0.0.1:1/"] + words)
        #expect(run.status == 64)
        #expect(run.messages.first == "afcli: error: \(message)")
    }

    @Test func `the option of an unreadable file is named as it was typed`() async throws {
        let folder = try ScratchFolder()
        for option in ["-a", "--auth"] {
            await expect(
                [option, "@\(folder.file("x"))", "http://127.0.0.1:1/"],
                "\(option): cannot read '\(folder.file("x"))': no such file",
                hint: nil, status: 16)
        }
    }

    @Test(arguments: [
        (["-x", "http://proxy:3128", "HOST"], "HOST: is a second URL: the first is 'http://proxy:3128'", true),
        (["HOST", "-x", "http://proxy:3128"], "http://proxy:3128: is a second URL: the first is 'HOST'", true),
        (["-x", "proxy.example:3128", "example.org"], "-x: takes no value", true),
        (["name=a", "HOST"], "HOST: is a second URL: the first is 'name=...'", false),
    ])
    func `curl's proxy option has a hint`(words: [String], message: String, isProxy: Bool) async {
        let host = "127.0.0.1:1"
        let run = await runTool(words.map { $0.replacing("HOST", with: host) })
        #expect(run.status == 64)
        #expect(run.messages.first == "afcli: error: \(message.replacing("HOST", with: host))")
        #expect(run.errors.contains("-x is --compress; for a proxy: --proxy http://HOST:PORT") == isProxy)
    }

    @Test(arguments: [["-xxx", "127.0.0.1:1"], ["-x", "127.0.0.1:1", "a=b"]])
    func `a host and port after -x are the URL`(words: [String]) async {
        #expect(await runTool(words).status == 11)
    }

    @Test(arguments: [
        (["--checksum", String(repeating: "0a", count: 32)], "did you mean sha256:0a0a0a0a...?"),
        (["--expect-json", ""], "'.' is the complete body"), (["--filter", ""], "'.' is the complete body"),
        (["-A", "ada:s3cret"], "--auth sets the credentials: -a USER:PASSWORD"),
        (["--report", "junit:"], "see afcli --help=report"),
    ])
    func `a value in another form has a hint`(words: [String], hint: String) async {
        let run = await runTool(words + ["http://127.0.0.1:1/"])
        #expect(run.status == 64)
        #expect(run.messages.last == "  \(hint)")
        #expect(!run.errors.contains("s3cret"))
    }

    @Test(arguments: [
        (["--verify", "maybe"], "CHECK is yes, no, or the path of a CA file or directory"),
        (["-A", "bearer"], "add --auth TOKEN"), (["-A", "digest"], "add --auth USER"),
        (["-f", "name=@ada"], "check the path; for a text that starts with @, write name=\\@text"),
        (["-f", ":action=x"], "expected Name:value; for a field ':name' write '\\:name=value'"),
        (["-f", "meta:={}"], "send JSON, or add --multipart for a part of JSON"),
        (["-D", "x"], "use --header-file FILE"),
        (["--etag-save", "x"], "use --resume with --output FILE, which downloads only a changed file"),
    ])
    func `the hint is what to write instead`(words: [String], hint: String) async {
        let run = await runTool(["https://127.0.0.1:1/"] + words)
        #expect(run.messages.last == "  \(hint)", "\(run.errors)")
    }

    @Test(arguments: [
        ("-a u:s3cret", "-a"), ("--auth u:s3=cret", "--auth"), ("--auth\tu:s3cret", "--auth"), ("-vv -b", "-vv"),
        ("--timeout 5", "--timeout"), ("--follow --json", "--follow"),
    ])
    func `an option and its value in one argument are an error without the value`(word: String, option: String) async {
        await expect(
            [word, "http://127.0.0.1:1/"], "\(option): is followed by a space in the same argument",
            hint: "write each option and each value as an argument of its own, or --OPTION=VALUE")
    }

    @Test func `a slash in a password of a URL has a hint`() async {
        let run = await runTool("ada:p/w@example.org")
        #expect(run.messages.last == "  write %2F for a / in the password, or use --auth USER", "\(run.errors)")
        #expect(!run.errors.contains("p/w"))
    }

    @Test func `an error about a flag has no hint to its help`() async {
        #expect(await runTool("--json=1", "http://127.0.0.1:1/").errors == "afcli: error: --json: takes no value\n")
    }

    @Test func `a misspelled method is a warning`() async {
        let run = await runTool("psot", "http://127.0.0.1:1/")
        #expect(run.messages.first == "afcli: warning: the method is 'PSOT'; did you mean POST?")
        #expect(await runTool("purge", "http://127.0.0.1:1/").messages.first?.contains("did you mean") == false)
    }

    @Test(arguments: ["http_proxy", "HTTP_PROXY", "all_proxy"])
    func `an error about a proxy of the environment does not name the option`(name: String) async {
        let hint = "correct or unset the variable, or override it with --proxy"
        await expect(
            ["http://127.0.0.1:1/"],
            "the variable \(name): unsupported proxy scheme 'foo'",
            hint: hint, variables: [name: "foo://x"])
        await expect(
            ["http://127.0.0.1:1/"], "the variable \(name): invalid port 'x': expected 1 to 65535", hint: hint,
            variables: [name: "http://p:x"])
    }

    @Test func `an error about the proxy of the option names the option`() async {
        await expect(
            ["--proxy", "foo://x", "http://127.0.0.1:1/"],
            "--proxy: unsupported proxy scheme 'foo'",
            hint: "use http, https, socks4, socks4a, socks5 or socks5h", variables: ["http_proxy": "bar://x"])
    }

    @Test(arguments: [
        ["-c", "jar", ":1/x"], ["-c", "jar.txt", "http://127.0.0.1:1/"], [":1/x", "-c", "jar"],
        ["-c", "jar.txt", "example.org/x"],
    ])
    func `curl's cookie jar option has a hint`(words: [String]) async {
        await expect(
            words, "-c: takes a value only after =", hint: "-c is --resume; for cookies: --cookie-jar FILE")
    }

    @Test(arguments: [
        (
            "X-A:a\nb", "X-A:a\\x0ab: the value of header 'X-A' contains a line break",
            "write each header as an item of its own, on one line"
        ),
        (
            "X-A:a\u{1}b", "X-A:a\\x01b: the value of header 'X-A' contains a control character",
            nil
        ),
    ])
    func `a header is one line`(item: String, message: String, hint: String?) async {
        await expect(["http://127.0.0.1:1/", item], message, hint: hint)
    }

    @Test(arguments: [
        (["-X", "https://h"], "add the URL: -X has used 'https://h'"),
        (["--proxy", "http://h/"], "afcli [METHOD] URL [ITEM ...]; afcli --help shows more"),
        (["--token-url", "http://h/"], "afcli [METHOD] URL [ITEM ...]; afcli --help shows more"),
        (["--timeout", "5"], "afcli [METHOD] URL [ITEM ...]; afcli --help shows more"),
    ])
    func `an option may have taken the URL`(words: [String], hint: String) async {
        await expect(words, "no URL given", hint: hint)
    }

    @Test(
        arguments: [
            (["http://h:99999/"], "http://h:99999/: invalid port '99999': expected 1 to 65535", nil),
            (["htp://h/"], "htp://h/: the scheme is neither http nor https: 'htp'", "did you mean http://?"),
            (["ftp://h/"], "ftp://h/: the scheme is neither http nor https: 'ftp'", nil),
            (["a b"], "a b: invalid host 'a b'", "afcli [METHOD] URL [ITEM ...]; for example: afcli example.org/path"),
            (
                ["--style", "Foo", "h"], "--style: expected one of auto, ocean, meadow, ember, dusk, mono, got 'Foo'",
                "see afcli --help=style"
            ),
            (
                ["-sS", "h"], "-s: expected one of auto, ocean, meadow, ember, dusk, mono, got 'S'",
                "curl's --silent is not needed here: omit it"
            ),
            (["-4", "-a", "env:NO", "h"], "-a: the environment variable 'NO' is not set", "set it: export NO=..."),
            (["--range", "0-1", "h.", "Range:bytes=1-"], "--range: cannot be combined with a Range header", nil),
        ] as [([String], String, String?)])
    func `a hint adds something to the message, or is missing`(words: [String], message: String, hint: String?) async {
        await expect(words, message, hint: hint)
    }

    @Test func `a file of requests is no URL`() async throws {
        let folder = try ScratchFolder()
        let path = try folder.write("GET http://h/", to: "a.hurl")
        await expect([path], "\(path): is a file of requests", hint: "afcli run \(path)")
        #expect(await runTool("--offline", "none.hurl").status == 0)
    }

    @Test func `errors of curl commands do not refer to the help of afcli`() async {
        for words in [["-A"], ["--max-time", "x", "h"]] {
            #expect(await runTool(["curl"] + words).messages.count == 1)
        }
        #expect(await runTool("curl").errors == "curl: (2) no URL given\n  afcli curl [OPTION ...] URL\n")
    }

    @Test func `a hint to the help names the right topic`() async {
        await expect(["--no-such", "x"], "--no-such: unknown option", hint: "afcli --help=all shows all options")
        await expect(["-!", "x"], "-!: unknown option", hint: "afcli --help=all shows all options")
        await expect(["-t", "x"], "-t: unknown option", hint: "afcli --help=all shows all options")
        await expect(
            ["--timeout", "abc", "x"], "--timeout: expected a duration such as 1.5, 200ms or 2m, got 'abc'",
            hint: "see afcli --help=timeout")
        await expect(["--re", "x"], "--re: ambiguous option: " + ambiguous("re"), hint: nil)
    }

    private func ambiguous(_ prefix: String) -> String {
        let error = #expect(throws: UsageError.self) { try Invocation.options.find(long: prefix[...]) }
        return error.map { String($0.problem.dropFirst("ambiguous option: ".count)) } ?? ""
    }

    @Test(arguments: [
        (["-a", "ada"], "-a: the password is", "USER:PASSWORD, "),
        (["--auth", "-"], "--auth: the user is", "USER:PASSWORD, "),
        (["-A", "bearer", "-a", "-"], "-a: the token is", ""),
        (["-A", "aws-sigv4", "-a", "ID"], "-a: the secret access key is", "KEY_ID:SECRET, "),
    ])
    func `without a terminal, the message names the missing input`(
        words: [String], start: String, form: String
    ) async {
        var world = ToolWorld()
        world.answers = { _, _ in throw NoTerminal() }
        let run = await runTool(words + ["http://127.0.0.1:1/"], in: world)
        #expect(run.status == 64)
        let token = form.hasPrefix("USER") ? "; for a token: --auth-type bearer --auth TOKEN" : ""
        #expect(
            run.errors == """
                afcli: error: \(start) missing, and there is no terminal to ask for it
                  give it as \(form)@FILE, env:NAME, fd:NUMBER or exec:COMMAND\(token)

                """)
    }
}
