internal import CCurl
internal import COpenSSL
internal import Glibc

extension PooledHandle {
    /// Sets libcurl's C callbacks, which forward to the transfer. None is called after the handle has left its group.
    func installCallbacks(for transfer: Transfer, in group: ConnectionGroup) {
        let box = Unmanaged.passUnretained(self).toOpaque()
        _ = af_easy_set_pointer(easy, CURLOPT_PRIVATE, box)
        _ = af_easy_set_pointer(easy, CURLOPT_WRITEDATA, box)
        _ = af_easy_set_write(easy, CURLOPT_WRITEFUNCTION) { bytes, size, count, box in
            active(box).receiveBody(UnsafeRawBufferPointer(start: bytes, count: size * count))
        }
        _ = af_easy_set_pointer(easy, CURLOPT_HEADERDATA, box)
        _ = af_easy_set_write(easy, CURLOPT_HEADERFUNCTION) { bytes, size, count, box in
            active(box).receiveHeadLines(UnsafeRawBufferPointer(start: bytes, count: size * count))
        }
        _ = af_easy_set_pointer(easy, CURLOPT_PREREQDATA, box)
        _ = af_easy_set_prerequest(easy) { box, remote, local, remotePort, localPort in
            let isWelcome = active(box).connected(
                remote: (remote.map { String(cString: $0) } ?? "", Int(remotePort)),
                local: (local.map { String(cString: $0) } ?? "", Int(localPort))
            )
            return isWelcome ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
        }
        _ = af_easy_set_pointer(easy, CURLOPT_OPENSOCKETDATA, box)
        _ = af_easy_set_open_socket(easy) { box, _, address in
            address.map { active(box).openSocket($0.pointee) } ?? -1
        }
        // A connection outlives the transfer that opened it, but not its group.
        _ = af_easy_set_pointer(easy, CURLOPT_CLOSESOCKETDATA, Unmanaged.passUnretained(group).toOpaque())
        _ = af_easy_set_close_socket(easy) { box, socket in
            guard let box else { return 1 }
            Unmanaged<ConnectionGroup>.fromOpaque(box).takeUnretainedValue().loop.forgetConnection(socket)
            return Glibc.close(socket)
        }
        if transfer.options.tls.evaluation != nil || transfer.observesHandshakes {
            _ = af_easy_set_pointer(easy, CURLOPT_SSL_CTX_DATA, box)
            _ = af_easy_set_tls_context(easy) { easy, context, box in
                observeHandshake(of: easy, context, box)
                return CURLE_OK
            }
        }
        if transfer.body != nil || transfer.upgradeStream != nil { serveBody(box) }
        if transfer.options.eventHandler != nil { reportEvents(box) }
    }

    private func serveBody(_ box: UnsafeMutableRawPointer) {
        _ = af_easy_set_pointer(easy, CURLOPT_READDATA, box)
        _ = af_easy_set_read(easy) { buffer, size, count, box in
            active(box).readRequestBody(UnsafeMutableRawBufferPointer(start: buffer, count: size * count))
        }
        _ = af_easy_set_pointer(easy, CURLOPT_SEEKDATA, box)
        _ = af_easy_set_seek(easy) { box, offset, origin in
            // libcurl seeks to the first byte only.
            guard offset == 0, origin == SEEK_SET else { return CURL_SEEKFUNC_FAIL }
            return active(box).rewindBody() ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_FAIL
        }
        _ = af_easy_set_long(easy, CURLOPT_NOPROGRESS, 0)
        _ = af_easy_set_pointer(easy, CURLOPT_XFERINFODATA, box)
        _ = af_easy_set_progress(easy) { box, _, _, _, sent in
            active(box).recordSent(Int64(sent))
            return 0
        }
    }

    private func reportEvents(_ box: UnsafeMutableRawPointer) {
        _ = af_easy_set_long(easy, CURLOPT_VERBOSE, 1)
        _ = af_easy_set_pointer(easy, CURLOPT_DEBUGDATA, box)
        _ = af_easy_set_debug(easy) { easy, type, bytes, count, box in
            guard let box else { return 0 }
            // The handle of a DNS-over-HTTPS lookup may inherit this and outlive the transfer: only its text messages
            // are reported.
            let served = Unmanaged<PooledHandle>.fromOpaque(box).takeUnretainedValue()
            guard served.easy == easy || type == CURLINFO_TEXT, let transfer = served.transfer else { return 0 }
            let kind: TransferEvent.Kind? =
                switch type {
                case CURLINFO_TEXT: .information
                case CURLINFO_HEADER_OUT: .requestHead
                case CURLINFO_DATA_OUT: .requestBody
                case CURLINFO_DATA_IN: .responseBody
                default: nil
                }
            let handler = transfer.transfer.options.eventHandler
            guard let kind, let handler, handler.kinds.contains(kind) else { return 0 }
            var copy = Array(UnsafeRawBufferPointer(start: bytes, count: count))
            if kind == .requestHead { copy = sentHead(copy) }
            let event = TransferEvent(kind: kind, bytes: copy, transferNumber: transfer.id.number)
            active(box).receive(event)
            handler.handle(event)
            return 0
        }
    }
}

/// Prepares the handshake of a new connection.
private func observeHandshake(
    of easy: UnsafeMutableRawPointer?,
    _ context: UnsafeMutableRawPointer?,
    _ box: UnsafeMutableRawPointer?
) {
    guard let context, let box else { return }
    let served = Unmanaged<PooledHandle>.fromOpaque(box).takeUnretainedValue()
    // The handle of a DNS-over-HTTPS lookup inherits the callback and may outlive the transfer.
    guard served.easy == easy, let transfer = served.transfer else { return }
    let tls = transfer.transfer.options.tls
    if tls.evaluation != nil { _ = af_tls_ask_for_stapled_response(context) }
    if transfer.transfer.observesHandshakes { HandshakeObserver.install(in: OpaquePointer(context), for: transfer) }
}

extension Transfer {
    /// Whether TLS handshakes are observed. libcurl reports those within the connection to a proxy badly.
    fileprivate var observesHandshakes: Bool {
        options.tls.readsCertificates || options.proxy.map { $0.usesTLS(for: url) } ?? false
    }
}

/// Returns the header that is sent: libcurl reports that of an HTTP/2 request before it removes the fields of the
/// connection (RFC 9113 §8.2.2).
private func sentHead(_ head: [UInt8]) -> [UInt8] {
    let lines = head.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    guard lines[0].suffix(8).elementsEqual(" HTTP/2\r".utf8) else { return head }
    let removed: Set = ["connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade"]
    return Array(
        lines.filter { line in
            let field = String(decoding: line, as: UTF8.self).lowercased()
            let name = field.prefix { $0 != ":" }
            return name == "te" ? field == "te: trailers\r" : !removed.contains(String(name))
        }
        .joined(separator: [UInt8(ascii: "\n")]))
}

/// Returns the transfer of a callback. libcurl passes the pointer it was given, which is never null, and calls back
/// only for handles with a transfer.
private func active(_ box: UnsafeMutableRawPointer?) -> ActiveTransfer {
    Unmanaged<PooledHandle>.fromOpaque(box.unsafelyUnwrapped).takeUnretainedValue().transfer.unsafelyUnwrapped
}
