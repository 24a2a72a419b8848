public import AFHTTP
internal import CCurl
internal import FoundationEssentials
internal import Glibc

/// A transport on libcurl: one thread for any number of transfers, or several that share the origins.
///
/// The threads live as long as the transport. Only they call libcurl.
public final class CurlTransport: Transport {
    private let loops: [Mailbox]
    /// `nil` for a single loop.
    private let assignment: LoopAssignment?
    private let cookieStore = SharedCookieStore()

    /// Creates a transport.
    ///
    /// - Parameters:
    ///   - connections: The limits on connections, for each trust identity.
    ///   - threadCount: The number of threads that transfer data. Each origin has one of them, so that its connections
    ///     are shared; the proxies have the first one. A single thread transfers thousands of requests at once; more
    ///     of them are faster if several origins keep it busy and processors are idle.
    public init(connections: ConnectionLimits = ConnectionLimits(), threadCount: Int = 1) {
        Self.prepareLibrary
        loops = (0..<max(1, threadCount)).map { _ in Mailbox() }
        assignment = loops.count > 1 ? LoopAssignment(loopCount: loops.count) : nil
        let (cookies, share) = (cookieStore, loops.count)
        for mailbox in loops {
            if mailbox.wakeDescriptor < 0 {
                mailbox.close(because: .outOfResources(mailbox.wakeError))
            } else if !startThread(
                named: "afcli.transport", { Loop.run(mailbox, connections, cookies, share: share) })
            {
                mailbox.close(because: .outOfResources(EAGAIN))
            }
        }
    }

    deinit { shutdown() }

    /// Starts a transfer. After ``shutdown()`` the sink receives ``TransferFailure/Kind/shutDown`` immediately, on the
    /// caller's thread; if the system refused a descriptor or the thread, ``TransferFailure/Kind/outOfResources``.
    public func start(_ transfer: Transfer, into sink: any TransferSink) -> any TransferControl {
        let mailbox = loops[assignment?.loop(for: transfer) ?? 0]
        let id = mailbox.newID()
        if let failure = mailbox.post(.start(QueuedTransfer(id, transfer, into: sink))) {
            sink.finish(.neverStarted(transfer, because: failure))
        }
        return Control(id: id, mailbox: mailbox)
    }

    /// Returns the unexpired cookies, oldest first; none after ``shutdown()``.
    public func cookies() async -> [HTTPCookie] { cookieStore.all() }

    /// Adds cookies; an expired one deletes the stored one. A cookie without ``AFHTTP/HTTPCookie/netscapeLine`` is
    /// skipped.
    public func setCookies(_ cookies: [HTTPCookie]) { cookieStore.set(cookies) }

    /// Deletes all cookies. Later transfers send none of them; running transfers may still set theirs.
    public func deleteAllCookies() { cookieStore.deleteAll() }

    /// Ends all transfers and the threads; returns before they have ended. Deinitialization does the same.
    public func shutdown() {
        cookieStore.close()
        for mailbox in loops { mailbox.post(.shutdown) }
    }

    /// Runs once per process, for the first transport.
    private static let prepareLibrary: Void = {
        curl_global_init(Int(CURL_GLOBAL_DEFAULT))
        ExitBarrier.closeAllAtEnd()
    }()

    private struct Control: TransferControl {
        let id: TransferID
        let mailbox: Mailbox

        func cancel() { mailbox.post(.cancel(id)) }
        func suspend() { mailbox.post(.suspend(id)) }
        func resume() { mailbox.post(.resume(id)) }
        func drain() { mailbox.post(.drain(id)) }

        func cancel(after seconds: Double) -> Bool {
            mailbox.post(.cancelLater(id, UInt64(max(0, min(seconds, 1e9)) * 1e9))) == nil
        }
    }
}

extension TransferOutcome {
    /// Returns the outcome of a transfer that could not start because the transport had ended.
    static func neverStarted(_ transfer: Transfer, because failure: TransferFailure) -> TransferOutcome {
        TransferOutcome(failure: failure, metrics: TransactionMetrics(transfer))
    }
}
