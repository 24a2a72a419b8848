internal import AFHTTP
internal import Glibc

/// A listener on a loopback port that receives the redirect of a browser (RFC 8252 §7.3).
final class RedirectListener: Sendable {
    /// The maximum size of a request header; it has the code and a browser's cookies.
    private static let headLimit = 64 * 1024
    /// The maximum number of connections: browsers open some in advance.
    private static let connectionLimit = 16

    private let descriptor: Int32
    let port: UInt16

    /// Listens on 127.0.0.1.
    ///
    /// - Parameter port: The port; 0 for any free one.
    /// - Throws: ``OAuth2Error/cannotListen(port:errorNumber:)``.
    init(port: UInt16) throws(OAuth2Error) {
        let listening = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        var reuses: Int32 = 1
        setsockopt(listening, SOL_SOCKET, SO_REUSEADDR, &reuses, socklen_t(MemoryLayout<Int32>.size))
        let isListening = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listening, address, length) == 0 && listen(listening, 8) == 0
                    && getsockname(listening, address, &length) == 0
            }
        }
        guard isListening else {
            let number = errno
            close(listening)
            throw .cannotListen(port: Int(port), errorNumber: number)
        }
        descriptor = listening
        self.port = UInt16(bigEndian: address.sin_port)
    }

    deinit { close(descriptor) }

    /// Waits for the redirect of a login, and responds to the browser. Blocks the thread.
    ///
    /// - Parameters:
    ///   - path: The path of the redirect address.
    ///   - deadline: The end of the wait.
    /// - Throws: ``OAuth2Error/refused(code:description:)``, ``OAuth2Error/noLogin``.
    func receive(
        _ login: OAuth2BrowserLogin,
        path: String,
        until deadline: ContinuousClock.Instant
    ) throws(OAuth2Error) -> String {
        var connections: [Connection] = []
        defer { for connection in connections { close(connection.descriptor) } }
        while ContinuousClock.now < deadline {
            var polled = ([descriptor] + connections.map(\.descriptor)).map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            let left = min(deadline - .now, .seconds(1)) / .milliseconds(1)
            // An interruption computes the time that is left again.
            guard poll(&polled, nfds_t(polled.count), Int32(left.rounded(.up))) > 0 else { continue }
            var remaining: [Connection] = []
            var outcome: OAuth2BrowserLogin.Redirect?
            for (var connection, poll) in zip(connections, polled.dropFirst()) {
                guard poll.revents != 0 else {
                    remaining.append(connection)
                    continue
                }
                switch connection.read(limit: Self.headLimit) {
                case .incomplete: remaining.append(connection)
                case .ended: close(connection.descriptor)
                case .target(let target):
                    let redirect = login.redirect(target, path: path)
                    connection.respond(to: redirect)
                    close(connection.descriptor)
                    if redirect != .other { outcome = redirect }
                }
            }
            connections = remaining
            switch outcome {
            case .code(let code): return code
            case .refused(let code, let description): throw .refused(code: code, description: description)
            case .other, nil: break
            }
            guard polled[0].revents != 0 else { continue }
            let accepted = uninterrupted { accept(descriptor, nil, nil) }
            guard accepted >= 0 else { continue }
            _ = fcntl(accepted, F_SETFD, FD_CLOEXEC)
            _ = fcntl(accepted, F_SETFL, O_NONBLOCK)
            connections.append(Connection(descriptor: accepted))
            if connections.count > Self.connectionLimit { close(connections.removeFirst().descriptor) }
        }
        throw .noLogin
    }
}

/// A connection of a browser.
private struct Connection {
    enum Input {
        case incomplete, ended
        case target(String)
    }

    let descriptor: Int32
    private var head: [UInt8] = []

    init(descriptor: Int32) { self.descriptor = descriptor }

    /// Reads available bytes, up to the end of the request header.
    mutating func read(limit: Int) -> Input {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = bytes.withUnsafeMutableBytes { Descriptor(descriptor).read(into: $0) }
        if count < 0, errno == EAGAIN { return .incomplete }
        guard count > 0, head.count + count <= limit else { return .ended }
        head += bytes.prefix(count)
        guard head.suffix(count + 3).firstRange(of: Array("\r\n\r\n".utf8)) != nil else { return .incomplete }
        let words = head.prefix { $0 != UInt8(ascii: "\r") }.split(separator: UInt8(ascii: " "))
        guard words.count == 3, words[0].elementsEqual("GET".utf8) else { return .ended }
        return .target(String(decoding: words[1], as: UTF8.self))
    }

    /// Writes a response that fits the socket's buffer.
    func respond(to redirect: OAuth2BrowserLogin.Redirect) {
        let (status, text) =
            switch redirect {
            case .code: ("200 OK", "You can close this window: the program that asked for the login continues.")
            case .refused: ("200 OK", "The login was refused. You can close this window.")
            case .other: ("404 Not Found", "This address expects only the end of a login.")
            }
        let response = """
            HTTP/1.1 \(status)\r
            Content-Type: text/plain; charset=utf-8\r
            Content-Length: \(text.utf8.count)\r
            Cache-Control: no-store\r
            Referrer-Policy: no-referrer\r
            Connection: close\r
            \r
            \(text)
            """
        // The login does not depend on it: a browser may have closed the connection.
        _ = uninterrupted { send(descriptor, response, response.utf8.count, Int32(MSG_NOSIGNAL)) }
    }
}
