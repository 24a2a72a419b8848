#if Metrics
    internal import Synchronization

    /// Values for a label, of which only so many are told apart: every one is a series that somebody has to store.
    final class BoundedLabels: Sendable {
        private let limit: Int
        private let known = Mutex<Set<String>>([])

        init(limit: Int) { self.limit = limit }

        func label(for value: String) -> String {
            known.withLock { known in
                guard !known.contains(value) else { return value }
                guard known.count < limit else { return "other" }
                known.insert(value)
                return value
            }
        }
    }
#endif
