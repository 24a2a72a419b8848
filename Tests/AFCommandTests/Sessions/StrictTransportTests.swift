import AFHTTP
import TestSupport
import Testing

@testable import AFCommand

/// HSTS hosts are stored in a session or a file.
@Suite(.timeLimit(.minutes(5))) struct StrictTransportTests {
    let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private let directives = "add_header Strict-Transport-Security \"max-age=100000\" always;"

    @Test func `a file of HSTS hosts changes http to https`() async throws {
        try await withNginx(files: ["x": .text("safe")], directives: directives) { nginx in
            let clear = "http://localhost:\(nginx.securePort)/x"
            let words = ["--hsts", folder.file("hsts"), "--cacert", nginx.root]
            #expect(await runTool(words + [clear]).status == 4)
            #expect(!folder.has("hsts"))
            #expect(await runTool(words + [nginx.secureURL("/x")]).status == 0)
            #expect(try folder.permissions(of: "hsts") == 0o600)
            #expect(try folder.text(of: "hsts").contains("\nlocalhost \"20"))
            let secured = await runTool(words + [clear])
            #expect(secured.output == "safe", "\(secured.errors)")
            let curl = try await Program("/usr/bin/curl", ["-s"] + words + [clear]).run()
            #expect(curl.text == "safe")
            try await withServer { _ in
                .redirect(to: clear)
            } _: { server in
                #expect(await runTool(words + ["-L", server.url()]).output == "safe")
            }
        }
    }

    @Test func `curl's HSTS file is read, with subdomains`() async throws {
        let file = try folder.write("# made by hand\n.example.test \"unlimited\"\n", to: "hsts")
        let words = ["--hsts", file, "--offline", "-v"]
        let plan = try Plan(Invocation(parsing: words + ["a.example.test"]), ToolWorld().environment)
        #expect(plan.url.text == "https://a.example.test/")
        let other = try Plan(Invocation(parsing: words + ["example.org"]), ToolWorld().environment)
        #expect(other.url.text == "http://example.org/")
    }

    @Test func `a session stores HSTS hosts`() async throws {
        try await withNginx(files: ["x": .text("safe")], directives: directives) { nginx in
            let words = ["--session", folder.file("s.json"), "--cacert", nginx.root]
            #expect(await runTool(words + [nginx.secureURL("/x")]).status == 0)
            let session = try SessionFile(folder.bytes(of: "s.json"))
            #expect(session.hstsEntries.map(\.host) == ["localhost"])
            #expect(await runTool(words + ["http://localhost:\(nginx.securePort)/x"]).output == "safe")
        }
    }

    @Test func `a host without a verified certificate is not stored`() async throws {
        try await withNginx(files: ["x": .text("safe")], directives: directives) { nginx in
            let words = ["--hsts", folder.file("hsts"), "--verify=no", nginx.secureURL("/x")]
            #expect(await runTool(words).status == 0)
            #expect(!folder.has("hsts"))
        }
    }

    @Test func `a file with other contents is rejected and remains`() async throws {
        let file = try folder.write("buy milk\n", to: "notes")
        let run = await runTool("--hsts", file, "--offline", "example.org")
        #expect(run.status == 16)
        let beginning = "afcli: error: --hsts: '\(file)' is malformed: line 1 is not of the form "
        #expect(run.messages.first?.hasPrefix(beginning) == true)
        #expect(folder.holds("buy milk\n", in: "notes"))
    }
}
