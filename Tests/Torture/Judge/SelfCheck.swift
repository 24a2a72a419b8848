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
        ("exit 18", .mute(18)),
        ("head -c 5000 ../truth > f; echo no >&2; exit 18", .partial(18)),
        ("head -c 5000 ../other > f; echo no >&2; exit 18", .damaged(18)),
        ("cat ../truth > f; echo mine > neighbour", .trespass("a neighbour was written to")),
        ("cat ../truth > f; rm neighbour", .trespass("a neighbour is gone")),
        ("cat ../truth > f; cp neighbour n; mv n neighbour", .trespass("a neighbour was replaced")),
        ("cat ../truth > f; : > g", .trespass("left g")),
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
            try folder.write("a neighbour", to: "work/\(Foreign.neighbour)")
            let neighbour = try Foreign(folder.file("work/\(Foreign.neighbour)"), named: "a neighbour")
            var program = Program("/bin/sh", ["-c", script])
            program.environment = ["PATH": "/usr/bin:/bin"]
            program.workingDirectory = folder.file("work")
            let ending = try await program.endingInOrder(within: expected == .hang ? .milliseconds(300) : .seconds(20))
            let found = Judge(folder: folder, workplace: "work")
                .verdict(ending, wanted: [truth], earlier: earlier, foreign: [neighbour])
            guard found == expected else { throw Misjudged(script: script, expected: expected, found: found) }
        }
        return clients.count
    }
}
