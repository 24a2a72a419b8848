public import AFHTTP
internal import CCurl
internal import FoundationEssentials
internal import Glibc

/// Transfers over libcurl: one thread, however many there are.
///
/// The thread starts with the transport and ends with it. Nothing but that thread touches libcurl.
public final class CurlTransport: Transport {
    private let mailbox = Mailbox()

    /// - Parameter connections: How many connections may be open, for each trust identity.
    public init(connections: ConnectionLimits = ConnectionLimits()) {
        Self.prepareLibrary
        let mailbox = mailbox
        if mailbox.wakeDescriptor < 0 {
            mailbox.close(because: .outOfResources(mailbox.wakeError))
        } else if !startThread(named: "afcli.transport", { Loop.run(mailbox, connections) }) {
            mailbox.close(because: .outOfResources(EAGAIN))
        }
    }

    deinit { shutdown() }

    /// After ``shutdown()`` the sink hears of ``TransferFailure/Kind/shutDown`` at once, on the caller's thread; if the
    /// system refused the transport a descriptor or its thread, of ``TransferFailure/Kind/outOfResources``.
    public func start(_ transfer: Transfer, into sink: any TransferSink) -> any TransferControl {
        let id = mailbox.newID()
        if let failure = mailbox.post(.start(id, transfer, sink)) {
            sink.finish(.neverStarted(transfer, because: failure))
        }
        return Control(id: id, mailbox: mailbox)
    }

    /// Those in libcurl's list (`CURLINFO_COOKIELIST`) that have not expired; none after ``shutdown()``.
    public func cookies() async -> [HTTPCookie] {
        await withCheckedContinuation { waiter in
            let failure = mailbox.post(.readCookies { waiter.resume(returning: $0) })
            if failure != nil { waiter.resume(returning: []) }
        }
    }

    /// A cookie that has no ``AFHTTP/HTTPCookie/netscapeLine`` is left out.
    public func setCookies(_ cookies: [HTTPCookie]) { mailbox.post(.setCookies(cookies)) }

    /// Transfers that are started later send none of them; those under way may still set their own.
    public func deleteAllCookies() { mailbox.post(.deleteCookies) }

    /// Returns before the transfers have ended. The transport's last reference does the same as it goes.
    public func shutdown() { mailbox.post(.shutdown) }

    /// Runs once, whichever transport comes first.
    private static let prepareLibrary: Void = {
        curl_global_init(Int(CURL_GLOBAL_DEFAULT))
        TurnGate.closeAllAtEnd()
    }()

    private struct Control: TransferControl {
        let id: TransferID
        let mailbox: Mailbox

        func cancel() { mailbox.post(.cancel(id)) }
        func suspend() { mailbox.post(.suspend(id)) }
        func resume() { mailbox.post(.resume(id)) }
        func drain() { mailbox.post(.drain(id)) }
    }
}

extension TransferOutcome {
    /// For a transfer that met a transport which was over.
    static func neverStarted(_ transfer: Transfer, because failure: TransferFailure) -> TransferOutcome {
        TransferOutcome(failure: failure, metrics: TransactionMetrics(transfer))
    }
}
