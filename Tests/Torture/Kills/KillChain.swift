import Glibc
import TestSupport

/// A download that is killed, resumed, killed again, and completed.
struct KillChain: Sendable {
    struct Outcome: Sendable {
        var kills: [Kill] = []
        /// The verdict of each attempt, killed or not.
        var verdicts: [Verdict] = []
    }

    let kind: KillKind
    let client: Client
    let tools: Tools
    let seed: UInt64
    /// The number of consecutive kills.
    let length: Int
    /// The index that selects the kill point, for kinds with kill points.
    let index: Int

    private static let version = Version(1, size: 3 << 20, entityTag: "\"v1\"")
    /// Larger, as a segment has at least 1 MiB.
    private static let longVersion = Version(1, size: 12 << 20, entityTag: "\"v1\"")
    /// The pause after each chunk, in microseconds.
    private static let pause: UInt32 = 20_000
    private static let timeout: Duration = .seconds(30)

    private var version: Version { kind == .segments ? Self.longVersion : Self.version }

    /// Takes 2.6 s for the complete body, in one stream or in four: the record is updated every second.
    private var slow: PlannedResponse {
        PlannedResponse(version, pace: PlannedResponse.Pace(piece: 24 << 10, pause: Self.pause))
    }

    private var point: KillPoint? {
        switch kind {
        case .record: KillPoint.record[index % KillPoint.record.count]
        case .finish: KillPoint.finish[index % KillPoint.finish.count]
        case .body, .segments, .anywhere: nil
        }
    }

    func run() async throws -> Outcome {
        let fixture = try Fixture(client, tools, seed: seed)
        defer { fixture.stop() }
        var numbers = SeededNumbers(seed: seed)
        var outcome = Outcome()
        // Only kills during the body need a slow one.
        fixture.origin.respond(with: kind == .finish ? PlannedResponse(version) : slow)
        for _ in 0..<length {
            fixture.origin.beginAttempt()
            let (kill, verdict) = try await runAndKill(fixture, &numbers)
            outcome.recordRefetched(fixture.origin.sentAgain)
            outcome.verdicts.append(verdict)
            guard verdict != .unavailable else { return outcome }
            outcome.kills.append(kill)
            guard client.mayExitWith(verdict), verdict != .identical else { return outcome }
        }
        fixture.origin.respond(with: PlannedResponse(version))
        fixture.origin.beginAttempt()
        outcome.verdicts.append(try await fixture.attempt(job(fixture), expected: version, earlier: version))
        outcome.recordRefetched(fixture.origin.sentAgain)
        return outcome
    }

    private func job(_ fixture: Fixture) -> Job {
        var job = fixture.job
        if kind == .segments { job.segments = 4 }
        return job
    }

    /// Starts the client and kills it.
    private func runAndKill(_ fixture: Fixture, _ numbers: inout SeededNumbers) async throws -> (Kill, Verdict) {
        var program = fixture.program(job(fixture))
        var kill = Kill(kind: kind, size: version.count)
        if let point {
            let folder = fixture.folder
            program.arguments =
                point.words(in: folder.file(Fixture.workingDirectory), log: folder.file("trace")) + [program.path]
                + program.arguments
            program.path = tools.strace
            kill.aim = point.text
        }
        let before = fixture.origin.sent
        let left = max(2, version.count - fixture.bytesOnDisk(of: kind))
        let running = try program.start()
        switch kind {
        case .body, .segments:
            let aim = Int.random(in: 1..<left, using: &numbers)
            try await eventually("\(aim) bytes are sent", within: Self.timeout) {
                fixture.origin.sent - before >= aim || running.hasEnded
            }
            kill.connections = fixture.origin.openConnections
            running.kill()
        case .anywhere:
            let time = Int.random(in: 0...3_000_000, using: &numbers)
            // A real delay: the time must not depend on the program's progress.
            try await Task.sleep(for: .microseconds(time))
            kill.aim = "\(time / 1000) ms after the start"
            running.kill()
        case .record, .finish: break
        }
        let ending = try await running.result(within: Self.timeout, sentSignal: SIGKILL)
        kill.sent = fixture.origin.known
        kill.onDisk = fixture.bytesOnDisk
        kill.leftTemporaryFile = !fixture.judge.temporaryFiles.isEmpty
        kill.isHit = isHit(kill, ending)
        if kind == .segments, ending.status == 64 { return (kill, .unavailable) }
        // A complete file is as correct as no file.
        return (kill, fixture.verdict(ending, expected: [version], earlier: version))
    }

    private func isHit(_ kill: Kill, _ ending: RunResult) -> Bool {
        guard ending.signal == SIGKILL, !ending.isOverdue else { return false }
        return switch kind {
        case .body: kill.isInBody
        case .segments: kill.isInSegments
        // Only strace kills the process, at the kill point.
        case .record, .finish, .anywhere: true
        }
    }
}

extension Client {
    /// Whether the verdict is permitted after a kill: clients that write to the final name may leave a prefix.
    func mayExitWith(_ verdict: Verdict) -> Bool {
        if case .partial = verdict { return self != .afcli }
        return verdict.isRight
    }
}

extension KillChain.Outcome {
    /// Records the bytes fetched again after the last kill.
    fileprivate mutating func recordRefetched(_ again: Int) {
        if !kills.isEmpty { kills[kills.count - 1].refetched = again }
    }
}

extension Fixture {
    fileprivate func bytesOnDisk(of kind: KillKind) -> Int { kind == .segments ? origin.known : bytesOnDisk }
}
