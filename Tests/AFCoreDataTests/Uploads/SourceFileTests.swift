import Glibc
import TestSupport
import Testing

@testable import AFUploads

/// The lock of an uploaded file.
@Suite struct SourceFileTests {
    private static func fail(with number: Int32) -> Int32 {
        errno = number
        return -1
    }

    /// NFS has no exclusive lock for a file that is open for reading; other file systems have none at all.
    @Test(arguments: [EBADF, ENOLCK, EOPNOTSUPP, ENOSYS])
    func `on a file system without locks, a file is not uploaded twice at once`(number: Int32) throws {
        let folder = try ScratchFolder()
        let (path, other) = (try folder.write([1], to: "f"), try folder.write([1], to: "g"))
        let first = try SourceFile(path) { _, _ in Self.fail(with: number) }
        let failure = #expect(throws: UploadFailure.self) { try SourceFile(path) { _, _ in Self.fail(with: number) } }
        #expect(failure?.reason == .busy)
        _ = try SourceFile(other) { _, _ in Self.fail(with: number) }
        first.unlock()
        let second = try SourceFile(path) { _, _ in Self.fail(with: number) }
        #expect(second.isUnchanged && first.isUnchanged)
    }

    @Test func `a locked file is one of another upload`() throws {
        let folder = try ScratchFolder()
        let path = try folder.write([1], to: "f")
        let first = try SourceFile(path)
        let failure = #expect(throws: UploadFailure.self) { try SourceFile(path) }
        #expect(failure?.reason == .busy && first.isUnchanged)
    }
}
