internal import CCurl

/// The connections of one ``TrustIdentity``: a `CURLM` of its own, as connections must not be shared across.
final class ConnectionGroup {
    /// The number that no group has.
    static let none: UInt32 = 0

    let multi: UnsafeMutableRawPointer
    /// Its number in the poller's events.
    let number: UInt32
    let identity: TrustIdentity
    private(set) var liveCount = 0 {
        // libcurl counts the connections that are in use: with more transfers than it may keep connections, it would close
        // one after every transfer, having looked at them all.
        didSet { _ = af_multi_set_long(multi, CURLMOPT_MAXCONNECTS, idleLimit + liveCount) }
    }
    private let idleLimit: Int
    /// On the loop's clock, in nanoseconds.
    private(set) var lastUse: UInt64 = 0
    /// When libcurl wants to be called, in nanoseconds of the loop's clock.
    var deadline: UInt64?
    /// Set once a server was refused: HTTP/2 keeps the refused connection, so nothing new may start here.
    var isRetired = false
    /// It owns this group and closes it before it goes.
    unowned let loop: Loop
    /// Handles that served before. They stay in the group, as each remembers TLS sessions.
    private var idleHandles: [PooledHandle] = []

    init?(number: UInt32, identity: TrustIdentity, loop: Loop, limits: ConnectionLimits) {
        guard let multi = curl_multi_init() else { return nil }
        self.multi = multi
        self.number = number
        self.identity = identity
        self.loop = loop
        idleLimit = limits.idle
        let box = Unmanaged.passUnretained(self).toOpaque()
        _ = af_multi_set_pointer(multi, CURLMOPT_SOCKETDATA, box)
        _ = af_multi_set_pointer(multi, CURLMOPT_TIMERDATA, box)
        _ = af_multi_set_socket(multi) { easy, socket, interest, box, known in
            guard let box else { return 0 }
            let group = Unmanaged<ConnectionGroup>.fromOpaque(box).takeUnretainedValue()
            group.loop.watch(socket, interest: interest, group: group, easy: easy, isKnown: known != nil)
            return 0
        }
        _ = af_multi_set_timer(multi) { _, milliseconds, box in
            guard let box else { return 0 }
            let group = Unmanaged<ConnectionGroup>.fromOpaque(box).takeUnretainedValue()
            group.deadline = milliseconds < 0 ? nil : group.loop.now + UInt64(milliseconds) * 1_000_000
            return 0
        }
        _ = af_multi_set_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, limits.perHost ?? 0)
        _ = af_multi_set_long(multi, CURLMOPT_MAXCONNECTS, idleLimit)
    }

    /// A handle for a transfer to prepare; the one that was given back last, as it may be set up right.
    func takeHandle() -> PooledHandle? {
        guard let handle = idleHandles.popLast() ?? PooledHandle() else { return nil }
        liveCount += 1
        lastUse = loop.now
        return handle
    }

    func giveBack(_ handle: PooledHandle) {
        liveCount -= 1
        guard idleHandles.count < 256, handle.release() else { return handle.close() }
        idleHandles.append(handle)
    }

    /// Not to be called from within libcurl.
    func close() {
        for handle in idleHandles { handle.close() }
        idleHandles = []
        curl_multi_cleanup(multi)
    }
}

/// How many connections a transport keeps.
public struct ConnectionLimits: Hashable, Sendable {
    /// At once to one host; `nil` for no limit (`CURLMOPT_MAX_HOST_CONNECTIONS`).
    public var perHost: Int?
    /// Kept open for later transfers (`CURLMOPT_MAXCONNECTS`).
    public var idle: Int

    /// Six to a host and 64 idle ones, unless told otherwise.
    public init(perHost: Int? = 6, idle: Int = 64) {
        self.perHost = perHost
        self.idle = idle
    }
}
