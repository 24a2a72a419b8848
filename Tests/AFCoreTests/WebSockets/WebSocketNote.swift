import AFCore
import Dispatch
import FoundationEssentials
import Glibc
import Synchronization
import TestSupport
import Testing

/// A recorded event of a connection.
enum WebSocketNote: Equatable, Sendable {
    case connected(String?)
    case message(WebSocketMessage)
    case disconnected(Int, String?)
    case completed(String?)

    init(_ event: WebSocketRequest.Event<WebSocketMessage, Never>) {
        switch event.kind {
        case .connected(let name): self = .connected(name)
        case .receivedMessage(let message): self = .message(message)
        case .disconnected(let code, let reason):
            self = .disconnected(code.rawValue, reason.map { String(decoding: $0, as: UTF8.self) })
        case .completed(let completion): self = .completed(completion.error.map(\.localizedDescription))
        }
    }

    static func text(_ text: String) -> WebSocketNote { .message(.string(text)) }
}

extension WebSocketRequest {
    /// Returns all events, including the completion.
    func notes(
        _ react: @escaping @Sendable (Event<WebSocketMessage, Never>) -> Void = { _ in }
    ) async -> [WebSocketNote] {
        let notes = Mutex<[WebSocketNote]>([])
        await withCheckedContinuation { (waiter: CheckedContinuation<Void, Never>) in
            streamMessageEvents(on: DispatchQueue(label: "notes")) { event in
                notes.withLock { $0.append(WebSocketNote(event)) }
                react(event)
                if case .completed = event.kind { waiter.resume() }
            }
        }
        return notes.withLock { $0 }
    }

    var failure: WebSocketError? { error?.underlyingError as? WebSocketError }
}

extension LocalServer {
    var webSocketURL: String { url().replacing("http:", with: "ws:") }
}
