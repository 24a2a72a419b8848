import AFCore
import Dispatch
import Synchronization
import TestSupport
import Testing

@testable import AFRequests

@Suite(.timeLimit(.minutes(1))) struct ProgressLimiterTests {
    private let queue = DispatchQueue(label: "progress")

    /// A limiter, and the counts that it has reported.
    private final class Reports: Sendable {
        private let counts = Mutex<[Int64]>([])

        var all: [Int64] { counts.withLock { $0 } }

        func limiter(on queue: DispatchQueue) -> ProgressLimiter {
            ProgressLimiter(queue: queue) { progress in
                self.counts.withLock { $0.append(progress.completedUnitCount) }
            }
        }
    }

    private func report(_ count: Int64, to limiter: ProgressLimiter) {
        limiter.report(TransferProgress(completedUnitCount: count, totalUnitCount: 10))
    }

    @Test func `only the latest progress is reported to a busy queue`() {
        let reports = Reports()
        let limiter = reports.limiter(on: queue)
        queue.suspend()
        for count in 1...5 as ClosedRange<Int64> { report(count, to: limiter) }
        queue.resume()
        queue.sync {}
        #expect(reports.all == [5])
    }

    @Test func `progress that waits is reported before later work, and only once`() {
        let reports = Reports()
        let limiter = reports.limiter(on: queue)
        report(1, to: limiter)
        queue.sync {}
        report(2, to: limiter)
        limiter.flush()
        queue.sync {}
        #expect(reports.all == [1, 2])
        limiter.flush()
        queue.sync {}
        #expect(reports.all == [1, 2])
    }

    @Test func `progress within the interval is reported after it`() async throws {
        let reports = Reports()
        let limiter = reports.limiter(on: queue)
        report(1, to: limiter)
        queue.sync {}
        for count in 2...9 as ClosedRange<Int64> { report(count, to: limiter) }
        try await eventually("the latest progress is reported") { reports.all.last == 9 }
        // Both, unless the test was interrupted for longer than the interval.
        #expect(reports.all.first == 1)
        #expect(reports.all == reports.all.sorted())
    }
}
