import TestSupport
import Testing

@testable import AFCommand

@Suite struct MissingDirectoriesTests {
    let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private func create(_ path: String) -> [String] {
        var created: [String] = []
        folder.file(path).createDirectories(mode: 0o755) { created.append($0) }
        return created
    }

    @Test func `all missing directories of a path are created, in order`() {
        #expect(create("a/b/c/file") == ["a", "a/b", "a/b/c"].map(folder.file))
        #expect(create("a/b/d//file") == [folder.file("a/b/d/")])
        #expect(create("a/b/c/file") == [])
        #expect(folder.list("a/b") == ["c", "d"])
    }

    @Test func `a file in the way stays`() throws {
        try folder.write("x", to: "a")
        #expect(create("a/b/file") == [])
        #expect(create("a/file") == [])
        #expect(folder.holds("x", in: "a"))
    }
}
