import AFCore
import Dispatch
import FoundationEssentials
import Synchronization
import TestSupport

/// Events in order, recorded from any thread.
final class Journal: Sendable {
    private let entries = Mutex<[String]>([])

    var all: [String] { entries.withLock(\.self) }

    func note(_ entry: String) { entries.withLock { $0.append(entry) } }

    func count(_ entry: String) -> Int { all.count { $0 == entry } }

    nonisolated(nonsending) func waitFor(_ count: Int) async throws {
        try await eventually("\(count) things have happened") { all.count >= count }
    }
}

/// Returns the body as a string, and records its call.
struct JournalSerializer: DataResponseSerializerProtocol {
    let journal: Journal

    func serialize(
        request: URLRequest?,
        response: HTTPURLResponse?,
        data: Data?,
        error: (any Error)?
    ) throws -> String {
        journal.note("serialize")
        if let error { throw error }
        return String(decoding: data ?? Data(), as: UTF8.self)
    }
}

/// Requests a limited number of retries, and counts its calls.
final class CountingRetrier: RequestInterceptor {
    private let asked = Mutex(0)
    private let limit: Int
    private let delay: Double?

    init(limit: Int, delay: Double? = nil) {
        self.limit = limit
        self.delay = delay
    }

    var count: Int { asked.withLock(\.self) }

    func retry(
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

extension Session {
    /// Waits for the work on the session's queue, the decisions of retriers included.
    func catchUp() async {
        await withCheckedContinuation { waiter in rootQueue.async { waiter.resume() } }
    }
}
