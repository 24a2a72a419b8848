import Glibc
import TestSupport

/// One download that is killed, goes on, is killed again, and comes to its end.
struct KillChain: Sendable {
    struct Outcome: Sendable {
        var kills: [Kill] = []
        /// Of each attempt that ended, killed or not.
        var verdicts: [Verdict] = []
    }

    let kind: KillKind
    let client: Client
    let tools: Tools
    let seed: UInt64
    /// Kills in a row.
    let length: Int
    /// Chooses the point, where there are some.
    let index: Int

    private static let version = Version(1, size: 3 << 20, entityTag: "\"v1\"")
    /// Segments are at least one megabyte.
    private static let longVersion = Version(1, size: 12 << 20, entityTag: "\"v1\"")
    /// In microseconds, for each piece.
    private static let pause: UInt32 = 20_000
    private static let timeout: Duration = .seconds(30)

    private var version: Version { kind == .segments ? Self.longVersion : Self.version }

    /// 2.6 s for the complete body, in one stream or in four: the record is updated every second.
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
        // The last steps need no slow body.
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
            try await eventually("\(aim) bytes have left the server", within: Self.timeout) {
                stage.origin.sent - before >= aim || running.hasEnded
            }
            kill.connections = stage.origin.openConnections
            running.kill()
        case .anywhere:
            let time = Int.random(in: 0...3_000_000, using: &numbers)
            // A moment that depends on nothing that the program does is the point.
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
        // Whole under its name is as good as nothing there.
        return (kill, stage.verdict(ending, wanted: [version], earlier: version))
    }

    private func isHit(_ kill: Kill, _ ending: Ending) -> Bool {
        guard ending.signal == SIGKILL, !ending.isOverdue else { return false }
        return switch kind {
        case .body: kill.isInBody
        case .segments: kill.isInSegments
        // Nothing else kills it but strace at its point.
        case .record, .finish, .anywhere: true
        }
    }
}

extension Client {
    /// Whether it keeps its word when it is killed. Who writes under the final name has not given one.
    func mayLeave(_ verdict: Verdict) -> Bool {
        if case .partial = verdict { return self != .afcli }
        return verdict.isRight
    }
}

extension KillChain.Outcome {
    /// Adds the cost of the last kill.
    fileprivate mutating func charge(_ again: Int) {
        if !kills.isEmpty { kills[kills.count - 1].again = again }
    }
}

extension Stage {
    fileprivate func heldBytes(of kind: KillKind) -> Int { kind == .segments ? origin.known : heldBytes }
}
