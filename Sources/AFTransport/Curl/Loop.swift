internal import AFHTTP
internal import CCurl
internal import FoundationEssentials
internal import Glibc

/// Everything that touches libcurl. Not `Sendable`: born, used and dropped on the loop thread.
///
/// One turn: obey the mailbox, let libcurl deal with what is due, tell the sinks what finished, wait.
final class Loop {
    private let mailbox: Mailbox
    private let limits: ConnectionLimits
    private let poller = Poller()
    private let cookies: CookieShare
    private var groups: [UInt32: ConnectionGroup] = [:]
    private var groupByIdentity: [TrustIdentity: ConnectionGroup] = [:]
    private var lastGroupNumber: UInt32 = 0
    private var live: [TransferID: ActiveTransfer] = [:]
    private var gate = LookupGate()
    /// Transfers that wait at the gate, oldest first.
    private var waiting: [TransferID] = []
    /// Groups that took their last transfer and are closed when the turn ends.
    private var retired: [ConnectionGroup] = []
    private var commands: [Command] = []
    private var isRunning = true
    /// No transfer's deadline passes before this.
    private var nextDeadline = UInt64.max
    /// Nanoseconds of the monotonic clock at the beginning of this turn.
    private(set) var now: UInt64 = 0

    static func run(_ mailbox: Mailbox, _ limits: ConnectionLimits) {
        guard let cookies = CookieShare() else {
            for case .start(_, let transfer, let sink) in mailbox.close() { sink.finish(.neverStarted(transfer)) }
            return
        }
        Loop(mailbox, limits, cookies).run()
    }

    private init(_ mailbox: Mailbox, _ limits: ConnectionLimits, _ cookies: CookieShare) {
        self.mailbox = mailbox
        self.limits = limits
        self.cookies = cookies
        poller.watch(mailbox.wakeDescriptor, for: CURL_POLL_IN, group: 0, isNew: true)
    }

    private func run() {
        while isRunning {
            now = monotonicNanoseconds()
            obeyCommands()
            runTimers()
            poller.wait(patience()) { event in
                now = monotonicNanoseconds()
                handle(event)
            }
            closeRetired()
        }
        end()
    }

    // Called by ``ConnectionGroup`` and ``ActiveTransfer`` from within libcurl.

    func watch(_ socket: Int32, interest: Int32, group: ConnectionGroup, isKnown: Bool) {
        if interest == CURL_POLL_REMOVE {
            poller.forget(socket)
        } else {
            poller.watch(socket, for: interest, group: group.number, isNew: !isKnown)
            if !isKnown { curl_multi_assign(group.multi, socket, Unmanaged.passUnretained(group).toOpaque()) }
        }
    }

    /// The transfer's name is looked up, so another may take its place at the gate.
    func lookupEnded(_ id: TransferID, succeeded: Bool) {
        for next in gate.resolved(id, succeeded: succeeded, now: now) { live[next]?.isAdmitted = true }
    }

    func bodyIsReady(_ id: TransferID) -> @Sendable () -> Void {
        let mailbox = mailbox
        return { mailbox.post(.bodyReady(id)) }
    }

    // The turn.

    private func obeyCommands() {
        mailbox.takeAll(into: &commands)
        for command in commands { obey(command) }
        commands.removeAll(keepingCapacity: true)
        addAdmitted()
    }

    private func obey(_ command: Command) {
        switch command {
        case .start(let id, let transfer, let sink): start(id, transfer, sink)
        case .cancel(let id): live[id].map { end($0, with: TransferFailure(.cancelled, "the transfer was cancelled")) }
        case .suspend(let id): live[id]?.suspend()
        case .resume(let id): live[id]?.resume(now)
        case .drain(let id): live[id]?.drain(now)
        case .bodyReady(let id): live[id]?.bodyIsReady(now)
        case .readCookies(let answer): answer(cookies.all())
        case .setCookies(let list): cookies.set(list)
        case .deleteCookies: cookies.deleteAll()
        case .shutdown: isRunning = false
        }
    }

    private func start(_ id: TransferID, _ transfer: Transfer, _ sink: any TransferSink) {
        do throws(TransferFailure) {
            guard let group = group(for: transfer.options) else {
                throw TransferFailure(.other, "the system has no resources for another connection")
            }
            let active = try ActiveTransfer(id, transfer, sink, in: group, cookies: cookies.share, now: now)
            live[id] = active
            nextDeadline = min(nextDeadline, active.deadline ?? .max)
            if let host = active.lookupHost, !gate.admit(id, host: host, now: now) {
                waiting.append(id)
            } else {
                begin(active)
            }
        } catch {
            sink.finish(
                TransferOutcome(failure: error, metrics: TransactionMetrics(start: .now, url: transfer.url.text))
            )
        }
    }

