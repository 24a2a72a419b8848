internal import AFHTTP
internal import AFTransport
internal import FoundationEssentials

/// A stored response with the properties that select it.
struct StoredResponse: Sendable {
    let key: CacheKey
    /// The request's values of the fields in `Vary` (RFC 9111 §4.1), except secrets: the digest covers those.
    let selectors: [Selector]
    /// The identity of the request; `nil` if it had none.
    let identityDigest: IdentityDigest?
    let requestTime: Date
    let responseTime: Date
    /// The response as stored: without connection-specific fields, and without cookies, which were stored when it was
    /// received.
    let response: HTTPURLResponse
    let body: Data
    var userInfo: [String: any Sendable]?
    var isStoredOnDisk = true

    /// A request field that selects the response.
    struct Selector: Hashable, Sendable {
        /// The name in lower case.
        let name: String
        /// The value; `nil` if the request had no such field.
        let value: String?
    }

    /// A salted digest of an identity, which can be compared but not reversed.
    struct IdentityDigest: Hashable, Sendable {
        let salt: [UInt8]
        let digest: [UInt8]

        init(salt: [UInt8], digest: [UInt8]) {
            self.salt = salt
            self.digest = digest
        }

        /// Returns `nil` for an empty identity.
        init?(_ identity: [UInt8]) {
            guard !identity.isEmpty else { return nil }
            var generator = SystemRandomNumberGenerator()
            salt = (0..<16).map { _ in generator.next() }
            digest = SHA256Digest(of: salt + identity).bytes
        }

        func isDigest(of identity: [UInt8]) -> Bool { SHA256Digest(of: salt + identity).bytes == digest }
    }
}

extension StoredResponse {
    /// Creates a stored response from the response to a request.
    init(for lookup: CacheLookup, from requestTime: Date, to responseTime: Date, _ proposal: CachedURLResponse) {
        let head = proposal.response
        self.init(
            key: lookup.key,
            selectors: Self.selectors(of: head.headers, in: lookup),
            identityDigest: IdentityDigest(lookup.identity),
            requestTime: requestTime,
            responseTime: responseTime,
            response: head.replacing(head.headers.storable, at: lookup.key.url),
            body: proposal.data,
            userInfo: proposal.userInfo,
            isStoredOnDisk: proposal.storagePolicy == .allowed
        )
    }

    private static func selectors(of headers: HTTPHeaders, in lookup: CacheLookup) -> [Selector] {
        let all = headers.listed("Vary").map { Selector(name: $0, value: lookup.value(of: $0)) }
            .filter { !HTTPHeader(name: $0.name, value: "").holdsSecret }
        return lookup.isComplete ? all : all.filter { $0.value != nil }
    }

    /// Whether the response matches the request, fresh or stale.
    func matches(_ lookup: CacheLookup) -> Bool {
        guard key == lookup.key else { return false }
        guard identityDigest?.isDigest(of: lookup.identity) ?? lookup.identity.isEmpty else { return false }
        if let limit = lookup.bodyLimit, body.count > limit { return false }
        return selectors.allSatisfy { selector in
            let value = lookup.value(of: selector.name)
            return value?.octets == selector.value?.octets || (value == nil && !lookup.isComplete)
        }
    }

    var control: CacheControl { CacheControl(response.headers) }

    var freshness: Freshness {
        Freshness(
            statusCode: response.statusCode,
            headers: response.headers,
            requestTime: requestTime,
            responseTime: responseTime
        )
    }

    /// The approximate size in bytes.
    var cost: Int {
        let texts = response.headers.reduce(key.url.utf8.count) { $0 + $1.name.utf8.count + $1.value.utf8.count }
        return body.count + texts + 256
    }

    /// The conditional header fields for revalidation (RFC 9111 §4.3.1); empty without validators.
    var conditions: [HTTPHeader] {
        let headers = response.headers
        return [("If-None-Match", headers["ETag"]), ("If-Modified-Since", headers["Last-Modified"])]
            .compactMap { name, value in value.map { HTTPHeader(name: name, value: $0) } }
            // A validator may contain characters that must not be sent.
            .filter(\.isValid)
    }

    /// Returns the response with its current age (RFC 9111 §4).
    func served(at now: Date) -> HTTPURLResponse {
        var headers = response.headers
        headers.update(name: "Age", value: String(Int(min(freshness.age(at: now), 2_147_483_648))))
        return response.replacing(headers, at: key.url)
    }

    /// Whether a 304 validates this response (RFC 9111 §4.3.4): it has no other validators.
    func isConfirmed(by notModified: HTTPURLResponse) -> Bool {
        let (old, new) = (response.headers, notModified.headers)
        if let tag = new["ETag"], old["ETag"].map({ tag.weakTag.isSame(as: $0.weakTag) }) != true { return false }
        guard let date = new["Last-Modified"], let oldDate = old["Last-Modified"] else { return true }
        return date.isSame(as: oldDate)
    }

    /// Whether a response to HEAD may describe this response (RFC 9111 §4.3.5).
    func isDescribed(by head: HTTPURLResponse) -> Bool {
        ["ETag", "Last-Modified", "Content-Length"].allSatisfy { name in
            guard let value = head.headers[name] else { return true }
            return response.headers[name].map(value.isSame) ?? false
        }
    }

    /// Returns the response with the fields of a newer header, and fresh again (RFC 9111 §3.2).
    func updated(
        by head: HTTPURLResponse,
        for lookup: CacheLookup,
        from requestTime: Date,
        to responseTime: Date
    ) -> StoredResponse {
        let updated = head.headers.storable.filter { !Self.isBoundToBody($0.name) }
        var headers = HTTPHeaders(
            repeating: response.headers.filter { old in
                !old.name.isSameFieldName(as: "Age") && !updated.contains { $0.name.isSameFieldName(as: old.name) }
            }
        )
        for field in updated { headers.append(field) }
        return StoredResponse(
            key: key,
            selectors: Self.selectors(of: headers, in: lookup),
            identityDigest: identityDigest,
            requestTime: requestTime,
            responseTime: responseTime,
            response: response.replacing(headers, at: key.url),
            body: body,
            userInfo: userInfo,
            isStoredOnDisk: isStoredOnDisk
        )
    }

    /// Whether a field describes the stored body: such fields of a response without a body are ignored.
    private static func isBoundToBody(_ name: String) -> Bool {
        ["content-length", "content-encoding", "content-range", "content-type"].contains(name.lowercased())
    }
}

extension HTTPURLResponse {
    /// Returns the response with other fields; the raw header is built from them.
    fileprivate func replacing(_ headers: HTTPHeaders, at url: String) -> HTTPURLResponse {
        let words = ["\(httpVersion) \(statusCode)", reasonPhrase].filter { !$0.isEmpty }
        let lines = [words.joined(separator: " ")] + headers.map(\.description)
        return HTTPURLResponse(
            urlText: url,
            statusCode: statusCode,
            httpVersion: httpVersion,
            reasonPhrase: reasonPhrase,
            headers: headers,
            rawHead: (lines.joined(separator: "\r\n") + "\r\n\r\n").octets
        )
    }
}

extension HTTPHeaders {
    /// The fields to store: without those of the connection or a proxy (RFC 9111 §3.1), and without cookies.
    fileprivate var storable: HTTPHeaders {
        let dropped = Set(
            listed("Connection") + [
                "connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
                "proxy-authenticate", "proxy-authentication-info", "proxy-authorization", "set-cookie", "set-cookie2",
            ]
        )
        return HTTPHeaders(repeating: filter { !dropped.contains($0.name.lowercased()) })
    }
}
