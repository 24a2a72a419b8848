internal import Glibc

/// An address for socket calls.
struct SocketAddress {
    private var storage = sockaddr_storage()
    private var length = socklen_t(MemoryLayout<sockaddr_storage>.size)

    private init() {}

    /// Creates the address for binding a server.
    init(_ address: LocalServer.Address) throws {
        switch address {
        case .ipv4(let port):
            var ipv4 = sockaddr_in()
            ipv4.sin_family = sa_family_t(AF_INET)
            ipv4.sin_port = port.bigEndian
            ipv4.sin_addr.s_addr = inet_addr("127.0.0.1")
            store(ipv4)
        case .ipv6(let port):
            var ipv6 = sockaddr_in6()
            ipv6.sin6_family = sa_family_t(AF_INET6)
            ipv6.sin6_port = port.bigEndian
            ipv6.sin6_addr = in6addr_loopback
            store(ipv6)
        case .unix(let path):
            var unix = sockaddr_un()
            unix.sun_family = sa_family_t(AF_UNIX)
            let copied = withUnsafeMutableBytes(of: &unix.sun_path) { place in
                guard path.utf8.count < place.count else { return false }
                place.copyBytes(from: path.utf8)
                return true
            }
            guard copied else { throw SystemFailure("bind \(path)", errorNumber: ENAMETOOLONG) }
            store(unix)
        }
    }

    /// Returns the address that a socket is bound to.
    static func bound(_ descriptor: Int32) throws -> SocketAddress {
        var address = SocketAddress()
        try checked("getsockname", address.withPointer { getsockname(descriptor, $0, $1) })
        return address
    }

    var family: Int32 { Int32(storage.ss_family) }

    /// The port; 0 for a Unix socket.
    var port: UInt16 {
        var copy = self
        return switch family {
        case AF_INET:
            copy.withMemory { (address: UnsafeMutablePointer<sockaddr_in>) in
                UInt16(bigEndian: address.pointee.sin_port)
            }
        case AF_INET6:
            copy.withMemory { (address: UnsafeMutablePointer<sockaddr_in6>) in
                UInt16(bigEndian: address.pointee.sin6_port)
            }
        default: 0
        }
    }

    mutating func bind(_ descriptor: Int32) -> Int32 {
        withPointer { Glibc.bind(descriptor, $0, $1.pointee) }
    }

    mutating func connect(_ descriptor: Int32) -> Int32 {
        withPointer { Glibc.connect(descriptor, $0, $1.pointee) }
    }

    private mutating func store<Address>(_ address: Address) {
        withMemory { (place: UnsafeMutablePointer<Address>) in place.pointee = address }
        length = socklen_t(MemoryLayout<Address>.size)
    }

    private mutating func withMemory<Address, Result>(
        _ body: (UnsafeMutablePointer<Address>) -> Result
    ) -> Result {
        withUnsafeMutablePointer(to: &storage) {
            $0.withMemoryRebound(to: Address.self, capacity: 1, body)
        }
    }

    private mutating func withPointer(
        _ body: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
    ) -> Int32 {
        withUnsafeMutablePointer(to: &storage) { storage in
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, &length) }
        }
    }
}
