import Glibc
import TestSupport

extension Trial {
    static let signals: [Trial] = [
        interrupted("SIGINT", SIGINT), interrupted("SIGTERM", SIGTERM),
    ]

    private static func interrupted(_ name: String, _ signal: Int32) -> Trial {
        Trial(.signals, name, times: (30, 2)) { fixture in
            let version = Version(1, entityTag: "\"v1\"")
            fixture.origin.respond(
                with: PlannedResponse(version, pace: PlannedResponse.Pace(piece: 8 << 10, pause: 8_000)))
            let program = try fixture.program(fixture.job).start()
            var numbers = SeededNumbers(seed: fixture.seed)
            // The transfer takes about 330 ms: a few signals arrive before it, and a few after it.
            try await Task.sleep(for: .microseconds(Int.random(in: 0...360_000, using: &numbers)))
            program.signal(signal)
            let ending = try await program.result(within: Fixture.limit, sentSignal: signal)
            let first = fixture.verdict(ending, expected: [version])
            if first == .identical { return [first] }
            // A signal before afcli has installed its handlers ends it like any program, without a message.
            let hasHandledSignal = fixture.client != .afcli || ending.status == 128 + signal
            fixture.origin.respond(with: PlannedResponse(version))
            return [
                hasHandledSignal ? first : .silentFailure(ending.status), try await fixture.attempt(expected: version),
            ]
        }
    }
}
