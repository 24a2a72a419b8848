import Glibc
import Synchronization
import TestSupport

/// The server of one stage, which does what it is told to and counts what it sends.
final class Origin: Sendable {
    private struct State {
        var offers: [Offer] = []
        var sent = 0
        /// The bytes sent since the current attempt began.
        var fresh = RangeSet<Int>()
        var earlier = RangeSet<Int>()
    }

    private let state = Mutex(State())
    private let server = Mutex<LocalServer?>(nil)

    init() throws {
        // The server's threads hold the origin while they serve, and it them: `stop` parts them.
        let server = try LocalServer.scripted { [weak self] connection in try self?.serve(connection) }
        self.server.withLock { $0 = server }
    }

    func stop() { server.withLock { $0.take() }?.stop() }

    var port: UInt16 { server.withLock { $0?.port ?? 0 } }

    var openConnections: Int { server.withLock { $0?.openConnections ?? 0 } }

    /// Every request so far.
    var requests: [RecordedRequest] { server.withLock { $0?.requests ?? [] } }

    /// Bytes of bodies that the system has taken from the server, all requests together.
    var sent: Int { state.withLock(\.sent) }

    /// How many different bytes of the version have left it, where it has only one.
    var known: Int { state.withLock { $0.earlier.union($0.fresh).total } }

    /// How many of them have left it before ``beginAttempt()``, and again after it.
    var sentAgain: Int { state.withLock { $0.earlier.intersection($0.fresh).total } }

    /// From now on, what has left it has left it before.
    func beginAttempt() {
        state.withLock { state in
            state.earlier.formUnion(state.fresh)
            state.fresh = RangeSet()
        }
    }

    /// From now on: the first for the next request, and so on; the last for all others.
    func offer(_ offers: Offer...) { self.offer(offers) }

    func offer(_ offers: [Offer]) { state.withLock { $0.offers = offers } }

    private func nextOffer() -> Offer? {
        state.withLock { $0.offers.count > 1 ? $0.offers.removeFirst() : $0.offers.first }
    }

    private func serve(_ connection: LocalServer.Connection) throws {
        while let request = try connection.readRequest(), let offer = nextOffer() {
            let answer = Answer(offer, to: request)
            try connection.send(answer.head)
            if request.method == "HEAD" || answer.status.hasPrefix("304") { continue }
            guard try sendBody(of: answer, offer, over: connection) else {
                switch offer.cut?.by ?? .close {
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

    /// - Returns: Whether the body came to its end.
    private func sendBody(
        of answer: Answer,
        _ offer: Offer,
        over connection: LocalServer.Connection
    ) throws -> Bool {
        let end = answer.body.startIndex + min(answer.body.count, offer.cut?.after ?? .max)
        var place = answer.body.startIndex
        while place < end {
            let whole = min(offer.pace.piece, answer.body.endIndex - place)
            let piece = place..<min(place + whole, end)
            if answer.framing == .chunked { try connection.send("\(String(whole, radix: 16))\r\n") }
            try connection.send(Array(answer.body[piece]))
            note(answer.isOfVersion ? piece : nil, count: piece.count)
            if answer.framing == .chunked, piece.count == whole { try connection.send("\r\n") }
            place = piece.upperBound
            if offer.pace.pause > 0 { usleep(offer.pace.pause) }
        }
        guard offer.cut.map({ $0.after > answer.body.count }) ?? true else { return false }
        if answer.framing == .chunked { try connection.send("0\r\n\r\n") }
        return true
    }

    private func note(_ range: Range<Int>?, count: Int) {
        state.withLock { state in
            state.sent += count
            if let range { state.fresh.insert(contentsOf: range) }
        }
    }
}

extension RangeSet<Int> {
    fileprivate var total: Int { ranges.reduce(0) { $0 + $1.count } }
}
