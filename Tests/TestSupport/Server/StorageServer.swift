internal import Synchronization

/// A server of S3's multipart uploads with one object, for which no signature is required.
public final class StorageServer: Sendable {
    /// The changes of a test to the server's behavior; each number counts down.
    public struct Faults: Sendable {
        /// The number of body bytes after which the connection of a part is reset, for each part in order.
        public var cuts: [Int?] = []
        /// Whether the upload is gone.
        public var isGone = false
        /// Whether parts are stored with another first byte.
        public var altersParts = 0
        /// The ETag that parts are reported with; `nil` for their digest.
        public var partTag: String?
        /// Whether the response to a part has no ETag.
        public var hidesPartTag = 0
        /// Whether parts are encrypted, so that their ETags are no digests.
        public var isEncrypted = false
        /// The ETag of the object; `nil` for the right one.
        public var objectTag: String?
        /// Whether the response to the complete upload is lost.
        public var losesCompletion = false
        /// The body of the response to the complete upload; `nil` for the right one.
        public var completion: String?
        /// The body of the list of parts; `nil` for the right one.
        public var list: String?
        /// The maximum number of listed parts.
        public var pageSize = 1000
        /// Called with each part before it is stored.
        public var onPart: (@Sendable (Int) -> Void)?

        public init() {}
    }

    private struct Part { let bytes: [UInt8], tag: String }

    private struct State {
        /// The parts of each upload, whose number is its identifier.
        var uploads: [Int: [Int: Part]] = [:]
        var created = 0
        /// The uploads whose parts must have SHA-256 checksums.
        var checked: Set<Int> = []
        var object: (bytes: [UInt8], tag: String)?
        var requests: [RecordedRequest] = []
        var faults = Faults()
    }

    private let state = Mutex(State())

    public init(_ change: (inout Faults) -> Void = { _ in }) {
        state.withLock { change(&$0.faults) }
    }

    /// Changes the behavior.
    public func change(_ change: (inout Faults) -> Void) { state.withLock { change(&$0.faults) } }

    /// The bytes of the object; `nil` if there is none.
    public var object: [UInt8]? { state.withLock { $0.object?.bytes } }
    /// The number of unfinished uploads.
    public var unfinished: Int { state.withLock { $0.uploads.count } }
    /// The numbers of the parts of the unfinished upload.
    public var parts: [Int] { state.withLock { $0.uploads.values.first?.keys.sorted() ?? [] } }
    /// The complete requests, with their bodies.
    public var requests: [RecordedRequest] { state.withLock(\.requests) }
    /// The requests as method and query, without the identifier.
    public var log: [String] {
        requests.map { request in
            let query = request.target.split(separator: "?").dropFirst().first ?? ""
            let items = query.split(separator: "&").filter { !$0.hasPrefix("uploadId=") }
            return ([request.method] + items.map(String.init)).joined(separator: " ")
        }
    }

    /// Serves a connection.
    public func serve(_ connection: LocalServer.Connection) throws {
        // One request: over a reused connection that is lost, it would be sent again.
        if let head = try connection.readHead() {
            if head["Expect"] != nil { try connection.send("HTTP/1.1 100 Continue\r\n\r\n") }
            let query = Query(head.target)
            if query["partNumber"] != nil, let cut = nextCut() {
                var left = cut
                while left > 0 {
                    let chunk = try connection.receive(atMost: left)
                    if chunk.isEmpty { return }
                    left -= chunk.count
                }
                return connection.reset()
            }
            let request = try connection.readBody(of: head)
            state.withLock { $0.requests.append(request) }
            guard let response = respond(to: request, query) else { return connection.reset() }
            try connection.send(response)
        }
    }

    private func nextCut() -> Int? {
        state.withLock { $0.faults.cuts.isEmpty ? nil : $0.faults.cuts.removeFirst() }
    }

    /// The items of a target's query.
    private struct Query {
        private let items: [Substring: Substring]

        init(_ target: String) {
            let query = target.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
            items = query.split(separator: "&").reduce(into: [:]) { items, item in
                let name = item.prefix { $0 != "=" }
                items[name] = item.dropFirst(name.count + 1)
            }
        }

        subscript(name: Substring) -> String? { items[name].map(String.init) }
        var part: Int? { self["partNumber"].flatMap { Int($0) } }
        var upload: Int? { self["uploadId"].flatMap { Int($0.drop { !$0.isNumber }) } }
    }

    /// Returns the response; `nil` if it is lost.
    private func respond(to request: RecordedRequest, _ query: Query) -> [UInt8]? {
        if request.method == "POST", query["uploads"] != nil { return create(request) }
        if request.method == "HEAD" { return describe() }
        let isGone = state.withLock { $0.faults.isGone }
        guard let upload = query.upload, let parts = state.withLock({ $0.uploads[upload] }), !isGone else {
            return Self.response(404, Self.error("NoSuchUpload"))
        }
        switch request.method {
        case "GET": return list(parts, after: query["part-number-marker"].flatMap { Int($0) } ?? 0)
        case "PUT":
            if let expected = request["Content-MD5"], expected != ServerDigest.base64("MD5", of: request.body) {
                return Self.response(400, Self.error("BadDigest"))
            }
            let checksum = ServerDigest.base64("SHA2-256", of: request.body)
            if state.withLock({ $0.checked.contains(upload) }), request["x-amz-checksum-sha256"] != checksum {
                return Self.response(400, Self.error("BadDigest"))
            }
            return store(request.body, in: upload, query.part ?? 0)
        case "POST": return complete(upload, parts, String(decoding: request.body, as: UTF8.self))
        case "DELETE":
            state.withLock { $0.uploads[upload] = nil }
            return Self.response(204, "")
        default: return Self.response(405, Self.error("MethodNotAllowed"))
        }
    }

