import Glibc
import TestSupport

/// The environment of one client in one case: a server, a working directory, and a file that must not change.
final class Fixture: Sendable {
    let client: Client
    let tools: Tools
    let folder: ScratchFolder
    let origin: Origin
    let judge: Judge
    let seed: UInt64

    static let workingDirectory = "work"
    /// The time limit of a run.
    static let limit: Duration = .seconds(30)

    private let neighbor: ForeignFile

    init(_ client: Client, _ tools: Tools, seed: UInt64, on disk: String? = nil) throws {
        self.client = client
        self.tools = tools
        self.seed = seed
        folder = try ScratchFolder(in: disk)
        origin = try Origin()
        judge = Judge(folder: folder, workingDirectory: Self.workingDirectory)
        try folder.folder("home")
        let path = try folder.write("a neighbor", to: "\(Self.workingDirectory)/\(ForeignFile.neighbor)")
        neighbor = try ForeignFile(path, named: "a neighbor")
    }

    func stop() { origin.stop() }

    var url: String { "http://127.0.0.1:\(origin.port)/\(Job.file)" }
    var job: Job { Job(url) }

    /// Returns the path of a file in the working directory.
    func file(_ name: String) -> String { folder.file("\(Self.workingDirectory)/\(name)") }

    /// The name of the incomplete file.
    var partialName: String { client == .afcli ? "\(Job.file).part" : Job.file }

    /// The number of bytes on disk.
    var bytesOnDisk: Int { (try? folder.size(of: "\(Self.workingDirectory)/\(partialName)")) ?? 0 }

    func program(_ job: Job) -> Program {
        var program = Program(tools.path(of: client), job.arguments(for: client))
        program.environment = ["PATH": "/usr/bin:/bin", "HOME": folder.file("home"), "LC_ALL": "C.UTF-8"]
        program.workingDirectory = folder.file(Self.workingDirectory)
        program.endsWithTests = true
        return program
    }

    /// Runs the client once.
    func attempt(
        _ job: Job? = nil,
        expected: Version...,
        earlier: Version? = nil,
        foreign: [ForeignFile] = [],
        within limit: Duration = Fixture.limit,
        as adapt: (inout Program) -> Void = { _ in }
    ) async throws -> Verdict {
        var program = program(job ?? self.job)
        adapt(&program)
        let ending = try await program.result(within: limit)
        return verdict(ending, expected: expected, earlier: earlier, foreign: foreign)
    }

    func verdict(
        _ ending: RunResult,
        expected: [Version],
        earlier: Version? = nil,
        foreign: [ForeignFile] = []
    ) -> Verdict {
        judge.verdict(ending, expected: expected.map(\.bytes), earlier: earlier?.bytes, foreign: foreign + [neighbor])
    }

    // Shared by many cases

    /// Downloads a prefix of a version by a broken connection; half of it by default.
    func downloadPart(of version: Version, bytes count: Int = Version.size / 2, job: Job? = nil) async throws {
        origin.respond(with: .cut(version, after: count))
        let verdict = try await attempt(job, expected: version)
        let isBegun =
            switch verdict {
            case .failure, .partial: bytesOnDisk == count
            default: false
            }
        guard isBegun else { throw SetupFailure(verdict: verdict, onDisk: bytesOnDisk) }
    }

    /// Downloads a complete version.
    func downloadAll(of version: Version, job: Job? = nil) async throws {
        origin.respond(with: PlannedResponse(version))
        let verdict = try await attempt(job, expected: version)
        guard verdict == .identical else { throw SetupFailure(verdict: verdict, onDisk: bytesOnDisk) }
    }

    /// Runs the client with these responses, and again with correct ones unless the first run completed the file.
    func attemptTwice(
        _ responses: PlannedResponse...,
        expected: Version,
        earlier: Version? = nil,
        job: Job? = nil,
        foreign: [ForeignFile] = [],
        as adapt: (inout Program) -> Void = { _ in }
    ) async throws -> [Verdict] {
        origin.respond(with: responses)
        let first = try await attempt(job, expected: expected, earlier: earlier, foreign: foreign, as: adapt)
        guard first != .identical else { return [first] }
        origin.respond(with: PlannedResponse(expected))
        return [first, try await attempt(job, expected: expected, earlier: earlier, foreign: foreign)]
    }
}

/// The error of a case whose initial state could not be created: the case has no result.
struct SetupFailure: Error, CustomStringConvertible {
    let verdict: Verdict
    let onDisk: Int

    var description: String { "the initial state could not be created: \(verdict.text), \(onDisk) bytes" }
}
