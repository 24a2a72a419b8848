internal import AFHTTP
internal import AFRequests
public import AFTransport
internal import FoundationEssentials
internal import Synchronization

/// The requests that send parts of the upload beside its own.
///
/// Decisions happen under the lock; requests are created, started and canceled outside of it.
extension ResumableUpload {
    /// The state of the lanes.
    struct Lanes {
        var schedule: UploadLaneSchedule
        /// The claims of running lanes. One that was just claimed has no request yet.
        var requests: [UploadClaim: UploadPartRequest?] = [:]
        /// The number of bytes that running lanes have sent.
        var sent: [UploadClaim: Int64] = [:]
        /// Whether no lane starts any more.
        var isOver = false
        /// The main request's next exchange, which waits for lanes.
        var waiting: (@Sendable () -> Void)?
        var metrics: [TransferMetrics] = []
    }

    /// The metrics of the requests that sent parts beside the upload's own request, as far as they have ended; empty
    /// unless ``Options/segments`` is greater than 1.
    public var partMetrics: [TransferMetrics] { state.withLock(\.lanes.metrics) }

    // Start

    /// Starts lanes as long as parts and connections are available.
    func startLanes() {
        guard options.segments > 1, let request = state.withLock(\.request), let session = request.session else {
            return
        }
        while let claim = nextClaim() {
            let lane = UploadPartRequest(claim, of: self, like: request, in: session)
            lane.whenFinished { [self] _ in laneDidEnd(lane) }
            let isOver = state.withLock { state in
                state.lanes.requests[claim] = lane
                return state.lanes.isOver
            }
            if isOver { lane.cancel() } else { lane.follow(request) }
        }
    }

    private func nextClaim() -> UploadClaim? {
        state.withLock { state in
            guard !state.lanes.isOver, state.lanes.requests.count + 1 < state.lanes.schedule.width,
                var machine = state.opened?.machine as? any ConcurrentUploadMachine,
                // With parts of both versions, the upload can never be completed.
                state.opened?.source.isUnchanged == true, let claim = machine.claim(),
                state.lanes.requests[claim] == nil
            else { return nil }
            state.opened?.machine = machine
            state.lanes.requests[claim] = .some(nil)
            return claim
        }
    }

    /// Computes the digests that the exchange of a lane needs.
    ///
    /// - Parameter isNeeded: Whether the lane has not ended.
    func computeDigests(of claim: UploadClaim, while isNeeded: () -> Bool) {
        while let (source, needed) = state.withLock({ state in
            state.opened.flatMap { opened in
                (opened.machine as? any ConcurrentUploadMachine)?.undigested(of: claim).map { (opened.source, $0) }
            }
        }) {
            let digest = source.digest(needed.algorithm, of: needed.range, while: isNeeded)
            // Otherwise, it would be one that cannot be computed.
            guard isNeeded() else { return }
            // Meanwhile, a response may have made another digest necessary.
            state.withLock { state in
                state.changeMachine { if $0.undigested(of: claim) == needed { $0.record(digest: digest, of: claim) } }
            }
        }
    }

    /// Returns the request of a lane; `nil` if its part is not needed.
    func request(of claim: UploadClaim) throws(AFError) -> (URLRequest, UploadExchange)? {
        let base = try request.makeURLRequest()
        return state.withLock { state in
            guard !state.lanes.isOver, state.opened?.source.isUnchanged == true else { return nil }
            var exchange: UploadExchange?
            state.changeMachine { exchange = $0.exchange(of: claim) }
            return exchange.map { ($0.request(from: base), $0) }
        }
    }

    // End

