import TestSupport

extension Trial {
    static let pairs: [Trial] = [
        pair("started simultaneously, without a file") { _ in },
        pair("started simultaneously, with half a file") { stage in
            try await stage.begin(with: version)
        },
        Trial(.processes, "the second starts while the first receives the body", times: (8, 1)) { stage in
            stage.origin.offer(slow)
            let first = try stage.program(stage.errand).start()
            try await eventually("the first has started") { stage.heldBytes > 50_000 || first.hasEnded }
            let second = try stage.program(stage.errand).start()
            return try await outcome(of: first, and: second, stage)
        },
    ]

    private static let version = Version(1, entityTag: "\"v1\"")
    /// Takes about 300 ms.
    private static let slow = Offer(version, pace: Offer.Pace(piece: 8 << 10, pause: 8_000))

    private static func pair(_ name: String, before prepare: @escaping @Sendable (Stage) async throws -> Void) -> Trial
    {
        Trial(.processes, name, times: (8, 1)) { stage in
            try await prepare(stage)
            stage.origin.offer(slow)
            let first = try stage.program(stage.errand).start()
            let second = try stage.program(stage.errand).start()
            return try await outcome(of: first, and: second, stage)
        }
    }

    /// Both are judged when both have ended: a successful one must have left the file, regardless of the other.
    private static func outcome(
        of first: RunningProgram,
        and second: RunningProgram,
        _ stage: Stage
    ) async throws -> [Verdict] {
        let endings = [
            try await first.ending(within: Stage.limit), try await second.ending(within: Stage.limit),
        ]
        // One succeeds; for the other one, the complete file counts as an earlier file.
        var verdicts = endings.map { stage.verdict($0, wanted: [version], earlier: version) }
        verdicts.sort { $0.isFailure && !$1.isFailure }
        if verdicts.last == .identical { return verdicts }
        stage.origin.offer(Offer(version))
        return verdicts + [try await stage.attempt(wanted: version)]
    }
}
