import TestSupport

/// A disk that never says that bytes are on it: `fsync` does not return.
struct StoppingDisk {
    /// For the program that is to have such a disk.
    let variables: [String: String]
    private let folder: ScratchFolder

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
