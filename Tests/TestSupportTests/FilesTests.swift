import Glibc
import TestSupport
import Testing

@Suite struct FilesTests {
    @Test func `a scratch directory contains files and is removed with them`() throws {
        var folder: ScratchFolder? = try ScratchFolder()
        let path = try #require(folder?.path)
        try folder?.write("hello", to: "in/deep/a.txt", permissions: 0o600)
        try folder?.link("link", to: "/nowhere")
        #expect(folder?.list() == ["in", "link"])
        #expect(folder?.list("in/deep") == ["a.txt"])
        #expect(try folder?.text(of: "in/deep/a.txt") == "hello")
        #expect(try folder?.permissions(of: "in/deep/a.txt") == 0o600)
        #expect(folder?.has("link") == true && folder?.has("other") == false)
        try folder?.setPermissions(0, of: "in")
        folder = nil
        #expect(access(path, F_OK) == -1)
    }

    @Test func `files of a pattern have different bytes at each offset`() throws {
        let folder = try ScratchFolder()
        let pattern = try folder.writePattern("a", size: 200_000)
        #expect(try folder.size(of: "a") == 200_000)
        #expect(try haveSameBytes(pattern, pattern))
        var bytes = try folder.bytes(of: "a")
        let shorter = try folder.write(bytes.dropLast(), to: "b")
        let second = Array(bytes[65536..<131072])
        bytes.replaceSubrange(65536..<131072, with: bytes[..<65536])
        bytes.replaceSubrange(..<65536, with: second)
        let swapped = try folder.write(bytes, to: "c")
        #expect(try !haveSameBytes(pattern, swapped))
        #expect(try !haveSameBytes(pattern, shorter))
    }

    @Test func `a full disk accepts only its capacity`() async throws {
        let disk = try FullDisk(capacity: 64 << 10)
        let result = try await Program(
            "/bin/dd",
            ["if=/dev/zero", "of=\(disk.file("big"))", "bs=1024", "count=128"],
            fileSizeLimit: disk.fileSizeLimit
        ).run()
        #expect(result.status == 1)
        #expect(result.errorText.contains("No space left") || result.errorText.contains("File too large"))
        #expect(disk.list() == ["big"])
    }

    @Test func `an equal golden file passes, a different one names the line`() throws {
        let folder = try ScratchFolder()
        try folder.write("one\ntwo\n", to: "Golden/a.txt")
        let source = folder.file("SomeTests.swift")
        try expectGolden("one\ntwo\n", "a.txt", sourceFile: source)
        let failure = #expect(throws: GoldenMismatch.self) {
            try expectGolden("one\n2\n", "a.txt", sourceFile: source)
        }
        #expect(failure?.difference == #"line 2 is "2" instead of "two""#)
        #expect(throws: GoldenMismatch.self) { try expectGolden("one\n", "missing.txt", sourceFile: source) }
    }

    @Test func `a golden file is written on request`() async throws {
        let folder = try ScratchFolder()
        await #expect(processExitsWith: .success) { [path = folder.path as String] in
            setenv("UPDATE_GOLDEN", "1", 1)
            try expectGolden("new\n", "deep/a.txt", sourceFile: "\(path)/SomeTests.swift")
        }
        #expect(try folder.text(of: "Golden/deep/a.txt") == "new\n")
    }
}
