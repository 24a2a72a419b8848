import Foundation
import TestSupport
import Testing

/// Standard input of `afcli curl`: it is read once and sent with each request.
@Suite(.timeLimit(.minutes(5))) struct CurlInputTests {
    @Test(arguments: [
        ["--data-binary", "@-", "URL/1", "URL/2"], ["--json", "@-", "URL/[1-2]"], ["-d", "@-", "URL/{1,2}"],
        ["--data-urlencode", "@-", "URL/1", "URL/2"], ["-F", "f=@-", "URL/1", "URL/2"],
        ["-F", "f=<-", "URL/1", "URL/2"],
        ["-T", "-", "URL/{1,2}"],
    ])
    func `each URL gets the complete input`(words: [String]) async throws {
        try await withServer { _ in
            .ok()
        } _: { server in
            let root = "http://\(server.authority)"
            var program = try Program(
                Program.afcliPath(), ["curl"] + words.map { $0.replacingOccurrences(of: "URL", with: root) })
            program.input = .bytes(Array("important".utf8))
            let run = try await program.run()
            #expect(run.status == 0, "\(run.errorText)")
            #expect(server.requests.count == 2)
            for request in server.requests { #expect(request.text.contains("important"), "\(words)") }
        }
    }

    @Test func `standard input as the file of another option serves each URL`() async throws {
        try await withServer {
            .ok("[\($0["X-A"] ?? "")\($0["Cookie"] ?? "")]")
        } _: { (server) async throws in
            let host = server.authority.prefix { $0 != ":" }
            let cookie = "\(host)\tFALSE\t/\tFALSE\t4000000000\ta\tb\n"
            let jar = try ScratchFolder()
            for (words, input, expected) in [
                (["-H", "@-"], "X-A: 1\r\nX-B: 2\n", "[1][1]"),
                (["-b", "-"], cookie, "[a=b][a=b]"), (["-b", "-", "-c", jar.file("jar")], cookie, "[a=b][a=b]"),
                (["-w", "@-"], "%{http_code}\n", "[]200[]200"), (["-w", "@-"], "@%{http_code}\r\n", "[]@200[]@200"),
            ] {
                var program = try Program(Program.afcliPath(), ["curl"] + words + [server.url("/1"), server.url("/2")])
                program.input = .bytes(Array(input.utf8))
                let run = try await program.run()
                #expect(run.status == 0, "\(run.errorText)")
                #expect(run.text == expected, "\(words)")
            }
            #expect(try jar.text(of: "jar").contains("\ta\tb"))
        }
    }

    @Test(arguments: [
        ("head -c 3000000 /dev/zero", "--data-binary @-", 3_000_000), ("(echo a; sleep 2.5; echo b)", "--json @-", 4),
        ("(echo a; sleep 1; echo b)", "-0 --data-binary @-", 4), ("true", "--data-binary @<(echo abc)", 4),
        ("true", "--json @<(sleep 2.5; echo abc)", 4),
        ("head -c 3000000 /dev/zero", "--anyauth -u a:b --json @-", 3_000_000),
        ("(echo a; sleep 1; echo b)", "-L --post302 --data-binary @-", 4),
    ])
    func `the length of data from a pipe is known`(input: String, words: String, length: Int) async throws {
        try await withServer { request in
            if words.contains("--anyauth"), request["Authorization"] == nil {
                return .status(401).header("WWW-Authenticate", "Basic realm=a")
            }
            return words.contains("-L") && request.path == "/" ? .redirect(to: "/next", status: 302) : .ok("ok")
        } _: { server in
            for program in ["curl", "'\(try Program.afcliPath())' curl"] {
                let script = "\(input) | \(program) -sS \(words) \(server.url())"
                let run = try await Program("/bin/bash", ["-c", script]).run()
                #expect(run.status == 0 && run.text == "ok", "\(run.errorText)")
                let last = try #require(server.requests.last)
                #expect(last["Content-Length"] == "\(length)" && last["Transfer-Encoding"] == nil)
                #expect(last.body.count == length)
            }
        }
    }

    @Test func `a pipe by name is sent to each URL`() async throws {
        try await withServer { _ in
            .ok()
        } _: { server in
            let script =
                "'\(try Program.afcliPath())' curl --data-binary @<(echo important) \(server.url("/1")) \(server.url("/2"))"
            let run = try await Program("/bin/bash", ["-c", script]).run()
            #expect(run.status == 0, "\(run.errorText)")
            #expect(server.requests.map(\.text) == ["important\n", "important\n"])
        }
    }

    @Test(arguments: [
        (["curl", "-"], "curl --json @- URL/3"), (["curl", "-"], "curl -T - URL/3"),
        (["curl", "-K", "-"], "data-binary = @-\nurl = URL/3\n"),
        (["curl", "--variable", "v@-", "--data-binary", "@-", "URL/3"], "x"),
        (["curl", "-K", "-", "-H", "@-"], "url = URL/3\n"), (["curl", "-b", "-", "-d", "@-", "URL/3"], "x"),
        (["curl", "-w", "@-", "URL/1", "--next", "-H", "@-", "URL/3"], "x"),
    ])
    func `input that was read for something else is an error before a request`(words: [String], input: String)
        async throws
    {
        try await withServer { _ in
            .ok()
        } _: { server in
            let root = "http://\(server.authority)"
            var program = try Program(Program.afcliPath(), words.map { $0.replacingOccurrences(of: "URL", with: root) })
            program.input = .bytes(Array(input.replacingOccurrences(of: "URL", with: root).utf8))
            let run = try await program.run()
            #expect(run.status == 2)
            #expect(run.errorText.contains("standard input can be read only once"), "\(run.errorText)")
            #expect(server.requests.isEmpty)
        }
    }
}
