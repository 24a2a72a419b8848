#if Metrics
    internal import Synchronization

    /// Label values up to a limit: the metrics backend stores a series for each.
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
