internal import Dispatch
internal import Glibc
internal import Synchronization

/// A proxy that opens tunnels to 127.0.0.1 for any host and records its requests.
public final class TunnelProxy: Sendable {
    struct Broken: Error {}

    public let port: UInt16
    private let listener: Int32
    private let log: Log

    /// Separate from the proxy, so that the threads do not retain the proxy.
    private final class Log: Sendable {
        let heads = Mutex<[String]>([])
        let closedConnections = Atomic(0)
    }

    /// Creates a proxy.
    ///
    /// - Parameter answer: The response to CONNECT; the tunnel is opened if its status is 200.
    public init(
        answer: @escaping @Sendable (_ head: String) -> String = { _ in "HTTP/1.1 200 Established\r\nX-Proxy: 1\r\n\r\n"
        }
    ) throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = loopback(port: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withSocketAddress(&address) { place in
            bind(listener, place, length) == 0 && listen(listener, 64) == 0
                && getsockname(listener, place, &length) == 0
        }
        guard isListening else { throw Broken() }
        let log = Log()
        self.log = log
        self.listener = listener
        port = UInt16(bigEndian: address.sin_port)
        // Serial queues: the threads of concurrent ones are those of Swift's concurrency, which must not block.
        DispatchQueue(label: "tunnel").async {
            while case let connection = accept(listener, nil, nil), connection >= 0 {
                DispatchQueue(label: "tunnel connection").async {
                    serve(connection) { head in
                        log.heads.withLock { $0.append(head) }
                        return answer(head)
                    }
                    close(connection)
                    log.closedConnections.add(1, ordering: .relaxed)
                }
            }
            close(listener)
        }
    }

    deinit { shutdown(listener, Int32(SHUT_RDWR)) }

    public var url: String { "http://127.0.0.1:\(port)" }
    /// The heads of the CONNECT requests.
    public var heads: [String] { log.heads.withLock(\.self) }
    /// The number of ended connections to the proxy.
    public var closedConnections: Int { log.closedConnections.load(ordering: .relaxed) }
}

private func loopback(port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    return address
}

private func withSocketAddress<Result>(
    _ address: inout sockaddr_in,
    _ body: (UnsafeMutablePointer<sockaddr>) -> Result
) -> Result {
    withUnsafeMutablePointer(to: &address) { $0.withMemoryRebound(to: sockaddr.self, capacity: 1, body) }
}

private func serve(_ connection: Int32, answer: (String) -> String) {
    while let head = readHead(connection) {
        let text = answer(head)
        _ = text.withCString { send(connection, $0, strlen($0), Int32(MSG_NOSIGNAL)) }
        guard text.hasPrefix("HTTP/1.1 200") else { continue }
        let target = head.split(separator: " ").dropFirst().first ?? ""
        let far = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(far) }
        var address = loopback(port: target.split(separator: ":").last.flatMap { UInt16($0) } ?? 0)
        let status = withSocketAddress(&address) { connect(far, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        if status == 0 { relay(connection, far) }
        return
    }
}

/// Reads a header byte by byte, so that later bytes stay unread.
private func readHead(_ connection: Int32) -> String? {
    var head: [UInt8] = []
    var byte: UInt8 = 0
    while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
        guard recv(connection, &byte, 1, 0) == 1 else { return nil }
        head.append(byte)
    }
    return String(decoding: head, as: UTF8.self)
}

/// Copies bytes in both directions until either side closes.
private func relay(_ left: Int32, _ right: Int32) {
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
        var ready = [
            pollfd(fd: left, events: Int16(POLLIN), revents: 0), pollfd(fd: right, events: Int16(POLLIN), revents: 0),
        ]
        guard poll(&ready, 2, 20_000) > 0 else { return }
        for (source, target) in [(0, right), (1, left)] where ready[source].revents != 0 {
            let count = recv(ready[source].fd, &buffer, buffer.count, 0)
            guard count > 0 else { return }
            var sent = 0
            while sent < count {
                let more = buffer.withUnsafeBytes {
                    send(target, $0.baseAddress! + sent, count - sent, Int32(MSG_NOSIGNAL))
                }
                guard more > 0 else { return }
                sent += more
            }
        }
    }
}
