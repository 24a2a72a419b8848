import TestSupport
import Testing

@testable import AFCommand

/// `--checksum`, from the command line to the file.
@Suite(.timeLimit(.minutes(5))) struct ChecksumRunTests {
    let folder: ScratchFolder
    /// Of "abc" (FIPS 180-4).
    static let digits = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

    init() throws { folder = try ScratchFolder() }

    private func run(_ words: String..., body: String = "abc", requests: Int = 1) async throws -> ToolRun {
        try await withServer { _ in
            .ok(body)
        } _: { server in
            let run = await runTool(words + [server.url("/dir/f.bin")])
            #expect(server.requests.count == requests)
            return run
        }
    }

    @Test func `a file with a matching checksum is saved, another is not`() async throws {
        try folder.write("old", to: "f")
        let wrong = try await run("-o", folder.file("f"), "--checksum", "SHA-256:\(Self.digits)", body: "abd")
        #expect(wrong.status == 15)
        #expect(wrong.errors.contains("but it must be sha256:\(Self.digits)\n  nothing was saved"))
        #expect(folder.holds("old", in: "f"))
        #expect(folder.list() == ["f"])
        #expect(try await run("-o", folder.file("f"), "--checksum", "sha256:\(Self.digits)").status == 0)
        #expect(folder.holds("abc", in: "f"))
    }

    @Test func `a checksum is found in a list by the file's name`() async throws {
        let list = try folder.write("\(Self.digits)  f.bin\n", to: "SHA256SUMS")
        let out = try folder.folder("out")
        #expect(try await run("-d", "-o", "\(out)/", "--checksum", "@\(list)").status == 0)
        #expect(folder.list("out") == ["f.bin"])
        // The number that makes the name a new one is not the list's business.
        #expect(try await run("-d", "-o", "\(out)/", "--checksum", "@\(list)").status == 0)
        #expect(folder.list("out") == ["f.bin", "f.bin-1"])
        let unknown = try await run("-o", "\(out)/g", "--checksum", "@\(list)", requests: 0)
        #expect(unknown.status == 64)
        #expect(unknown.errors.contains("--checksum: the list has no checksum of 'g'"))
        #expect(unknown.errors.contains("choose a name of the checksum list with --output"))
        try await withServer { _ in
            .ok("abc")
        } _: { server in
            try folder.write(server.url("/g"), to: "urls")
            let words = ["--input", folder.file("urls"), "--output-dir", out, "--checksum", "@\(list)"]
            let listed = await runTool(words)
            #expect(listed.status == 64)
            #expect(listed.errors.contains("write a name of the checksum list after the URL in the list"))
        }
    }

    @Test func `a complete file is not downloaded again`() async throws {
        try folder.write("abc", to: "f")
        let words = ["-c", "-o", folder.file("f"), "--checksum", "sha256:\(Self.digits)"]
        let run = await runTool(words + ["http://localhost:1/"])
        #expect(run.status == 0)
        #expect(run.errors.contains("is complete: its checksum matches"))
        // A request that does more than fetch is sent.
        #expect(await runTool(words + ["post", "http://localhost:1/", "a=b"]).status == 11)
        try folder.write("abd", to: "f")
        #expect(await runTool(words + ["http://localhost:1/"]).status == 11)
        #expect(folder.holds("abd", in: "f"))
    }

    @Test(arguments: [
        ["--checksum", "sha256:12"], ["--checksum", "crc:12"], ["--checksum", "12"], ["--checksum", ""],
        ["--checksum", "@"], ["--checksum", "@/dev/null"],
    ])
    func `an invalid checksum is a usage error`(words: [String]) async {
        let run = await runTool(words + ["-o", folder.file("f"), "http://localhost:1/"])
        #expect(run.status == 64)
        #expect(run.errors.hasPrefix("afcli: error: --checksum: "))
    }

    @Test func `a checksum requires a file`() async {
        let run = await runTool("--checksum", "sha256:\(Self.digits)", "http://localhost:1/")
        #expect(run.status == 64)
        #expect(await runTool("--checksum", "@/nowhere", "-o", folder.file("f"), ":1").status == 16)
    }
}
