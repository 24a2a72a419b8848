import FoundationEssentials
import Synchronization

/// A clock that is advanced only by the test.
final class TestClock: Sendable {
    /// Thu, 01 Jan 2026 00:00:00 GMT
    static let start = Date(timeIntervalSince1970: 1_767_225_600)
    static let startText = "Thu, 01 Jan 2026 00:00:00 GMT"

    private let time = Mutex(TestClock.start)

    var now: Date { time.withLock(\.self) }

    func pass(_ seconds: Double) { time.withLock { $0 += seconds } }
}
