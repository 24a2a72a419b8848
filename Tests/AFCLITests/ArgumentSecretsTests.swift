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
    ])
    func `a secret is not in the list of processes`(words: [String]) async throws {
        try await withScriptedServer { connection in
            guard try connection.readRequest() != nil else { return }
            try connection.waitForClose()
        } _: { server in
            let words = words.map {
                $0.replacing("URL", with: server.url("/slow")).replacing("HOST", with: server.authority)
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
