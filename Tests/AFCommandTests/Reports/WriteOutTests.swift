import TestSupport
import Testing

@testable import AFCommand

@Suite(.timeLimit(.minutes(5))) struct WriteOutTests {
    private func write(_ format: String, _ words: [String]) async -> ToolRun { await runTool(words + ["-w", format]) }

    @Test func `values of the last hop are written after the body`() async throws {
        try await withServer {
            $0.path == "/a" ? .redirect(to: "/b") : .json("{}").header("X-A", "1").header("X-A", "2")
        } _: { server in
            let words = ["-L", server.url("/a")]
            for (format, text) in [
                ("%{http_code} %{response_code}\\n", "{}200 200\n"), ("%{num_redirects}", "{}1"),
                ("%{url_effective}", "{}\(server.url("/b"))"), ("%{url}", "{}\(server.url("/a"))"),
                ("%{remote_ip}:%{remote_port}", "{}127.0.0.1:\(server.port)"),
                ("%{content_type}", "{}application/json"),
                ("%header{x-a}%header{none}", "{}1"), ("%{size_download}", "{}2"),
                ("100%% %x \\t\\q%", "{}100% %x \t\\q%"),
                (#"a\\nb\%{exitcode}\\%{exitcode}"#, #"{}a\\nb\%{exitcode}\\0"#), (#"%\n%%\n\"#, "{}%\\n%\n\\"),
                ("%{http_version} %{scheme} %{method}", "{}1.1 http GET"), ("%{exitcode}%{errormsg}", "{}0"),
                ("a%{onerror}b", "{}a"), ("%{ssl_verify_result}", "{}0"), ("%{num_connects}", "{}1"),
                ("%{redirect_url}%{filename_effective}", "{}"), ("", "{}"), ("%{time_appconnect}", "{}0.000000"),
            ] {
                let run = await write(format, words)
                #expect(run.output == text, "\(format)")
                #expect(run.errors.isEmpty)
            }
            let unfollowed = await write("%{redirect_url}", [server.url("/a")])
            #expect(unfollowed.output == server.url("/b"))
        }
    }

    @Test func `the delivered bytes are decoded, and the downloaded ones received`() async throws {
        let folder = try ScratchFolder()
        try await withServer { _ in
            .bytes(CodedBody.gzip.bytes).header("Content-Encoding", "gzip")
        } _: { server in
            let coded = CodedBody.gzip.bytes.count
            let format = "%{stderr}%{size_delivered} %{size_download}\n"
            for (words, sizes) in [
                ([], "71 \(coded)"), (["-o", folder.file("f")], "71 \(coded)"), (["--no-decode"], "\(coded) \(coded)"),
                (["head"], "0 0"), (["curl"], "\(coded) \(coded)"), (["curl", "--compressed"], "71 \(coded)"),
            ] {
                let isCommand = words.first.map { !$0.hasPrefix("-") } ?? false
                let run = await write(format, isCommand ? words + [server.url()] : [server.url()] + words)
                #expect(run.errors.hasSuffix("\(sizes)\n"), "\(words): \(run.errors)")
            }
            let run = await write(format, ["curl", "-i", server.url()])
            #expect(run.errors == "\(run.outputBytes.count) \(coded)\n")
        }
    }

    @Test func `the user is that of the typed URL, and its password is printed only as in curl`() async throws {
        try await withServer { _ in
            .ok()
        } _: { server in
            let url = "http://ada:pw@\(server.authority)/"
            let format = "%{stderr}%{url.user}|%{url.password}|%{urle.user}"
            #expect(await write(format, [url]).errors == "ada||")
            #expect(await write(format, ["curl", url]).errors == "ada|pw|")
            #expect(await write(format, [server.url(), "-a", "ada:pw"]).errors == "||")
        }
    }

    @Test func `a file of another option is an error before the request`() async throws {
        let folder = try ScratchFolder()
        let (file, format) = (folder.file("f"), try folder.write("%output{\(folder.path)/f}x", to: "format"))
        try await withServer { _ in
            .ok()
        } _: { server in
            for template in ["%output{\(file)}x", "%output{>>\(folder.path)/./f}x%output{\(file)}y", "@\(format)"] {
                let run = await write(template, ["-o", file, server.url()])
                #expect(run.status == 64)
                let problem = "afcli: error: -w: a file of %output{} is the file of --output: '\(folder.path)/"
                #expect(run.errors.hasPrefix(problem), "\(run.errors)")
            }
            #expect(server.requests.isEmpty && folder.list() == ["format"])
            #expect(await write("%output{\(file)}x%output{>>\(file)}y", [server.url()]).status == 0)
            #expect(folder.holds("xy", in: "f"))
        }
    }

    @Test func `text for one destination is written at once`() throws {
        let values = WriteOut(RunRecord(), exitCode: 7)
        let parts = values.render(try WriteOutTemplate("a%{exitcode} %{http_code}%{stderr}b%{exitcode}%{stdout}c"))
        #expect(parts.map(\.text) == ["a7 000", "b7", "c"])
        #expect(parts.map(\.destination) == [.output, .errors, .output])
    }

    @Test func `times grow from one phase to the next`() async throws {
        try await withServer {
            $0.path == "/a" ? .redirect(to: "/b") : .ok()
        } _: { server in
            let names = [
                "time_redirect", "time_namelookup", "time_connect", "time_pretransfer", "time_starttransfer",
                "time_total",
            ]
            let format = names.map { "%{\($0)}" }.joined(separator: " ")
            let times = await write(format, ["-L", server.url("/a")]).output.split(separator: " ").compactMap {
                Double($0)
            }
            #expect(times.count == names.count)
            #expect(times == times.sorted())
            #expect(times[0] > 0 && times[5] < 30)
        }
    }

    @Test func `all values are one JSON object, and all headers another`() async throws {
        try await withServer { _ in
            .ok("x").header("X-A", "1").header("x-a", "2\"")
        } _: { server in
            let all = try await write("%{stdout}%{json}", ["-q", server.url()]).json
            #expect(all["http_code"] == "200")
            #expect(all["redirect_url"] == "null")
            let variables = WriteOutVariable.allCases.filter { $0 != .json && $0 != .headerJSON }.map(\.rawValue)
            let parts = ["url", "urle"].flatMap { url in
                WriteOutTemplate.URLComponent.allCases.map { part in "\(url).\(part.rawValue)" }
            }
            #expect(all.names("") == variables + parts + ["curl_version", "afcli_version"])
            let headers = try await write("%{header_json}", ["-q", server.url()]).json
            #expect(headers.string("x-a[1]") == "2\"")
            #expect(headers.count("x-a") == 2)
        }
    }

    @Test func `files are checked before the request, and created without text`() async throws {
        let folder = try ScratchFolder()
        let (file, log) = (try folder.write("old", to: "f"), try folder.write("old", to: "log"))
        try await withServer { _ in
            .ok()
        } _: { server in
            for (template, reason) in [
                ("%output{/none/x}%{http_code}", "cannot write '/none/x': there is no such directory"),
                ("%{onerror}%output{>>/none/x}a", "cannot write '/none/x': there is no such directory"),
                ("%output{\(folder.path)}x", "cannot write '\(folder.path)': it is a directory"),
            ] {
                let run = await write(template, [server.url()])
                #expect(run.status == 16)
                #expect(run.messages.first == "afcli: error: -w: \(reason)", "\(run.errors)")
            }
            #expect(server.requests.isEmpty)
            #expect(await write("%output{>>\(log)}%output{\(file)}", [server.url()]).status == 0)
            #expect(folder.holds("", in: "f") && folder.holds("old", in: "log"))
        }
    }

    @Test func `text is written to files, and all fields of a name are joined`() async throws {
        let folder = try ScratchFolder()
        try folder.write("old\n", to: "log")
        try await withServer { _ in
            .ok("x").header("X-A", "1").header("x-a", "2")
        } _: { server in
            let (file, log) = (folder.file("new"), folder.file("log"))
            let run = await write(
                "a%output{\(file)}%{http_code}%output{>>\(log)}%header{X-A:all:, }\\n%{stdout}%header{X-A}%header{No:all:,}",
                ["-q", server.url("/p?q=1")])
            #expect(run.status == 0 && run.output == "a1", "\(run.output)\(run.errors)")
            #expect(folder.holds("200", in: "new") && folder.holds("old\n1, 2\n", in: "log"))
            let parts = "%{url.scheme} %{url.host}:%{url.port} %{urle.path} %{urle.query} %{urlnum} %{xfer_id}"
            #expect(
                await write(parts, ["-q", server.url("/p?q=1")]).output == "http \(server.authority) /p q=1 0 0")
            #expect(await write("%time{%Y%%%z%Z}", ["-q", server.url()]).output.hasSuffix("%+0000UTC"))
        }
        #expect(await write("%output{}", ["h"]).errors.contains("'%output{}' has no file name"))
    }

    @Test func `values are written after a failure, too`() async throws {
        let port = try RefusingPort()
        let run = await write("%{http_code} %{exitcode} %{onerror}%{errormsg}", [port.url()])
        #expect(run.status == 11)
        #expect(run.output.hasPrefix("000 11 could not connect to \(port.authority)"))
        try await withServer { _ in
            .status(404)
        } _: { server in
            #expect(await write("%{stderr}%{exitcode}%{stdout}!", [server.url()]).output == "!")
            let run = await write("%{stderr}[%{exitcode}]", [server.url()])
            #expect(run.errors.hasSuffix("[4]"))
        }
    }

    @Test func `with a saved body the values are written to standard output`() async throws {
        let folder = try ScratchFolder()
        let template = try folder.write("%{filename_effective} %{num_headers}\n", to: "template")
        try await withServer { _ in
            .ok("x")
        } _: { server in
            let run = await write("@\(template)", ["-o", folder.file("f"), server.url()])
            #expect(run.output == "\(folder.file("f")) 2\n")
        }
    }

    @Test(arguments: [
        ("%{http_cod}", "there is no variable 'http_cod'", "did you mean %{http_code}?"),
        ("%{foo}", "there is no variable 'foo'", "afcli --help=write-out lists them"),
        ("%{nonsense_of_a_kind}", "there is no variable", "afcli --help=write-out lists them"),
        ("%{http_code", "'%{http_code' has no closing brace", "see afcli --help=write-out"),
        ("@", "has no file name", ""), ("@-", "cannot be read from standard input", "name a file: @FILE"),
    ])
    func `an invalid template is an error before a request is sent`(format: String, problem: String, hint: String) async
    {
        let run = await runTool("-w", format, "example.invalid")
        #expect(run.status == 64)
        #expect(run.messages.first?.hasPrefix("afcli: error: -w: \(problem)") == true, "\(run.errors)")
        #expect(run.errors.contains(hint))
    }

    @Test func `an unreadable template is an error`() async throws {
        #expect(await write("@/nonexistent", ["example.invalid"]).status == 16)
        let folder = try ScratchFolder()
        let path = try folder.write("%{nope}", to: "t")
        let run = await write("@\(path)", ["example.invalid"])
        #expect(run.status == 64)
        #expect(run.errors.contains("-w: there is no variable 'nope'"))
    }
}
