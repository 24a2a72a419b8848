import TestSupport
import Testing

@testable import AFCommand
@testable import AFFormatting

/// The outputs of `afcli run` that fail.
@Suite(.timeLimit(.minutes(2))) struct FileRunOutputTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private func run(_ options: [String], in world: ToolWorld = ToolWorld()) async throws -> (ToolRun, requests: Int) {
        try await withServer { _ in
            .json(#"{"a": 1}"#)
        } _: { server in
            let path = try folder.write("GET \(server.url("/a"))\n", to: "a.hurl")
            return (await runTool(["run"] + options + [path], in: world), server.requests.count)
        }
    }

    @Test(arguments: [
        ["--output", "none/f"], ["--curl", "none/f"], ["--report-tap", "/proc/none/f"],
        ["--report-json", "/proc/none"], ["--report-html", "/proc/none"], ["--report-junit", "/proc/none"],
        ["--report-html", "a.hurl/f"], ["--output", "."], ["--report-tap", "."],
        ["--cookie-jar", "none/f"],
    ])
    func `a file that cannot be written is an error before the first request`(words: [String]) async throws {
        let path = words[1].hasPrefix("/") ? words[1] : folder.file(words[1])
        let (run, requests) = try await run([words[0], path])
        #expect(run.status == 127, "\(run.errors)")
        #expect(requests == 0)
        #expect(
            run.messages.first?.hasPrefix("afcli: error: \(words[0]): cannot write '\(path)") == true, "\(run.errors)")
        #expect(!run.errors.contains("Cocoa") && run.messages.count == 2, "\(run.errors)")
        #expect(!run.errors.contains("no such directory") || path.contains("none/f"), "\(run.errors)")
    }

    @Test func `several files have one output, one cookie file and one report in a new directory`() async throws {
        try await withServer { request in
            let cookie = "name=\(request.path.dropFirst()); Path=/"
            return .ok("\(request.path)\n").header("Set-Cookie", request.path == "/c" ? "other=c; Path=/" : cookie)
        } _: { server in
            let paths = try ["a", "b", "c"].map { name in
                try folder.write("GET \(server.url("/\(name)"))\n", to: "\(name)\n.hurl")
            }
            let options = ["-o", folder.file("f"), "-c", folder.file("jar"), "--report-tap", folder.file("x/y/tap")]
            let run = await runTool(["run"] + options + paths)
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.output.isEmpty && folder.holds("/a\n/b\n/c\n", in: "f"))
            let cookies = try folder.text(of: "jar").split(separator: "\n").filter { !$0.hasPrefix("#") }
            #expect(cookies.map { $0.split(separator: "\t").suffix(2) } == [["name", "b"], ["other", "c"]])
            let report = try folder.text(of: "x/y/tap").split(separator: "\n")
            #expect(report.count == 5 && report.last?.contains("c\\x0a.hurl") == true, "\(report)")
        }
    }

    @Test(arguments: ["a.hurl", "a.HTTP"])
    func `the error of a file that is not UTF-8 has a position`(name: String) async throws {
        let path = try folder.write(Array("GET http://h.invalid/\nX: ".utf8) + [0xE9, 0x0A], to: name)
        let run = await runTool("run", path)
        #expect(run.status == 2 && run.errors.contains("--> \(path):2:4\n"), "\(run.errors)")
    }

    @Test func `a loaded cookie that an earlier file changes or removes does not return`() async throws {
        let jar = try folder.write(
            ["sid", "gone", "kept"].map { "127.0.0.1\tFALSE\t/\tFALSE\t0\t\($0)\told\n" }.joined(), to: "jar")
        try await withServer { request in
            guard request.path == "/a" else { return .ok() }
            return .ok().header("Set-Cookie", "sid=new; Path=/").header("Set-Cookie", "gone=; Path=/; Max-Age=0")
        } _: { server in
            let paths = try ["a", "b"].map { try folder.write("GET \(server.url("/\($0)"))\n", to: "\($0).hurl") }
            let run = await runTool(["run", "--cookie", jar, "--cookie-jar", jar] + paths)
            #expect(run.status == 0, "\(run.errors)")
            let cookies = try folder.text(of: "jar").split(separator: "\n").filter { !$0.hasPrefix("#") }
            #expect(
                Set(cookies.map { $0.split(separator: "\t").suffix(2).joined(separator: "=") }) == [
                    "kept=old", "sid=new",
                ])
        }
    }

    @Test func `an output that cannot be written does not lose the reports`() async throws {
        let (run, _) = try await run(["-o", "/dev/full", "--report-tap", folder.file("tap"), "-c", folder.file("jar")])
        #expect(run.status == 127, "\(run.errors)")
        #expect(folder.list().contains("tap") && folder.list().contains("jar"))
    }

    @Test func `a foreign report is an error before the first request, and stays`() async throws {
        for option in ["--report-junit", "--report-tap"] {
            let path = try folder.write("text\n", to: "report")
            let (run, requests) = try await run([option, path])
            #expect(run.status == 127 && requests == 0, "\(run.errors)")
            #expect(run.errors.contains("\(option): '\(path)' is not a report of this format"))
            #expect(folder.holds("text\n", in: "report"))
        }
    }

    @Test(arguments: [
        ["-o", "/dev/full"], ["-c", "/dev/full"], ["--report-junit", "/dev/full"], ["--curl", "/dev/full"],
    ])
    func `a full disk is an error after the requests`(words: [String]) async throws {
        let (run, requests) = try await run(words)
        #expect(run.status == 127 && requests == 1, "\(run.errors)")
        #expect(run.errors.contains("cannot write '/dev/full': the disk is full"), "\(run.errors)")
    }

    @Test(arguments: [[], ["--json"], ["--include"]])
    func `an output that fails is an error`(words: [String]) async throws {
        var world = ToolWorld()
        world.output = try DescriptorOutput(writingTo: "/dev/full", waits: WaitLimits(), option: "--output")
        let (run, _) = try await run(words, in: world)
        #expect(run.status == 127, "\(run.errors)")
        #expect(run.errors.contains("the disk is full"), "\(run.errors)")
    }

    @Test func `the messages of a run have colors`() async throws {
        let path = try folder.write("GET localhost\n", to: "a.hurl")
        let empty = try folder.write("# nothing\n", to: "b.hurl")
        let run = await runTool("run", "--color", "--test", "--jobs", "1", path, empty)
        for text in ["\u{1B}[1;31merror:\u{1B}[0m Invalid URL\n", "a.hurl: \u{1B}[1;31mFailure\u{1B}[0m ("] {
            #expect(run.errors.contains(text), "\(run.errors)")
        }
        for text in ["\u{1B}[1;35mwarning:\u{1B}[0m no entry", "b.hurl: \u{1B}[1;32mSuccess\u{1B}[0m ("] {
            #expect(run.errors.contains(text), "\(run.errors)")
        }
        let plain = await runTool("run", "--no-color", path)
        #expect(plain.errors.hasPrefix("error: Invalid URL\n"), "\(plain.errors)")
    }

    @Test func `an unknown environment shows the known ones`() async throws {
        try folder.write(#"{"dev": {}, "$shared": {}, "test": {}}"#, to: "http-client.env.json")
        try folder.write(#"{"dev": {}, "own": {}}"#, to: "http-client.private.env.json")
        let path = try folder.write("GET http://127.0.0.1:1/\n", to: "a.http")
        let run = await runTool("run", "--env", "prod", path)
        #expect(run.status == 2)
        #expect(run.errors.contains("unknown environment 'prod'"))
        #expect(run.errors.contains("http-client.env.json' has dev, test, own\n"), "\(run.errors)")
    }
}
