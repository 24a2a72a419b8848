package import AFHTTP
internal import AFTransport

/// The state of an upload to S3 in parts.
///
/// The list of parts is always the server's: after each interruption it is asked for. A part counts if its size is right and
/// its ETag is the MD5 digest of the file's part. Any other part is sent again, which replaces it.
package struct MultipartMachine: UploadStateMachine {
    package let dialect = UploadProtocol.s3
    package let length: Int64
    private let url: HTTPURL
    package private(set) var resource: HTTPURL?
    private var state: MultipartState
    private var parts: [Part]
    /// Whether the server has listed the parts since the last interruption.
    private var isListed = false
    /// The number after which the next page of the list starts.
    private var marker = 0
    /// Whether the upload is gone, and may have become the object.
    private var isInDoubt = false
    /// Whether the list has not been reported as an event.
    private var isUnreported = false
    /// The upload to remove first.
    private var removal: UploadRemoval?
    private var step = UploadExchange.Step.create
    /// The number of rejections since the last progress.
    private var rejections = 0
    private var restarts = 0
    private var events: [UploadEvent] = []

    private static let maximumRejections = 4
    private static let maximumRestarts = 2
    private static let pageSize = 1000

    private struct Part: Hashable, Sendable {
        /// The MD5 digest of the file's part, once it is needed.
        var digest: [UInt8]?
        /// The checksum of the file's part that the request asks for; empty if the part cannot be read.
        var checksum: [UInt8]?
        /// The ETag that the server lists, before it is compared.
        var candidate: String?
        /// The ETag of the part that the server has.
        var tag: String?
        /// Whether the list has the part.
        var isListed = false
    }

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
            throw UploadFailure(.noResource)
        }
        self.resource = resource
    }

    private init(length: Int64, url: HTTPURL, _ state: MultipartState) throws(UploadFailure) {
        guard state.isPossible(length) else { throw UploadFailure(.tooLarge) }
        (self.length, self.url, self.state) = (length, url, state)
        parts = Array(repeating: Part(), count: max(1, Int((length + state.partSize - 1) / state.partSize)))
    }

    package mutating func remove(_ resource: HTTPURL, of dialect: UploadProtocol) {
        if dialect == .s3 { removal = UploadRemoval(resource: resource, dialect: dialect, failure: nil) }
    }

    package mutating func abandon(with failure: UploadFailure) -> Bool {
        if let resource { removal = UploadRemoval(resource: resource, dialect: dialect, failure: failure) }
        resource = nil
        return removal?.failure != nil
    }

    package mutating func takeEvents() -> [UploadEvent] {
        defer { events = [] }
        return events
    }

    package mutating func interrupt() { (isListed, marker) = (false, 0) }

    /// An incomplete upload has no effect on the object.
    package var isRepeatable: Bool { true }
    package var multipart: MultipartState? { state }
    /// Its identifier is recognized by its name.
    package var secretResource: HTTPURL? { nil }

    package var offset: Int64 { bytes(of: parts.prefix { $0.tag != nil }.count) }

    /// The number of bytes in all parts that the server has acknowledged.
    private var acknowledged: Int64 {
        parts.indices.reduce(0) { parts[$1].tag == nil ? $0 : $0 + Int64(range(of: $1).count) }
    }

    // Digests

    /// The first part that the server is not known to have; `nil` if it has all.
    private var firstMissing: Int? { parts.firstIndex { $0.tag == nil } }

    package var undigestedRange: Range<Int64>? { undigested.map { range(of: $0.index) } }

    package var digestAlgorithm: String { undigested?.checksum?.algorithm ?? "MD5" }

    /// The part of which a digest is needed before the next exchange, and its checksum if it is not its MD5 digest.
    private var undigested: (index: Int, checksum: PartChecksum?)? {
        guard resource != nil, removal == nil, isListed, !isInDoubt else { return nil }
        if !state.hasOpaqueTags, let index = firstMissing, parts[index].digest == nil { return (index, nil) }
        guard let checksum = state.checksum else { return nil }
        let known = parts.prefix { $0.checksum != nil }.count
        // The checksums of all parts complete the upload, also those of parts that were sent earlier.
        return known < parts.count && known <= firstMissing ?? parts.count ? (known, checksum) : nil
    }

    package mutating func record(digest: [UInt8]?) {
        guard let (index, checksum) = undigested else { return }
        guard checksum == nil else {
            parts[index].checksum = digest ?? []
            return
        }
        // A system may lack MD5: the signature of each part still covers its bytes.
        guard let digest else {
            state.hasOpaqueTags = true
            return acceptCandidates()
        }
        parts[index].digest = digest
        if let candidate = parts[index].candidate, accepts(candidate, for: index) { parts[index].tag = candidate }
        parts[index].candidate = nil
    }

    /// Whether an ETag shows that the server has the bytes of a part.
    private func accepts(_ tag: String, for index: Int) -> Bool {
        guard !state.hasOpaqueTags, tag.isMD5, let digest = parts[index].digest else { return true }
        return Safety.requires("35-part", tag.unquoted.lowercased() == digest.hexadecimal)
    }

    private mutating func acceptCandidates() {
        for index in parts.indices where parts[index].tag == nil {
            (parts[index].tag, parts[index].candidate) = (parts[index].candidate, nil)
        }
    }

    private func bytes(of count: Int) -> Int64 { min(length, Int64(count) * state.partSize) }
    private func range(of index: Int) -> Range<Int64> { bytes(of: index)..<bytes(of: index + 1) }

    // Exchanges

    package mutating func nextExchange() -> UploadExchange {
        if let removal { return exchange(.abort, .delete, removal.resource) }
        guard let resource else {
            reset()
            var creation = exchange(.create, .post, url.adding("uploads"))
            (creation.fields, creation.range) = (.object, 0..<0)
            return creation
        }
        if isInDoubt { return exchange(.check, .head, url) }
        guard isListed else {
            let page = marker > 0 ? "&part-number-marker=\(marker)" : ""
            return exchange(.query, .get, resource.adding("max-parts=\(Self.pageSize)\(page)"))
        }
        if isUnreported, acknowledged > 0 { events.append(.resumed(offset: acknowledged, length: length)) }
        isUnreported = false
        if let index = firstMissing {
            var part = exchange(.append, .put, resource.adding("partNumber=\(index + 1)"))
            (part.range, part.precedingBytes) = (range(of: index), acknowledged)
            part.headers = integrity(of: index)
            return part
        }
        state.completion = objectTag ?? ""
        var completion = exchange(.complete, .post, resource)
        (completion.fields, completion.precedingBytes) = (.completion, length)
        completion.headers = [HTTPHeader(name: "Content-Type", value: "application/xml")]
        let checksums = state.checksum.map { checksum in
            parts.map { (element: checksum.element, value: ($0.checksum ?? []).base64) }
        }
        completion.content = MultipartDocument.request(
            toComplete: parts.compactMap(\.tag), checksums: checksums ?? [])
        return completion
    }

    /// Returns the fields with which the server verifies the bytes of a part.
    ///
    /// The MD5 digest is known, as the ETag is compared with it. S3 accepts a checksum beside it. Over TLS the signature
    /// need not cover the bytes, which would be read and digested once more.
    private func integrity(of index: Int) -> [HTTPHeader] {
        var fields: [HTTPHeader] = []
        if let checksum = state.checksum, let value = parts[index].checksum { fields.append(checksum.header(value)) }
        guard let digest = parts[index].digest else { return fields }
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

    /// The ETag that the object will have; `nil` if that is not known.
    private var objectTag: String? {
        guard !state.hasOpaqueTags else { return nil }
        var all: [UInt8] = []
        for part in parts {
            guard let digest = part.digest, part.tag?.isMD5 == true else { return nil }
            all += digest
        }
        guard let digest = RunningDigest("MD5") else { return nil }
        all.withUnsafeBytes { digest.update($0) }
        return "\(digest.finish().hexadecimal)-\(parts.count)"
    }

    private mutating func reset() {
        for index in parts.indices { parts[index] = Part(digest: nil, checksum: parts[index].checksum) }
        (state.hasOpaqueTags, state.completion, isInDoubt) = (false, nil, false)
        interrupt()
    }

    // Responses

    package func continues(after response: HTTPURLResponse, isSent: Bool) -> Bool {
        let isSuccess = 200..<300 ~= response.statusCode
        return switch step {
        case .create: isSuccess
        case .query, .append: isSuccess || response.statusCode == 404
        case .complete: response.statusCode == 404
        case .check: isSuccess ? !isObject(response) : response.statusCode < 500
        case .discover, .abort: true
        }
    }

    package mutating func receive(
        _ response: HTTPURLResponse,
        body: [UInt8]?,
        isSent: Bool
    ) throws(UploadFailure) -> UploadOutcome {
        let (status, isSuccess) = (response.statusCode, 200..<300 ~= response.statusCode)
        switch step {
        case .abort: return try removal.end()
        case .check:
            if isSuccess, isObject(response) {
                events.append(.alreadyComplete)
                return .complete
            }
            return status < 500 ? try restart() : .response
        case .discover: return .response
        case .create:
            guard isSuccess else { return .response }
            guard let id = body.flatMap(MultipartDocument.uploadID),
                let resource = url.adding("uploadId=\(id.encodedForQuery)")
            else { throw UploadFailure(.noResource) }
            (self.resource, isListed) = (resource, true)
            return .next(after: 0)
        case .query, .append, .complete:
            if status == 404 { return try receiveLoss() }
            guard isSuccess else { return .response }
            if step == .query { return try receiveList(body) }
            return step == .append ? try receivePart(response, isSent: isSent) : try receiveCompletion(body)
        }
    }

    private mutating func receiveList(_ body: [UInt8]?) throws(UploadFailure) -> UploadOutcome {
        guard let list = body.flatMap(MultipartDocument.partList), list.next ?? .max > marker else {
            throw UploadFailure(.noList)
        }
        if marker == 0 {
            for index in parts.indices {
                parts[index] = Part(digest: parts[index].digest, checksum: parts[index].checksum)
            }
        }
        for part in list.parts where 1...parts.count ~= part.number {
            let index = part.number - 1
            let isUsable = !parts[index].isListed && part.size == Int64(range(of: index).count)
            (parts[index].candidate, parts[index].isListed) = (isUsable ? part.tag : nil, true)
        }
        if let next = list.next, next < parts.count {
            marker = next
            return .next(after: 0)
        }
        (isListed, isUnreported, marker) = (true, true, 0)
        for index in parts.indices {
            guard let candidate = parts[index].candidate else { continue }
            // Of the other parts, the digest is not known yet.
            if state.hasOpaqueTags || !candidate.isMD5 || parts[index].digest != nil {
                if accepts(candidate, for: index) { parts[index].tag = candidate }
                parts[index].candidate = nil
            }
        }
        return .next(after: 0)
    }

    private mutating func receivePart(
        _ response: HTTPURLResponse,
        isSent: Bool
    ) throws(UploadFailure) -> UploadOutcome {
        let index = firstMissing
        let encryption = response.only("x-amz-server-side-encryption") ?? ""
        let isOfCustomer = response.only("x-amz-server-side-encryption-customer-algorithm") != nil
        if encryption.hasPrefix("aws:kms") || isOfCustomer {
            state.hasOpaqueTags = true
            acceptCandidates()
        }
        guard isSent, let index, let tag = response.only("ETag").flatMap(MultipartDocument.entityTag),
            accepts(tag, for: index)
        else { return try reject() }
        (parts[index].tag, parts[index].candidate, rejections) = (tag, nil, 0)
        return .next(after: 0)
    }

    private mutating func receiveCompletion(_ body: [UInt8]?) throws(UploadFailure) -> UploadOutcome {
        switch body.flatMap(MultipartDocument.completion) {
        case .error(let code):
            interrupt()
            throw UploadFailure(.notCompleted(code))
        case .object(let tag?):
            guard Safety.requires("35-object", isObject(tag)) else { throw UploadFailure(.otherObject) }
            return .complete
        case .object(nil):
            if state.completion?.isEmpty == true { return .complete }
            isInDoubt = true
            return .next(after: 0)
        case nil: return try reject()
        }
    }

    /// Whether the ETag of an object does not contradict the parts.
    private func isObject(_ tag: String) -> Bool {
        guard let expected = state.completion, !expected.isEmpty, tag.isOfParts else { return true }
        return tag.unquoted.lowercased() == expected
    }

    /// Whether the object is the file, according to its header.
    private func isObject(_ response: HTTPURLResponse) -> Bool {
        guard let expected = state.completion, !expected.isEmpty else { return false }
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
        guard state.completion?.isEmpty == false else { return try restart() }
        isInDoubt = true
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

    /// Whether the ETag has the form of that of an object in parts: a digest and the number of parts.
    fileprivate var isOfParts: Bool {
        let pieces = unquoted.split(separator: "-", omittingEmptySubsequences: false)
        return pieces.count == 2 && String(pieces[0]).isMD5 && !pieces[1].isEmpty
            && pieces[1].utf8.allSatisfy(\.isASCIIDigit)
    }
}
