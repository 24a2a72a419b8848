import Synchronization
import Testing

/// A flag that can be taken once, from any thread.
final class Once: Sendable {
    private let isTaken = Atomic(false)

    func take() -> Bool { !isTaken.exchange(true, ordering: .relaxed) }
}

/// Checks a precondition of a test.
func expect(_ condition: Bool, _ comment: String, at place: SourceLocation = #_sourceLocation) throws {
    try #require(condition, "\(comment)", sourceLocation: place)
}
