import AFCore
import FoundationEssentials
import TestSupport
import Testing

@testable import AFCommand

/// Authentication as servers see it, and the requests without it.
@Suite(.timeLimit(.minutes(5))) struct AuthenticationTests {
    @Test func `a server that requires Digest instead of Basic is answered with the option`() async throws {
        let login = DigestLogin()
        try await withServer { _ in
            .status(401).header("WWW-Authenticate", login.challenge())
        } _: { server in
            let run = await runTool("-a", "ada:secret", server.url())
            let sentence = "the server requires Digest; add --auth-type digest"
            #expect(run.errors.contains(sentence), "\(run.errors)")
            let curl = await runTool("curl", "-fu", "ada:secret", server.url())
            #expect(curl.errors.contains("; add --digest"), "\(curl.errors)")
        }
    }

    @Test func `no hint is an option that is impossible`() async throws {
        let challenge = #"Digest realm="r", nonce="n", algorithm=SHA3-256, qop="auth""#
        try await withServer { _ in
            .status(401).header("WWW-Authenticate", challenge)
        } _: { server in
            let any = await runTool("-A", "any", "-a", "u:p", server.url())
            let note = "afcli: the challenge of the server cannot be answered: Digest algorithm=SHA3-256 qop=auth"
            #expect(any.messages.contains(note), "\(any.errors)")
            for words in [[], ["-a", "u:p"]] {
                let socket = await runTool(["ws://\(server.authority)/"] + words)
                #expect(socket.messages.contains("afcli: the server requires Digest"), "\(socket.errors)")
            }
        }
    }

    @Test(arguments: ["MD5", "SHA-256", "MD5-sess"])
    func `digest authentication sends the body and not the password`(algorithm: String) async throws {
        let login = DigestLogin(algorithm: algorithm)
        try await withServer { request in
            login.accepts(request)
                ? .ok("welcome \(request.text)") : .status(401).header("WWW-Authenticate", login.challenge())
        } _: { server in
            let run = await runTool("-A", "digest", "-a", "ada:open sesame", "put", server.url("/x?a=b"), "n=v")
            #expect(run.output == #"welcome {"n": "v"}"#)
            #expect(server.requests.count == 2)
            let wrong = await runTool("-A", "digest", "-a", "ada:wrong", server.url())
            #expect(wrong.status == 4)
        }
    }

    @Test func `NTLM authenticates the connection`() async throws {
        try await withServer { request in
            NTLMLogin.response(to: request) { .ok("welcome \($0.text) on \($0.connection)") }
        } _: { server in
            let run = await runTool("-A", "ntlm", "-a", "TEST\\ada:open sesame", server.url(), "--raw", "body")
            #expect(run.output == "welcome body on 1", "\(run.errors)")
            #expect(server.requests.allSatisfy { !$0.headText.contains("sesame") })
        }
    }

    /// Large bodies, with and without a length, and a small one in chunks.
    private static let bodies = [
        ["-T", "FILE"], ["--chunked", "-T", "FILE"], ["-F", "f=@FILE"], ["--chunked", "-F", "f=@FILE"], ["@FILE"],
        ["--chunked", "--raw", "small"],
    ]

    @Test(arguments: bodies)
    func `NTLM sends the body once, with its last step`(words: [String]) async throws {
        let folder = try ScratchFolder()
        let file = try folder.writePattern("large", size: 8 << 20)
        let bytes = try folder.bytes(of: "large")
        try await withServer { request in
            NTLMLogin.response(to: request) { .ok("\($0.body.count) on \($0.connection)") }
        } _: { server in
            let words = words.map { $0.replacing("FILE", with: file) }
            let run = await runTool(["-A", "ntlm", "-a", "ada:open sesame", "put", server.url()] + words)
            let requests = server.requests
            #expect(run.status == 0, "\(run.errors)")
            let last = try #require(requests.last)
            #expect(run.output == "\(last.body.count) on 1")
            #expect(words.last == "small" ? last.text == "small" : last.body.firstRange(of: bytes) != nil)
            #expect(last["Transfer-Encoding"] == (words.contains("--chunked") ? "chunked" : nil))
            #expect(requests.dropLast().allSatisfy { $0.body.isEmpty })
        }
    }

    @Test(arguments: bodies)
    func `digest sends the body once, with the credentials`(words: [String]) async throws {
        let folder = try ScratchFolder()
        let file = try folder.writePattern("large", size: 8 << 20)
        let login = DigestLogin()
        try await withServer { request in
            login.accepts(request)
                ? .ok("\(request.body.count)") : .status(401).header("WWW-Authenticate", login.challenge())
        } _: { server in
            let words = words.map { $0.replacing("FILE", with: file) }
            let run = await runTool(["-A", "digest", "-a", "ada:open sesame", "put", server.url()] + words)
            #expect(run.status == 0, "\(run.errors)")
            #expect(server.requests.map(\.body.isEmpty) == [true, false])
            let last = try #require(server.requests.last)
            #expect(run.output == "\(last.body.count)")
            #expect(last.body.count >= (words.last == "small" ? 5 : 8 << 20))
            #expect(last["Transfer-Encoding"] == (words.contains("--chunked") ? "chunked" : nil))
        }
    }

    @Test func `Negotiate without a ticket gets the 401 with its body`() async throws {
        try await withServer { _ in
            .status(401, "who are you?").header("WWW-Authenticate", "Negotiate")
        } _: { server in
            let run = await runTool("-A", "negotiate", server.url())
            #expect(run.status == 4)
            #expect(run.output == "who are you?")
        }
    }

    // Origins that do not receive credentials

    /// One command line per source of credentials; `NETRC` is a file with credentials for every host.
    private static let logins: [[String]] = [
        ["-a", "ada:secret"], ["-A", "bearer", "-a", "secret"], ["-A", "digest", "-a", "ada:secret"],
        ["-A", "ntlm", "-a", "ada:secret"], ["--netrc-file", "NETRC"], ["-A", "digest", "--netrc-file", "NETRC"],
        ["-A", "aws-sigv4", "-a", "ID:secret:region:service"], ["Authorization:secret"], ["X-Api-Key:secret"],
        ["Cookie:a=secret"],
    ]

    @Test(arguments: logins)
    func `a redirect to another origin sends no credentials, nor does one back to the first`(
        words: [String]
    ) async throws {
        let folder = try ScratchFolder()
        let netrc = try folder.write("default login ada password secret", to: "n", permissions: 0o600)
        let digest = DigestLogin()
        func bare(_ request: RecordedRequest) -> Bool {
            ["Authorization", "X-Api-Key", "Cookie", "X-Amz-Security-Token"].allSatisfy { request[$0] == nil }
        }
        try await withServer { request in
            request.path == "/back"
                ? .redirect(to: request.query ?? "")
                : .status(401).header("WWW-Authenticate", digest.challenge()).header("WWW-Authenticate", "Basic")
        } _: { other in
            try await withServer { request in
                switch request.path {
                case "/away": .redirect(to: other.url("/secure"))
                case "/round": .redirect(to: other.url("/back?http://\(request["Host"] ?? "")/home"))
                default: .status(401).header("WWW-Authenticate", digest.challenge())
                }
            } _: { server in
                let words = words.map { $0 == "NETRC" ? netrc : $0 }
                for path in ["/away", "/round"] {
                    let run = await runTool(["-L", "get", server.url(path)] + words)
                    #expect(run.status == 4, "\(run.errors)")
                }
                #expect(other.requests.map(\.path) == ["/secure", "/back"])
                #expect(other.requests.allSatisfy(bare))
                let home = server.requests.filter { $0.path == "/home" }
                #expect(home.count == 1)
                #expect(home.allSatisfy(bare))
            }
        }
    }

    @Test func `credentials are sent to other origins with the option`() async throws {
        try await withServer {
            .ok($0["Authorization"] ?? "none")
        } _: { other in
            try await withServer { _ in
                .redirect(to: other.url())
            } _: { server in
                let words = ["-L", "--trust-redirects", server.url()]
                #expect(await runTool(words + ["-A", "bearer", "-a", "t"]).output == "Bearer t")
                #expect(await runTool(words + ["-a", "ada:p"]).output.hasPrefix("Basic "))
            }
        }
    }

    @Test func `a netrc file has credentials, and a warning if others can read it`() async throws {
        let folder = try ScratchFolder()
        let file = try folder.write("machine 127.0.0.1 login ada password \"s3c ret\"", to: "n", permissions: 0o600)
        try await withServer {
            .ok($0["Authorization"] ?? "none")
        } _: { server in
            let run = await runTool("--netrc-file", file, server.url())
            #expect(run.output == "Basic \(Data("ada:s3c ret".utf8).base64EncodedString())")
            #expect(run.errors.isEmpty)
            let open = try folder.write("machine 127.0.0.1 login ada password x", to: "o", permissions: 0o640)
            let warned = await runTool("--netrc-file", open, server.url())
            #expect(
                warned.errors
                    == "afcli: warning: other users can read the passwords in '\(open)'; chmod 600 makes it private\n")
            #expect(await runTool("-qq", "--netrc-file", open, server.url()).errors.isEmpty)
            let named = await runTool(server.url(), in: ToolWorld().with(variables: ["NETRC": file]))
            #expect(named.output.hasPrefix("Basic "))
            let none = await runTool("--netrc-file", open, server.url(), "--ignore-netrc")
            #expect(none.output == "none")
            #expect(none.errors.isEmpty)
        }
    }

    @Test func `nginx accepts the password over HTTP/2`() async throws {
        let folder = try ScratchFolder()
        // The form that nginx takes without a hash.
        let users = try folder.write("ada:{PLAIN}open sesame\n", to: "users")
        let lock = "location /in { auth_basic \"in\"; auth_basic_user_file \(users); }"
        try await withNginx(files: ["in/x": .text("inside")], directives: lock) { nginx in
            let words = ["--cacert", nginx.root, nginx.secureURL("/in/x")]
            #expect(await runTool(words + ["-a", "ada:open sesame"]).output == "inside")
            #expect(await runTool(words + ["-a", "ada:wrong"]).status == 4)
            let netrc = try folder.write("default login ada password \"open sesame\"", to: "n", permissions: 0o600)
            #expect(await runTool(words + ["--netrc-file", netrc]).output == "inside")
            #expect(await runTool(words).status == 4)
        }
    }

    @Test func `debug messages of libcurl show no secret`() async throws {
        try await withNginx(files: ["x": .text("inside")]) { nginx in
            let run = await runTool(
                "--debug", "--cacert", nginx.root, "-A", "bearer", "-a", "s3cret", nginx.secureURL("/x?token=s3cret"),
                "X-Api-Key:s3cret")
            #expect(run.output == "inside")
            #expect(run.errors.contains("authorization: •••"), "\(run.errors)")
            #expect(!run.errors.contains("s3cret"), "\(run.errors)")
        }
        try await withServer { _ in
            .ok().header("Set-Cookie", "sid=s3cret")
        } _: { server in
            let run = await runTool("--debug", "http://ada:s3cret@\(server.authority)/")
            #expect(run.errors.contains("Connected to"), "\(run.errors)")
            #expect(!run.errors.contains("s3cret"))
        }
    }
}
