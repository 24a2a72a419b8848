internal import AFHTTP
internal import CCurl
internal import CNGHTTP2
internal import COpenSSL
internal import FoundationEssentials
internal import Glibc

/// The event loop that calls libcurl. Not `Sendable`: created, used and released on the loop thread.
///
/// One iteration: wait, execute the mailbox's commands, let libcurl process events and timers, report finished
/// transfers to their sinks.
final class Loop {
    let mailbox: Mailbox
    /// The monotonic time in nanoseconds, read at the start of this iteration or of the current event.
    private(set) var now: UInt64 = 0

    private let poller: Poller
    private let cookies: SharedCookieStore
    private var groups: ConnectionGroups
    /// Keyed by UInt: another Hashable key type costs about 100 µs at start-up.
    private var activeTransfers: [UInt: ActiveTransfer] = [:]
    private var lookups: Lookups
    private var commands: [Command] = []
    /// The transfers that ended in this iteration. Reported together at its end, so that a caller waiting for several
    /// wakes once.
    private var ended: [(sink: any TransferSink, outcome: TransferOutcome)] = []
    /// The unread bytes of the sockets that libcurl closed during the current call, with their local ports; `nil` outside
    /// of a call.
    private var unread: [(port: Int, bytes: [UInt8])]?
    private var isRunning = true
    /// The transfers to cancel unless they have ended by a time.
    private var cancellations: [(time: UInt64, id: TransferID)] = []
    /// No cancellation is due earlier.
    private var nextCancellation = UInt64.max
    /// No deadline of a transfer is earlier.
    private var nextDeadline = UInt64.max

    private static let shutDown = TransferFailure(.shutDown, "the transport was shut down")

    /// Runs until the transport has been shut down and every transfer has ended.
    ///
    /// - Parameters:
    ///   - cookies: The cookies of the transport.
    ///   - share: The number of loops among which the transport divides its idle connections and lookups.
    static func run(_ mailbox: Mailbox, _ limits: ConnectionLimits, _ cookies: SharedCookieStore, share: Int) {
        guard let poller = Poller() else { return mailbox.close(because: .outOfResources(errno)) }
        defer { mailbox.close(because: shutDown) }
        // Handles that libcurl itself creates, for DNS over HTTPS, have no transfer.
        af_set_stream_frame_handler { easy, bodyBytes, isLast, resetCode in
            guard let easy, let transfer = PooledHandle.transfer(of: easy) else { return }
            if let resetCode {
                transfer.receiveCode(resetCode.pointee)
            } else {
                transfer.receiveFrame(bodyBytes, isLast: isLast)
            }
        }
        Loop(mailbox, limits, poller, cookies, share: share).run()
    }

    private init(
        _ mailbox: Mailbox, _ limits: ConnectionLimits, _ poller: Poller, _ cookies: SharedCookieStore, share: Int
    ) {
        (self.mailbox, self.poller, self.cookies) = (mailbox, poller, cookies)
        groups = ConnectionGroups(limits: ConnectionLimits(perHost: limits.perHost, idle: max(1, limits.idle / share)))
        lookups = Lookups(share: share)
        poller.watchEdges(mailbox.wakeDescriptor)
    }

    private func run() {
        let barrier = ExitBarrier()
        while isRunning {
            poller.wait(mailbox.mayWait() ? timeout() : 0)
            barrier.pass(runIteration)
        }
        barrier.pass(end)
        barrier.drop()
    }

    private func runIteration() {
        now = monotonicNanoseconds()
        executeCommands()
        for index in 0..<poller.readyCount {
            guard let event = poller.event(index) else { continue }
            now = monotonicNanoseconds()
            handle(event)
        }
        runTimers()
        reportEnded()
        groups.closeDropped()
    }

    // Called by ``ConnectionGroup`` and ``ActiveTransfer``, usually from libcurl's callbacks.

    func watch(_ socket: Int32, interest: Int32, group: ConnectionGroup, easy: UnsafeMutableRawPointer?, isKnown: Bool)
    {
        if group.isUpgrade, interest != CURL_POLL_IN, interest != CURL_POLL_INOUT {
            easy.flatMap(PooledHandle.transfer)?.endReading()
        }
        guard interest != CURL_POLL_REMOVE else {
            lookups.forget(socket)
            return poller.forget(socket)
        }
        poller.watch(socket, for: interest, group: group.number, isNew: !isKnown)
        guard !isKnown else { return }
        curl_multi_assign(group.multi, socket, Unmanaged.passUnretained(group).toOpaque())
        if !lookups.isIdle, let transfer = easy.flatMap(PooledHandle.transfer) {
            lookups.record(socket, of: transfer.id)
        }
    }

    /// Records that a transfer opens a socket of a connection, so its name is resolved.
    func recordConnection(_ socket: Int32, of id: TransferID) {
        poller.opened(socket)
        nameWasFound(id)
    }

