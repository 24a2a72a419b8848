import TestSupport

/// A disk that takes bytes and cannot say that they are on it: `fsync` and `fdatasync` fail.
struct FailingDisk {
    /// For the program that is to have such a disk.
    let variables: [String: String]
    private let folder: ScratchFolder

    /// - Throws: ``NoCompiler``.
    nonisolated(nonsending) init() async throws {
        folder = try ScratchFolder()
        let source = try folder.write(
            """
            #include <errno.h>
            int fsync(int file) { errno = EIO; return -1; }
            int fdatasync(int file) { errno = EIO; return -1; }
            """, to: "disk.c")
        let library = folder.file("disk.so")
        try await compile(source, to: library)
        variables = ["LD_PRELOAD": library]
    }
}
