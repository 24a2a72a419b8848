/// Runs a check for each value, several at a time: for checks that spend most of their time waiting.
///
/// - Parameter width: The maximum number of checks at a time, few enough that they do not compete for the processors.
/// - Throws: The first error of a check, after the running ones have ended.
public func concurrently<Value: Sendable>(
    _ values: some Sequence<Value>,
    atMost width: Int = 4,
    _ check: @escaping @Sendable (Value) async throws -> Void
) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
        for (index, value) in values.enumerated() {
            if index >= width { try await group.next() }
            group.addTask { try await check(value) }
        }
        try await group.waitForAll()
    }
}
