import TestSupport

/// A disk that takes bytes and cannot say that they are on it: `fsync` and `fdatasync` fail, each time or the first time
/// alone, as Linux has it with bytes that are lost.
struct FailingDisk {
    /// For the program that is to have such a disk.
    let variables: [String: String]
    private let folder: ScratchFolder

    /// - Throws: ``NoCompiler``.
    nonisolated(nonsending) init(failsOnce: Bool = false) async throws {
        folder = try ScratchFolder()
        let source = try folder.write(
            """
            #include <errno.h>
            static int fails(void) {
                static int count;
                if (__sync_fetch_and_add(&count, 1) > 0 && \(failsOnce ? 1 : 0)) return 0;
                errno = EIO;
                return -1;
            }
            int fsync(int file) { return fails(); }
            int fdatasync(int file) { return fails(); }
            """, to: "disk.c")
        let library = folder.file("disk.so")
        try await compile(source, to: library)
        variables = ["LD_PRELOAD": library]
    }
}
