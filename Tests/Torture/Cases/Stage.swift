import Glibc
import TestSupport

/// The environment of one client in one case: a server, a working directory, and a file that must not change.
final class Stage: Sendable {
    let client: Client
    let tools: Tools
    let folder: ScratchFolder
    let origin: Origin
    let judge: Judge
    let seed: UInt64

    static let workplace = "work"
    /// The time limit of a run.
    static let limit: Duration = .seconds(30)

    private let neighbour: Foreign

    init(_ client: Client, _ tools: Tools, seed: UInt64, on disk: String? = nil) throws {
        self.client = client
        self.tools = tools
        self.seed = seed
        folder = try ScratchFolder(in: disk)
        origin = try Origin()
        judge = Judge(folder: folder, workplace: Self.workplace)
        try folder.folder("home")
        let path = try folder.write("a neighbour", to: "\(Self.workplace)/\(Foreign.neighbour)")
        neighbour = try Foreign(path, named: "a neighbour")
    }

    func stop() { origin.stop() }

    var url: String { "http://127.0.0.1:\(origin.port)/\(Errand.file)" }
    var errand: Errand { Errand(url) }

    /// Returns the path of a file in the working directory.
    func file(_ name: String) -> String { folder.file("\(Self.workplace)/\(name)") }

    /// The name of the incomplete file.
    var partialName: String { client == .afcli ? "\(Errand.file).part" : Errand.file }

    /// The number of bytes on disk.
    var heldBytes: Int { (try? folder.size(of: "\(Self.workplace)/\(partialName)")) ?? 0 }

    func program(_ errand: Errand) -> Program {
        var program = Program(tools.path(of: client), errand.words(for: client))
        program.environment = ["PATH": "/usr/bin:/bin", "HOME": folder.file("home"), "LC_ALL": "C.UTF-8"]
        program.workingDirectory = folder.file(Self.workplace)
        program.endsWithTests = true
        return program
    }

    /// Runs the client once.
    func attempt(
        _ errand: Errand? = nil,
        wanted: Version...,
        earlier: Version? = nil,
        foreign: [Foreign] = [],
        within limit: Duration = Stage.limit,
        as adapt: (inout Program) -> Void = { _ in }
    ) async throws -> Verdict {
        var program = program(errand ?? self.errand)
        adapt(&program)
        let ending = try await program.endingInOrder(within: limit)
        return verdict(ending, wanted: wanted, earlier: earlier, foreign: foreign)
    }

    func verdict(
        _ ending: Ending,
        wanted: [Version],
        earlier: Version? = nil,
        foreign: [Foreign] = []
    ) -> Verdict {
        judge.verdict(ending, wanted: wanted.map(\.bytes), earlier: earlier?.bytes, foreign: foreign + [neighbour])
    }

    // Shared by many cases

    /// Downloads a prefix of a version by a broken connection; half of it by default.
    func begin(with version: Version, bytes count: Int = Version.size / 2, errand: Errand? = nil) async throws {
        origin.offer(.cut(version, after: count))
        let verdict = try await attempt(errand, wanted: version)
        let isBegun =
            switch verdict {
            case .failure, .partial: heldBytes == count
            default: false
            }
        guard isBegun else { throw UnexpectedBeginning(verdict: verdict, held: heldBytes) }
    }

    /// Downloads a complete version.
    func complete(with version: Version, errand: Errand? = nil) async throws {
        origin.offer(Offer(version))
        let verdict = try await attempt(errand, wanted: version)
        guard verdict == .identical else { throw UnexpectedBeginning(verdict: verdict, held: heldBytes) }
    }

    /// Runs the client with these responses, and again with correct ones unless the first run completed the file.
    func trouble(
        _ offers: Offer...,
        wanted: Version,
        earlier: Version? = nil,
        errand: Errand? = nil,
        foreign: [Foreign] = [],
        as adapt: (inout Program) -> Void = { _ in }
    ) async throws -> [Verdict] {
        origin.offer(offers)
        let first = try await attempt(errand, wanted: wanted, earlier: earlier, foreign: foreign, as: adapt)
        guard first != .identical else { return [first] }
        origin.offer(Offer(wanted))
        return [first, try await attempt(errand, wanted: wanted, earlier: earlier, foreign: foreign)]
    }
}

/// The error of a case whose initial state could not be created: the case has no result.
struct UnexpectedBeginning: Error, CustomStringConvertible {
    let verdict: Verdict
    let held: Int

    var description: String { "the initial state could not be created: \(verdict.text), \(held) bytes" }
}
