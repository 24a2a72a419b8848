import TestSupport

extension Trial {
    static let pairs: [Trial] = [
        pair("started simultaneously, without a file") { _ in },
        pair("started simultaneously, with half a file") { fixture in
            try await fixture.downloadPart(of: version)
        },
        Trial(.processes, "the second starts while the first receives the body", times: (8, 1)) { fixture in
            fixture.origin.respond(with: slow)
            let first = try fixture.program(fixture.job).start()
            try await eventually("the first has started") { fixture.bytesOnDisk > 50_000 || first.hasEnded }
            let second = try fixture.program(fixture.job).start()
            return try await outcome(of: first, and: second, fixture)
        },
    ]

    private static let version = Version(1, entityTag: "\"v1\"")
    /// Takes about 300 ms.
    private static let slow = PlannedResponse(version, pace: PlannedResponse.Pace(piece: 8 << 10, pause: 8_000))

    private static func pair(_ name: String, before prepare: @escaping @Sendable (Fixture) async throws -> Void)
        -> Trial
    {
        Trial(.processes, name, times: (8, 1)) { fixture in
            try await prepare(fixture)
            fixture.origin.respond(with: slow)
            let first = try fixture.program(fixture.job).start()
            let second = try fixture.program(fixture.job).start()
            return try await outcome(of: first, and: second, fixture)
        }
    }

    /// Both are judged when both have ended: a successful one must have left the file, regardless of the other.
    private static func outcome(
        of first: RunningProgram,
        and second: RunningProgram,
        _ fixture: Fixture
    ) async throws -> [Verdict] {
        let endings = [
            try await first.result(within: Fixture.limit), try await second.result(within: Fixture.limit),
        ]
        // One succeeds; for the other one, the complete file counts as an earlier file.
        var verdicts = endings.map { fixture.verdict($0, expected: [version], earlier: version) }
        verdicts.sort { $0.isFailure && !$1.isFailure }
        if verdicts.last == .identical { return verdicts }
        fixture.origin.respond(with: PlannedResponse(version))
        return verdicts + [try await fixture.attempt(expected: version)]
    }
}