    /// Records that libcurl is about to close a socket.
    func forgetConnection(_ socket: Int32) {
        poller.closed(socket)
        guard unread != nil, let port = portOfSocket(socket), case let bytes = bytesLeft(in: socket), !bytes.isEmpty
        else { return }
        unread?.append((port, bytes))
    }

    /// Records that the transfer's name is resolved, so that another may take its slot.
    func nameWasFound(_ id: TransferID) { lookups.found(id, now: now) }

    /// Stores the cookies that a response sets.
    func takeCookies(of response: HTTPURLResponse, to transfer: Transfer) {
        guard transfer.options.handlesCookies else { return }
        let fields = response.headers.values(for: "Set-Cookie")
        if !fields.isEmpty { cookies.take(fields, of: transfer) }
    }

    /// Returns the stored cookies that the transfer's request sends, in the order of the field.
    func cookies(for transfer: Transfer) -> [HTTPCookie] {
        transfer.options.handlesCookies ? cookies.cookies(for: transfer) : []
    }

    /// Ensures that the loop wakes by the transfer's deadline.
    func schedule(_ transfer: ActiveTransfer) {
        if let deadline = transfer.deadline { nextDeadline = min(nextDeadline, deadline) }
    }

    // Steps of an iteration

    private func executeCommands() {
        mailbox.takeAll(into: &commands)
        for command in commands { execute(command) }
        commands.removeAll(keepingCapacity: true)
        beginAdmitted()
    }

    private func execute(_ command: Command) {
        switch command {
        case .start(let queued): start(queued)
        case .cancel(let id):
            activeTransfers[id.number].map { end($0, with: TransferFailure(.cancelled, "the transfer was canceled")) }
        case .cancelLater(let id, let delay):
            cancellations.append((now + delay, id))
            nextCancellation = min(nextCancellation, now + delay)
        case .suspend(let id): update(id) { $0.suspend() }
        case .resume(let id): update(id) { $0.resume() }
        case .drain(let id): update(id) { $0.drain() }
        case .bodyReady(let id): update(id) { $0.bodyIsReady() }
        case .shutdown: isRunning = false
        }
    }

    private func start(_ queued: QueuedTransfer) {
        do throws(TransferFailure) {
            guard let group = groups.group(for: queued.transfer, of: self) else {
                throw .outOfResources(ENOMEM)
            }
            let active = try ActiveTransfer.ready(queued, in: group)
            activeTransfers[queued.id.number] = active
            // Earlier hops may have used all of the time.
            if let failure = active.overdue() { return end(active, with: failure) }
            schedule(active)
            if let name = active.lookupName, !lookups.admit(queued.id, name, now: now) { return }
            begin(active)
        } catch {
            ended.append((queued.sink, .neverStarted(queued.transfer, because: error)))
        }
    }

    private func beginAdmitted() {
        for id in lookups.takeAdmitted() {
            if let transfer = activeTransfers[id.number] { begin(transfer) }
        }
    }

    private func begin(_ transfer: ActiveTransfer) {
        let code = transfer.begin()
        guard code != CURLM_OK else { return }
        end(transfer, with: TransferFailure(.other, String(cString: curl_multi_strerror(code))))
    }

    private func update(_ id: TransferID, _ change: (ActiveTransfer) -> CURLcode) {
        guard let transfer = activeTransfers[id.number] else { return }
        let code = change(transfer)
        // libcurl may have processed bytes that were received during a pause.
        _ = transfer.group.takeProtocolError()
        if code == CURLE_OK {
            schedule(transfer)
        } else {
            conclude(transfer, code)
        }
    }

    private func handle(_ event: Poller.Event) {
        if event.descriptor == mailbox.wakeDescriptor { return }
        if event.group == ConnectionGroup.noGroup {
            poller.forget(event.descriptor)
            lookups.abandonedEnded(event.descriptor)
        } else if let group = groups[event.group] {
            perform(group, on: event.descriptor, event.readiness | unreportedReadiness(event))
        }
    }

