internal import CLinux
internal import Glibc

/// The links, addresses and default routes of the system at one moment.
struct NetworkSnapshot: Hashable, Sendable {
    typealias Status = NetworkReachabilityManager.NetworkReachabilityStatus

    struct Link: Hashable, Sendable {
        /// Whether the link is enabled and connected.
        var isRunning: Bool
        var connectionType: Status.ConnectionType
    }

    struct Route: Hashable, Sendable {
        var family: Int32
        var link: Int32
        /// The metric of the route; the kernel uses the lowest.
        var priority: UInt32 = 0
    }

    /// The links by index.
    var links: [Int32: Link] = [:]
    /// The families of addresses with more than link-local scope.
    var families: Set<Int32> = []
    var defaultRoutes: [Route] = []

    /// The reachability of the internet.
    var status: Status {
        let usable = defaultRoutes.filter { families.contains($0.family) && links[$0.link]?.isRunning == true }
        guard let best = usable.min(by: { $0.priority < $1.priority }), let link = links[best.link] else {
            return .notReachable
        }
        return .reachable(link.connectionType)
    }
}

extension NetworkSnapshot {
    /// Returns the current state; `nil` if the kernel does not report it.
    static func now() -> NetworkSnapshot? {
        guard let socket = NetlinkSocket() else { return nil }
        var snapshot = NetworkSnapshot()
        guard socket.dump(Int32(RTM_GETLINK), { snapshot.addLink($0) }),
            socket.dump(Int32(RTM_GETADDR), { snapshot.addAddress($0) }),
            socket.dump(Int32(RTM_GETROUTE), { snapshot.addRoute($0) })
        else { return nil }
        return snapshot
    }

    mutating func addLink(_ message: NetlinkMessage) {
        guard message.type == Int32(RTM_NEWLINK), let head = message.head(ifinfomsg.self) else { return }
        let flags = UInt32(IFF_UP | IFF_RUNNING)
        let name = message.attributes(after: ifinfomsg.self).first { $0.type == UInt16(IFLA_IFNAME) }
        links[head.ifi_index] = Link(
            isRunning: head.ifi_flags & flags == flags,
            connectionType: Self.connectionType(hardware: head.ifi_type, name: name.map { Array($0.value) } ?? [])
        )
    }

    mutating func addAddress(_ message: NetlinkMessage) {
        guard message.type == Int32(RTM_NEWADDR), let head = message.head(ifaddrmsg.self),
            // Ignores loopback and link-local addresses.
            head.ifa_scope < UInt8(RT_SCOPE_LINK.rawValue)
        else { return }
        families.insert(Int32(head.ifa_family))
    }

    mutating func addRoute(_ message: NetlinkMessage) {
        guard message.type == Int32(RTM_NEWROUTE), let head = message.head(rtmsg.self), head.rtm_dst_len == 0,
            Int32(head.rtm_type) == Int32(RTN_UNICAST)
        else { return }
        var route = Route(family: Int32(head.rtm_family), link: 0)
        var hops: [Int32] = []
        for attribute in message.attributes(after: rtmsg.self) {
            switch Int(attribute.type) {
            case Int(RTA_OIF.rawValue): hops.append(attribute.load(Int32.self) ?? 0)
            case Int(RTA_PRIORITY.rawValue): route.priority = attribute.load(UInt32.self) ?? 0
            case Int(RTA_MULTIPATH.rawValue): hops += Self.links(ofHops: attribute.value)
            default: break
            }
        }
        for hop in hops {
            route.link = hop
            defaultRoutes.append(route)
        }
    }

    /// Returns the links of a route with several next hops (`struct rtnexthop`).
    private static func links(ofHops bytes: UnsafeRawBufferPointer) -> [Int32] {
        var (rest, links) = (bytes[...], [Int32]())
        while rest.count >= MemoryLayout<rtnexthop>.size {
            let hop = UnsafeRawBufferPointer(rebasing: rest).loadUnaligned(as: rtnexthop.self)
            guard hop.rtnh_len >= MemoryLayout<rtnexthop>.size else { break }
            links.append(hop.rtnh_ifindex)
            rest = rest.dropFirst((Int(hop.rtnh_len) + 3) & ~3)
        }
        return links
    }

    /// Returns the type of a link. IP modems have links without frames, or with names that the kernel generates; others
    /// look like Ethernet.
    static func connectionType(hardware: UInt16, name: [UInt8]) -> Status.ConnectionType {
        let (rawIP, phonet) = (519, 820...821)
        let isModem = Int(hardware) == rawIP || phonet.contains(Int(hardware))
        let isNamedSo = name.starts(with: "wwan".utf8) || name.starts(with: "rmnet".utf8)
        return isModem || isNamedSo ? .cellular : .ethernetOrWiFi
    }
}
