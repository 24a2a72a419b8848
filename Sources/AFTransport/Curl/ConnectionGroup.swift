internal import CCurl
internal import CNGHTTP2

/// The connections of one ``TrustIdentity``, for upgrades or for other transfers: a separate `CURLM`, so that connections
/// are not shared with others.
final class ConnectionGroup {
    /// The number that is reserved for descriptors of abandoned lookups.
    static let noGroup: UInt32 = 0

    let multi: UnsafeMutableRawPointer
    /// The group's number in the poller's events.
    let number: UInt32
    let identity: TrustIdentity
    /// Whether the connections switch protocols. They stay open for long and are not counted with others.
    let isUpgrade: Bool
    private(set) var liveCount = 0 {
        // libcurl counts connections in use: with more transfers than the limit, it would close a connection after
        // every transfer, after a search through all of them.
        didSet { _ = af_multi_set_long(multi, CURLMOPT_MAXCONNECTS, idleLimit + liveCount) }
    }
    private let idleLimit: Int
    /// The time of the last use, in nanoseconds of the loop's clock.
    private(set) var lastUse: UInt64 = 0
    /// The time at which libcurl must be called, in nanoseconds of the loop's clock.
    var deadline: UInt64?
    /// The server's violation of HTTP/2 on a connection of which no transfer has ended since; `nil` if no rule was broken.
    var protocolError: String?
    /// Set after a server was rejected: HTTP/2 keeps the connection, so the group takes no new transfers.
    var isRetired = false
    /// The loop, which owns this group and closes it first.
    unowned let loop: Loop
    /// Reusable handles. They stay in the group, as each stores TLS sessions.
    private var idleHandles: [PooledHandle] = []

    /// Records a violation of HTTP/2 that libcurl's latest call met.
    ///
    /// - Returns: Whether there was one.
    func takeProtocolError() -> Bool {
        guard let error = af_take_protocol_error() else { return false }
        protocolError = String(cString: error)
        return true
    }

    init?(number: UInt32, for transfer: Transfer, loop: Loop, limits: ConnectionLimits) {
        guard let multi = curl_multi_init() else { return nil }
        self.multi = multi
        self.number = number
        identity = transfer.sharedOptions.identity
        isUpgrade = transfer.upgradeStream != nil
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
        _ = af_multi_set_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, isUpgrade ? 0 : limits.perHost ?? 0)
        _ = af_multi_set_long(multi, CURLMOPT_MAXCONNECTS, idleLimit)
    }

    /// Whether a transfer may use the connections.
    func serves(_ transfer: Transfer) -> Bool {
        !isRetired && isUpgrade == (transfer.upgradeStream != nil) && identity == transfer.sharedOptions.identity
    }

    /// Returns a handle, preferably one of the most recently released ones with the same settings.
    func takeHandle(for transfer: Transfer) -> PooledHandle? {
        let recent = max(0, idleHandles.count - 8)
        let match = idleHandles[recent...].lastIndex { $0.hasSettings(for: transfer) }
        guard let handle = match.map({ idleHandles.remove(at: $0) }) ?? idleHandles.popLast() ?? PooledHandle() else {
            return nil
        }
        liveCount += 1
        lastUse = loop.now
        return handle
    }

    func recycle(_ handle: PooledHandle) {
        liveCount -= 1
        guard idleHandles.count < 256, handle.release() else { return handle.close() }
        idleHandles.append(handle)
    }

    /// Closes the group. Must not be called from a callback of libcurl.
    func close() {
        for handle in idleHandles { handle.close() }
        idleHandles = []
        curl_multi_cleanup(multi)
    }
}

/// The limits on the connections of a transport.
public struct ConnectionLimits: Hashable, Sendable {
    /// The maximum number of connections to one host; `nil` for no limit (`CURLMOPT_MAX_HOST_CONNECTIONS`).
    public var perHost: Int?
    /// The maximum number of idle connections (`CURLMOPT_MAXCONNECTS`).
    public var idle: Int

    /// Creates limits; by default six connections to a host and 64 idle ones.
    public init(perHost: Int? = 6, idle: Int = 64) {
        self.perHost = perHost
        self.idle = idle
    }
}