    /// Returns the readiness for reading since the event, if libcurl is about to write.
    ///
    /// A server that responds early and closes resets the connection. Informed only of writability, libcurl would fail
    /// to send and never read the response.
    private func unreportedReadiness(_ event: Poller.Event) -> Int32 {
        guard event.readiness == CURL_CSELECT_OUT else { return 0 }
        var byte: UInt8 = 0
        let count = recv(event.descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
        return count > 0 ? CURL_CSELECT_IN : 0
    }

    private func perform(_ group: ConnectionGroup, on descriptor: Int32, _ readiness: Int32) {
        unread = []
        defer { unread = nil }
        var running: Int32 = 0
        curl_multi_socket_action(group.multi, descriptor, readiness, &running)
        // nghttp2 reads no more from such a connection. libcurl 7.88 notices that when it is to read, and would wait.
        if group.takeProtocolError(), Safety.refuses("22-prompt", descriptor >= 0) {
            curl_multi_socket_action(group.multi, descriptor, CURL_CSELECT_IN, &running)
            _ = group.takeProtocolError()
        }
        var (left, hasEnded): (Int32, Bool) = (0, false)
        while let message = curl_multi_info_read(group.multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle else { continue }
            let code = af_message_result(message)
            guard let transfer = PooledHandle.transfer(of: easy) else { continue }
            let isComplete = code == CURLE_SEND_ERROR && transfer.takeUnread(unreadBytes(of: transfer))
            conclude(transfer, isComplete ? CURLE_OK : code)
            hasEnded = true
        }
        if hasEnded { group.protocolError = nil }
    }

    /// Returns the unread bytes of a transfer's connection; none if two connections have the same port.
    private func unreadBytes(of transfer: ActiveTransfer) -> [UInt8] {
        let own = unread?.filter { $0.port == transfer.localPort } ?? []
        return own.count == 1 ? own[0].bytes : []
    }

    /// Sends the next request of a transfer if there is one, or else ends it.
    private func conclude(_ transfer: ActiveTransfer, _ code: CURLcode) {
        do throws(TransferFailure) {
            switch transfer.phase.end(code) {
            case .report(let head):
                transfer.reportFinal(head)
                conclude(transfer, code)
            case .repeatWithoutExpect:
                // If it cannot be repeated, libcurl's failure to receive the 417 is that of the transfer.
                if transfer.repeatWithoutExpect() { begin(transfer) } else { conclude(transfer, code) }
            case .startRound:
                try transfer.startRound()
                begin(transfer)
            case .finish(let code): finish(transfer, transfer.outcome(code))
            }
        } catch {
            end(transfer, with: error)
        }
    }

    private func runTimers() {
        for group in groups.all {
            // Callbacks may set a timer to "now" again; the limit keeps one group from starving others.
            for _ in 0..<8 {
                guard let deadline = group.deadline, deadline <= now else { break }
                group.deadline = nil
                perform(group, on: curl_socket_t(af_socket_timeout), 0)
            }
        }
        if nextDeadline <= now { meetDeadlines() }
        if nextCancellation <= now { cancelOverdue() }
        if let overdue = lookups.overdueAbandoned(now) {
            poller.forget(overdue)
            lookups.abandonedEnded(overdue)
        }
        beginAdmitted()
    }

    /// Returns the time to sleep in milliseconds.
    private func timeout() -> Int32 {
        var due = min(nextDeadline, nextCancellation, lookups.nextDeadline)
        for group in groups.all { due = min(due, group.deadline ?? .max) }
        guard due != .max else { return -1 }
        let clock = monotonicNanoseconds()
        return due <= clock ? 0 : Int32(clamping: (due - clock + 999_999) / 1_000_000)
    }

    /// Ends overdue transfers and resumes throttled ones.
    private func meetDeadlines() {
        nextDeadline = .max
        for transfer in Array(activeTransfers.values) {
            if transfer.serverStoppedReading {
                finish(transfer, transfer.outcome(CURLE_OK))
            } else if let failure = transfer.overdue() {
                end(transfer, with: failure)
            } else {
                update(transfer.id) { $0.resumeIfDue() }
            }
        }
        // Close deadlines are processed together: each scan of all transfers is expensive.
        nextDeadline = max(nextDeadline, now + 5_000_000)
    }

    /// Cancels overdue transfers and removes ended ones.
    private func cancelOverdue() {
        let due = cancellations.filter { $0.time <= now }
        cancellations.removeAll { $0.time <= now || activeTransfers[$0.id.number] == nil }
        nextCancellation = cancellations.reduce(.max) { min($0, $1.time) }
        for (_, id) in due { execute(.cancel(id)) }
    }

    private func end(_ transfer: ActiveTransfer, with failure: TransferFailure) {
        finish(transfer, transfer.outcome(failure))
    }

    private func finish(_ transfer: ActiveTransfer, _ outcome: TransferOutcome) {
        activeTransfers[transfer.id.number] = nil
        if transfer.lookupName != nil, let abandoned = lookups.ended(transfer.id, now: now) {
            poller.watch(abandoned, for: CURL_POLL_IN, group: ConnectionGroup.noGroup, isNew: true)
        }
        transfer.close()
        if outcome.failure?.kind == .trustRefused { transfer.group.isRetired = true }
        ended.append((transfer.sink, outcome))
        groups.dropIfDone(transfer.group)
    }

    private func reportEnded() {
        for (sink, outcome) in ended { sink.finish(outcome) }
        ended.removeAll(keepingCapacity: true)
    }

    private func end() {
        for transfer in activeTransfers.values.sorted(by: { $0.id.number < $1.id.number }) {
            end(transfer, with: Self.shutDown)
        }
        reportEnded()
        groups.closeAll()
        lookups.close()
        // Otherwise OpenSSL frees this thread's data twice if the process and the thread end at the same moment.
        OPENSSL_thread_stop()
    }
}

/// Returns the unread bytes of a socket, at most 64 KiB.
private func bytesLeft(in socket: Int32) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 64 << 10) { buffer, count in
        count = max(0, recv(socket, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT)))
    }
}

package func monotonicNanoseconds() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}
