public import AFCore
internal import Synchronization
internal import Testing

/// Events in order, recorded from any thread.
public final class Journal: Sendable {
    private let entries = Mutex<[String]>([])

    public init() {}

    public var all: [String] { entries.withLock(\.self) }

    public func note(_ entry: String) { entries.withLock { $0.append(entry) } }

    public func count(_ entry: String) -> Int { all.count { $0 == entry } }

    public nonisolated(nonsending) func waitFor(_ count: Int) async throws {
        do {
            try await eventually("\(count) things have happened") { all.count >= count }
        } catch {
            Issue.record("happened: \(all)")
            throw error
        }
    }
}

/// Requests a limited number of retries, and counts its calls.
public final class CountingRetrier: RequestInterceptor {
    private let asked = Mutex(0)
    private let limit: Int
    private let delay: Double?

    public init(limit: Int, delay: Double? = nil) {
        self.limit = limit
        self.delay = delay
    }

    public var count: Int { asked.withLock(\.self) }

    public func retry(
        _ request: Request,
        for session: Session,
        dueTo error: any Error,
        completion: @escaping @Sendable (RetryResult) -> Void
    ) {
        asked.withLock { $0 += 1 }
        guard request.retryCount < limit else { return completion(.doNotRetry) }
        completion(delay.map(RetryResult.retryWithDelay) ?? .retry)
    }
}
