internal import AFHTTP
internal import CLinux
internal import Glibc

/// The destination that a ``NetworkReachabilityManager`` watches.
enum NetworkDestination: Hashable, Sendable {
    typealias Status = NetworkReachabilityManager.NetworkReachabilityStatus

    /// The internet: a default route.
    case internet
    /// An address in network byte order: four or sixteen bytes.
    case address([UInt8])

    /// Returns `nil` for an invalid host.
    init?(host: String) {
        if let address = Self.address(String(host.withoutBrackets)) {
            self = .address(address)
        } else if let url = try? HTTPURL(parsing: "http://\(host)/"), url.origin.description == "http://\(url.host)",
            url.target == "/", url.user == nil
        {
            self = url.host == "localhost" || url.host.hasSuffix(".localhost") ? .address([127, 0, 0, 1]) : .internet
        } else {
            return nil
        }
    }

    private static func address(_ text: String) -> [UInt8]? {
        for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
            var bytes = [UInt8](repeating: 0, count: count)
            if inet_pton(family, text, &bytes) == 1 { return bytes }
        }
        return nil
    }

    /// Returns the current status.
    func status() -> Status {
        switch self {
        case .internet: NetworkSnapshot.now()?.status ?? .unknown
        case .address(let bytes): Self.status(of: bytes)
        }
    }

    /// Returns the status of the kernel's route to an address.
    private static func status(of address: [UInt8]) -> Status {
        guard let socket = NetlinkSocket(), let snapshot = NetworkSnapshot.now() else { return .unknown }
        var question = [UInt8]()
        var head = rtmsg()
        head.rtm_family = UInt8(address.count == 4 ? AF_INET : AF_INET6)
        head.rtm_dst_len = UInt8(address.count * 8)
        question.appendBytes(of: head)
        let length = UInt16(MemoryLayout<rtattr>.size + address.count)
        question.appendBytes(of: rtattr(rta_len: length, rta_type: UInt16(RTA_DST.rawValue)))
        question += address
        var link: Int32?
        let isAnswered = socket.ask(Int32(RTM_GETROUTE), flags: 0, question) { message in
            guard message.type == Int32(RTM_NEWROUTE), let head = message.head(rtmsg.self),
                [Int32(RTN_UNICAST), Int32(RTN_LOCAL)].contains(Int32(head.rtm_type))
            else { return }
            for attribute in message.attributes(after: rtmsg.self) where attribute.type == UInt16(RTA_OIF.rawValue) {
                link = attribute.load(Int32.self)
            }
        }
        guard isAnswered, let link, let found = snapshot.links[link], found.isRunning else { return .notReachable }
        return .reachable(found.connectionType)
    }
}
