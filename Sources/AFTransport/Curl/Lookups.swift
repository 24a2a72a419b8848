internal import Glibc

/// The name look-ups of a loop: who may begin one, and the threads of those that nobody waits for any more.
///
/// A cancelled look-up cannot be stopped: its thread goes on until the name server answers or the C library gives up.
/// libcurl talks to the thread through a pair of sockets and forgets both; a duplicate of its own end tells when the
/// thread has closed the other.
struct Lookups {
    private var gate = LookupGate()
    private var admitted: [TransferID] = []
    /// libcurl's end of the pair, for look-ups under way.
    private var sockets: [TransferID: Int32] = [:]
    /// Duplicates of such ends, and when to believe that the thread is gone whatever they say.
    private var abandoned: [Int32: UInt64] = [:]
    private let longestLookup: UInt64 = 120_000_000_000

    var isIdle: Bool { gate.lookupCount == 0 }

    /// When ``overdueAbandoned(_:)`` will have something to say.
    var nextDeadline: UInt64 { abandoned.isEmpty ? .max : abandoned.values.min() ?? .max }

    /// Whether the transfer may begin at once; otherwise ``takeAdmitted()`` names it later.
    mutating func admit(_ id: TransferID, _ name: LookupGate.Name, now: UInt64) -> Bool {
        gate.admit(id, name, now: now)
    }

    /// Transfers that had to wait and may begin now.
    mutating func takeAdmitted() -> [TransferID] {
        defer { admitted = [] }
        return admitted
    }

    /// libcurl watches a socket for the transfer: while its name is not known, that can only be the look-up's.
    mutating func note(_ socket: Int32, of id: TransferID) {
        if gate.isLookingUp(id) { sockets[id] = socket }
    }

    /// libcurl is about to close the socket, whose number may come back as another's.
    mutating func forget(_ socket: Int32) {
        guard !sockets.isEmpty, let (id, _) = sockets.first(where: { $0.value == socket }) else { return }
        sockets[id] = nil
    }

    mutating func found(_ id: TransferID, now: UInt64) {
        guard gate.isLookingUp(id) else { return }
        sockets[id] = nil
        admitted += gate.found(id, now: now)
    }

    /// The transfer is over, and libcurl is about to forget its look-up.
    ///
    /// - Returns: A descriptor to be watched, where the thread goes on; it becomes readable when the thread is gone.
    mutating func ended(_ id: TransferID, now: UInt64) -> Int32? {
        let duplicate = sockets.removeValue(forKey: id).flatMap { socket in
            let duplicate = fcntl(socket, F_DUPFD_CLOEXEC, 0)
            return duplicate < 0 ? nil : duplicate
        }
        if let duplicate { abandoned[duplicate] = now + longestLookup }
        admitted += gate.ended(id, isStillLookingUp: duplicate != nil)
        return duplicate
    }

    /// The thread behind a descriptor that ``ended(_:now:)`` gave is gone.
    mutating func abandonedEnded(_ descriptor: Int32) {
        guard abandoned.removeValue(forKey: descriptor) != nil else { return }
        Glibc.close(descriptor)
        admitted += gate.lookupEnded()
    }

    /// A descriptor that did not become readable in all that time.
    func overdueAbandoned(_ now: UInt64) -> Int32? { abandoned.first { $0.value <= now }?.key }

    mutating func close() {
        for descriptor in abandoned.keys { Glibc.close(descriptor) }
        abandoned = [:]
    }
}
