internal import Synchronization

/// The requests of a server, in the order of their headers.
final class RequestLog: Sendable {
    let keepsBodies: Bool
    private let requests = Mutex<[RecordedRequest]>([])

    init(keepsBodies: Bool) {
        self.keepsBodies = keepsBodies
    }

    var all: [RecordedRequest] { requests.withLock { $0 } }

    func begin(_ request: RecordedRequest) {
        requests.withLock { $0.append(request) }
    }

    /// Changes the latest request of a connection.
    func update(connection: Int, _ change: (inout RecordedRequest) -> Void) {
        requests.withLock { requests in
            guard let place = requests.lastIndex(where: { $0.connection == connection }) else { return }
            change(&requests[place])
        }
    }

    func append(_ piece: [UInt8], connection: Int) {
        update(connection: connection) { [keepsBodies] in
            $0.bodyLength += piece.count
            guard keepsBodies else { return }
            $0.body += piece
            $0.bodyOnWire += piece
        }
    }

    func latest(connection: Int) -> RecordedRequest? {
        requests.withLock { $0.last { $0.connection == connection } }
    }
}
