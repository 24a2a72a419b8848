internal import AFHTTP

/// The upgrade of a connection to another protocol (RFC 9110 §7.8).
extension ActiveTransfer {
    enum Upgrade {
        /// The server has not responded.
        case requested
        /// The server has switched protocols: the stream is sent.
        case switched
        /// The server has refused, or has closed the connection: the stream is not read any more.
        case ended
    }

    /// Whether the body is decoded if it has a coding.
    var decodesContent: Bool { transfer.options.decodesContent && !isSwitched }

    /// The maximum number of bytes of the body.
    var bodyLimit: Int64? { isSwitched ? nil : transfer.options.limits.bodyBytes }

    private var isSwitched: Bool { if case .switched = upgrade { true } else { false } }

    /// Starts the stream, or ends it, after the final response.
    func settleUpgrade(after response: HTTPURLResponse) {
        guard upgrade != nil else { return }
        upgrade = response.statusCode == 101 ? .switched : .ended
        if isSwitched { clock.endIdleTimeout() }
        // libcurl is called later: this is one of its callbacks.
        group.loop.mailbox.post(.bodyReady(id))
    }

    /// Whether libcurl waits for the server: the request is sent, and the stream is open.
    private var awaitsServer: Bool {
        switch upgrade {
        // libcurl asks for the stream after sending the header.
        case .requested: phase.pauses.isBodyWaiting
        case .switched: true
        case .ended, nil: false
        }
    }

    /// Records that libcurl does not watch the socket for reading any more. While it waits for the server, that means
    /// that the server has closed the connection: libcurl itself would wait for the end of the stream.
    func noteEndOfReading() {
        guard awaitsServer, !isPaused else { return }
        upgrade = .ended
        group.loop.mailbox.post(.bodyReady(id))
    }
}
