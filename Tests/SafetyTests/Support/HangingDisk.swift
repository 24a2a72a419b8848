import TestSupport

/// A simulated disk on which `fsync` does not return.
struct HangingDisk {
    /// The environment variables for the program under test.
    let variables: [String: String]
    private let folder: ScratchFolder

    /// Compiles the library.
    ///
    /// - Throws: ``NoCompiler``.
    nonisolated(nonsending) init() async throws {
        folder = try ScratchFolder()
        let source = try folder.write(
            """
            #include <unistd.h>
            int fsync(int file) { for (;;) pause(); }
            """, to: "disk.c")
        let library = folder.file("disk.so")
        try await compile(source, to: library)
        variables = ["LD_PRELOAD": library]
    }
}