    private func create(_ request: RecordedRequest) -> [UInt8] {
        let number = state.withLock { state in
            state.created += 1
            if request["x-amz-checksum-algorithm"] == "SHA256" { state.checked.insert(state.created) }
            state.uploads[state.created] = [:]
            state.faults.isGone = false
            return state.created
        }
        let id = "<UploadId>secret-id_\(number)</UploadId>"
        return Self.response(200, "<InitiateMultipartUploadResult>\(id)</InitiateMultipartUploadResult>")
    }

    private func store(_ body: [UInt8], in upload: Int, _ number: Int) -> [UInt8] {
        // Parallel parts take the faults one by one.
        let faults = state.withLock { state in
            let faults = state.faults
            state.faults.altersParts -= 1
            state.faults.hidesPartTag -= 1
            return faults
        }
        faults.onPart?(number)
        var bytes = body
        if faults.altersParts > 0, !bytes.isEmpty { bytes[0] ^= 1 }
        var tag = faults.partTag ?? digest(bytes)
        if faults.isEncrypted { tag = digest(Array("key \(tag)".utf8)) }
        let isHidden = faults.hidesPartTag > 0
        state.withLock { $0.uploads[upload]?[number] = Part(bytes: bytes, tag: tag) }
        var fields = isHidden ? [] : ["ETag: \"\(tag)\""]
        if faults.isEncrypted { fields.append("x-amz-server-side-encryption: aws:kms") }
        return Self.response(200, "", fields)
    }

    private func list(_ parts: [Int: Part], after marker: Int) -> [UInt8] {
        let faults = state.withLock(\.faults)
        if let list = faults.list { return Self.response(200, list) }
        let rest = parts.keys.filter { $0 > marker }.sorted()
        let page = rest.prefix(faults.pageSize)
        let entries = page.map { number in
            let part = parts[number]
            return "<Part><PartNumber>\(number)</PartNumber><ETag>&quot;\(part?.tag ?? "")&quot;</ETag>"
                + "<Size>\(part?.bytes.count ?? 0)</Size></Part>"
        }
        let next = page.last.map { "<NextPartNumberMarker>\($0)</NextPartNumberMarker>" } ?? ""
        let body = "\(next)<IsTruncated>\(page.count < rest.count)</IsTruncated>\(entries.joined())"
        return Self.response(200, "<?xml version=\"1.0\"?>\n<ListPartsResult>\(body)</ListPartsResult>")
    }

    private func complete(_ upload: Int, _ parts: [Int: Part], _ document: String) -> [UInt8]? {
        let listed = document.matches(of: #/<PartNumber>(\d+)<\/PartNumber><ETag>&quot;([^<]*)&quot;<\/ETag>/#)
        let numbers = listed.compactMap { Int($0.1) }
        guard numbers == Array(1...max(1, numbers.count)),
            zip(numbers, listed).allSatisfy({ parts[$0]?.tag == String($1.2) })
        else { return Self.response(400, Self.error("InvalidPart")) }
        let checksums = numbers.map { ServerDigest.base64("SHA2-256", of: parts[$0]?.bytes ?? []) }
        if state.withLock({ $0.checked.contains(upload) }),
            !checksums.allSatisfy({ document.contains("</ETag><ChecksumSHA256>\($0)</ChecksumSHA256></Part>") })
        {
            return Self.response(400, Self.error("InvalidRequest"))
        }
        let faults = state.withLock(\.faults)
        if let completion = faults.completion {
            change { $0.completion = nil }
            return Self.response(200, completion)
        }
        let used = numbers.compactMap { parts[$0] }
        let digests = used.flatMap { digest($0.bytes) }
        let pairs = stride(from: 0, to: digests.count, by: 2).compactMap { index in
            UInt8(String(digests[index..<index + 2]), radix: 16)
        }
        let tag = faults.objectTag ?? "\(digest(pairs))-\(used.count)"
        state.withLock { state in
            state.object = (used.flatMap(\.bytes), tag)
            state.uploads[upload] = nil
            state.faults.losesCompletion = false
        }
        if faults.losesCompletion { return nil }
        let result = "<ETag>&quot;\(tag)&quot;</ETag>"
        return Self.response(200, "<CompleteMultipartUploadResult>\(result)</CompleteMultipartUploadResult>")
    }

    private func describe() -> [UInt8] {
        guard let object = state.withLock(\.object) else { return Self.response(404, nil) }
        return Self.response(200, nil, ["Content-Length: \(object.bytes.count)", "ETag: \"\(object.tag)\""])
    }

    /// Returns the MD5 digest in hexadecimal digits.
    private func digest(_ bytes: [UInt8]) -> String {
        ServerDigest.bytes("MD5", of: bytes).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private static func error(_ code: String) -> String { "<Error><Code>\(code)</Code></Error>" }

    /// - Parameter body: The body; `nil` for a response to HEAD.
    private static func response(_ status: Int, _ body: String?, _ fields: [String] = []) -> [UInt8] {
        var lines = ["HTTP/1.1 \(status) X", "Connection: close"] + fields
        if let body, status != 204 { lines.append("Content-Length: \(body.utf8.count)") }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? "")).utf8)
    }
}
