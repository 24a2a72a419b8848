extension ProcessResources {
    /// The resources that each repetition of some work leaks; empty if there is no leak.
    ///
    /// The work is done once to let libraries open what they keep, then again and again: the runtime opens a timer or
    /// starts a thread when it likes, but only a leak grows with every round. Use it in an exit test:
    ///
    /// ```swift
    /// await #expect(processExitsWith: .success) {
    ///     let left = try await ProcessResources.leftBehind { try await fetchAndShutDown() }
    ///     #expect(left == [])
    /// }
    /// ```
    public nonisolated(nonsending) static func leftBehind(
        rounds: Int = 10,
        within limit: Duration = Deadline.timeout,
        by work: () async throws -> Void
    ) async throws -> [String] {
        try await work()
        let before = (descriptors: openDescriptors(), threads: threads())
        for _ in 0..<rounds { try await work() }
        // Half: something that the first count saw on its way out must not hide a leak.
        let tolerated = rounds / 2
        var growth: [String] = []
        do {
            try await eventually("descriptors are closed", within: limit) {
                openDescriptors() <= before.descriptors + tolerated
            }
        } catch is DeadlinePassed {
            growth.append("\(before.descriptors) descriptors before, now \(descriptorTargets())")
        }
        do {
            try await eventually("threads have ended", within: limit) { threads() <= before.threads + tolerated }
        } catch is DeadlinePassed {
            growth.append("\(before.threads) threads before, now \(threadNames())")
        }
        return growth
    }
}
