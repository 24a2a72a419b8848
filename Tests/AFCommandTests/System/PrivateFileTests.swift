import Glibc
import Synchronization
import TestSupport
import Testing

@testable import AFCommand

@Suite(.timeLimit(.minutes(5))) struct PrivateFileTests {
    let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private func file(_ name: String, _ kind: PrivateFile.Directory = .created) -> PrivateFile {
        PrivateFile(path: folder.file(name), directory: kind)
    }

    private func write(_ text: String, to file: PrivateFile) throws {
        try file.change { _ in Array(text.utf8) }
    }

    @Test func `a file becomes private, regardless of its earlier mode`() throws {
        try folder.write("old", to: "f", permissions: 0o666)
        try write("new", to: file("f"))
        #expect(try folder.permissions(of: "f") == 0o600)
        #expect(try folder.text(of: "f") == "new")
        #expect(folder.list() == ["f"])
    }

    @Test func `a name may have the maximum length of the file system`() throws {
        let name = String(repeating: "語", count: 85)
        try write("new", to: file(name))
        #expect(try folder.text(of: name) == "new")
    }

    @Test func `new directories are private`() throws {
        try write("x", to: file("a/b/f"))
        #expect(try folder.permissions(of: "a") == 0o700)
        #expect(try folder.permissions(of: "a/b") == 0o700)
    }

    @Test func `the tool's own directory is made private, another is unchanged`() throws {
        try folder.folder("a/b")
        try folder.setPermissions(0o755, of: "a/b")
        try write("x", to: file("a/b/f"))
        #expect(try folder.permissions(of: "a/b") == 0o755)
        try write("y", to: file("a/b/f", .own))
        #expect(try folder.permissions(of: "a/b") == 0o700)
    }

    @Test func `a missing directory is created only on request`() {
        let problem = #expect(throws: FileProblem.self) { try write("x", to: file("a/f", .existing)) }
        #expect(problem?.message == "cannot write '\(folder.file("a/f"))': there is no such directory")
    }

    @Test func `a missing file has no contents, and an empty change creates none`() throws {
        #expect(try file("f").read() == nil)
        try file("f").change { content in
            #expect(content == nil)
            return nil
        }
        #expect(folder.list().isEmpty)
        try folder.write("", to: "g")
        #expect(try file("g").read() == nil)
        try file("g").change { _ in nil }
        #expect(folder.list() == ["g"])
    }

    @Test func `a new file is not left empty while it is written`() async throws {
        let file = file("f")
        try file.change { _ in
            let isLeftEmpty = try file.isLeftEmpty()
            #expect(!isLeftEmpty)
            return Array("new".utf8)
        }
        #expect(try !file.isLeftEmpty())
        try folder.write("", to: "f")
        #expect(try file.isLeftEmpty())
    }

    @Test func `another process never sees a new file that looks as if it were left empty`() async throws {
        let file = file("f")
        async let changes: Void = onThread {
            for _ in 0..<50 {
                try file.change { _ in Array("new".utf8) }
                unlink(file.path)
            }
        }
        let count = try await onThread { try (0..<20_000).count { _ in try file.isLeftEmpty() } }
        try await changes
        #expect(count == 0)
    }

    @Test func `a failed change leaves the file unchanged`() throws {
        try folder.write("old", to: "f")
        #expect(throws: CancellationError.self) { try file("f").change { _ in throw CancellationError() } }
        #expect(throws: CancellationError.self) { try file("g").change { _ in throw CancellationError() } }
        #expect(try folder.text(of: "f") == "old")
        #expect(folder.list() == ["f"])
    }

    @Test func `links, directories and devices are rejected`() throws {
        try folder.write("x", to: "target")
        try folder.link("link", to: folder.file("target"))
        try folder.link("dangling", to: folder.file("nowhere"))
        try folder.folder("folder")
        #expect(mkfifo(folder.file("pipe"), 0o600) == 0)
        for (name, reason) in [
            ("link", "it is a symbolic link"), ("dangling", "it is a symbolic link"), ("folder", "it is a directory"),
            ("pipe", "it is not a regular file"),
        ] {
            let reading = #expect(throws: FileProblem.self) { try file(name).read() }
            #expect(reading?.reason.description == reason)
            let writing = #expect(throws: FileProblem.self) { try write("y", to: file(name)) }
            #expect(writing?.reason.description == reason)
        }
        #expect(throws: FileProblem.self) { try PrivateFile(path: "/dev/null").read() }
        #expect(try folder.text(of: "target") == "x")
        #expect(!folder.has("nowhere"))
    }

    @Test(.enabled(if: geteuid() == 0, "only the superuser can give files away"))
    func `another user's file is rejected`() throws {
        try folder.write("x", to: "f")
        #expect(chown(folder.file("f"), 12345, 12345) == 0)
        #expect(throws: FileProblem.self) { try file("f").read() }
        let problem = #expect(throws: FileProblem.self) { try write("y", to: file("f")) }
        #expect(problem?.reason.description == "it belongs to another user")
        #expect(try folder.text(of: "f") == "x")
    }

    @Test func `concurrent changes are not lost`() async throws {
        let place = file("a/f", .own)
        try await withThrowingTaskGroup { group in
            for number in 0..<40 {
                group.addTask {
                    try await onThread { try place.change { ($0 ?? []) + Array("\(number)\n".utf8) } }
                }
            }
            try await group.waitForAll()
        }
        let lines = try folder.text(of: "a/f").split(separator: "\n").compactMap { Int($0) }
        #expect(lines.sorted() == Array(0..<40))
        #expect(folder.list("a") == ["f"])
    }
}