    private func laneDidEnd(_ lane: UploadPartRequest) {
        let (claim, exchange, isSent) = (lane.claim, lane.exchange, lane.isSent)
        let (response, metrics) = (lane.error == nil ? lane.response : nil, lane.allMetrics)
        let (next, events) = state.withLock { state -> ((@Sendable () -> Void)?, [UploadEvent]) in
            state.lanes.requests[claim] = nil
            state.lanes.sent[claim] = nil
            state.lanes.metrics += metrics
            var end = UploadLaneEnd.unneeded
            state.changeMachine { machine in
                guard exchange != nil else { return machine.release(claim) }
                end = machine.receive(response, isSent: isSent, of: claim)
            }
            state.add(state.opened?.machine.secretResources ?? [])
            state.lanes.schedule.record(end)
            if state.lanes.isOver, state.lanes.requests.isEmpty { state.opened?.source.unlock() }
            if end == .acknowledged, !state.lanes.isOver { state.opened?.store() }
            return (state.mustWait ? nil : state.lanes.waiting.take(), state.takeEvents())
        }
        events.forEach(onEvent)
        next?()
        startLanes()
    }

    /// Sets the lanes to the request's state.
    func applyStateToLanes() {
        let (request, lanes) = state.withLock { ($0.request, $0.lanes.requests.values.compactMap(\.self)) }
        guard let request else { return }
        for lane in lanes { lane.follow(request) }
    }

    /// Cancels the lanes; those of an upload that is over start no more.
    func cancelLanes(isOver: Bool = false) {
        let (lanes, waiting) = state.withLock { state in
            state.lanes.isOver = state.lanes.isOver || isOver
            return (
                state.lanes.requests.values.compactMap(\.self), isOver ? state.lanes.waiting.take() : nil
            )
        }
        // Released outside of the lock: no caller waits for it.
        _ = waiting
        for lane in lanes { lane.cancel() }
    }

    /// Calls the closure when the main request has something to do: at once, or when lanes have ended.
    func whenLanesPermit(_ action: @escaping @Sendable () -> Void) {
        let (isWaiting, isLost) = state.withLock { state in
            // Before a lane claims the part.
            state.changeMachine { $0.reserve() }
            if state.mustWait { state.lanes.waiting = action }
            return (state.mustWait, state.hasLostUpload)
        }
        if isLost { cancelLanes() }
        if !isWaiting { action() }
    }

    // Progress

    /// Records the number of bytes that a lane has sent.
    func laneDidSend(_ bytes: Int64, of claim: UploadClaim) {
        let (request, progress) = state.withLock { state in
            state.lanes.sent[claim] = bytes
            return (state.request, state.overallProgress())
        }
        if let progress { request?.didSend(progress) }
    }
}

extension ResumableUpload.State {
    /// Changes the machine of an upload in parts.
    mutating func changeMachine(_ change: (inout any ConcurrentUploadMachine) -> Void) {
        guard var machine = opened?.machine as? any ConcurrentUploadMachine else { return }
        change(&machine)
        opened?.machine = machine
    }

    /// Whether the lanes send parts of an upload that is lost, or of another version of the file.
    var hasLostUpload: Bool {
        guard let opened, !lanes.requests.isEmpty else { return false }
        return (opened.machine as? any ConcurrentUploadMachine)?.isLost == true || !opened.source.isUnchanged
    }

    /// Whether the main request has nothing to do before a lane has ended.
    var mustWait: Bool {
        guard let machine = opened?.machine as? any ConcurrentUploadMachine, !lanes.requests.isEmpty else {
            return false
        }
        return machine.awaitsLanes || hasLostUpload
    }

    /// Updates the progress: the acknowledged bytes and those in flight, which a failure does not reduce.
    ///
    /// - Returns: The progress; `nil` if the upload is not in parts.
    mutating func overallProgress() -> TransferProgress? {
        guard let machine = opened?.machine as? any ConcurrentUploadMachine, machine.isDivided else { return nil }
        let own = exchange?.range != nil && isOutstanding ? sent : 0
        let sum = machine.acknowledged + own + lanes.sent.values.reduce(0, +)
        let overall = TransferProgress(
            completedUnitCount: min(machine.length, max(sum, progress?.completedUnitCount ?? 0)),
            totalUnitCount: machine.length, resumedUnitCount: resumedBytes ?? 0)
        progress = overall
        return overall
    }
}
