internal import Synchronization

/// The notes of a command that are printed once, even if several requests cause them.
final class GivenNotes: Sendable {
    private let sentences = Mutex<Set<String>>([])

    /// Adds a note.
    ///
    /// - Returns: Whether it is new.
    func add(_ sentence: String) -> Bool { sentences.withLock { $0.insert(sentence).inserted } }
}
