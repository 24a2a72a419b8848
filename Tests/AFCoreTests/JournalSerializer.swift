import AFCore
import Dispatch
import FoundationEssentials
import TestSupport

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

extension Session {
    /// Waits for the work on the session's queue, the decisions of retriers included.
    func catchUp() async {
        await withCheckedContinuation { waiter in rootQueue.async { waiter.resume() } }
    }
}
