import Glibc
import Synchronization
import TestSupport
import Testing

@testable import AFCommand

/// `--skip-existing`: an existing file is success without a request.
@Suite(.timeLimit(.minutes(5))) struct SkipExistingTests {
    let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    /// Replaces the files by copies without extended attributes.
    private func loseAttributes(in directory: String) throws {
        for name in folder.list(directory) {
            let bytes = try folder.bytes(of: "\(directory)/\(name)")
            unlink(folder.file("\(directory)/\(name)"))
            try folder.write(bytes, to: "\(directory)/\(name)")
        }
    }

    @Test func `an existing file is not requested`() async throws {
        try folder.write("old", to: "f")
        try await withServer({ _ in .ok("new") }) { server in
            for words in [["-o", folder.file("f")], ["-d", "--output-dir", folder.path]] {
                let run = await runTool(["--skip-existing"] + words + [server.url("/f")])
                #expect(run.status == 0)
                #expect(run.output.isEmpty)
                #expect(run.messages == ["afcli: \(folder.file("f")) exists: skipped"])
                #expect(await runTool(["-q", "--skip-existing"] + words + [server.url("/f")]).errors.isEmpty)
            }
            #expect(server.requests.isEmpty)
            #expect(folder.holds("old", in: "f"))
            #expect(folder.list() == ["f"])
        }
    }

    @Test func `a missing file is downloaded, then skipped`() async throws {
        try await withServer({ _ in .ok("new") }) { server in
            for _ in 0..<2 {
                #expect(await runTool("--skip-existing", "-o", folder.file("f"), server.url()).status == 0)
            }
            #expect(server.requests.count == 1)
            #expect(folder.holds("new", in: "f"))
        }
    }

    @Test func `a file with the extension of its media type counts as existing`() async throws {
        try await withServer({ _ in .json("1") }) { server in
            for _ in 0..<2 {
                #expect(
                    await runTool("--skip-existing", "-d", "--output-dir", folder.path, server.url("/f")).status == 0)
            }
            #expect(server.requests.count == 1)
            #expect(folder.list() == ["f.json"])
        }
    }

    @Test(arguments: [
        ["/a/f.bin", "/b/f.bin", "/c/f.bin"], ["/f.bin?id=1", "/f.bin?id=2"], ["/a/doc", "/b/doc.md"],
    ])
    func `without attributes, a file whose name several lines share counts for none of them`(paths: [String])
        async throws
    {
        try await withServer { request in
            let type = request.path.hasSuffix("doc") ? "text/markdown" : "application/octet-stream"
            return .bytes(Array(request.target.utf8)).header("Content-Type", type)
        } _: { (server) async throws in
            let directory = folder.file("out")
            // Without the first line's file, the second line's has its name.
            let some = try folder.write(paths.dropFirst().map { server.url($0) + "\n" }.joined(), to: "some")
            #expect(await runTool("--input", some, "--output-dir", directory, "--create-dirs").status == 0)
            try loseAttributes(in: "out")
            let all = try folder.write(paths.map { server.url($0) + "\n" }.joined(), to: "all")
            #expect(await runTool("--input", all, "--output-dir", directory, "--skip-existing").status == 0)
            let bodies = try folder.list("out").map { try folder.text(of: "out/" + $0) }
            #expect(Set(bodies) == Set(paths), "\(bodies)")
        }
    }

    @Test func `without attributes, a file whose name one line has is that line's`() async throws {
        try await withServer {
            .ok($0.target)
        } _: { (server) async throws in
            let paths = ["/report-1", "/report-2", "/x.bin"]
            let list = try folder.write(paths.map { server.url($0) + "\n" }.joined(), to: "list")
            let directory = folder.file("out")
            #expect(await runTool("--input", list, "--output-dir", directory, "--create-dirs").status == 0)
            try loseAttributes(in: "out")
            #expect(await runTool("--input", list, "--output-dir", directory, "--skip-existing").status == 0)
            #expect(server.requests.count == 3)
        }
    }

    @Test func `a repeated list adds no copies of files whose names the server chose`() async throws {
        try await withServer { request in
            let body = LocalServer.Response.ok("x")
            return request.path == "/named"
                ? body.header("Content-Disposition", "attachment; filename=\"evil.txt\"") : .json("1")
        } _: { server in
            let list = try folder.write("\(server.url("/json"))\n\(server.url("/named"))\n", to: "list")
            let directory = folder.file("out")
            for option in ["--create-dirs", "--skip-existing"] {
                let run = await runTool("--input", list, "--output-dir", directory, option)
                #expect(run.status == 0, "\(run.errors)")
                #expect(server.requests.count == 2)
                #expect(folder.list("out") == ["evil.txt", "json.json"])
            }
            // A POST may have another result.
            let posted = await runTool(
                "-d", "--skip-existing", "--output-dir", directory, "post", server.url("/named"), "id=1")
            #expect(posted.status == 0)
            #expect(folder.list("out") == ["evil.txt", "evil.txt-1", "json.json"])
        }
    }

    @Test func `the file of another URL of the list does not count as existing`() async throws {
        let isBroken = Mutex(true)
        try await withServer { request in
            let fails = request.path == "/a/f.bin" && isBroken.withLock { $0 }
            return fails ? .status(503) : .ok(request.path)
        } _: { server in
            let list = try folder.write(["a", "b", "c"].map { server.url("/\($0)/f.bin\n") }.joined(), to: "list")
            let words = ["--skip-existing", "--parallel", "1", "--input", list, "--output-dir", folder.file("out")]
            #expect(await runTool(words + ["--create-dirs"]).status == 5)
            #expect(folder.list("out") == ["f.bin", "f.bin-1"])
            isBroken.withLock { $0 = false }
            for count in [4, 4] {
                let run = await runTool(words)
                #expect(run.status == 0, "\(run.errors)")
                #expect(server.requests.count == count)
                #expect(folder.list("out") == ["f.bin", "f.bin-1", "f.bin-2"])
                #expect(folder.holds("/b/f.bin", in: "out/f.bin") && folder.holds("/a/f.bin", in: "out/f.bin-2"))
            }
        }
    }

    @Test func `an earlier version without validators is never replaced by --resume`() async throws {
        let count = Mutex(0)
        try await withServer { _ in
            .ok("day \(count.withLock { $0 += 1; return $0 })")
        } _: { server in
            let words = ["--resume", "--no-clobber", "-o", folder.file("log"), server.url()]
            for _ in 0..<2 { #expect(await runTool(words).status == 0) }
            #expect(folder.holds("day 1", in: "log") && folder.holds("day 2", in: "log-1"))
            for _ in 0..<2 {
                #expect(await runTool("-d", "--resume", "--output-dir", folder.path, server.url("/x")).status == 0)
            }
            #expect(folder.holds("day 3", in: "x.txt") && folder.holds("day 4", in: "x.txt-1"), "\(folder.list())")
        }
    }

    @Test func `a link to a file counts as existing, and a directory does not`() async throws {
        try folder.write("old", to: "f")
        try folder.link("l", to: folder.file("f"))
        _ = try folder.folder("d")
        try await withServer({ _ in .ok("new") }) { server in
            #expect(await runTool("--skip-existing", "-o", folder.file("l"), server.url()).status == 0)
            #expect(server.requests.isEmpty)
            #expect(await runTool("--skip-existing", "-o", folder.file("d"), server.url()).status == 16)
        }
    }

    @Test func `with a checksum, only a matching file is skipped`() async throws {
        let checksum = "md5:22af645d1859cb5ca6da0c484f1f37ea"
        try folder.write("new", to: "f")
        try await withServer({ _ in .ok("new") }) { server in
            let words = ["--skip-existing", "--checksum", checksum, "-o", folder.file("f"), server.url()]
            #expect(await runTool(words).status == 0)
            #expect(server.requests.isEmpty)
            try folder.write("old", to: "f")
            #expect(await runTool(words).status == 0)
            #expect(server.requests.count == 1)
            #expect(folder.holds("new", in: "f"))
        }
    }

    @Test func `a list downloads only missing files, and equal names remain distinct`() async throws {
        try await withServer({ .ok($0.path) }) { server in
            let urls = ["/a/x.bin", "/b/x.bin", "/c/x.bin", "/d/y.bin"].map { server.url($0) }
            let list = try folder.write(urls.joined(separator: "\n"), to: "list")
            let words = ["--skip-existing", "--input", list, "--output-dir", folder.file("out"), "--create-dirs"]
            #expect(await runTool(words + ["--parallel", "1"]).status == 0)
            #expect(folder.list("out") == ["x.bin", "x.bin-1", "x.bin-2", "y.bin"])
            #expect(server.requests.count == 4)
            for parallel in ["1", "4"] {
                let run = await runTool(words + ["--parallel", parallel])
                #expect(run.status == 0)
                #expect(run.messages.last == "afcli: all 4 files are complete (0 downloaded)", "\(run.errors)")
            }
            #expect(server.requests.count == 4)
            #expect(folder.list("out") == ["x.bin", "x.bin-1", "x.bin-2", "y.bin"])
        }
    }

    @Test func `contradictory options are usage errors`() async throws {
        let both = await runTool("--skip-existing", "--no-clobber", "-o", folder.file("f"), "http://localhost:1/")
        #expect(both.status == 64)
        #expect(both.messages.first == "afcli: error: --skip-existing: cannot be combined with --no-clobber")
        let device = await runTool("--skip-existing", "-o", "/dev/null", "http://localhost:1/")
        #expect(device.status == 64)
        #expect(device.messages.first == "afcli: error: --skip-existing: is for files, not for devices")
    }

    @Test func `curl's option of the same name works the same`() async throws {
        try folder.write("old", to: "f")
        let run = await runTool("curl", "--skip-existing", "-o", folder.file("f"), "http://localhost:1/")
        #expect(run.status == 0, "\(run.errors)")
        let command = await runTool("--curl", "--skip-existing", "-o", folder.file("g"), "http://localhost:1/")
        #expect(command.output.contains(" --skip-existing "), "\(command.output)")
    }
}
