import AFCore
import TestSupport
import Testing

@Suite("Safety 16: one URL parser", .timeLimit(.minutes(5)))
struct SafetyRow16OneURLParserTests {
    let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    /// URLs that programs interpret differently; `HERE` is the server's address and port.
    static let ambiguous = [
        "http://HERE\\@example.org/", "http://example.org\\@HERE/", "http://HERE%2Fx/",
        "http://127.0.0.1%2e/", "http://127.0.0%2E1/", "http://%31%32%37.0.0.1/", "http://127.0.0.1%00.example.org/",
        "http://exa%2Fmple.org/", "http://exa%40mple.org/",
        "http://127.1/", "http://0x7f000001/", "http://0x7f.1/", "http://2130706433/", "http://0177.0.0.1/",
        "http://127.0.0.1.0x1/", "http://[127.0.0.1]/", "http://[::1/", "http://[::1]x/", "http:///x",
        "http://@/", "http://a b/", "http://HERE:80/", "http://127.0.0.1:99999/",
        "http://127.0.0.1:-1/",
        "http://127.0.0.1:8a/", "http://a,b/", "http://a;b/", "http://(a)/", "http://a..b/", "http://.a/",
        "http://ex\u{2100}mple\u{FF0F}.org/", "http://a\u{0}/", "http://a\u{1}/",
    ]

    @Test func `an ambiguous URL is a usage error`() async throws {
        try await withServer { _ in
            .ok()
        } _: { server in
            for url in Self.ambiguous where !url.contains("\0") {
                let run = try await folder.afcli(url.replacing("HERE", with: server.authority))
                #expect(run.status == 64, "\(url): \(run.status) \(run.errorText)")
            }
            #expect(server.acceptedConnections == 0)
        }
    }

    @Test func `a redirect to an ambiguous URL is not followed`() async throws {
        let bad = Self.ambiguous.filter { $0.utf8.allSatisfy { $0 > 0x20 } && $0 != "http:///x" }
        let other = try LocalServer { _ in .ok() }
        try await withServer { request in
            .redirect(to: bad[Int(request.path.dropFirst()) ?? 0].replacing("HERE", with: other.authority))
        } _: { server in
            for index in bad.indices {
                let run = try await folder.afcli("-L", server.url("/\(index)"))
                #expect(run.status == 6, "\(bad[index]): \(run.status) \(run.errorText)")
            }
            #expect(other.acceptedConnections == 0)
        }
    }

