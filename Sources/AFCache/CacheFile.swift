internal import AFHTTP
internal import AFTransport
internal import FoundationEssentials

/// The file format of a stored response.
///
///     "afcache1" │ length of the head │ length of the body │ SHA-256 of the head │ SHA-256 of the body │ head │ body
///
/// Numbers are little-endian. The digests detect incomplete and damaged files.
enum CacheFile {
    /// The fixed-size start of the file.
    struct Preamble {
        let headLength: Int
        let bodyLength: Int
        let headDigest: ArraySlice<UInt8>
        let bodyDigest: ArraySlice<UInt8>

        static let length = 8 + 8 + 8 + 2 * SHA256Digest.byteCount
        /// The maximum length of a header in bytes.
        private static let headLimit = 1 << 20

        /// Parses the start of a file.
        ///
        /// - Parameter fileSize: The size of the file, which must match the lengths.
        init?(_ bytes: [UInt8], fileSize: Int) {
            var reader = ByteReader(bytes[...])
            guard bytes.count == Self.length, reader.bytes(8)?.elementsEqual(magic) == true,
                let head = reader.number(), let body = reader.number(), head <= Self.headLimit,
                fileSize >= Self.length, body == UInt64(fileSize - Self.length) &- head,
                let headDigest = reader.bytes(SHA256Digest.byteCount),
                let bodyDigest = reader.bytes(SHA256Digest.byteCount)
            else { return nil }
            (headLength, bodyLength) = (Int(head), fileSize - Self.length - Int(head))
            (self.headDigest, self.bodyDigest) = (headDigest, bodyDigest)
        }
    }

    private static let magic = "afcache1".utf8

    /// Returns everything before the body.
    static func start(of stored: StoredResponse) -> [UInt8] {
        let head = head(of: stored)
        var writer = ByteWriter()
        writer.bytes += magic
        writer.append(UInt64(head.count))
        writer.append(UInt64(stored.body.count))
        writer.bytes += SHA256Digest(of: head).bytes
        writer.bytes += stored.body.withUnsafeBytes { SHA256Digest(of: $0) }.bytes
        return writer.bytes + head
    }

    private static func head(of stored: StoredResponse) -> [UInt8] {
        var writer = ByteWriter()
        writer.append(stored.key.url)
        writer.append(stored.key.isDecoded ? 1 : 0)
        writer.append(stored.requestTime.timeIntervalSince1970.bitPattern)
        writer.append(stored.responseTime.timeIntervalSince1970.bitPattern)
        writer.append(UInt64(stored.response.statusCode))
        writer.append(stored.response.httpVersion)
        writer.append(stored.response.reasonPhrase)
        writer.append(stored.response.headers) { writer, field in
            writer.append(field.name)
            writer.append(field.value)
        }
        writer.append(stored.selectors) { writer, selector in
            writer.append(selector.name)
            writer.append(selector.value.map { [$0] } ?? []) { $0.append($1) }
        }
        writer.append(stored.identityDigest.map { [$0] } ?? []) { writer, identityDigest in
            writer.append(UInt64(identityDigest.salt.count))
            writer.bytes += identityDigest.salt
            writer.bytes += identityDigest.digest
        }
        return writer.bytes
    }

    /// Returns the response of a header, without its body; `nil` if the bytes are malformed.
    static func response(_ head: [UInt8], body: Data = Data()) -> StoredResponse? {
        var reader = ByteReader(head[...])
        guard let url = reader.text(), let isDecoded = reader.number(),
            let requestTime = reader.date(), let responseTime = reader.date(),
            let status = reader.number(), (200...999).contains(status),
            let version = reader.text(), let reason = reader.text(),
            let headers = reader.list({ reader in
                reader.text().flatMap { name in reader.text().map { HTTPHeader(name: name, value: $0) } }
            }),
            let selectors = reader.list({ $0.selector() }),
            let identityDigests = reader.list({ $0.identityDigest() }), reader.isAtEnd
        else { return nil }
        return StoredResponse(
            key: CacheKey(url: url, isDecoded: isDecoded == 1),
            selectors: selectors,
            identityDigest: identityDigests.first,
            requestTime: requestTime,
            responseTime: responseTime,
            response: HTTPURLResponse(
                urlText: url,
                statusCode: Int(status),
                httpVersion: version,
                reasonPhrase: reason,
                headers: HTTPHeaders(repeating: headers),
                rawHead: []
            ),
            body: body
        )
    }
}

private struct ByteWriter {
    var bytes: [UInt8] = []

    mutating func append(_ number: UInt64) {
        withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
    }

    mutating func append(_ text: String) {
        append(UInt64(text.utf8.count))
        bytes += text.utf8
    }

    mutating func append<List: Collection>(_ list: List, _ element: (inout ByteWriter, List.Element) -> Void) {
        append(UInt64(list.count))
        for item in list { element(&self, item) }
    }
}

/// Reads the format of ``ByteWriter``; every step returns `nil` if the bytes do not match.
private struct ByteReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
    }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func bytes(_ count: Int) -> ArraySlice<UInt8>? {
        guard count <= rest.count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    mutating func number() -> UInt64? {
        bytes(8)?.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    mutating func text() -> String? {
        number().flatMap { Int(exactly: $0) }.flatMap { bytes($0) }.flatMap { String(validating: $0, as: UTF8.self) }
    }

    mutating func date() -> Date? {
        number().map { Double(bitPattern: $0) }.flatMap { $0.isFinite ? Date(timeIntervalSince1970: $0) : nil }
    }

    mutating func list<Element>(_ element: (inout ByteReader) -> Element?) -> [Element]? {
        // An element takes at least eight bytes: a higher count is invalid.
        guard let count = number(), count <= UInt64(rest.count / 8) else { return nil }
        var list: [Element] = []
        for _ in 0..<count {
            guard let item = element(&self) else { return nil }
            list.append(item)
        }
        return list
    }

    mutating func selector() -> StoredResponse.Selector? {
        guard let name = text(), let values = list({ $0.text() }) else { return nil }
        return StoredResponse.Selector(name: name, value: values.first)
    }

    mutating func identityDigest() -> StoredResponse.IdentityDigest? {
        guard let count = number().flatMap({ Int(exactly: $0) }), let salt = bytes(count),
            let digest = bytes(SHA256Digest.byteCount)
        else { return nil }
        return StoredResponse.IdentityDigest(salt: Array(salt), digest: Array(digest))
    }
}
