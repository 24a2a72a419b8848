internal import Glibc

/// The name lookups of a loop: their admission, and the threads of lookups whose transfers have ended.
///
/// A canceled lookup cannot be stopped: its thread runs until the name server responds or the resolver times out.
/// libcurl closes its end of the socket pair that connects it to the thread; a duplicate of this end shows when the
/// thread has closed the other.
struct Lookups {
    private var throttle: ResolverThrottle
    private var admitted: [TransferID] = []
    /// libcurl's end of the socket pair, for lookups in progress.
    private var sockets: [TransferID: Int32] = [:]
    /// Duplicates of such sockets, with the time after which the thread is assumed to have ended.
    private var abandoned: [Int32: UInt64] = [:]
    private let longestLookup: UInt64 = 120_000_000_000

    /// - Parameter share: The number of loops that share the slots.
    init(share: Int) { throttle = ResolverThrottle(capacity: max(1, ResolverThrottle.defaultCapacity / share)) }

    var isIdle: Bool { throttle.lookupCount == 0 }

    /// The time at which ``overdueAbandoned(_:)`` will return a descriptor.
    var nextDeadline: UInt64 { abandoned.isEmpty ? .max : abandoned.values.min() ?? .max }

    /// Whether the transfer may begin at once; otherwise ``takeAdmitted()`` returns it later.
    mutating func admit(_ id: TransferID, _ name: ResolverThrottle.Name, now: UInt64) -> Bool {
        throttle.admit(id, name, now: now)
    }

    /// Removes and returns the waiting transfers that may begin now.
    mutating func takeAdmitted() -> [TransferID] {
        defer { admitted = [] }
        return admitted
    }

    /// Records a socket that libcurl watches for the transfer: before the name is resolved, it is the lookup's.
    mutating func record(_ socket: Int32, of id: TransferID) {
        if throttle.isResolving(id) { sockets[id] = socket }
    }

    /// Forgets a socket that libcurl is about to close, as its number may be reused.
    mutating func forget(_ socket: Int32) {
        guard !sockets.isEmpty, let (id, _) = sockets.first(where: { $0.value == socket }) else { return }
        sockets[id] = nil
    }

    mutating func found(_ id: TransferID, now: UInt64) {
        guard throttle.isResolving(id) else { return }
        sockets[id] = nil
        admitted += throttle.found(id, now: now)
    }

    /// Handles the end of a transfer, before libcurl forgets its lookup.
    ///
    /// - Returns: A descriptor to watch if the thread is still running; it becomes readable when the thread has ended.
    mutating func ended(_ id: TransferID, now: UInt64) -> Int32? {
        let duplicate = sockets.removeValue(forKey: id).flatMap { socket in
            let duplicate = fcntl(socket, F_DUPFD_CLOEXEC, 0)
            return duplicate < 0 ? nil : duplicate
        }
        if let duplicate { abandoned[duplicate] = now + longestLookup }
        admitted += throttle.ended(id, isStillLookingUp: duplicate != nil)
        return duplicate
    }

    /// Handles the end of the thread of a descriptor that ``ended(_:now:)`` returned.
    mutating func abandonedEnded(_ descriptor: Int32) {
        guard abandoned.removeValue(forKey: descriptor) != nil else { return }
        Glibc.close(descriptor)
        admitted += throttle.lookupEnded()
    }

    /// Returns a descriptor that did not become readable in time.
    func overdueAbandoned(_ now: UInt64) -> Int32? { abandoned.first { $0.value <= now }?.key }

    mutating func close() {
        for descriptor in abandoned.keys { Glibc.close(descriptor) }
        abandoned = [:]
    }
}
