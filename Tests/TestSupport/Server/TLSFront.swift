internal import COpenSSL
internal import Dispatch
internal import Glibc

/// A TLS server that forwards decrypted bytes to a port without TLS, for example for proxies with an `https://` URL.
///
/// Deallocation stops it; a connection ends when either side closes it.
public final class TLSFront: Sendable {
    /// The port at 127.0.0.1.
    public let port: UInt16
    private let listener: Listener

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - target: A port of 127.0.0.1.
    ///   - clientAuthority: The PEM file of the authority of the required client certificates; `nil` to request none.
    ///   - speaksHTTP2: Whether it selects HTTP/2 if the client offers it (ALPN, RFC 7301).
    ///   - whenReset: A gate that is opened after the end of a connection. With it, connections end with a reset after
    ///     the target's bytes.
    public init(
        to target: UInt16,
        identity: TestCertificates.Identity,
        clientAuthority: String? = nil,
        speaksHTTP2: Bool = false,
        whenReset: Gate? = nil
    ) throws {
        guard let context = SSL_CTX_new(TLS_server_method()),
            SSL_CTX_use_certificate_chain_file(context, identity.certificate) == 1,
            SSL_CTX_use_PrivateKey_file(context, identity.key, SSL_FILETYPE_PEM) == 1
        else { throw SystemFailure("TLS with \(identity.certificate)") }
        if let clientAuthority {
            guard SSL_CTX_load_verify_locations(context, clientAuthority, nil) == 1 else {
                throw SystemFailure("TLS with clients of \(clientAuthority)")
            }
            SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nil)
        }
        if speaksHTTP2 { SSL_CTX_set_alpn_select_cb(context, chooseHTTP2, nil) }
        let listener = try Listener(on: .loopback, backlog: 64)
        self.listener = listener
        port = listener.port
        // The context is reference-counted; connections retain it.
        let contextAddress = UInt(bitPattern: context)
        // Serial queues: the threads of concurrent ones are those of Swift's concurrency, which must not block.
        DispatchQueue(label: "tls-front").async {
            while let connection = try? listener.accept() {
                guard let tls = SSL_new(OpaquePointer(bitPattern: contextAddress)) else { break }
                let tlsAddress = UInt(bitPattern: tls)
                DispatchQueue(label: "tls-front connection").async {
                    Self.serve(connection, tlsAddress, target)
                    if whenReset != nil { Self.resetOnClose(connection) }
                    close(connection)
                    whenReset?.open()
                }
            }
            SSL_CTX_free(OpaquePointer(bitPattern: contextAddress))
            listener.close()
        }
    }

    deinit { listener.interrupt() }

    private static func serve(_ connection: Int32, _ tlsAddress: UInt, _ target: UInt16) {
        guard let tls = OpaquePointer(bitPattern: tlsAddress) else { return }
        defer { SSL_free(tls) }
        // OpenSSL uses write(2): a connection closed by the client would end the tests with SIGPIPE.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        // Otherwise, a reset may discard delayed bytes.
        var yes: Int32 = 1
        setsockopt(connection, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
        SSL_set_fd(tls, connection)
        guard SSL_accept(tls) == 1 else { return }
        let far = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(far) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = target.bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let status = withUnsafePointer(to: &address) { place in
            place.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(far, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        if status == 0 { relay(tls, connection, far) }
    }

    /// Makes closing the connection send a reset.
    private static func resetOnClose(_ connection: Int32) {
        var none = linger(l_onoff: 1, l_linger: 0)
        setsockopt(connection, SOL_SOCKET, SO_LINGER, &none, socklen_t(MemoryLayout<linger>.size))
    }

    /// Copies bytes in both directions until either side closes.
    private static func relay(_ tls: OpaquePointer, _ near: Int32, _ far: Int32) {
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            var ready = [
                pollfd(fd: near, events: Int16(POLLIN), revents: 0), pollfd(fd: far, events: Int16(POLLIN), revents: 0),
            ]
            // poll(2) does not report bytes that OpenSSL has already decrypted.
            if SSL_pending(tls) > 0 { ready[0].revents = Int16(POLLIN) } else if poll(&ready, 2, 20_000) <= 0 { return }
            if ready[0].revents != 0 {
                let count = SSL_read(tls, &buffer, Int32(buffer.count))
                guard count > 0, sendAll(buffer.prefix(Int(count)), to: far) else { return }
            }
            if ready[1].revents != 0 {
                let count = recv(far, &buffer, buffer.count, 0)
                guard count > 0, SSL_write(tls, buffer, Int32(count)) == count else { return }
            }
        }
    }

    private static func sendAll(_ bytes: ArraySlice<UInt8>, to socket: Int32) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}

/// Returns a pointer into the client's list of protocols, in which each name follows its length.
private func chooseHTTP2(
    _ connection: OpaquePointer?,
    _ name: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
    _ nameLength: UnsafeMutablePointer<UInt8>?,
    _ offers: UnsafePointer<UInt8>?,
    _ length: UInt32,
    _ context: UnsafeMutableRawPointer?
) -> Int32 {
    guard let name, let nameLength, let offers else { return SSL_TLSEXT_ERR_NOACK }
    var place = 0
    while place < Int(length) {
        let count = Int(offers[place])
        if UnsafeBufferPointer(start: offers + place + 1, count: count).elementsEqual("h2".utf8) {
            (name.pointee, nameLength.pointee) = (offers + place + 1, UInt8(count))
            return SSL_TLSEXT_ERR_OK
        }
        place += 1 + count
    }
    return SSL_TLSEXT_ERR_NOACK
}
