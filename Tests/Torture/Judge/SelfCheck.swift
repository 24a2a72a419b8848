import TestSupport

/// Checks the judge with intentionally broken clients, which are small shell scripts.
enum SelfCheck {
    struct Misjudged: Error, CustomStringConvertible {
        let script: String
        let expected: Verdict
        let found: Verdict

        var description: String {
            "the verdict on `\(script)` is \"\(found.text)\" instead of \"\(expected.text)\""
        }
    }

    private static let clients: [(script: String, expected: Verdict)] = [
        ("cat ../truth > f", .identical),
        ("head -c 5000 ../truth > f; tail -c +5001 ../other >> f", .wrongFile),
        ("head -c 5000 ../truth > f", .wrongFile),
        ("cat ../truth > f; echo >> f", .wrongFile),
        (": > f", .wrongFile),
        ("mkfifo f", .nothing),
        (":", .nothing),
        ("echo no >&2; exit 18", .failure(18)),
        ("cat ../earlier > f; echo no >&2; exit 18", .failure(18)),
        ("cat ../truth > f; echo no >&2; exit 18", .failure(18)),
        ("exit 18", .silentFailure(18)),
        ("head -c 5000 ../truth > f; echo no >&2; exit 18", .partial(18)),
        ("head -c 5000 ../other > f; echo no >&2; exit 18", .damaged(18)),
        ("cat ../truth > f; echo mine > neighbor", .damagedOtherFile("a neighbor was written to")),
        ("cat ../truth > f; rm neighbor", .damagedOtherFile("a neighbor is gone")),
        ("cat ../truth > f; cp neighbor n; mv n neighbor", .damagedOtherFile("a neighbor was replaced")),
        ("cat ../truth > f; : > g", .damagedOtherFile("left g")),
        ("cat ../truth > f; kill -SEGV $$", .crash(11)),
        ("sleep 60", .hang),
    ]

    /// Runs the broken clients.
    ///
    /// - Returns: The number of clients.
    /// - Throws: ``Misjudged``.
    static func run() async throws -> Int {
        for (script, expected) in clients {
            let folder = try ScratchFolder()
            let truth = Version(1, size: 20_000).bytes
            let earlier = Version(3, size: 20_000).bytes
            try folder.write(truth, to: "truth")
            try folder.write(Version(2, size: 20_000).bytes, to: "other")
            try folder.write(earlier, to: "earlier")
            try folder.write("a neighbor", to: "work/\(ForeignFile.neighbor)")
            let neighbor = try ForeignFile(folder.file("work/\(ForeignFile.neighbor)"), named: "a neighbor")
            var program = Program("/bin/sh", ["-c", script])
            program.environment = ["PATH": "/usr/bin:/bin"]
            program.workingDirectory = folder.file("work")
            let ending = try await program.result(within: expected == .hang ? .milliseconds(300) : .seconds(20))
            let found = Judge(folder: folder, workingDirectory: "work")
                .verdict(ending, expected: [truth], earlier: earlier, foreign: [neighbor])
            guard found == expected else { throw Misjudged(script: script, expected: expected, found: found) }
        }
        return clients.count
    }
}
