package import AFHTTP
internal import AFTransport

/// The state of an upload to S3 in parts.
///
/// The list of parts is always the server's: after each interruption it is asked for. A part counts if its size is right and
/// its ETag is the MD5 digest of the file's part. Any other part is sent again, which replaces it.
package struct MultipartMachine: UploadStateMachine {
    package let dialect = UploadProtocol.s3
    package var length: Int64 { parts.length }
    private let url: HTTPURL
    package private(set) var resource: HTTPURL?
    var parts: MultipartParts
    /// The part that the main request sends.
    var own: Int?
    /// The number of uploads that were lost.
    private(set) var generation = 0
    /// Whether the server has listed the parts since the last interruption.
    var isListed = false
    /// Whether a lane was interrupted since the list was asked for.
    var isListStale = false
    /// The number after which the next page of the list starts.
    private var marker = 0
    /// Whether the upload is gone, and may have become the object.
    private var mayBeObject = false
    /// Whether the next list is reported as an event.
    var isUnreported = false
    /// The uploads to remove first.
    private var removals = UploadRemovals()
    private var step = UploadExchange.Step.create
    /// The number of rejections since the last progress.
    var rejections = 0
    private var restarts = 0
    private var events: [UploadEvent] = []

    private static let maximumRejections = 4
    private static let maximumRestarts = 2
    private static let pageSize = 1000

    /// Creates the state of an upload that does not exist yet.
    ///
    /// - Parameter checksum: The checksum of each part that the server verifies; `nil` for none besides the ETag.
    /// - Throws: ``UploadFailure`` if the file is too large.
    package init(length: Int64, url: HTTPURL, checksum: PartChecksum? = nil) throws(UploadFailure) {
        try self.init(length: length, url: url, MultipartState(length: length, checksum: checksum))
    }

    /// Creates the state of an interrupted upload.
    ///
    /// - Throws: ``UploadFailure`` if the resource is not an upload to the URL.
    package init(length: Int64, url: HTTPURL, _ state: MultipartState, at resource: HTTPURL) throws(UploadFailure) {
        try self.init(length: length, url: url, state)
        guard resource.text.hasPrefix(url.adding("uploadId=")?.text ?? resource.text + " ") else {
            throw UploadFailure(.invalidResumeData)
        }
        (self.resource, isUnreported) = (resource, true)
    }

    private init(length: Int64, url: HTTPURL, _ state: MultipartState) throws(UploadFailure) {
        guard state.isPossible(length) else { throw UploadFailure(.tooLarge) }
        (self.url, parts) = (url, MultipartParts(length: length, state))
    }

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
        releaseOwn()
        (isListed, marker) = (false, 0)
        isUnreported = isUnreported || resource != nil
        removals.interrupt()
    }

    mutating func releaseOwn() {
        if let own { parts.release(own) }
        own = nil
    }

    /// An incomplete upload has no effect on the object.
    package var isRepeatable: Bool { true }
    package var multipart: MultipartState? { parts.state }
    /// Its identifier is recognized by its name.
    package var secretResources: [HTTPURL] { removals.secretResources }

    package var offset: Int64 { parts.offset }
    package var acknowledged: Int64 { parts.acknowledged }

    // Digests

    package var undigestedRange: Range<Int64>? { undigested?.range }
    package var digestAlgorithm: String { undigested?.algorithm ?? "MD5" }

    /// Whether the next exchange is about parts, of which the server's list is known.
    var knowsParts: Bool { resource != nil && removals.isEmpty && isListed && !mayBeObject }

    /// The part that the next exchange sends; `nil` if it sends none.
    var next: Int? { own.flatMap { parts.isMissing($0) ? $0 : nil } ?? parts.firstUnclaimed }

    /// The digest that the next exchange needs.
    private var undigested: UndigestedRange? {
        guard knowsParts, let index = undigestedIndex, let name = parts.missingDigest(of: index) else { return nil }
        return UndigestedRange(range: parts.range(of: index), algorithm: name)
    }

    /// The checksums of all parts complete the upload, also those of parts that were sent earlier.
    private var undigestedIndex: Int? { next ?? (parts.areClaimed ? nil : parts.firstUnchecked) }

    package mutating func record(digest: [UInt8]?) {
        if undigested != nil, let index = undigestedIndex { parts.record(digest: digest, of: index) }
    }

    // Exchanges

    package mutating func nextExchange() -> UploadExchange {
        if let removal = removals.exchange {
            step = .abort
            return removal
        }
        guard let resource else {
            reset()
            var creation = exchange(.create, .post, url.adding("uploads"))
            (creation.fields, creation.range) = (.object, 0..<0)
            return creation
        }
        if mayBeObject { return exchange(.check, .head, url) }
        guard isListed else { return query(resource) }
        if isUnreported, acknowledged > 0 { events.append(.resumed(offset: acknowledged, length: length)) }
        isUnreported = false
        reserve()
        if let own, let part = exchange(ofPart: own) {
            step = .append
            return part
        }
        // Lanes send the last parts: the list is an exchange without an effect, after which the request can wait.
        return parts.areClaimed ? query(resource) : completion(of: resource)
    }

    private mutating func query(_ resource: HTTPURL) -> UploadExchange {
        if marker == 0 {
            (isListed, isListStale) = (false, false)
            parts.beginList()
        }
        let page = marker > 0 ? "&part-number-marker=\(marker)" : ""
        return exchange(.query, .get, resource.adding("max-parts=\(Self.pageSize)\(page)"))
    }

    func exchange(ofPart index: Int) -> UploadExchange? {
        guard let target = resource?.adding("partNumber=\(index + 1)") else { return nil }
        var part = UploadExchange(step: .append, method: .put, resource: target)
        (part.fields, part.range, part.precedingBytes) = (.part, parts.range(of: index), acknowledged)
        part.headers = integrity(of: index)
        return part
    }

    private mutating func completion(of resource: HTTPURL) -> UploadExchange {
        parts.state.completion = parts.objectTag ?? ""
        var completion = exchange(.complete, .post, resource)
        (completion.fields, completion.precedingBytes) = (.completion, length)
        completion.headers = [HTTPHeader(name: "Content-Type", value: "application/xml")]
        let checksums = parts.state.checksum.map { checksum in
            (0..<parts.count).map { (element: checksum.element, value: (parts.checksum(of: $0) ?? []).base64) }
        }
        completion.content = MultipartDocument.request(toComplete: parts.tags, checksums: checksums ?? [])
        return completion
    }

    /// Returns the fields with which the server verifies the bytes of a part.
    ///
    /// The MD5 digest is known, as the ETag is compared with it. S3 accepts a checksum beside it. Over TLS the signature
    /// need not cover the bytes, which would be read and digested once more.
    private func integrity(of index: Int) -> [HTTPHeader] {
        var fields: [HTTPHeader] = []
        if let checksum = parts.state.checksum, let value = parts.checksum(of: index) {
            fields.append(checksum.header(value))
        }
        guard let digest = parts.digest(of: index) else { return fields }
        fields.append(HTTPHeader(name: "Content-MD5", value: digest.base64))
        guard url.scheme == .https else { return fields }
        return fields + [HTTPHeader(name: "X-Amz-Content-SHA256", value: "UNSIGNED-PAYLOAD")]
    }

    private mutating func exchange(
        _ step: UploadExchange.Step,
        _ method: HTTPMethod,
        _ resource: HTTPURL?
    ) -> UploadExchange {
        self.step = step
        var exchange = UploadExchange(step: step, method: method, resource: resource ?? url)
        exchange.fields = .part
        return exchange
    }

    private mutating func reset() {
        parts.reset()
        (own, mayBeObject, generation) = (nil, false, generation + 1)
        (isListed, marker, isUnreported) = (false, 0, false)
    }

    // Responses

    /// The meaning of a response, as far as its header shows it.
    private enum Meaning {
        case success
        /// The upload, or the object that it may have become, does not exist.
        case loss
        /// The response is the result of the attempt.
        case result
    }

    private func meaning(of response: HTTPURLResponse) -> Meaning {
        switch (step, response.statusCode) {
        case (.check, 200..<300): isObject(response) ? .success : .loss
        case (_, 200..<300): .success
        // A status that says nothing about the object, such as 403 or 429, does not restart the complete upload.
        case (.query, 404), (.append, 404), (.complete, 404), (.check, 404), (.check, 412): .loss
        default: .result
        }
    }

    package func continues(after response: HTTPURLResponse, isSent: Bool) -> Bool {
        switch (meaning(of: response), step) {
        case (_, .abort), (.loss, _), (.success, .create), (.success, .query), (.success, .append): true
        default: false
        }
    }

    package mutating func receive(
        _ response: HTTPURLResponse,
        body: [UInt8]?,
        isSent: Bool
    ) throws(UploadFailure) -> UploadOutcome {
        switch (meaning(of: response), step) {
        case (_, .abort): return try removals.endFirst()
        case (.result, _), (_, .discover): return .response
        case (.loss, .check): return try restart()
        case (.loss, _): return try receiveLoss()
        case (.success, .create):
            guard let id = body.flatMap(MultipartDocument.uploadID),
                let resource = url.adding("uploadId=\(id.encodedForQuery)")
            else { throw UploadFailure(.noResource) }
            (self.resource, isListed) = (resource, true)
            return .next(after: 0)
        case (.success, .query): return try receiveList(body)
        case (.success, .append): return try receivePart(response, isSent: isSent)
        case (.success, .complete): return try receiveCompletion(body)
        case (.success, .check):
            events.append(.alreadyComplete)
            return .complete
        }
    }

    private mutating func receiveList(_ body: [UInt8]?) throws(UploadFailure) -> UploadOutcome {
        guard let list = body.flatMap(MultipartDocument.partList), list.next ?? .max > marker else {
            throw UploadFailure(.noList)
        }
        parts.receive(list, isFirst: marker == 0)
        if let next = list.next, next < parts.count {
            marker = next
            return .next(after: 0)
        }
        (isListed, marker) = (!isListStale, 0)
        parts.endList()
        return .next(after: 0)
    }

    private mutating func receivePart(
        _ response: HTTPURLResponse,
        isSent: Bool
    ) throws(UploadFailure) -> UploadOutcome {
        guard let index = own, acknowledge(index, response, isSent: isSent) else { return try reject() }
        releaseOwn()
        return .next(after: 0)
    }

    /// Records the successful response to a part; returns `false` if it does not show that the server has it.
    mutating func acknowledge(_ index: Int, _ response: HTTPURLResponse, isSent: Bool) -> Bool {
        let encryption = response.only("x-amz-server-side-encryption") ?? ""
        let isOfCustomer = response.only("x-amz-server-side-encryption-customer-algorithm") != nil
        if encryption.hasPrefix("aws:kms") || isOfCustomer { parts.useOpaqueTags() }
        guard isSent, let tag = response.only("ETag").flatMap(MultipartDocument.entityTag),
            parts.acknowledge(index, tag)
        else { return false }
        rejections = 0
        return true
    }

    private mutating func receiveCompletion(_ body: [UInt8]?) throws(UploadFailure) -> UploadOutcome {
        switch body.flatMap(MultipartDocument.completion) {
        case .error(let code):
            interrupt()
            throw UploadFailure(.notCompleted(code))
        case .object(let tag?):
            guard Safety.requires("35-object", parts.isObject(tag)) else { throw UploadFailure(.otherObject) }
            return .complete
        case .object(nil):
            if parts.state.completion?.isEmpty == true { return .complete }
            mayBeObject = true
            return .next(after: 0)
        case nil: return try reject()
        }
    }

    /// Whether the object is the file, according to its header.
    private func isObject(_ response: HTTPURLResponse) -> Bool {
        guard let expected = parts.state.completion, !expected.isEmpty else { return false }
        return response.only("Content-Length") == "\(length)"
            && response.only("ETag")?.unquoted.lowercased() == expected
    }

    /// Asks for the list of parts again.
    private mutating func reject() throws(UploadFailure) -> UploadOutcome {
        rejections += 1
        interrupt()
        guard rejections < Self.maximumRejections else { throw UploadFailure(.otherParts) }
        return .next(after: 0)
    }

    /// The upload is gone: it was removed, or it has become the object, and the response was lost.
    private mutating func receiveLoss() throws(UploadFailure) -> UploadOutcome {
        guard parts.state.completion?.isEmpty == false else { return try restart() }
        mayBeObject = true
        return .next(after: 0)
    }

    private mutating func restart() throws(UploadFailure) -> UploadOutcome {
        restarts += 1
        guard restarts <= Self.maximumRestarts else { throw UploadFailure(.expired) }
        (resource, rejections) = (nil, 0)
        reset()
        events.append(.restarted(.expired))
        return .next(after: 0)
    }
}

extension HTTPURL {
    /// Returns the URL with another item in its query.
    fileprivate func adding(_ item: String) -> HTTPURL? {
        try? HTTPURL(parsing: "\(text)\(query == nil ? "?" : "&")\(item)")
    }
}

extension String {
    fileprivate var encodedForQuery: String {
        Array(utf8).percentEncoded { byte, _ in !byte.isUnreserved }
    }
}
