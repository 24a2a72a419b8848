extension TimeBudget {
    /// What is wrong with the times of a run.
    func complaint(about times: RunTimes) -> String? {
        let needed = times.duration(of: phase)
        guard needed > limit.value else { return nil }
        return
            "expected \(phase.rawValue) within \(HumanUnits.duration(limit.value)), got \(HumanUnits.duration(needed))"
    }
}
