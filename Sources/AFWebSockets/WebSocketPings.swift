internal import FoundationEssentials

/// The pings of a connection that wait for a pong, in the order of sending.
struct WebSocketPings {
    struct Ping: Sendable {
        let payload: [UInt8]
        let start: Date
        let respond: @Sendable (WebSocketRequest.PingResponse) -> Void
    }

    private var waiting: [Ping] = []
    private var count: UInt64 = 0
    /// Whether nothing was received since the last automatic ping.
    private var isUnanswered = false

    /// Adds a ping with a payload of its own, which is sent after it was added: a pong finds it.
    mutating func add(at start: Date, respond: @escaping @Sendable (WebSocketRequest.PingResponse) -> Void) -> Ping {
        count += 1
        let ping = Ping(payload: withUnsafeBytes(of: count.bigEndian) { Array($0) }, start: start, respond: respond)
        waiting.append(ping)
        return ping
    }

    /// Removes a ping that was not sent; returns `false` if it has a response already.
    mutating func remove(_ ping: Ping) -> Bool {
        guard let index = waiting.firstIndex(where: { $0.payload == ping.payload }) else { return false }
        waiting.remove(at: index)
        return true
    }

    /// Removes and returns the pings that a pong answers: that of its payload and the earlier ones, as servers may answer
    /// the latest of several pings only (RFC 6455 §5.5.3). A pong may also answer none.
    mutating func answered(by payload: [UInt8]) -> ArraySlice<Ping> {
        guard let index = waiting.firstIndex(where: { $0.payload == payload }) else { return [] }
        defer { waiting.removeSubrange(...index) }
        return waiting[...index]
    }

    /// Removes and returns all pings: the connection has ended.
    mutating func removeAll() -> [Ping] {
        defer { waiting = [] }
        return waiting
    }

    /// Starts the interval after an automatic ping; returns whether nothing was received since the last one.
    mutating func startInterval() -> Bool {
        defer { isUnanswered = true }
        return isUnanswered
    }

    /// Records that something was received, or that the automatic ping was not sent.
    mutating func endInterval() { isUnanswered = false }
}
