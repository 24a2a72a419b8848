import Glibc
import TestSupport

extension Trial {
    static let signals: [Trial] = [
        interrupted("SIGINT", SIGINT), interrupted("SIGTERM", SIGTERM),
    ]

    private static func interrupted(_ name: String, _ signal: Int32) -> Trial {
        Trial(.signals, name, times: (30, 2)) { stage in
            let version = Version(1, entityTag: "\"v1\"")
            stage.origin.offer(Offer(version, pace: Offer.Pace(piece: 8 << 10, pause: 8_000)))
            let program = try stage.program(stage.errand).start()
            var numbers = SeededNumbers(seed: stage.seed)
            // The transfer takes about 330 ms: a few signals arrive before it, and a few after it.
            try await Task.sleep(for: .microseconds(Int.random(in: 0...360_000, using: &numbers)))
            program.signal(signal)
            let ending = try await program.ending(within: Stage.limit, sentSignal: signal)
            let first = stage.verdict(ending, wanted: [version])
            if first == .identical { return [first] }
            // A signal before afcli has installed its handlers ends it like any program, without a message.
            let isTold = stage.client != .afcli || ending.status == 128 + signal
            stage.origin.offer(Offer(version))
            return [isTold ? first : .mute(ending.status), try await stage.attempt(wanted: version)]
        }
    }
}