    @Test(arguments: [
        ("http://ada:s3cret@HERE/x", "/x"), ("http://HERE?a=b", "/?a=b"), ("http://HERE?", "/?"),
        ("http://HERE/a?#b", "/a?"), ("http://HERE/a%2Fb?c=%20", "/a%2Fb?c=%20"),
        ("http://HERE/a#@example.org", "/a"), ("http://HERE/@example.org/", "/@example.org/"),
        ("http://HERE/?@example.org", "/?@example.org"), ("http://HERE/\\x", "/%5Cx"), ("HTTP://HERE/x", "/x"),
        ("http://HERE/a/../b", "/b"), ("http://HERE/%2e%2e/b", nil), ("http://HERE/ä", "/%C3%A4"),
        ("http://ada%40example.org@HERE/", "/"), ("http://example.org\u{FF0F}@HERE/", "/"),
    ])
    func `the request is sent to the parsed host, with the parsed target`(url: String, target: String?) async throws {
        try await withServer { _ in
            .ok("here")
        } _: { server in
            let run = try await folder.afcli("-b", url.replacing("HERE", with: server.authority))
            #expect(run.text == "here", "\(run.errorText)")
            let request = try #require(server.requests.first)
            #expect(request["Host"] == server.authority)
            if let target { #expect(request.target == target) }
        }
    }

    @Test func `every spelling of an IPv6 address is the same origin`() async throws {
        try await withServer { request in
            request.path == "/" ? .redirect(to: "http://[::1]/again") : .ok(request["Authorization"] ?? "none")
        } _: { server in
            for host in ["[::1]", "[0:0::1]", "[::0001]", "[0:0:0:0:0:0:0:1]", "[::0.0.0.1]"] {
                let words = ["-bL", "-a", "ada:s3cret", "--connect-to", "[0::1]:80:127.0.0.1:\(server.port)"]
                let run = try await folder.afcli(words + ["http://\(host)/"])
                #expect(run.text == "Basic YWRhOnMzY3JldA==", "\(host): \(run.errorText)")
                #expect(server.requests.last?["Host"] == "[::1]")
            }
        }
    }

    @Test func `user info of a URL is used only as credentials`() async throws {
        let other = try LocalServer { _ in .ok("there") }
        try await withServer { request in
            request.path == "/r" ? .redirect(to: other.url("/there")) : .bytes([1])
        } _: { server in
            let place = "http://ada:s3cret@\(server.authority)"
            let words = ["-L", "--report", "r.json", "--har", "h.har", "--session", "./s.json", "-v", "--debug"]
            let run = try await folder.afcli(words + [place + "/r"])
            #expect(run.status == 0, "\(run.errorText)")
            let requests = server.requests + other.requests
            #expect(requests.allSatisfy { $0["Referer"] == nil && !$0.headText.contains("s3cret") })
            #expect(requests.allSatisfy { !$0.target.contains("ada") })
            #expect(server.requests.first?["Authorization"] == "Basic YWRhOnMzY3JldA==")
            for name in ["r.json", "h.har"] { #expect(!(try folder.text(of: name).contains("s3cret")), "\(name)") }
            #expect(!run.errorText.contains("s3cret"), "\(run.errorText)")
            let saved = try await folder.afcli("-d", "--output-dir", "into", "--create-dirs", place + "/")
            #expect(saved.status == 0 && !saved.allOutput.contains("s3cret"), "\(saved.errorText)")
            #expect(folder.list("into") == ["index"])
            // Nor is it in the record of a partial file or the attribute of a complete one.
            let download = BrokenDownload()
            let broken = try LocalServer { _ in download.broken }
            let half = try await folder.afcli("-o", "f", "http://ada:s3cret@\(broken.authority)/f")
            #expect(half.status == 13 && !half.allOutput.contains("s3cret"), "\(half.errorText)")
            #expect(!(try folder.text(of: "f.part.json").contains("s3cret")))
        }
    }

    @Test(arguments: [
        "http://ada:s3cret@exa mple/", "http://ada:s3cret@127.1/", "http://ada:s3cret@127.0.0.1:1/",
        "ftp://ada:s3cret@example.org/", "http://ada:s3cret@/", "http://ada:s3cret@h.invalid/", "http://ada:s3%cret@h/",
        "http://ada:s3cret@127.0.0.1:99999/", "http://ada:s3cret@[::1/", "http://ada:s3cret@x@y/",
    ])
    func `no message shows a password`(url: String) async throws {
        for words in [[], ["--debug"], ["-d"], ["--report", "-"], ["-v"]] {
            let run = try await folder.afcli(words + ["--connect-timeout", "2", url])
            #expect(run.status != 0)
            #expect(!run.allOutput.contains("s3"), "\(words): \(run.allOutput)")
        }
        let list = try folder.write("\(url)\n", to: "list")
        let several = try await folder.afcli("-d", "--connect-timeout", "2", "--input", list)
        #expect(!several.allOutput.contains("s3"), "\(several.allOutput)")
    }

    @Test func `the library parses URLs like the tool`() async throws {
        try await withServer { _ in
            .ok()
        } _: { server in
            let session = Session()
            for url in Self.ambiguous where !url.contains("%00") {
                let request = session.request(url.replacing("HERE", with: server.authority))
                let error = await request.serializingData().response.error
                #expect(error != nil && server.acceptedConnections == 0, "\(url)")
            }
        }
    }
}
