import AFCore
import TestSupport
import Testing

@Suite("Safety 15: injection", .timeLimit(.minutes(5)))
struct SafetyRow15InjectionTests {
    let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    /// Command lines in which something would become two; `URL` is a server's.
    static let refused: [[String]] =
        ["\r\n", "\n", "\r", "\u{1}", "\u{7F}"].flatMap { bad in
            [
                ["URL", "X:a\(bad)Evil: 1"], ["URL", "X\(bad)Evil:a"], ["-H", "X: a\(bad)Evil: 1", "URL"],
                ["-H", "X\(bad)Y: a", "URL"], ["-X", "GET\(bad)Evil", "URL"], ["URL/\(bad)Evil"], ["http://a\(bad)b/"],
                ["-A", "bearer", "-a", "t\(bad)Evil: 1", "URL"], ["-F", "n\(bad)m=v", "URL"],
                ["-F", "n=v;filename=\"f\(bad)g\"", "URL"], ["-F", "n=v;type=\"text/plain\(bad)Evil: 1\"", "URL"],
                ["-F", "n=v;headers=\"X: a\(bad)Evil: 1\"", "URL"], ["--multipart", "n\(bad)m=v", "URL"],
                ["--multipart", "--boundary", "b\(bad)c", "n=v", "URL"], ["--range", "0-1\(bad)Evil", "URL"],
                ["--proxy", "http://127.0.0.1\(bad)Evil/", "URL"], ["--resolve", "a:1:127.0.0.1\(bad)b", "URL"],
                ["--connect-to", "a:1:b\(bad):2", "URL"], ["--doh-url", "https://a\(bad)b/", "URL"],
            ]
        } + [
            ["-X", "GE T", "URL"], ["URL", "X Y:a"], ["URL", "X(Y):a"], ["URL", "X\u{E9}:a"],
            ["-X", "G\u{E9}T", "URL"],
            ["-H", ": a", "URL"],
        ]

    @Test func `values that would split a line are an error before anything is sent`() async throws {
        try await withServer { _ in
            .ok()
        } _: { server in
            let root = String(server.url().dropLast())
            for words in Self.refused {
                let run = try await folder.afcli(words.map { $0.replacing("URL", with: root) })
                #expect(run.status == 64, "\(words): \(run.status) \(run.errorText)")
                #expect(run.errorText.hasPrefix("afcli: error: "))
                #expect(run.errorText.filter { $0 == "\n" }.count <= 4)
            }
            #expect(server.acceptedConnections == 0)
        }
    }

    @Test(arguments: ["a\0b", "a\r\nEvil: 1", "a\nb"])
    func `such values from files and variables are errors, too`(content: String) async throws {
        try folder.write(content, to: "bad")
        try folder.write(
            #"{"headers": [{"name": "X", "value": "a\r\nEvil: 1"}], "cookies": []}"#, to: "s.json", permissions: 0o600)
        try folder.write("user:\(content)", to: "login")
        try await withServer { _ in
            .ok()
        } _: { server in
            for words in [["X:@bad"], ["--session", "./s.json"]] {
                let run = try await folder.afcli([server.url()] + words)
                #expect([64, 16].contains(run.status), "\(words): \(run.status) \(run.errorText)")
            }
            #expect(server.requests.isEmpty)
            // Only the first line of a credentials file is used.
            for words in [["-A", "bearer", "-a", "@bad"], ["-a", "@login"]] {
                let run = try await folder.afcli([server.url()] + words)
                #expect(content.contains("\0") ? run.status == 64 : run.status == 0, "\(words): \(run.errorText)")
            }
            #expect(server.requests.allSatisfy { $0["Evil"] == nil && $0["Authorization"] != nil })
            // A variable has no lines, and no NUL.
            let variables = ["LOGIN": "user:\(content.replacing("\0", with: "\n"))"]
            for words in [
                ["-a", "env:LOGIN"], ["-A", "bearer", "-a", "env:LOGIN"], ["-A", "digest", "-a", "env:LOGIN"],
            ] {
                let run = try await folder.afcli([server.url()] + words, variables: variables)
                #expect(run.status == 64 && !run.errorText.contains("user:"), "\(words): \(run.errorText)")
            }
        }
    }

    @Test func `names of parts are escaped as in browsers`() async throws {
        try folder.write("x", to: "q\"u;o\\te.txt")
        try await withServer { _ in
            .ok()
        } _: { server in
            let words = [
                "-F", #"a"b=1"#, "-F", #"f=@"q\"u;o\\te.txt""#, "--form-string", "c;d=2", "-F", "e%22=3", server.url(),
            ]
            let run = try await folder.afcli(words)
            #expect(run.status == 0, "\(run.errorText)")
            let body = server.requests.first?.text ?? ""
            #expect(body.contains(#"name="a%22b""# + "\r\n"))
            #expect(body.contains(#"name="f"; filename="q%22u;o\te.txt""# + "\r\n"))
            #expect(body.contains(#"name="c;d""# + "\r\n") && body.contains(#"name="e%22""# + "\r\n"))
        }
    }

    @Test func `a library request with such values is rejected, too`() async throws {
        try await withServer { _ in
            .ok()
        } _: { server in
            let session = Session()
            for bad in ["\r\n", "\n", "\r", "\0", "\u{7F}"] {
                var headers = HTTPHeaders()
                headers.append(name: "X", value: "a\(bad)Evil: 1")
                var named = HTTPHeaders()
                named.append(name: "X\(bad)Evil", value: "a")
                let requests = [
                    session.request(server.url(), headers: headers), session.request(server.url(), headers: named),
                    session.request(server.url(), method: HTTPMethod(rawValue: "GET\(bad)X")),
                    session.request(server.url()).authenticate(username: "a\(bad)b", password: "c"),
                    session.upload(
                        multipartFormData: {
                            $0.append(
                                .bytes([1]), withLength: 1, headers: ["Content-Disposition": "form-data\(bad)X: y"])
                        }, to: server.url()),
                ]
                for request in requests {
                    #expect(await request.serializingData().response.error != nil)
                }
            }
            #expect(server.requests.isEmpty)
        }
    }
}
