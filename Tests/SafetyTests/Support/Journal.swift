import Synchronization

/// Events in order, recorded from any thread.
final class Journal<Entry: Sendable>: Sendable {
    private let notes = Mutex<[Entry]>([])

    var entries: [Entry] { notes.withLock(\.self) }

    func note(_ entry: Entry) { notes.withLock { $0.append(entry) } }
}
