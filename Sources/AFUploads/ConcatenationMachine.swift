package import AFHTTP

/// The state of an upload in partial uploads, which are sent at once and which a server of tus concatenates.
///
/// Each partial upload has a resource of its own, and an offset that is asked for after an interruption. It is a single,
/// sequential upload until the server has announced the extension, and with any other server.
package struct ConcatenationMachine: UploadStateMachine {
    struct Partial: Sendable {
        let start: Int64
        var machine: UploadMachine
        /// Whether a request sends it.
        var isClaimed = false
        /// Whether its offset must be asked for: after an interruption, or if the server rejected what a lane sent. Only the
        /// main request does that.
        var isOffsetUnknown = false
        /// Whether the server has confirmed all of its bytes.
        var isComplete = false
    }

    /// The role of the main request's latest exchange.
    private enum Role { case single, partial, idle, final, check, removal }

    /// The upload as a single one, which knows the server.
    var single: UploadMachine
    private let segments: Int
    /// The partial uploads in the order of their bytes; none for a single upload.
    var partials: [Partial] = []
    /// The partial upload of the main request.
    private var own: Int?
    /// The concatenation.
    private var final: HTTPURL?
    private var role = Role.single
    /// Whether the offsets of an interrupted upload have not been reported as an event.
    private var isUnreported = false
    private(set) var removals = UploadRemovals()
    private var rejections = 0
    private var waits = 0
    private var events: [UploadEvent] = []
    /// The events that are reported once for all partial uploads.
    private var reported: [UploadEvent] = []

    private static let maximumRejections = 3
    private static let maximumWaits = 30
    private static let smallestPartial: Int64 = 1 << 20

    init(_ single: UploadMachine, segments: Int) {
        (self.single, self.segments) = (single, min(segments, ConcatenationState.maximumCount))
    }

    /// Continues with the partial uploads of an interrupted upload.
    mutating func resume(_ state: ConcatenationState) {
        var start: Int64 = 0
        partials = state.partials.map { recorded in
            defer { start += recorded.length }
            var partial = Partial(start: start, machine: single.partial(length: recorded.length))
            if let resource = recorded.resource.flatMap({ try? HTTPURL(parsing: $0) }) {
                partial.machine.resume(.tus, at: resource, acknowledged: recorded.acknowledged)
                partial.isOffsetUnknown = true
            }
            return partial
        }
        final = state.final.flatMap { try? HTTPURL(parsing: $0) }
        isUnreported = true
    }

    /// Divides the file into partial uploads, unless it is small.
    private mutating func divide() {
        let count = min(Int64(segments), length / Self.smallestPartial)
        guard count > 1 else { return }
        let size = (length + count - 1) / count
        partials = stride(from: 0, to: length, by: Int(size)).map {
            Partial(start: $0, machine: single.partial(length: min(size, length - $0)))
        }
    }

    // State

    package var dialect: UploadProtocol { isDivided ? .tus : single.dialect }
    package var length: Int64 { single.length }
    package var isRepeatable: Bool { isDivided || single.isRepeatable }
    package var resource: HTTPURL? {
        guard removals.isEmpty else { return nil }
        return isDivided ? final ?? partials.lazy.compactMap(\.machine.resource).first : single.resource
    }
    package var secretResources: [HTTPURL] {
        single.secretResources + partials.compactMap(\.machine.resource) + [final].compactMap(\.self)
            + removals.secretResources
    }
    package var expiry: HTTPDate? {
        let all = partials.compactMap(\.machine.expiry)
        return isDivided ? all.min { $0.secondsSince1970 < $1.secondsSince1970 } : single.expiry
    }
    package var concatenation: ConcatenationState? {
        guard isDivided else { return nil }
        let state = partials.map { partial in
            ConcatenationState.Partial(
                length: partial.machine.length, acknowledged: partial.machine.offset,
                resource: partial.machine.resource?.text)
        }
        return ConcatenationState(state, final: final?.text)
    }
    package var offset: Int64 {
        guard isDivided else { return single.offset }
        let next = partials.first { $0.machine.offset < $0.machine.length }
        return next.map { $0.start + $0.machine.offset } ?? length
    }
    package var acknowledged: Int64 {
        isDivided ? partials.reduce(0) { $0 + $1.machine.offset } : single.offset
    }

    package mutating func takeEvents() -> [UploadEvent] {
        defer { events = [] }
        return events
    }

    /// Takes the events of a machine. Those about one of several partial uploads are not reported, or once.
    private mutating func take(_ new: [UploadEvent]) {
        guard isDivided else { return events += new }
        for event in new where !reported.contains(event) {
            switch event {
            case .resumed, .alreadyComplete: continue
            default:
                reported.append(event)
                events.append(event)
            }
        }
    }

    // Digests

    package mutating func verify(_ digest: UploadDigest) {
        single.verify(digest)
        for index in partials.indices { partials[index].machine.verify(digest) }
    }

    package var undigestedRange: Range<Int64>? {
        guard removals.isEmpty else { return nil }
        return isDivided ? own.flatMap { undigested(of: $0)?.range } : single.undigestedRange
    }
    package var digestAlgorithm: String {
        isDivided ? own.map { partials[$0].machine.digestAlgorithm } ?? "" : single.digestAlgorithm
    }

    package mutating func record(digest: [UInt8]?) {
        guard isDivided else { return single.record(digest: digest) }
        if let own { partials[own].machine.record(digest: digest) }
    }

    func undigested(of index: Int) -> UndigestedRange? {
        let (start, machine) = (partials[index].start, partials[index].machine)
        return machine.undigestedRange.map {
            UndigestedRange(
                range: $0.lowerBound + start..<$0.upperBound + start, algorithm: machine.digestAlgorithm)
        }
    }

    // Removal and interruption

    package mutating func remove(_ resource: HTTPURL, of dialect: UploadProtocol) {
        guard dialect == .tus else { return single.remove(resource, of: dialect) }
        removals.add(resource, of: .tus)
    }

    package mutating func abandon(with failure: UploadFailure) -> Bool {
        guard isDivided else { return single.abandon(with: failure) }
        return removals.add(concatenation?.resources ?? [], of: .tus, failure: failure)
    }

    package mutating func interrupt(isSent: Bool) {
        removals.interrupt()
        guard isDivided else { return single.interrupt(isSent: isSent) }
        if role == .final { forgetOffsets() }
        if let own {
            partials[own].machine.interrupt()
            partials[own].isOffsetUnknown = partials[own].machine.resource != nil
            partials[own].isClaimed = false
        }
        own = nil
    }

    /// Asks for the offsets of all partial uploads before the server is asked to concatenate them again.
    private mutating func forgetOffsets() {
        for index in partials.indices {
            partials[index].machine.interrupt()
            partials[index].isOffsetUnknown = partials[index].machine.resource != nil
            partials[index].isComplete = false
        }
    }

    // Exchanges

    /// The partial upload of the main request's next exchange: one whose offset is asked for comes first.
    private var next: Int? {
        if final != nil { return nil }
        if let own, partials[own].isOffsetUnknown { return own }
        return partials.firstIndex { $0.isOffsetUnknown && !$0.isClaimed }
            ?? own.flatMap { partials[$0].isComplete ? nil : $0 } ?? unclaimed
    }

    /// The first partial upload that is incomplete, and that no request sends.
    var unclaimed: Int? {
        partials.firstIndex { !$0.isComplete && !$0.isOffsetUnknown && Safety.requires("35-claim", !$0.isClaimed) }
    }

    package mutating func reserve() {
        let next = next
        guard isDivided, removals.isEmpty, next != own else { return }
        if let own { partials[own].isClaimed = false }
        if let next { partials[next].isClaimed = true }
        own = next
    }

    package var awaitsLanes: Bool {
        isDivided && removals.isEmpty && final == nil && next == nil && partials.contains { $0.isClaimed }
    }

    package mutating func nextExchange() -> UploadExchange {
        if let removal = removals.exchange {
            role = .removal
            return removal
        }
        guard isDivided else {
            role = .single
            return single.nextExchange()
        }
        reportOffsets()
        reserve()
        if let own {
            role = .partial
            return partialExchange(own)
        }
        if let final {
            role = .check
            return exchange(.check, .head, final)
        }
        if partials.contains(where: \.isClaimed) {
            // An exchange without an effect, after which the request can wait for lanes.
            role = .idle
            return exchange(.discover, .options, nil)
        }
        role = .final
        let resources = partials.compactMap(\.machine.resource).map(\.text).joined(separator: " ")
        var concatenation = exchange(.complete, .post, nil)
        concatenation.headers += [HTTPHeader(name: "Upload-Concat", value: "final;\(resources)"), single.metadata]
        (concatenation.range, concatenation.precedingBytes) = (0..<0, length)
        return concatenation
    }

    /// Returns the next exchange of a partial upload.
    mutating func partialExchange(_ index: Int) -> UploadExchange {
        var exchange = partials[index].machine.nextExchange()
        let start = partials[index].start
        // A body of no bytes is no range of the file.
        exchange.range = exchange.range.map { $0.isEmpty ? $0 : $0.lowerBound + start..<$0.upperBound + start }
        exchange.precedingBytes = acknowledged
        return exchange
    }

    private func exchange(_ step: UploadExchange.Step, _ method: HTTPMethod, _ resource: HTTPURL?) -> UploadExchange {
        var exchange = UploadExchange(step: step, method: method, resource: resource)
        exchange.headers = [UploadMachine.version(of: .tus)]
        return exchange
    }

    /// Reports the offsets of an interrupted upload when all are known.
    private mutating func reportOffsets() {
        guard isUnreported, !partials.contains(where: \.isOffsetUnknown) else { return }
        isUnreported = false
        if acknowledged > 0 { events.append(.resumed(offset: acknowledged, length: length)) }
    }

    // Responses

    package mutating func receiveInterim(_ response: HTTPURLResponse) -> Bool {
        guard !isDivided else { return false }
        defer { take(single.takeEvents()) }
        return single.receiveInterim(response)
    }

    package mutating func receive(
        _ response: HTTPURLResponse,
        body: [UInt8]?,
        isSent: Bool
    ) throws(UploadFailure) -> UploadOutcome {
        switch role {
        case .removal: return try removals.endFirst()
        case .idle: return .next(after: 0)
        case .single: return try receiveSingle(response, isSent: isSent)
        case .partial:
            guard let own else { return .next(after: 0) }
            return try receivePartial(own, response, isSent: isSent)
        case .final: return try receiveConcatenation(response)
        case .check: return try receiveCheck(response)
        }
    }

    private mutating func receiveSingle(
        _ response: HTTPURLResponse,
        isSent: Bool
    ) throws(UploadFailure) -> UploadOutcome {
        let isDiscovery = single.isDiscovering
        let outcome = try single.receive(response, body: nil, isSent: isSent)
        take(single.takeEvents())
        if isDiscovery, single.mayBeDivided { divide() }
        let isDraft = single.dialect == .draft && (!single.isAutomatic || outcome == .complete)
        let isKnown = isDraft || isDiscovery || single.resource != nil
        if !isDivided, isKnown, length >= 2 * Self.smallestPartial, !reported.contains(.sequential) {
            reported.append(.sequential)
            events.append(.sequential)
        }
        return outcome
    }

    /// Receives the response to an exchange of a partial upload, of the main request or of a lane.
    mutating func receivePartial(
        _ index: Int,
        _ response: HTTPURLResponse,
        isSent: Bool
    ) throws(UploadFailure) -> UploadOutcome {
        let outcome: UploadOutcome
        do throws(UploadFailure) {
            outcome = try partials[index].machine.receive(response, body: nil, isSent: isSent)
        } catch {
            take(partials[index].machine.takeEvents())
            throw error
        }
        take(partials[index].machine.takeEvents())
        if outcome == .complete { partials[index].isComplete = true }
        if outcome == .complete || outcome == .next(after: 0) { partials[index].isOffsetUnknown = false }
        return outcome == .complete ? .next(after: 0) : outcome
    }

    /// Receives the response to the concatenation, whose offset is asked for.
    private mutating func receiveConcatenation(_ response: HTTPURLResponse) throws(UploadFailure) -> UploadOutcome {
        switch response.statusCode {
        case 200..<300:
            guard let location = try single.location(in: response) else { throw UploadFailure(.noResource) }
            final = location
        case 404, 409, 410:
            // The server lacks a partial upload, or some of its bytes.
            try reject()
            forgetOffsets()
        default: return .response
        }
        return .next(after: 0)
    }

    private mutating func receiveCheck(_ response: HTTPURLResponse) throws(UploadFailure) -> UploadOutcome {
        switch response.statusCode {
        case 200..<300:
            if let announced = response.only("Upload-Length"), announced != "\(length)" {
                throw UploadFailure(.wrongOffset)
            }
            guard let reported = response.uploadOffset else { return try wait() }
            guard Safety.requires("35-offset", reported <= length) else { throw UploadFailure(.wrongOffset) }
            return reported == length ? .complete : try wait()
        case 404, 410:
            try reject()
            (final, isUnreported) = (nil, false)
            forgetOffsets()
            return .next(after: 0)
        case 423: return try wait()
        default: return .response
        }
    }

    private mutating func reject() throws(UploadFailure) {
        rejections += 1
        guard rejections < Self.maximumRejections else { throw UploadFailure(.expired) }
    }

    /// Waits until the server has concatenated the partial uploads.
    private mutating func wait() throws(UploadFailure) -> UploadOutcome {
        waits += 1
        guard waits < Self.maximumWaits else { throw UploadFailure(.noOffset) }
        return .next(after: min(2, 0.25 * Double(waits)))
    }
}
