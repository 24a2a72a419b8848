/// The maximum duration of a phase of the run.
struct TimeBudget: Equatable, Sendable, ArgumentValue {
    enum Phase: String, CaseIterable, Sendable { case dns, connect, tls, ttfb, total }

    let phase: Phase
    let limit: Seconds

    /// Parses `PHASE=DURATION`, with durations such as `200ms`, `1.5`, `2m`.
    init(argument: String) throws(UsageError) {
        guard let (name, duration) = argument.halves(around: "="), let phase = Phase(rawValue: name.lowercased()) else {
            let phases = Phase.allCases.map(\.rawValue).joined(separator: ", ")
            throw UsageError("expected PHASE=DURATION with one of \(phases), got '\(argument)'")
        }
        self.phase = phase
        limit = try Seconds(argument: String(duration))
    }
}

extension TimeBudget {
    /// Returns the failure for the times of a run.
    func failure(in times: RunTimes) -> String? {
        let needed = times.duration(of: phase)
        guard needed > limit.value else { return nil }
        return
            "expected '\(phase.rawValue)' to take at most \(HumanUnits.duration(limit.value)), got "
            + HumanUnits.duration(needed)
    }
}

extension RunTimes {
    fileprivate func duration(of phase: TimeBudget.Phase) -> Double {
        switch phase {
        case .dns: lookup
        case .connect: connect
        case .tls: tls
        case .ttfb: firstByte
        case .total: total
        }
    }
}
