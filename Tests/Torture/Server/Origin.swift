import Glibc
import Synchronization
import TestSupport

/// The server of one case: it sends the given responses and counts the bytes.
final class Origin: Sendable {
    private struct State {
        var offers: [Offer] = []
        var sent = 0
        /// The bytes sent since the start of the current attempt.
        var fresh = RangeSet<Int>()
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
    var known: Int { state.withLock { $0.earlier.union($0.fresh).total } }

    /// The number of bytes sent before the last ``beginAttempt()`` and again after it.
    var sentAgain: Int { state.withLock { $0.earlier.intersection($0.fresh).total } }

    /// Starts counting the bytes of another attempt.
    func beginAttempt() {
        state.withLock { state in
            state.earlier.formUnion(state.fresh)
            state.fresh = RangeSet()
        }
    }

    /// Sets the responses to the next requests in order; the last one also answers all later requests.
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

    /// Sends the body.
    ///
    /// - Returns: Whether the complete body was sent.
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
