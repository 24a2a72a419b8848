import Foundation
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
        let input = try await run("-o", "\(out)/g", "--checksum", "@-", requests: 0)
        #expect(input.status == 64 && input.errors.contains("--checksum: the list is a file"), "\(input.errors)")
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

    @Test func `a name from the server selects no other entry of a list`() async throws {
        let out = try folder.folder("out")
        let old = "900150983cd24fb0d6963f7d28e17f72"
        let new = "e99a18c428cb38d5f260853678922e03"
        let list = try folder.write("\(old)  old.bin\n\(new)  f.bin\n", to: "MD5SUMS")
        for (body, status) in [("abc", 15), ("abc123", 0)] as [(String, Int32)] {
            try await withServer { _ in
                .ok(body).header("Content-Disposition", "attachment; filename=old.bin")
            } _: { server in
                let words = ["-d", "-o", "\(out)/", "--checksum", "@\(list)"]
                let run = await runTool(words + [server.url("/f.bin")])
                #expect(run.status == status && folder.list("out") == (status == 0 ? ["old.bin"] : []), "\(run.errors)")
                // Without a name in the list, as of a URL for the latest version, that of the server counts.
                let latest = await runTool(words + [server.url("/latest")])
                #expect(latest.status == (status == 0 ? 15 : 0), "\(latest.errors)")
            }
            try? FileManager.default.removeItem(atPath: "\(out)/old.bin")
        }
    }

    @Test func `of files with one name, the path of the URL selects one`() async throws {
        let other = String(repeating: "0", count: 64)
        let list = try folder.write(
            "SHA256:\n \(other) 3 else/f.bin\n \(Self.digits) 3 dir/f.bin\n", to: "Release")
        let out = try folder.folder("out")
        for path in ["\(out)/", "\(out)/f.bin"] {
            let run = try await run("-d", "-o", path, "--checksum", "@\(list)")
            #expect(run.status == 0, "\(run.errors)")
        }
        let wrong = try await run("-o", "\(out)/else/f.bin", "--create-dirs", "--checksum", "@\(list)")
        #expect(wrong.status == 15, "\(wrong.errors)")
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
        ["--checksum", "@"], ["--checksum", "@/dev/null"], ["--checksum", "sha256:@"],
        ["--checksum", "crc:@/dev/null"],
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

    @Test(arguments: ["SHA2-256(f)= \(digits)\n", "\\SHA256 (f) = \(digits)\n", "\u{FEFF}\(digits) *f\r\n"])
    func `lists of other tools accept the file and no other`(list: String) async throws {
        let words = ["-o", folder.file("f"), "--checksum", "@\(try folder.write(list, to: "list"))"]
        for (body, status) in [("abd", 15), ("abc", 0)] {
            try await withServer { _ in
                .ok(body)
            } _: { (server) async throws in
                #expect(await runTool(words + [server.url("/f")]).status == status)
            }
            #expect(folder.holds("abc", in: "f") == (status == 0))
        }
    }

    @Test func `one of several lists must have the file`() async throws {
        let other = try folder.write("\(String(repeating: "0", count: 64))  other\n", to: "other")
        let list = try folder.write("\(Self.digits)  f\n", to: "list")
        let out = ["-o", folder.file("f")]
        for (first, second) in [(list, other), (other, list)] {
            #expect(try await run(out[0], out[1], "--checksum", "@\(first)", "--checksum", "@\(second)").status == 0)
        }
        let none = await runTool(out + ["--checksum", "@\(other)", "--checksum", "@\(other)", "http://localhost:1/"])
        #expect(none.status == 64)
        #expect(none.errors.contains("--checksum: no list has a checksum of 'f'"))
    }

    @Test func `a digest of Subresource Integrity is verified`() async throws {
        let digest = "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0="
        let out = ["-o", folder.file("f")]
        #expect(try await run(out[0], out[1], "--checksum", "sha256-\(digest)").status == 0)
        #expect(try await run(out[0], out[1], "--checksum", "sha256-\(digest.replacing("u", with: "v"))").status == 15)
    }

    @Test func `a list of b2sum with another name is read with a typed algorithm`() async throws {
        // Of "abc" (RFC 7693 §A).
        let digits =
            "ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d1"
            + "7d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923"
        let list = try folder.write("\(digits)  f\n", to: "sums")
        let guessed = try await run("-o", folder.file("f"), "--checksum", "@\(list)")
        #expect(guessed.status == 15)
        #expect(guessed.errors.contains("blake2b:@FILE reads a list of b2sum"))
        #expect(try await run("-o", folder.file("f"), "--checksum", "blake2b:@\(list)").status == 0)
    }

    @Test func `a list that does not identify the file says why`() async throws {
        let other = String(repeating: "0", count: 64)
        let two = try folder.write("\(Self.digits)  a/f.bin\n\(other)  b/f.bin\n", to: "two")
        let path = "\(try folder.folder("out"))/"
        for words in [["-o", folder.file("f.bin")], ["-o", path]] {
            let run = try await run(words[0], words[1], "--checksum", "@\(two)", requests: words[1] == path ? 1 : 0)
            #expect(run.status == 64)
            #expect(run.errors.contains("--checksum: the list has different files named 'f.bin': a/f.bin, b/f.bin"))
            #expect(run.errors.contains("choose one of these paths with --output"))
        }
        #expect(folder.list("out") == [])
        let truncated = try folder.write("BLAKE2b-256 (f.bin) = \(other)\n", to: "b2")
        let run = try await run("-o", path, "--checksum", "@\(truncated)", requests: 0)
        #expect(run.status == 64)
        #expect(run.errors.contains("has BLAKE2b-256 checksums, which are not supported\n  supported: md5"))
    }
}
