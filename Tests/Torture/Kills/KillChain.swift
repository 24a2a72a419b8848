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
    private var slow: Offer { Offer(version, pace: Offer.Pace(piece: 24 << 10, pause: Self.pause)) }

    private var point: KillPoint? {
        switch kind {
        case .record: KillPoint.record[index % KillPoint.record.count]
        case .finish: KillPoint.finish[index % KillPoint.finish.count]
        case .body, .segments, .anywhere: nil
        }
    }

    func play() async throws -> Outcome {
        let stage = try Stage(client, tools, seed: seed)
        defer { stage.stop() }
        var numbers = SeededNumbers(seed: seed)
        var outcome = Outcome()
        // Only kills during the body need a slow one.
        stage.origin.offer(kind == .finish ? Offer(version) : slow)
        for _ in 0..<length {
            stage.origin.beginAttempt()
            let (kill, verdict) = try await strike(stage, &numbers)
            outcome.charge(stage.origin.sentAgain)
            outcome.verdicts.append(verdict)
            guard verdict != .unavailable else { return outcome }
            outcome.kills.append(kill)
            guard client.mayLeave(verdict), verdict != .identical else { return outcome }
        }
        stage.origin.offer(Offer(version))
        stage.origin.beginAttempt()
        outcome.verdicts.append(try await stage.attempt(errand(stage), wanted: version, earlier: version))
        outcome.charge(stage.origin.sentAgain)
        return outcome
    }

    private func errand(_ stage: Stage) -> Errand {
        var errand = stage.errand
        if kind == .segments { errand.segments = 4 }
        return errand
    }

    /// Starts the client and kills it.
    private func strike(_ stage: Stage, _ numbers: inout SeededNumbers) async throws -> (Kill, Verdict) {
        var program = stage.program(errand(stage))
        var kill = Kill(kind: kind, size: version.count)
        if let point {
            let folder = stage.folder
            program.arguments =
                point.words(in: folder.file(Stage.workplace), log: folder.file("trace")) + [program.path]
                + program.arguments
            program.path = tools.strace
            kill.aim = point.text
        }
        let before = stage.origin.sent
        let left = max(2, version.count - stage.heldBytes(of: kind))
        let running = try program.start()
        switch kind {
        case .body, .segments:
            let aim = Int.random(in: 1..<left, using: &numbers)
            try await eventually("\(aim) bytes are sent", within: Self.timeout) {
                stage.origin.sent - before >= aim || running.hasEnded
            }
            kill.connections = stage.origin.openConnections
            running.kill()
        case .anywhere:
            let time = Int.random(in: 0...3_000_000, using: &numbers)
            // A real delay: the time must not depend on the program's progress.
            try await Task.sleep(for: .microseconds(time))
            kill.aim = "\(time / 1000) ms after the start"
            running.kill()
        case .record, .finish: break
        }
        let ending = try await running.ending(within: Self.timeout, sentSignal: SIGKILL)
        kill.sent = stage.origin.known
        kill.held = stage.heldBytes
        kill.hasLitter = !stage.judge.litter.isEmpty
        kill.isHit = isHit(kill, ending)
        if kind == .segments, ending.status == 64 { return (kill, .unavailable) }
        // A complete file is as correct as no file.
        return (kill, stage.verdict(ending, wanted: [version], earlier: version))
    }

    private func isHit(_ kill: Kill, _ ending: Ending) -> Bool {
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
    func mayLeave(_ verdict: Verdict) -> Bool {
        if case .partial = verdict { return self != .afcli }
        return verdict.isRight
    }
}

extension KillChain.Outcome {
    /// Records the bytes fetched again after the last kill.
    fileprivate mutating func charge(_ again: Int) {
        if !kills.isEmpty { kills[kills.count - 1].again = again }
    }
}

extension Stage {
    fileprivate func heldBytes(of kind: KillKind) -> Int { kind == .segments ? origin.known : heldBytes }
}
