extension ProcessResources {
    /// Returns the resources that repeated work leaks; empty if there is no leak.
    ///
    /// The first run of the work is not counted, as libraries open descriptors that they reuse. Then it is repeated: the
    /// runtime may open a timer or start a thread, but only a leak grows in every round. Use it in an exit test:
    ///
    /// ```swift
    /// await #expect(processExitsWith: .success) {
    ///     let left = try await ProcessResources.leaks { try await fetchAndShutDown() }
    ///     #expect(left == [])
    /// }
    /// ```
    public nonisolated(nonsending) static func leaks(
        rounds: Int = 10,
        within limit: Duration = Deadline.timeout,
        by work: () async throws -> Void
    ) async throws -> [String] {
        try await work()
        let before = (descriptors: openDescriptors(), threads: threads())
        for _ in 0..<rounds { try await work() }
        // Half: a resource that was being released at the first count must not hide a leak.
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
