import TestSupport
import Testing

/// The main features with a well-behaved server, as shown by `make demo`.
@Suite(.timeLimit(.minutes(5))) struct DemoServerTests {
    @Test func `query items and JSON fields are sent to the server`() async throws {
        try await withDemoServer { server in
            let get = try await Program.afcli("get", server.url("/get"), "a==1", "b==2").run()
            #expect(get.status == 0)
            #expect(get.text.contains("\"a\""))
            let post = try await Program.afcli("post", server.url("/post"), "x=1", "y:=2", "-v").run()
            #expect(post.status == 0)
            #expect(post.text.contains("\r\n\r\n{\"x\": \"1\", \"y\": 2}\n\nHTTP/1.1 200 OK\r\n"))
        }
    }

    @Test func `credentials are accepted from an option, from the URL and from a netrc file`() async throws {
        let folder = try ScratchFolder()
        let login = "machine 127.0.0.1\nlogin ada\npassword \"open sesame\"\n"
        let netrc = try folder.write(login, to: "n", permissions: 0o600)
        try await withDemoServer { server in
            let url = server.url("/basic-auth/ada/open%20sesame")
            for words in [
                ["-a", "ada:open sesame", url], ["--netrc-file", netrc, url],
                [url.replacing("://", with: "://ada:open%20sesame@")],
            ] {
                let run = try await Program(Program.afcliPath(), words).run()
                #expect(run.status == 0, "\(words) \(run.errorText)")
                #expect(run.text.contains("\"authenticated\""))
            }
            #expect(try await Program.afcli("-a", "ada:wrong", url).run().status == 4)
            let bearer = try await Program.afcli("-A", "bearer", "-a", "t0k", server.url("/bearer")).run()
            #expect(bearer.text.contains("t0k"))
        }
    }

    @Test func `files can be uploaded and downloaded`() async throws {
        let folder = try ScratchFolder()
        let file = try folder.writePattern("up.bin", size: 3_000_000)
        try await withDemoServer { server in
            let up = try await Program.afcli("post", server.url("/upload"), "-F", "name=x", "-F", "f=@\(file)").run()
            #expect(up.status == 0, "\(up.errorText)")
            let down = try await Program.afcli("get", server.url("/file"), "-o", folder.file("f")).run()
            #expect(down.status == 0, "\(down.errorText)")
            #expect(try folder.size(of: "f") > 0)
        }
    }
}
