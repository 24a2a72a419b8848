package import AFHTTP
internal import FoundationEssentials

/// The state of an upload: receives facts, returns the next exchange, and does no I/O.
///
/// The offset is always the server's: after each interruption it is asked for.
package struct UploadMachine: UploadStateMachine {
    package private(set) var dialect: UploadProtocol
    /// Whether the dialect may change with the first response.
    private(set) var isAutomatic: Bool
    package private(set) var length: Int64
    /// Whether it is a part of an upload that the server of tus concatenates.
    private var isPartial = false
    let rules: ResourceRules
    /// Whether the server may process the request twice.
    private let mayRepeat: Bool
    /// The metadata for tus.
    let fileName: String

    package private(set) var resource: HTTPURL?
    /// The number of bytes that the server has acknowledged.
    package private(set) var offset: Int64 = 0
    /// Whether the offset was reported by the server since the last interruption.
    private(set) var isOffsetKnown = false
    /// Whether the server may have processed the request: all bytes were sent since it has reported an offset.
    private var mayBeProcessed = false
    private var step = UploadExchange.Step.create
    /// The end of the bytes that the latest exchange sends.
    private var end: Int64 = 0
    private var limits = UploadLimits()
    /// The capabilities of the server of tus; `nil` before it was asked.
    private var server: TusServer?
    /// The digests for the server; `nil` if it is not asked to verify the bytes.
    private var integrity: UploadIntegrity?
    /// The uploads to remove first.
    private var removals = UploadRemovals()
    package private(set) var expiry: HTTPDate?
    /// The highest offset that the server has reported for the resource: more is progress.
    private var progress: Int64 = 0
    /// The number of rejected offsets since the last progress.
    private var rejections = 0
    private var waits = 0
    private var restarts = 0
    /// Whether an event has reported a resource at another origin.
    var hasReportedOrigin = false
    /// The events that were not reported yet.
    var events: [UploadEvent] = []

    private static let maximumRejections = 4
    private static let maximumWaits = 15
    private static let maximumRestarts = 2
    /// The maximum size of an upload that is created with its bytes: if its response is lost, these bytes cannot be resumed.
    private static let maximumCreation: Int64 = 1 << 20
    /// The maximum size of a chunk with a checksum, which is sent again if the server received other bytes.
    private static let maximumChecked: Int64 = 16 << 20

    /// Creates the state of an upload without an upload resource. With `mayRepeat`, one that may be processed restarts.
    package init(
        _ dialect: UploadProtocol,
        length: Int64,
        fileName: String,
        _ rules: ResourceRules,
        mayRepeat: Bool = false
    ) {
        self.dialect = dialect == .automatic ? .draft : dialect
        isAutomatic = dialect == .automatic
        (self.length, self.fileName, self.rules, self.mayRepeat) = (length, fileName, rules, mayRepeat)
    }

    /// Continues with the resource of an interrupted upload, whose protocol is known.
    package mutating func resume(
        _ dialect: UploadProtocol,
        at resource: HTTPURL,
        acknowledged: Int64,
        expiry: HTTPDate? = nil
    ) {
        (self.dialect, isAutomatic, self.resource, self.expiry) = (dialect, false, resource, expiry)
        (offset, progress, isOffsetKnown) = (acknowledged, acknowledged, false)
        // Its record does not show how the earlier run has ended.
        mayBeProcessed = dialect == .draft
    }

    /// Whether the latest exchange asks what the server supports.
    var isDiscovering: Bool { step == .discover }

    /// Whether the server of tus concatenates partial uploads, and there is no upload yet.
    var mayBeDivided: Bool { dialect == .tus && resource == nil && server?.concatenates == true }

    /// Returns the state of a partial upload of tus with the same settings.
    func partial(length: Int64) -> UploadMachine {
        var partial = self
        (partial.dialect, partial.isAutomatic, partial.isPartial, partial.length) = (.tus, false, true, length)
        (partial.resource, partial.offset, partial.progress, partial.isOffsetKnown) = (nil, 0, 0, false)
        return partial
    }

    package var secretResources: [HTTPURL] { [resource].compactMap(\.self) + removals.secretResources }

    package mutating func remove(_ resource: HTTPURL, of dialect: UploadProtocol) {
        removals.add(resource, of: dialect)
    }

    package mutating func abandon(with failure: UploadFailure) -> Bool {
        defer { resource = nil }
        return removals.add(resource.map { [$0] } ?? [], of: dialect, failure: failure)
    }

    package mutating func takeEvents() -> [UploadEvent] {
        defer { events = [] }
        return events
    }

    package mutating func interrupt(isSent: Bool) {
        isOffsetKnown = false
        // The upload resource of tus is not the request, which only creates it.
        if dialect == .draft, isSent, end == length, step == .create || step == .append { mayBeProcessed = true }
        removals.interrupt()
    }

    package var isRepeatable: Bool { resource != nil || dialect == .tus }

    package mutating func nextExchange() -> UploadExchange {
        if let removal = removals.exchange {
            step = .abort
            return removal
        }
        if dialect == .tus, server == nil, resource == nil || integrity != nil {
            step = .discover
            return UploadExchange(step: .discover, method: .options)
        }
        guard let resource else {
            (offset, step) = (0, .create)
            end = nextEnd
            return creation
        }
        offset = min(offset, length)
        end = nextEnd
        step = isOffsetKnown ? .append : .query
        var exchange = UploadExchange(step: step, method: isOffsetKnown ? .patch : .head, resource: resource)
        exchange.headers = [Self.version(of: dialect)]
        guard isOffsetKnown else { return exchange }
        exchange.headers.append(HTTPHeader(name: "Upload-Offset", value: "\(offset)"))
        let type = dialect == .tus ? Self.typeOfTus : "application/partial-upload"
        exchange.headers.append(HTTPHeader(name: "Content-Type", value: type))
        if dialect == .draft { exchange.headers.append(completeness) }
        if let checksum { exchange.headers.append(checksum) }
        exchange.range = offset..<end
        exchange.precedingBytes = offset
        return exchange
    }

    private var completeness: HTTPHeader {
        HTTPHeader(name: "Upload-Complete", value: end == length ? "?1" : "?0")
    }

    /// The end of the bytes that are sent from the offset.
    private var nextEnd: Int64 {
        let end = limits.end(from: offset, of: length)
        let isChecked = integrity != nil && dialect == .tus && server?.checksum != nil
        return isChecked ? min(end, offset + Self.maximumChecked) : end
    }

    // Checksums

    package mutating func verify(_ digest: UploadDigest) { integrity = UploadIntegrity(file: digest) }

    package var digestAlgorithm: String {
        dialect == .draft ? "SHA2-256" : server?.checksum?.systemName ?? ""
    }

    package var undigestedRange: Range<Int64>? {
        guard let integrity, removals.isEmpty, resource != nil, isOffsetKnown, !digestAlgorithm.isEmpty,
            offset < length, !integrity.hasDigest(of: offset..<nextEnd)
        else { return nil }
        return offset..<nextEnd
    }

    package mutating func record(digest: [UInt8]?) {
        guard let range = undigestedRange else { return }
        let algorithm = digestAlgorithm
        integrity?.record(digest.map { UploadDigest(algorithm: algorithm, bytes: $0) }, of: range)
    }

    /// The field with which the server verifies the next bytes; `nil` if it is not asked to.
    private var checksum: HTTPHeader? {
        guard let digest = integrity?.digest(of: offset..<end) else { return nil }
        if dialect == .draft { return digest.member.map { HTTPHeader(name: "Content-Digest", value: $0) } }
        return server?.checksum.map { HTTPHeader(name: "Upload-Checksum", value: "\($0.name) \(digest.bytes.base64)") }
    }

    private static let typeOfTus = "application/offset+octet-stream"

    private var creation: UploadExchange {
        var exchange = UploadExchange(step: .create)
        exchange.headers = [Self.version(of: dialect), HTTPHeader(name: "Upload-Length", value: "\(length)")]
        if dialect == .tus {
            exchange.method = .post
            exchange.headers.append(metadata)
            if isPartial { exchange.headers.append(HTTPHeader(name: "Upload-Concat", value: "partial")) }
            exchange.range = 0..<0
            // The protocol defines checksums for PATCH only.
            if server?.createsWithBytes == true, length <= Self.maximumCreation, integrity == nil {
                exchange.headers.append(HTTPHeader(name: "Content-Type", value: Self.typeOfTus))
                exchange.range = 0..<length
            }
        } else {
            exchange.headers.append(completeness)
            if let digest = integrity?.file.member {
                exchange.headers.append(HTTPHeader(name: "Repr-Digest", value: digest))
            }
            exchange.range = 0..<end
        }
        return exchange
    }

    package mutating func receiveInterim(_ response: HTTPURLResponse) -> Bool {
        guard dialect == .draft, response.statusCode == 104 else { return false }
        limits.update(response)
        var hasChanged = false
        if step == .create, let location = acceptedLocation(in: response), location != resource {
            (resource, hasChanged) = (location, true)
        }
        if let reported = response.uploadOffset, reported > offset, reported <= length {
            (offset, hasChanged) = (reported, true)
        }
        return hasChanged
    }

    package mutating func receive(
        _ response: HTTPURLResponse,
        body: [UInt8]?,
        isSent: Bool
    ) throws(UploadFailure) -> UploadOutcome {
        let outcome = try receive(response, isSent: isSent)
        // A gateway may have lost the response.
        if outcome == .response { interrupt(isSent: isSent) }
        if outcome == .complete, dialect == .draft, integrity != nil { events.append(.unverified(.unreported)) }
        return outcome
    }

    private mutating func receive(
        _ response: HTTPURLResponse,
        isSent: Bool
    ) throws(UploadFailure) -> UploadOutcome {
        let status = response.statusCode
        isOffsetKnown = false
        if dialect == .tus, step != .abort, let date = response.expiry { expiry = date }
        if dialect == .draft {
            limits.update(response)
            if let maximum = limits.size, length > maximum { throw UploadFailure(.overLimit(maximum)) }
            // A server may send some limits only with a rejection.
            let isLong = limits.append.map { $0 < end - (step == .append ? offset : 0) } ?? false
            if status == 413, isLong, step == .create || step == .append { return try reject() }
        }
        switch step {
        case .abort: return try removals.endFirst()
        case .discover:
            server = TusServer(response)
            if let maximum = server?.maximumSize, length > maximum { throw UploadFailure(.overLimit(maximum)) }
            if integrity != nil, server?.checksum == nil { events.append(.unverified(.unsupported)) }
            return .next(after: 0)
        case .create:
            if isAutomatic, 400..<500 ~= status, response.offersTus {
                (dialect, isAutomatic, resource) = (.tus, false, nil)
                return .next(after: 0)
            }
            isAutomatic = isAutomatic && resource == nil
            guard 200..<300 ~= status else { return .response }
            return dialect == .tus
                ? try receiveCreation(response, isSent: isSent) : try receiveUpload(response, isSent: isSent)
        case .query, .append, .complete, .check: return try receiveProgress(response, isSent: isSent)
        }
    }

    // Responses

    private mutating func receiveProgress(
        _ response: HTTPURLResponse,
        isSent: Bool
    ) throws(UploadFailure) -> UploadOutcome {
        switch response.statusCode {
        case 200..<300:
            guard step == .append else { return try receiveOffset(response) }
            return dialect == .tus
                ? try receiveAppended(response, isSent: isSent) : try receiveUpload(response, isSent: isSent)
        case 404, 410: return try restart()
        case 423: return try wait()
        case 460 where step == .append: return try reject(as: .otherBytes)
        case 409, 460: return step == .append ? try reject() : try wait()
        // An earlier connection may have completed the upload after its offset was read.
        case 403 where step == .append && dialect == .tus && rejections == 0: return try reject()
        default: return .response
        }
    }

    /// Receives the final response to the bytes, as the IETF draft defines it.
    private mutating func receiveUpload(
        _ response: HTTPURLResponse,
        isSent: Bool
    ) throws(UploadFailure) -> UploadOutcome {
        if end < length { return try receivePart(response, isSent: isSent) }
        let isContradicted = response.only("Upload-Complete") == "?0" || response.uploadOffset ?? length != length
        guard isSent, !isContradicted else {
            if resource != nil { return try reject() }
            throw UploadFailure(.unsent)
        }
        offset = length
        return .complete
    }

    /// Receives the final response to bytes that are not the last ones.
    private mutating func receivePart(
        _ response: HTTPURLResponse,
        isSent: Bool
    ) throws(UploadFailure) -> UploadOutcome {
        if step == .create, resource == nil { resource = try location(in: response) }
        guard resource != nil else { throw UploadFailure(.noResource) }
        guard isSent, response.uploadOffset == end else { return try reject() }
        acknowledge()
        return .next(after: 0)
    }

    /// Records that the server has the bytes of the latest exchange.
    private mutating func acknowledge() {
        (offset, progress, isOffsetKnown, rejections, waits) = (end, max(progress, end), true, 0, 0)
    }

    private mutating func receiveCreation(
        _ response: HTTPURLResponse,
        isSent: Bool
    ) throws(UploadFailure) -> UploadOutcome {
        guard let location = try location(in: response) else { throw UploadFailure(.noResource) }
        resource = location
        // An empty upload was not sent: its offset is queried, too.
        if isSent, length > 0, response.uploadOffset == length {
            offset = length
            return .complete
        }
        // Other servers than this protocol's respond with a Location, too: an offset is proof.
        return .next(after: 0)
    }

    private mutating func receiveAppended(
        _ response: HTTPURLResponse,
        isSent: Bool
    ) throws(UploadFailure) -> UploadOutcome {
        guard isSent, let reported = response.uploadOffset else { return try reject() }
        guard reported <= length else { throw UploadFailure(.wrongOffset) }
        guard reported == end else { return try reject() }
        acknowledge()
        return end == length ? .complete : .next(after: 0)
    }

    private mutating func receiveOffset(_ response: HTTPURLResponse) throws(UploadFailure) -> UploadOutcome {
        guard let reported = response.uploadOffset else { throw UploadFailure(.noOffset) }
        if let announced = response.only("Upload-Length"), announced != "\(length)" { return try restart() }
        guard Safety.requires("35-offset", reported <= length) else { throw UploadFailure(.wrongOffset) }
        let isComplete =
            dialect == .tus
            ? reported == length
            : response.only("Upload-Complete") == "?1" || response.only("Upload-Incomplete") == "?0"
        if isComplete {
            guard reported == length else { throw UploadFailure(.wrongOffset) }
            if length > 0 || dialect != .tus { events.append(.alreadyComplete) }
            offset = length
            return .complete
        }
        if reported > progress { (progress, rejections, waits) = (reported, 0, 0) }
        (offset, isOffsetKnown) = (reported, true)
        mayBeProcessed = mayBeProcessed && reported == length
        if reported > 0 { events.append(.resumed(offset: reported, length: length)) }
        return .next(after: 0)
    }

    /// Asks for the offset again.
    private mutating func reject(as reason: UploadFailure.Reason = .noProgress) throws(UploadFailure) -> UploadOutcome {
        rejections += 1
        guard rejections < Self.maximumRejections else { throw UploadFailure(reason) }
        if reason == .otherBytes { events.append(.otherBytes) }
        return .next(after: 0)
    }

    /// Waits until the server has noticed the end of an earlier connection.
    private mutating func wait() throws(UploadFailure) -> UploadOutcome {
        waits += 1
        guard waits < Self.maximumWaits else { throw UploadFailure(.locked) }
        if waits == 1 { events.append(.locked) }
        return .next(after: min(2, 0.25 * Double(waits)))
    }

    private mutating func restart() throws(UploadFailure) -> UploadOutcome {
        restarts += 1
        guard restarts <= Self.maximumRestarts else { throw UploadFailure(.expired) }
        (resource, expiry, offset, progress, rejections) = (nil, nil, 0, 0, 0)
        guard mayRepeat || !mayBeProcessed else { throw UploadFailure(.mayBeProcessed) }
        mayBeProcessed = false
        events.append(.restarted(.expired))
        return .next(after: 0)
    }
}
