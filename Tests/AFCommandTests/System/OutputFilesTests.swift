import TestSupport
import Testing

@testable import AFCommand

@Suite(.timeLimit(.minutes(5))) struct OutputFilesTests {
    let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    @Test(arguments: [
        ("-o", "--report", "--output"), ("--report", "--har", "--report"), ("-o", "--cookie-jar", "--output"),
        ("--cookie-jar", "--hsts", "--cookie-jar"), ("--session", "--har", "--session"),
        ("--session-read-only", "-o", "--session-read-only"), ("--har", "--report", "--har"),
    ])
    func `two outputs with one path are an error before anything is written`(
        first: String,
        second: String,
        earlier: String
    ) async throws {
        try folder.write("old", to: "same")
        try await withServer { _ in
            .ok("new")
        } _: { server in
            for path in [folder.file("same"), folder.file("./same"), folder.file("new")] {
                let other = path.replacing("/./", with: "/")
                let run = await runTool(first, path, second, other, server.url())
                #expect(run.status == 64)
                #expect(run.messages.count == 2)
                #expect(run.errors.contains(": names the same file as \(earlier): '"), "\(run.errors)")
            }
            #expect(server.requests.isEmpty)
        }
        #expect(folder.list() == ["same"])
        #expect(folder.holds("old", in: "same"))
    }

    @Test(arguments: [
        ["post", "@FILE", "--report", "FILE"], ["post", "a:=@FILE", "--har", "FILE"],
        ["X-A:@FILE", "--header-file", "FILE"], ["post", "-F", "a=@FILE", "--report", "junit:FILE"],
        ["-T", "FILE", "-w", "%output{FILE}x"], ["--netrc-file", "FILE", "--report", "FILE"],
        ["-a", "@FILE", "--report", "FILE"], ["--cacert", "./FILE", "--report", "FILE"],
        ["-a", "me@corp:@FILE", "--report", "FILE"],
    ])
    func `a report does not replace a file that is read`(words: [String]) async throws {
        let file = try folder.write("old", to: "f")
        try await withServer { _ in
            .ok()
        } _: { server in
            var words = words.map { $0.replacing("FILE", with: file).replacing(".//", with: "/./") }
            words.insert(server.url(), at: words[0] == "post" ? 1 : 0)
            let run = await runTool(words)
            #expect(run.status == 64 && run.errors.contains("would replace a file that is read"), "\(run.errors)")
            #expect(server.requests.isEmpty)
        }
        #expect(folder.holds("old", in: "f"))
    }

    @Test func `a query of the URL is no item that reads a file`() async throws {
        try await withServer { _ in
            .ok()
        } _: { server in
            let report = folder.file("r.json")
            let run = await runTool(server.url("/?a=@\(report)"), "--report", report)
            #expect(run.status == 0, "\(run.errors)")
        }
        #expect(folder.has("r.json"))
    }

    @Test func `a report may have the name of a word`() async throws {
        try await withServer { _ in
            .ok()
        } _: { server in
            let file = folder.file("f")
            for words in [["a=\(file)", "--name", file], ["-a", "me:pw@\(file)"]] {
                let run = await runTool([server.url()] + words + ["--report", file])
                #expect(run.status == 0, "\(run.errors)")
            }
        }
    }

    @Test func `different paths to one file are the same file`() async throws {
        try folder.folder("d")
        let run = await runTool(
            "-o", folder.file("f"), "--report", folder.file("d/../f"), "http://127.0.0.1:9/")
        #expect(run.status == 64)
        #expect(folder.list() == ["d"])
    }

    @Test(arguments: [("f.part", "the partial file of --output"), ("f.part.json", "the record of --output")])
    func `an output cannot be the partial file of a download`(name: String, earlier: String) async {
        let run = await runTool("-o", folder.file("f"), "--report", folder.file(name), "http://127.0.0.1:9/")
        #expect(run.status == 64)
        #expect(run.errors.contains("--report: names the same file as \(earlier): '"), "\(run.errors)")
        #expect(folder.list().isEmpty)
    }

    @Test func `the partial file of a download cannot be an earlier output`() async {
        let run = await runTool("--report", folder.file("f.part"), "-o", folder.file("f"), "http://127.0.0.1:9/")
        #expect(run.status == 64)
        #expect(run.errors.contains("-o: the partial file is the file of --report: '"), "\(run.errors)")
        #expect(folder.list().isEmpty)
    }

    @Test func `a link to the other file is that file`() async throws {
        try folder.link("y", to: "x")
        let run = await runTool("-o", folder.file("x"), "--report", folder.file("y"), "http://127.0.0.1:9/")
        #expect(run.status == 64)
        #expect(run.errors.contains("--report: names the same file as --output: '"), "\(run.errors)")
    }

    @Test(arguments: ["/index.json", "/announced"])
    func `a download takes no name that another option writes`(path: String) async throws {
        try await withServer { _ in
            .ok("new").header("Content-Disposition", "attachment; filename=index.json")
        } _: { server in
            let report = folder.file("index.json")
            let words = ["--output", folder.file("./"), "--report", report]
            #expect(await runTool(words + [server.url(path)]).status == 0)
            #expect(folder.holds("new", in: "index.json-1"))
            let first = try folder.text(of: "index.json")
            #expect(first.contains("exit_status"))
            // A later run resumes neither the report nor over it.
            #expect(await runTool(words + ["--resume", server.url(path)]).status == 0)
            #expect(folder.holds("new", in: "index.json-1"))
            let second = try folder.text(of: "index.json")
            #expect(second.contains("exit_status"))
        }
    }

    @Test func `an earlier download is not resumed if another option writes its file`() async throws {
        try await withServer { _ in
            .ok("new").header("ETag", "\"1\"")
        } _: { server in
            let words = ["--output", folder.file("./"), "--resume", server.url("/index.json")]
            #expect(await runTool(words).status == 0)
            #expect(folder.holds("new", in: "index.json"))
            #expect(await runTool(words + ["--report", folder.file("index.json")]).status == 0)
            #expect(folder.holds("new", in: "index.json-1"))
        }
    }

    @Test func `a line of a list cannot name the file of an option`() async throws {
        let list = try folder.write("http://127.0.0.1:9/a r\n", to: "list")
        let run = await runTool("--input", list, "--output", folder.file("./"), "--report", folder.file("r"))
        #expect(run.status == 64)
        let problem = "line 1 of '\(list)': '\(folder.file("./r"))' is the file of --report"
        #expect(run.errors.contains(problem), "\(run.errors)")
    }

    @Test func `devices and standard output may be used twice`() async throws {
        try await withServer { _ in
            .ok("new")
        } _: { server in
            #expect(await runTool("-o", "/dev/null", "--report", "/dev/null", server.url()).status == 0)
            #expect(await runTool("-o", "-", "--report", "-", server.url()).status == 0)
            let same = await runTool("-o", folder.file("f"), "--report", folder.file("f.json"), server.url())
            #expect(same.status == 0)
            #expect(folder.list() == ["f", "f.json"])
        }
    }
}
