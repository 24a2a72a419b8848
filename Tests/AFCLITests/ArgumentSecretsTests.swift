import FoundationEssentials
import TestSupport
import Testing

/// The arguments of a running process, which other users can read.
@Suite(.timeLimit(.minutes(5))) struct ArgumentSecretsTests {
    @Test(arguments: [
        ["-a", "ada:s3cret", "URL"], ["-aada:s3cret", "URL"], ["--auth=ada:s3cret", "URL"],
        ["http://ada:s3cret@HOST/slow"], ["get", "URL", "Authorization:Bearer s3cret"],
        ["-H", "X-Api-Key: s3cret", "URL"], ["--form", "URL", "password=s3cret"],
        ["--proxy", "http://ada:s3cret@HOST", "URL"], ["curl", "-u", "ada:s3cret", "URL"],
        ["curl", "-sHAuthorization: Bearer s3cret", "URL"],
        ["ada:s3cret@HOST/slow"], ["--proxy", "ada:s3cret@HOST", "URL"], ["--form", "URL", #"password=s3cret\=x"#],
        ["-F", "password=s3cret", "URL"], ["curl", "URL", "--next", "-u", "ada:s3cret", "URL"],
        ["curl", "-b", "sid=s3cret", "URL"], ["curl", "-bsid=s3cret", "URL"], ["curl", "-F", "password=s3cret", "URL"],
        ["URL?token=s3cret"], ["--raw", "password=s3cret", "URL"], ["curl", "URL?a=1&token=s3cret"],
        ["curl", "-d", "password=s3cret", "URL"], ["curl", "-dpassword=s3cret", "URL"],
        ["curl", "--json", #"{"token": "s3cret"}"#, "URL"], ["curl", "-G", "--url-query", "token=s3cret", "URL"],
        ["URL", #"user:={"password": "s3cret"}"#],
        ["-F", #"meta={"password": "s3cret"};type=application/json"#, "URL"],
        ["curl", "-d", "user[password]=s3cret", "URL"],
        ["curl", "--form-string", "token=s3cret", "URL"], ["curl", "-E", "IDENTITY:s3cret", "URL"],
        ["--expect-header", "X-Api-Key: s3cret", "URL"], ["--expect-json", #"token == "s3cret""#, "URL"],
        ["--expect-json=user.password~s3cret", "URL"], ["URL#access_token=s3cret"],
        ["URL", "Referer:http://a.example/?token=s3cret"], ["-HReferer: http://ada:s3cret@a.example/", "URL"],
        ["curl", "-e", "http://a.example/?token=s3cret", "URL"],
        ["--doh-url", "https://a.example/dns-query?token=s3cret", "URL"],
    ])
    func `secrets in arguments are hidden in the list of processes`(words: [String]) async throws {
        let folder = try ScratchFolder()
        let client = try await TestCertificates.shared.client
        let identity = try folder.write(
            try [client.certificate, client.key].map { try String(contentsOfFile: $0, encoding: .utf8) }.joined(),
            to: "client.pem")
        try await withScriptedServer { connection in
            guard try connection.readRequest() != nil else { return }
            try connection.waitForClose()
        } _: { server in
            let words = words.map {
                $0.replacing("URL", with: server.url("/slow")).replacing("HOST", with: server.authority)
                    .replacing("IDENTITY", with: identity)
            }
            var program = Program(try Program.afcliPath(), words)
            program.input = .empty
            let running = try program.start()
            try await eventually("a request") { server.requests.count == 1 }
            let arguments = try String(contentsOfFile: "/proc/\(running.processIdentifier)/cmdline", encoding: .utf8)
            #expect(arguments.contains("***"))
            #expect(!arguments.contains("s3cret"), "\(arguments)")
            running.signal(15)
            _ = try await running.waitForEnd()
        }
    }

    @Test func `only the secret is hidden`() async throws {
        try await withScriptedServer { connection in
            guard try connection.readRequest() != nil else { return }
            try connection.waitForClose()
        } _: { server in
            let url = server.url("/aaa")
            var program = Program(try Program.afcliPath(), ["-A", "bearer", "-a", "a", url, "token=token"])
            program.input = .empty
            let running = try program.start()
            try await eventually("a request") { server.requests.count == 1 }
            let arguments = try String(contentsOfFile: "/proc/\(running.processIdentifier)/cmdline", encoding: .utf8)
            #expect(
                arguments.split(separator: "\0").dropFirst() == ["-A", "bearer", "-a", "*", url[...], "token=*****"])
            running.signal(15)
            _ = try await running.waitForEnd()
        }
    }
}
