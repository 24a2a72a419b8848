import AFCore
import TestSupport
import Testing

@Suite struct MemoryFileTests {
    @Test func `equal contents share a file`() throws {
        let first = try #require(MemoryFile.path(of: [1, 2, 3]))
        #expect(MemoryFile.path(of: [1, 2, 3]) == first)
        let second = try #require(MemoryFile.path(of: [4]))
        #expect(second != first)
        #expect(try ScratchFolder.bytes(at: first) == [1, 2, 3])
        #expect(try ScratchFolder.bytes(at: second) == [4])
    }
}
