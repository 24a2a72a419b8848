import AFCore
import TestSupport
import Testing

@testable import AFCommand

/// The names of options in hints about curl commands.
@Suite(.timeLimit(.minutes(5))) struct CurlNotationTests {
    @Test(arguments: [
        ("restart without --resume", "restart without -C -"),
        ("--resume=unsafe compares only its end", "-C - compares only its end"),
        (
            "5 B are saved; run the same command with --resume and a larger --max-filesize to continue",
            "5 B are saved; run the same command with -C - and a larger --max-filesize to continue"
        ),
        ("check --cert-key and --cert-key-pass", "check --key and --pass"),
        (
            "--output DIRECTORY/ downloads into it",
            "--output-dir DIRECTORY --remote-name downloads into it"
        ),
        ("--auth-type digest --auth USER:PASSWORD", "--digest --user USER:PASSWORD"),
        (
            "use --auth KEY_ID:SECRET:REGION:SERVICE, or ::REGION:SERVICE with the keys of the environment",
            "use --aws-sigv4 aws:amz:REGION:SERVICE"
        ),
        ("--auth USER:PASSWORD", "--user USER:PASSWORD"), ("--auth-type bearer --auth TOKEN", "--oauth2-bearer TOKEN"),
        ("set it with --cacert FILE; --verify no accepts any", "set it with --cacert FILE; --insecure accepts any"),
        ("use --retry 3 to retry", "use --retry 3 --retry-all-errors to retry"),
        (
            "if the request may be sent twice: --retry 5 --retry-unsafe",
            "if the request may be sent twice: --retry 5 --retry-all-errors"
        ),
        (
            "check the redirects with --all; --max-redirects allows more",
            "check the redirects with -v; --max-redirs allows more"
        ),
        ("increase --max-head-size", "increase --max-head-size in the command that --show-command prints"),
        ("--no-decode keeps the body as received", "without --compressed, afcli keeps the body as received"),
        ("bytes: --raw @FILE, or --form name@FILE", "bytes: --data-binary @FILE, or --form name=@FILE"),
        ("--no-proxy HOST bypasses it", "--noproxy HOST bypasses it"), ("--http1.1 may work", "--http1.1 may work"),
        ("iconv --list shows them", "iconv --list shows them"), ("", ""), ("--", "--"), ("a -- b", "a -- b"),
    ])
    func `a hint names curl's options`(hint: String, expected: String) {
        #expect(CurlNotation.hint(hint) == expected)
    }

    @Test func `each translated option exists`() throws {
        let names = CurlNotation.names
        for (own, curl) in names {
            #expect(Invocation.options.entries.contains { $0.spellings.contains(own) }, "\(own)")
            #expect(CurlOption.all.contains { "--\($0.name)" == curl }, "\(curl)")
        }
    }

    @Test func `messages about a curl command have hints for curl`() async throws {
        let proxy = try RefusingPort()
        try await withServer { request in
            switch request.target {
            case "/401": .status(401, "").header("WWW-Authenticate", "Digest realm=\"r\", nonce=\"n\"")
            case "/302": .redirect(to: "/x")
            default: .raw("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n01")
            }
        } _: { server in
            let challenged = await runTool("curl", server.url("/401"))
            #expect(challenged.errors.contains("Digest: --digest --user USER:PASSWORD"), "\(challenged.errors)")
            #expect(await runTool("curl", server.url("/302")).errors.contains("--follow") == false)
            let cut = await runTool("curl", server.url("/cut"))
            #expect(cut.status == 18)
            #expect(!cut.errors.contains("--retry-unsafe") && !cut.errors.contains("--resume"), "\(cut.errors)")
            let key = await runTool("curl", "-E", "/dev/null", "--key", "", "https://127.0.0.1:1/")
            #expect(key.status == 2 && !key.errors.contains("--cert-key"), "\(key.errors)")
        }
        let own = await runTool("--proxy", proxy.authority, "https://h.invalid/")
        let curl = await runTool("curl", "-x", proxy.authority, "https://h.invalid/")
        #expect(
            own.messages.first?.dropFirst("afcli: error:".count) == curl.messages.first?.dropFirst("curl: (7)".count))
    }
}
