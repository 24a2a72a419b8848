internal import Synchronization

/// Returns a function with the first result for each number.
func remembering(_ limit: @escaping @Sendable (Int) -> Int) -> @Sendable (Int) -> Int {
    let known = KnownLimits()
    return { count in known.value(for: count) { limit(count) } }
}

/// The limits that were read.
private final class KnownLimits: Sendable {
    private let values = Mutex<[Int: Int]>([:])

    func value(for count: Int, _ read: () -> Int) -> Int {
        values.withLock { values in
            if let known = values[count] { return known }
            let value = read()
            values[count] = value
            return value
        }
    }
}
