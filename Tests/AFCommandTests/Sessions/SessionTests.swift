import AFHTTP
import TestSupport
import Testing

@testable import AFCommand
@testable import AFJSON

@Suite(.timeLimit(.minutes(5))) struct SessionTests {
    let folder: ScratchFolder
    private let world: ToolWorld

    init() throws {
        folder = try ScratchFolder()
        world = ToolWorld().with(variables: ["AFCLI_CONFIG_DIR": folder.file("config")])
    }

    private func run(_ words: String...) async -> ToolRun { await runTool(words, in: world.withoutConfiguration) }

    /// A session of this name for a server.
    private func sessionFile(_ name: String, of server: LocalServer) -> String {
        "config/sessions/127.0.0.1_\(server.port)/\(name).json"
    }

    private func session(_ path: String) throws -> SessionFile { try SessionFile(folder.bytes(of: path)) }

    @Test func `header fields and credentials are stored and sent again`() async throws {
        try await withServer { _ in
            .ok()
        } _: { server in
            let first = await run(
                "--session=s", "-a", "ada:pw", "post", server.url(), "X-A:1", "X-A:2", "x=y", "If-Match:e", "Range:b=0-"
            )
            #expect(first.status == 0, "\(first.errors)")
            let path = sessionFile("s", of: server)
            #expect(try folder.permissions(of: path) == 0o600)
            for name in ["config", "config/sessions", "config/sessions/127.0.0.1_\(server.port)"] {
                #expect(try folder.permissions(of: name) == 0o700)
            }
            #expect(try session(path).headers.map(\.description) == ["X-A: 1", "X-A: 2"])
            #expect(await run("--session=s", server.url()).status == 0)
            let second = try #require(server.requests.last)
            #expect(second.values(for: "X-A") == ["1", "2"])
            #expect(second["Authorization"] == "Basic YWRhOnB3")
            #expect(second["If-Match"] == nil && second["Range"] == nil && second["Content-Type"] == nil)
            #expect(await run(server.url()).status == 0)
            #expect(server.requests.last?["X-A"] == nil)
        }
    }

    @Test func `typed values replace stored ones`() async throws {
        try await withServer { _ in
            .ok()
        } _: { server in
            _ = await run("--session=s", "-a", "ada:pw", server.url(), "X-A:1", "X-B:1", "User-Agent:me")
            _ = await run("--session=s", "-A", "bearer", "-a", "tok", server.url(), "x-a:2", "X-B:")
            let second = try #require(server.requests.last)
            #expect(second.values(for: "X-A") == ["2"])
            #expect(second["X-B"] == nil)
            #expect(second["User-Agent"] == "me")
            #expect(second["Authorization"] == "Bearer tok")
            let kept = try session(sessionFile("s", of: server))
            #expect(kept.headers.map(\.description) == ["X-B: 1", "User-Agent: me", "x-a: 2"])
            let origin = try HTTPURL(parsing: server.url()).origin
            #expect(kept.login == .init(kind: "bearer", credential: "tok", origin: origin))
            _ = await run("--session=s", server.url(), "Authorization:typed")
            #expect(server.requests.last?.values(for: "Authorization") == ["typed"])
            #expect(try session(sessionFile("s", of: server)).login == nil)
            _ = await run("--session=s", server.url())
            #expect(server.requests.last?.values(for: "Authorization") == ["typed"])
            _ = await run("--session=s", server.url().replacing("://", with: "://u:p@"))
            #expect(server.requests.last?.values(for: "Authorization") == ["Basic dTpw"])
            #expect(try session(sessionFile("s", of: server)).headers.allSatisfy { $0.name != "Authorization" })
        }
    }

    @Test func `cookies of servers are stored, and removed when deleted`() async throws {
        try await withServer { request in
            switch request.path {
            case "/in": .ok().header("Set-Cookie", "sid=1; Path=/; Max-Age=1000").header("Set-Cookie", "b=2; Path=/x")
            case "/out": .ok().header("Set-Cookie", "sid=; Path=/; Max-Age=0")
            default: .ok(request["Cookie"] ?? "none")
            }
        } _: { server in
            #expect(await run("--session=s", server.url("/in")).status == 0)
            #expect(await run("--session=s", server.url()).output == "sid=1")
            #expect(await run("--session=s", server.url("/x/y")).output == "b=2; sid=1")
            #expect(await run("--session=other", server.url()).output == "none")
            let cookies = try session(sessionFile("s", of: server)).cookies
            #expect(cookies.map(\.name).sorted() == ["b", "sid"])
            #expect(cookies.allSatisfy { $0.domain == "127.0.0.1" })
            #expect(cookies.first { $0.name == "sid" }?.expires ?? 0 > 1e9)
            #expect(await run("--session=s", server.url("/out")).status == 0)
            #expect(await run("--session=s", server.url("/x")).output == "b=2")
        }
    }

    @Test func `a typed cookie is stored as a cookie, and a server may replace it`() async throws {
        try await withServer { request in
            request.path == "/set"
                ? .ok().header("Set-Cookie", "a=server; Path=/")
                : .ok(request.values(for: "Cookie").joined(separator: "|"))
        } _: { server in
            let path = sessionFile("s", of: server)
            #expect(await run("--session=s", server.url(), "Cookie:a=1; b=2 ;flag").output == "a=1; b=2; flag")
            let typed = try session(path)
            #expect(typed.cookies.map(\.domain) == ["127.0.0.1", "127.0.0.1"])
            #expect(typed.headers.isEmpty)
            #expect(await run("--session=s", server.url()).output == "a=1; b=2")
            #expect(await run("--session=s", server.url(), "Cookie:b=3").output == "a=1; b=3")
            #expect(await run("--session=s", server.url(), "Cookie:").output == "")
            #expect(await run("--session=s", server.url("/set")).status == 0)
            let replaced = try session(path)
            #expect(replaced.cookies.map(\.value).sorted() == ["3", "server"])
            #expect(await run("--session=s", server.url()).output == "a=server; b=3")
            #expect(await run("--session=s", server.url(), "Cookie:a=mine").output == "b=3; a=mine")
        }
    }

    @Test func `a path is one session file for all hosts, also from HTTPie`() async throws {
        let path = try folder.write(
            """
            {"auth": {"type": "basic", "username": "u", "password": "p"}, "headers": {"X-A": "1"},
             "cookies": {"old": {"value": "1"}, "gone": {"value": "1", "expires": 1000},
                         "secure": {"value": "1", "secure": true}},
             "more": [1.50]}
            """,
            to: "s.json"
        )
        try await withServer(on: .loopback) { _ in
            .ok().header("Set-Cookie", "new=2; Path=/")
        } _: { server in
            #expect(await run("--session", path, server.url()).status == 0)
            let request = try #require(server.requests.last)
            #expect(request["Cookie"]?.contains("old=1") == true)
            #expect(request["Cookie"]?.contains("gone") == false)
            #expect(request["Authorization"] == "Basic dTpw")
            #expect(request["X-A"] == "1")
            let kept = try session("s.json")
            #expect(kept.cookies.map(\.name) == ["new", "old", "secure"])
            #expect(kept.root["cookies"]?.members != nil && kept.root["headers"]?.members != nil)
            #expect(kept.root["more"]?.elements?.map(\.text) == ["1.50"])
            #expect(try folder.permissions(of: "s.json") == 0o600)
        }
    }

    @Test func `a missing read-only session is created, and then unchanged`() async throws {
        try await withServer { _ in
            .ok().header("Set-Cookie", "n=v")
        } _: { server in
            let path = folder.file("new/s.json")
            #expect(await run("--session-read-only", path, server.url(), "X-A:1").status == 0)
            #expect(try session("new/s.json").headers.count == 1)
            #expect(try session("new/s.json").cookies.count == 1)
            let before = try folder.text(of: "new/s.json")
            #expect(await run("--session-read-only", path, server.url(), "X-A:2").status == 0)
            #expect(server.requests.last?["Cookie"] == "n=v")
            #expect(server.requests.last?.values(for: "X-A") == ["2"])
            #expect(try folder.text(of: "new/s.json") == before)
        }
    }

    @Test(arguments: [
        "{\"headers\": [}", "[]", "{\"cookies\": 1}", "{\"auth\": {\"type\": \"basic\", \"raw_auth\": 5}}",
        "{\"auth\": {\"type\": \"basic\", \"username\": \"u\", \"password\": 7}}",
    ])
    func `an invalid session file is an error and remains`(text: String) async throws {
        let path = try folder.write(text, to: "s.json")
        try await withServer { _ in
            .ok()
        } _: { server in
            let run = await run("--session", path, server.url())
            #expect(run.status == 16)
            #expect(run.messages.count == 2)
            let beginning = "afcli: error: --session: '\(path)' is not a session file: "
            #expect(run.messages[0].hasPrefix(beginning))
            #expect(run.messages[1] == "  correct or remove it; it was not changed")
            #expect(server.requests.isEmpty)
            #expect(folder.holds(text, in: "s.json"))
        }
    }

    @Test func `a session file damaged during the request is an error and remains`() async throws {
        let path = try folder.write("{}", to: "s.json")
        let folder = folder
        try await withServer { _ in
            try folder.write("{", to: "s.json")
            return .ok("shown")
        } _: { server in
            let run = await run("--session", path, server.url(), "A:1")
            #expect(run.status == 16)
            #expect(run.output == "shown")
            #expect(run.messages.contains { $0.contains("is not a session file") }, "\(run.messages)")
            #expect(folder.holds("{", in: "s.json"))
        }
    }

    @Test func `nothing is stored for a request without a response`() async throws {
        let run = try await run("--session=s", RefusingPort().url(), "A:1")
        #expect(run.status == 11)
        #expect(!folder.has("config"))
    }

    @Test func `cookies and headers of a failed response are stored as well`() async throws {
        try await withServer { _ in
            .status(401, "no").header("Set-Cookie", "n=v")
        } _: { server in
            #expect(await run("--session=s", server.url(), "A:1").status == 4)
            let kept = try session(sessionFile("s", of: server))
            #expect(kept.cookies.count == 1 && kept.headers.count == 1)
        }
    }

    @Test(arguments: [["--session"], ["--session-read-only"], ["--cookie-jar"], ["--hsts"]])
    func `a file that cannot be written is an error before the request`(option: [String]) async throws {
        let path = try folder.write("a file", to: "f") + "/s.json"
        try await withServer { _ in
            .ok()
        } _: { server in
            let run = await run(option[0], path, server.url(), "X-A:1")
            #expect(run.status == 16)
            #expect(run.messages.first?.hasPrefix("afcli: error: \(option[0]): cannot ") == true, "\(run.errors)")
            #expect(server.requests.isEmpty)
        }
    }

    @Test func `values typed for one server are not sent to another`() async throws {
        let path = folder.file("s.json")
        try await withServer { _ in
            .ok()
        } _: { first in
            _ = await run("--session", path, "-a", "ada:pw", first.url(), "X-Api-Key:k", "X-A:1")
            #expect(await run("--session", path, first.url()).errors.isEmpty)
            #expect(first.requests.last?["Authorization"] == "Basic YWRhOnB3")
            try await withServer { _ in
                .ok()
            } _: { second in
                let other = await run("--session-read-only", path, second.url())
                #expect(other.status == 0)
                let request = try #require(second.requests.last)
                #expect(request["Authorization"] == nil && request["X-Api-Key"] == nil)
                #expect(request["X-A"] == "1")
                let servers = "belongs to \(first.url("")) and is not sent to \(second.url(""))"
                #expect(other.errors.contains("warning: the session's login \(servers)"), "\(other.errors)")
                #expect(other.errors.contains("warning: the session's X-Api-Key \(servers)"), "\(other.errors)")
                _ = await run("--session-read-only", path, "--trust-redirects", second.url())
                #expect(second.requests.last?["Authorization"] == "Basic YWRhOnB3")
                #expect(second.requests.last?["X-Api-Key"] == "k")
                let typed = await run("--session", path, "-a", "eve:pw", second.url(), "X-Api-Key:l")
                #expect(typed.errors.isEmpty)
                #expect(await run("--session", path, second.url()).errors.isEmpty)
                #expect(second.requests.last?["X-Api-Key"] == "l")
                _ = await run("--session", path, first.url())
                #expect(first.requests.last?["Authorization"] == nil && first.requests.last?["X-Api-Key"] == nil)
            }
        }
    }

    @Test(arguments: [
        ("http://a.test", "https://a.test", true), ("http://a.test:81", "https://a.test:81", true),
        ("https://a.test", "http://a.test", false), ("http://a.test", "https://a.test:444", false),
        ("http://a.test", "http://b.test", false), ("http://a.test:81", "http://a.test", false),
    ])
    func `the same host over TLS is the same server`(first: String, second: String, isTrusted: Bool) async throws {
        let path = folder.file("s.json")
        _ = await run("--session", path, "-a", "ada:pw", "--offline", first)
        let shown = await run("--session", path, "--offline", "--show-secrets", second)
        #expect(shown.output.contains("Authorization: Basic YWRhOnB3") == isTrusted)
        #expect(shown.errors.contains("is not sent to \(second)") == !isTrusted)
    }

    @Test func `printing a curl command stores nothing`() async throws {
        let shown = await run("--session=s", "--curl", "-a", "ada:pw", "example.org", "X-A:1")
        #expect(shown.status == 0 && shown.output.contains("curl"))
        #expect(!folder.has("config"))
    }

    @Test func `offline, stored values are shown and typed ones are stored`() async throws {
        _ = await run("--session=s", "--offline", "example.org:81", "Cookie:a=1", "X-A:1")
        let shown = await run(
            "--session=s", "--offline", "--show-secrets", "example.org:81", "Cookie:b=2", "X-B:1")
        #expect(shown.status == 0, "\(shown.errors)")
        let lines = shown.output.split(separator: "\r\n").map(String.init)
        #expect(lines.contains("Cookie: a=1; b=2"))
        #expect(lines.contains("X-A: 1") && lines.contains("X-B: 1"))
        #expect(folder.list("config/sessions") == ["example.org_81"])
    }

    @Test(arguments: [
        (["example.org"], "example.org"), (["Example.ORG:8080"], "example.org_8080"), (["[::1]:81"], "[__1]_81"),
        (["https://u:p@example.org/x:y"], "example.org"), (["127.0.0.1", "Host:Virtual.test"], "virtual.test"),
        (["bücher.example"], "xn--bcher-kva.example"), ([":3000"], "localhost_3000"),
    ])
    func `a session name has one file per host`(words: [String], name: String) async throws {
        let run = await runTool(["--session=s", "--offline"] + words, in: world.withoutConfiguration)
        #expect(run.status == 0, "\(run.errors)")
        #expect(folder.list("config/sessions") == [name])
        #expect(folder.list("config/sessions/\(name)") == ["s.json"])
    }

    @Test(arguments: ["..", "a/b", "../../x", ""])
    func `a Host field does not select another directory`(host: String) async throws {
        let run = await run("--session=s", "--offline", "example.org", "-H", host.isEmpty ? "Host;" : "Host: \(host)")
        #expect(run.status == 64)
        #expect(run.messages.first == "afcli: error: --session: the host '\(host)' cannot name a directory")
        #expect(!folder.has("config"))
    }

    @Test(arguments: ["a b", "ü", "", "x;y"])
    func `a session name consists of a few characters`(name: String) async throws {
        let run = await run("--session=\(name)", "--offline", "example.org")
        #expect(run.status == 64)
        #expect(run.messages.first?.hasPrefix("afcli: error: --session: expected a name of letters") == true)
    }

    @Test func `the last of --session and --session-read-only has priority`() async throws {
        _ = await run("--session-read-only=b", "--session=a", "--offline", "example.org")
        #expect(folder.list("config/sessions/example.org") == ["a.json"])
    }

    @Test(arguments: [
        (["AFCLI_CONFIG_DIR": "A", "XDG_CONFIG_HOME": "X"], "A"), (["XDG_CONFIG_HOME": "X"], "X/afcli"),
        (["XDG_CONFIG_HOME": ""], "H/.config/afcli"), ([:], "H/.config/afcli"),
    ])
    func `sessions are in the configuration directory`(variables: [String: String], place: String) throws {
        let rooted = variables.mapValues { $0.isEmpty ? "" : "/r/\($0)" }
        #expect(configurationPath(rooted, homeDirectory: "/r/H") == "/r/\(place)")
    }

    @Test func `a configuration directory may start with ~, and that of XDG must be absolute`() {
        #expect(configurationPath(["AFCLI_CONFIG_DIR": "~/x/"], homeDirectory: "/h") == "/h/x")
        #expect(configurationPath(["XDG_CONFIG_HOME": "rel"], homeDirectory: "/h") == "/h/.config/afcli")
        #expect(configurationPath([:], homeDirectory: nil) == nil)
    }

    private func configurationPath(_ variables: [String: String], homeDirectory: String?) -> String? {
        let files = FileAccess.fixed([:] as [String: String], homeDirectory: homeDirectory)
        return ConfigurationDirectory(variables: Variables(variables), files: files).path
    }

    @Test func `an unknown authentication type is an error with a hint`() async throws {
        let path = try folder.write(#"{"auth": {"type": "jwt", "raw_auth": "secret"}}"#, to: "s.json")
        let refused = await run("--session", path, "--offline", "example.org")
        #expect(refused.status == 64)
        let sentence = "--session: the session has the unknown authentication type 'jwt'"
        #expect(refused.messages.first == "afcli: error: \(sentence)")
        #expect(!refused.errors.contains("secret"))
        #expect(await run("--session", path, "--offline", "-a", "u:p", "example.org").status == 0)
    }
}

extension ToolWorld {
    /// A copy of the environment with empty outputs.
    var withoutConfiguration: ToolWorld {
        ToolWorld(
            variables: variables,
            standardInput: standardInput,
            outputColumns: outputColumns,
            errorColumns: errorColumns
        )
    }
}
