internal import AFCore
internal import AFHTTP
internal import FoundationEssentials
internal import Synchronization

/// Sends the ID of the last received event with the next attempt, so that the server continues the event stream.
final class EventReconnection: RequestInterceptor {
    private let lastEventID = Mutex("")

    /// Records the ID of the latest complete event; empty if there was none.
    func record(lastEventID id: String) { lastEventID.withLock { $0 = id } }

    func adapt(
        _ urlRequest: URLRequest,
        for session: Session,
        completion: @escaping @Sendable (_ result: Result<URLRequest, any Error>) -> Void
    ) {
        var request = urlRequest
        let id = lastEventID.withLock(\.self)
        if !id.isEmpty { request.headers.update(name: "Last-Event-ID", value: id) }
        completion(.success(request))
    }
}

/// The error of an event stream that the server has ended: a reconnection continues it.
struct EndedEventStream: Error {}
