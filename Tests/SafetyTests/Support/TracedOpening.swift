import Glibc
import TestSupport

/// Records every file that a program creates, with the flags of `open`.
struct TracedOpening {
    /// The environment variables for the program under test.
    let variables: [String: String]
    private let folder: ScratchFolder

    /// A file opened with `O_CREAT`.
    struct CreatedFile {
        let path: String
        let flags: Int32
    }

    /// Compiles the library.
    ///
    /// - Throws: ``NoCompiler``.
    nonisolated(nonsending) init() async throws {
        folder = try ScratchFolder()
        let source = try folder.write(
            """
            #define _GNU_SOURCE
            #include <dlfcn.h>
            #include <fcntl.h>
            #include <stdarg.h>
            #include <stdio.h>
            #include <stdlib.h>
            #include <unistd.h>
            #define TRACED(name)                                                                                  \\
                int name(const char *path, int flags, ...) {                                                      \\
                    va_list rest;                                                                                 \\
                    va_start(rest, flags);                                                                        \\
                    int mode = va_arg(rest, int);                                                                 \\
                    va_end(rest);                                                                                 \\
                    int (*real)(const char *, int, ...) = dlsym(RTLD_NEXT, #name);                                \\
                    int file = real(path, flags, mode);                                                           \\
                    if (flags & O_CREAT && file >= 0) {                                                           \\
                        char line[4096];                                                                          \\
                        int length = snprintf(line, sizeof line, "%d %s\\n", flags, path);                        \\
                        int log = real(getenv("OPEN_LOG"), O_WRONLY | O_APPEND | O_CLOEXEC, 0);                   \\
                        if (log >= 0) { if (write(log, line, length) < 0) abort(); close(log); }                  \\
                    }                                                                                             \\
                    return file;                                                                                  \\
                }
            TRACED(open)
            TRACED(open64)
            """, to: "open.c")
        let library = folder.file("open.so")
        try await compile(source, to: library)
        variables = ["LD_PRELOAD": library, "OPEN_LOG": try folder.write("", to: "log")]
    }

    /// The created files of all runs, in order.
    var createdFiles: [CreatedFile] {
        get throws {
            try folder.text(of: "log").split(separator: "\n").compactMap { line in
                let parts = line.split(separator: " ", maxSplits: 1)
                guard parts.count == 2, let flags = Int32(parts[0]) else { return nil }
                return CreatedFile(path: String(parts[1]), flags: flags)
            }
        }
    }
}

/// Compiles a library for `LD_PRELOAD`.
nonisolated(nonsending) func compile(_ source: String, to library: String) async throws {
    let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
    let words = ["-c", "exec clang -shared -fPIC -o \(library) \(source)"]
    let result = try await Program("/bin/sh", words, environment: ["PATH": path]).run()
    guard result.status == 0 else { throw NoCompiler(output: result.errorText) }
}

/// The error if clang is not in `PATH` or rejects the source.
struct NoCompiler: Error { let output: String }
