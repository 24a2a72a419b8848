import TestSupport

/// A simulated disk error: `fsync` and `fdatasync` fail always, or only the first time, as on Linux after lost writes.
struct FailingDisk {
    /// The environment variables for the program under test.
    let variables: [String: String]
    private let folder: ScratchFolder

    /// Compiles the library.
    ///
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
