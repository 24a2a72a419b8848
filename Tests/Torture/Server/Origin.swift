import Glibc
import Synchronization
import TestSupport

/// The server of one case: it sends the given responses and counts the bytes.
final class Origin: Sendable {
    private struct State {
        var responses: [PlannedResponse] = []
        var sent = 0
        /// The bytes sent since the start of the current attempt.
        var current = RangeSet<Int>()
        var earlier = RangeSet<Int>()
    }

    private let state = Mutex(State())
    private let server = Mutex<LocalServer?>(nil)

    init() throws {
        // The server's threads retain the origin while they serve, and the origin retains the server: `stop` breaks the
        // cycle.
        let server = try LocalServer.scripted { [weak self] connection in try self?.serve(connection) }
        self.server.withLock { $0 = server }
    }

    func stop() { server.withLock { $0.take() }?.stop() }

    var port: UInt16 { server.withLock { $0?.port ?? 0 } }

    var openConnections: Int { server.withLock { $0?.openConnections ?? 0 } }

    /// All requests so far.
    var requests: [RecordedRequest] { server.withLock { $0?.requests ?? [] } }

    /// The number of body bytes passed to the kernel, in all requests.
    var sent: Int { state.withLock(\.sent) }

    /// The number of distinct bytes sent, if there is only one version.
    var known: Int { state.withLock { $0.earlier.union($0.current).total } }

    /// The number of bytes sent before the last ``beginAttempt()`` and again after it.
    var sentAgain: Int { state.withLock { $0.earlier.intersection($0.current).total } }

    /// Starts counting the bytes of another attempt.
    func beginAttempt() {
        state.withLock { state in
            state.earlier.formUnion(state.current)
            state.current = RangeSet()
        }
    }

    /// Sets the responses to the next requests in order; the last one also answers all later requests.
    func respond(with responses: PlannedResponse...) { respond(with: responses) }

    func respond(with responses: [PlannedResponse]) { state.withLock { $0.responses = responses } }

    private func nextResponse() -> PlannedResponse? {
        state.withLock { $0.responses.count > 1 ? $0.responses.removeFirst() : $0.responses.first }
    }

    private func serve(_ connection: LocalServer.Connection) throws {
        while let request = try connection.readRequest(), let planned = nextResponse() {
            let answer = OriginResponse(planned, to: request)
            try connection.send(answer.head)
            if request.method == "HEAD" || answer.status.hasPrefix("304") { continue }
            guard try sendBody(of: answer, planned, over: connection) else {
                switch planned.cut?.by ?? .close {
                case .close: return
                case .reset: return connection.reset()
                case .stall:
                    try connection.waitForClose(within: .seconds(60))
                    return
                }
            }
            if answer.framing == .untilClose { return }
        }
    }

    /// Sends the body.
    ///
    /// - Returns: Whether the complete body was sent.
    private func sendBody(
        of answer: OriginResponse,
        _ planned: PlannedResponse,
        over connection: LocalServer.Connection
    ) throws -> Bool {
        let end = answer.body.startIndex + min(answer.body.count, planned.cut?.after ?? .max)
        var place = answer.body.startIndex
        while place < end {
            let whole = min(planned.pace.piece, answer.body.endIndex - place)
            let piece = place..<min(place + whole, end)
            if answer.framing == .chunked { try connection.send("\(String(whole, radix: 16))\r\n") }
            try connection.send(Array(answer.body[piece]))
            record(answer.isOfVersion ? piece : nil, count: piece.count)
            if answer.framing == .chunked, piece.count == whole { try connection.send("\r\n") }
            place = piece.upperBound
            if planned.pace.pause > 0 { usleep(planned.pace.pause) }
        }
        guard planned.cut.map({ $0.after > answer.body.count }) ?? true else { return false }
        if answer.framing == .chunked { try connection.send("0\r\n\r\n") }
        return true
    }

    private func record(_ range: Range<Int>?, count: Int) {
        state.withLock { state in
            state.sent += count
            if let range { state.current.insert(contentsOf: range) }
        }
    }
}

extension RangeSet<Int> {
    fileprivate var total: Int { ranges.reduce(0) { $0 + $1.count } }
}