    private func addAdmitted() {
        guard !waiting.isEmpty else { return }
        waiting.removeAll { id in
            guard let transfer = live[id] else { return true }
            guard transfer.isAdmitted else { return false }
            begin(transfer)
            return true
        }
    }

    private func begin(_ transfer: ActiveTransfer) {
        let code = curl_multi_add_handle(transfer.group.multi, transfer.easy)
        guard code == CURLM_OK else {
            return end(transfer, with: TransferFailure(.other, String(cString: curl_multi_strerror(code))))
        }
        transfer.hasBegun = true
    }

    private func group(for options: TransferOptions) -> ConnectionGroup? {
        let identity = TrustIdentity(options)
        if let group = groupByIdentity[identity], !group.isRetired { return group }
        repeat { lastGroupNumber &+= 1 } while lastGroupNumber == 0 || groups[lastGroupNumber] != nil
        guard let group = ConnectionGroup(number: lastGroupNumber, identity: identity, loop: self, limits: limits)
        else { return nil }
        groups[group.number] = group
        groupByIdentity[identity] = group
        return group
    }

    private func handle(_ event: Poller.Event) {
        if event.descriptor == mailbox.wakeDescriptor {
            var count: UInt64 = 0
            _ = read(mailbox.wakeDescriptor, &count, MemoryLayout<UInt64>.size)
            return
        }
        guard let group = groups[event.group] else { return }
        var running: Int32 = 0
        curl_multi_socket_action(group.multi, event.descriptor, event.readiness, &running)
        collect(group)
    }

    private func runTimers() {
        for group in groups.values {
            // A due timer may be set again to "now" by what it runs; the limit keeps one group from starving others.
            for _ in 0..<8 {
                guard let deadline = group.deadline, deadline <= now else { break }
                group.deadline = nil
                var running: Int32 = 0
                curl_multi_socket_action(group.multi, curl_socket_t(af_socket_timeout), 0, &running)
                collect(group)
            }
        }
        if nextDeadline <= now { endOverdue() }
        addAdmitted()
    }

    /// How long to sleep, in milliseconds.
    private func patience() -> Int32 {
        var due = nextDeadline
        for group in groups.values { due = min(due, group.deadline ?? .max) }
        guard due != .max else { return -1 }
        let clock = monotonicNanoseconds()
        return due <= clock ? 0 : Int32(clamping: (due - clock + 999_999) / 1_000_000)
    }

    private func endOverdue() {
        nextDeadline = .max
        for transfer in Array(live.values) {
            if let failure = transfer.overdue(now) {
                end(transfer, with: failure)
            } else {
                nextDeadline = min(nextDeadline, transfer.deadline ?? .max)
            }
        }
    }

    private func collect(_ group: ConnectionGroup) {
        var left: Int32 = 0
        while let message = curl_multi_info_read(group.multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle else { continue }
            let code = af_message_result(message)
            guard let transfer = ActiveTransfer.of(easy) else { continue }
            finish(transfer, transfer.outcome(code))
        }
    }

    private func end(_ transfer: ActiveTransfer, with failure: TransferFailure) {
        finish(transfer, transfer.outcome(failure))
    }

    private func finish(_ transfer: ActiveTransfer, _ outcome: TransferOutcome) {
        live[transfer.id] = nil
        gate.forget(transfer.id)
        lookupEnded(transfer.id, succeeded: false)
        let group = transfer.group
        transfer.close()
        if outcome.failure?.kind == .trustRefused { group.isRetired = true }
        transfer.sink.finish(outcome)
        if group.isRetired, group.liveCount == 0 { drop(group) }
    }

    /// Not closed at once: libcurl may still be at work for this group further up the stack.
    private func drop(_ group: ConnectionGroup) {
        if groupByIdentity[group.identity] === group { groupByIdentity[group.identity] = nil }
        groups[group.number] = nil
        retired.append(group)
    }

    private func closeRetired() {
        for group in retired { group.close() }
        retired.removeAll()
    }

    private func end() {
        let failure = TransferFailure(.shutDown, "the transport was shut down")
        for transfer in live.values.sorted(by: { $0.id.number < $1.id.number }) { end(transfer, with: failure) }
        for group in groups.values { group.close() }
        closeRetired()
        groups = [:]
        groupByIdentity = [:]
        cookies.close()
        for command in mailbox.close() {
            switch command {
            case .start(_, let transfer, let sink): sink.finish(.neverStarted(transfer))
            case .readCookies(let answer): answer([])
            default: break
            }
        }
    }
}

func monotonicNanoseconds() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}
