import AFHTTP
import FoundationEssentials
import TestSupport
import Testing

@testable import AFCommand
@testable import AFJSON

@Suite struct SessionFileTests {
    private func file(_ text: String) throws -> SessionFile { try SessionFile(Array(text.utf8)) }

    private func text(_ file: SessionFile) -> String { String(decoding: file.content, as: UTF8.self) }

    @Test func `a file has every member that HTTPie writes`() throws {
        for old in ["{}", #"{"auth": {"password": null, "type": null, "username": null}}"#, #"{"headers": {}}"#] {
            var file = try file(old)
            file.store([SessionCookie(HTTPCookie(name: "n", value: "v", domain: "example.org"))])
            let new = try JSONText(file: file.content)
            for name in ["auth", "cookies", "headers"] { #expect(new[name] != nil, "\(old) \(name)") }
            file.store(SessionFile.Authentication(kind: "basic", credential: "a:b"))
            file.store(nil as SessionFile.Authentication?)
            #expect(try JSONText(file: file.content)["auth"]?["type"] == .null)
        }
    }

    @Test func `a new file has HTTPie's layout`() throws {
        var file = SessionFile()
        file.store([HTTPHeader(name: "X-B", value: "2"), HTTPHeader(name: "X-A", value: "ü\"")])
        file.store(SessionFile.Authentication(kind: "basic", credential: "ada:pw"))
        file.store([SessionCookie(HTTPCookie(name: "n", value: "v", domain: "example.org"))])
        #expect(
            text(file) == #"""
                {
                    "__meta__": {
                        "about": "HTTPie session file",
                        "help": "https://httpie.io/docs#sessions",
                        "httpie": "3.2.4"
                    },
                    "auth": {
                        "raw_auth": "ada:pw",
                        "type": "basic"
                    },
                    "cookies": [
                        {
                            "domain": "example.org",
                            "expires": null,
                            "name": "n",
                            "path": "/",
                            "secure": false,
                            "value": "v"
                        }
                    ],
                    "headers": [
                        {
                            "name": "X-B",
                            "value": "2"
                        },
                        {
                            "name": "X-A",
                            "value": "\u00fc\""
                        }
                    ]
                }

                """#
        )
        #expect(try SessionFile(file.content).headers == file.headers)
        #expect(try SessionFile(file.content).login == file.login)
    }

    @Test func `empty members are written as by HTTPie`() throws {
        #expect(text(SessionFile()).contains("    \"cookies\": [],\n    \"headers\": []\n}\n"))
        #expect(text(SessionFile()).contains("\"auth\": {\n        \"password\": null,"))
        #expect(try file(text(SessionFile())).content == SessionFile().content)
    }

    @Test func `members may be missing`() throws {
        let bare = try file(#"{"cookies": {"n": {"value": "v"}}}"#)
        #expect(bare.cookies.map(\.name) == ["n"])
        var cookie = HTTPCookie(name: "n", value: "v", domain: "h")
        cookie.isFromResponse = true
        #expect(bare.cookies.map { $0.cookie(for: "h") } == [cookie])
        #expect(bare.headers.isEmpty)
        #expect(bare.login == nil)
        #expect(try file("{}").cookies.isEmpty)
        #expect(try file(#"{"headers": null, "cookies": null, "auth": null}"#).login == nil)
    }

    @Test func `old layouts are read and preserved`() throws {
        let old = """
            {"auth": {"type": "digest", "username": "ada", "password": "p:w"},
             "cookies": {"n": {"value": "v", "expires": 4000000000, "path": "/x", "secure": true}},
             "headers": {"X-A": "1", "X-Unset": null}}
            """
        var session = try file(old)
        #expect(session.login == .init(kind: "digest", credential: "ada:p:w"))
        #expect(session.headers == [HTTPHeader(name: "X-A", value: "1")])
        let cookie = session.cookies[0].cookie(for: "example.org")
        #expect(cookie.path == "/x" && cookie.isSecure && cookie.domain == "example.org")
        #expect(cookie.expiresDate == Date(timeIntervalSince1970: 4_000_000_000))
        session.store([HTTPHeader(name: "x-a", value: "2")])
        session.store(session.cookies + [SessionCookie(HTTPCookie(name: "m", value: "w", domain: "example.org"))])
        let written = text(session)
        #expect(written.contains("\"headers\": {\n        \"x-a\": \"2\"\n    }"))
        #expect(written.contains("\"username\": \"ada\""))
        let members = try #require(session.root["cookies"]?.members)
        #expect(members.map(\.name) == ["n", "m"])
        #expect(members[1].value["name"] == nil)
        #expect(try SessionFile(session.content).cookies.map(\.name) == ["m", "n"])
    }

    @Test func `an old layout is replaced if it cannot represent the contents`() throws {
        var session = try file(#"{"cookies": {"n": {"value": "v"}}, "headers": {"A": "1"}}"#)
        session.store([HTTPHeader(name: "A", value: "1"), HTTPHeader(name: "A", value: "2")])
        session.store(session.cookies + [SessionCookie(HTTPCookie(name: "n", value: "w", domain: "h", path: "/x"))])
        let again = try SessionFile(session.content)
        #expect(again.headers.map(\.value) == ["1", "2"])
        #expect(again.cookies.map(\.value) == ["v", "w"])
        #expect(session.root["cookies"]?.elements?.map { $0["name"]?.string } == ["n", "n"])
    }

    @Test func `unknown members are preserved`() throws {
        var session = try file(
            """
            {"__meta__": {"httpie": "3.1.0"}, "plugin": {"deep": [1.50, {"a": 1e400}]},
             "cookies": [{"name": "n", "value": "v", "domain": null, "rest": {"HttpOnly": null}}],
             "headers": []}
            """
        )
        session.store([HTTPHeader(name: "A", value: "1")])
        session.store(session.cookies + [SessionCookie(HTTPCookie(name: "m", value: "w", domain: "h"))])
        let again = try SessionFile(session.content)
        #expect(again.root["__meta__"]?["httpie"]?.string == "3.1.0")
        #expect(text(session).contains("1.50") && text(session).contains("1e400"))
        #expect(again.root["cookies"]?.elements?[0]["rest"]?["HttpOnly"] == .null)
        #expect(again.root["cookies"]?.elements?[0]["domain"] == .null)
    }

    @Test func `a cookie without a host belongs to the first host of the run`() throws {
        let session = try file(
            """
            {"cookies": [{"name": "a", "value": "", "domain": ""}, {"name": "b", "value": "", "domain": null},
             {"name": "c", "value": "", "domain": ".Example.org"}]}
            """
        )
        #expect(session.cookies.map { $0.cookie(for: "h").domain } == ["h", "h", ".example.org"])
    }

    @Test func `an OAuth token has a separate member`() throws {
        var session = try file(#"{"afcli": {"other": 1}}"#)
        #expect(session.token == nil)
        let token = SessionToken(
            accessToken: "a", refreshToken: "r", expires: 4_000_000_000, scope: nil, issuer: "https://i/t",
            clientID: "c", origin: "https://h"
        )
        session.token = token
        let again = try SessionFile(session.content)
        #expect(again.token == token)
        #expect(again.root["afcli"]?["other"]?.number == 1)
        session.token = nil
        #expect(try SessionFile(session.content).token == nil)
        #expect(session.root["afcli"]?["other"]?.number == 1)
    }

    @Test(arguments: [
        ("{", "line 1, column 2: expected a name in double quotes or '}'"),
        ("{\n  \"ü\" 1}", "line 2, column 7: expected ':'"), ("[]", "the file is not a JSON object"),
        (#"{"headers": 5}"#, "'headers' is a number and not an array"),
        (#"{"headers": [{"name": "A"}]}"#, "a header has no name or no value"),
        (#"{"headers": {"A": "x\r\ny"}}"#, "the header 'A' cannot be sent"),
        (#"{"cookies": "x"}"#, "'cookies' is a string and not an array"),
        (#"{"cookies": [5]}"#, "a cookie has no name or no value"),
        (#"{"cookies": [{"name": "n", "value": "a\nb"}]}"#, "the cookie 'n' cannot be sent"),
        (#"{"auth": "x"}"#, "'auth' is a string and not an object"),
    ])
    func `an invalid session file is reported with the reason`(text: String, reason: String) {
        let problem = #expect(throws: JSONFileProblem.self) { try file(text) }
        #expect(problem?.reason == reason)
    }

    @Test func `a cookie that would make the file unreadable is not stored`() throws {
        let cookies = [
            HTTPCookie(name: "a", value: "1", domain: "example.org", path: "/\u{1}"),
            HTTPCookie(name: "b", value: "2", domain: "example.org"),
        ]
        var session = SessionFile()
        session.store(CookieChanges(from: [], to: cookies).applied(to: [], host: "example.org"))
        #expect(try SessionFile(session.content).cookies.map(\.name) == ["b"])
    }

    @Test func `cookies keep the order of their creation`() async throws {
        let folder = try ScratchFolder()
        try await withServer {
            $0.path == "/set" ? .ok().header("Set-Cookie", "b=1").header("Set-Cookie", "a=2") : .ok()
        } _: { server in
            for path in ["/set", "/1", "/2"] {
                _ = await runTool("--session", folder.file("s.json"), server.url(path))
            }
            #expect(server.requests.map { $0["Cookie"] } == [nil, "b=1; a=2", "b=1; a=2"])
        }
    }

    @Test func `a session in a binary file is rejected as not UTF-8`() {
        #expect(throws: JSONFileProblem("it is not UTF-8 text")) { try SessionFile([0x7B, 0xFF]) }
    }
}
