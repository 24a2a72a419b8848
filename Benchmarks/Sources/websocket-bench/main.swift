import AFCore
import FoundationEssentials
import Workload

/// WebSocket connections through the public async API: each request is a message and its echo.
let workload = Workload()
let session = Session()
let message = Data(repeating: UInt8(ascii: "x"), count: workload.body?.count ?? 0)
let connections = Connections()

try await workload.run { _ in
    let connection = await connections.take()
    let size = try await connection.echo(message)
    await connections.add(connection)
    return size
}

/// The open connections that no request uses.
actor Connections {
    private var idle: [EchoConnection] = []

    func take() -> EchoConnection { idle.popLast() ?? EchoConnection() }
    func add(_ connection: EchoConnection) { idle.append(connection) }
}

/// A connection to a server that returns each message.
///
/// `@unchecked`: the iterator is used by one request at a time.
final class EchoConnection: @unchecked Sendable {
    private let task: WebSocketTask
    private var messages: StreamOf<WebSocketMessage>.Iterator

    init() {
        task = session.webSocketRequest(to: workload.url, configuration: .maximumMessageSize(32 << 20)).webSocketTask()
        messages = task.streamingMessages().makeAsyncIterator()
    }

    func echo(_ message: Data) async throws -> Int {
        try await task.send(.data(message))
        guard case .data(let echo)? = await messages.next() else { throw NoEcho() }
        return echo.count
    }
}

/// The connection ended before the echo.
struct NoEcho: Error {}
