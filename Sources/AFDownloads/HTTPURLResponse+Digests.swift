internal import AFHTTP
internal import FoundationEssentials

extension HTTPURLResponse {
    /// The header's digests of the complete resource: `Repr-Digest` (RFC 9530 §3.1), `Digest` (RFC 3230 §4.3.2) and, in
    /// a complete response, `Content-Digest` (RFC 9530 §2) and `Content-MD5` (RFC 2616 §14.15).
    ///
    /// Contains supported algorithms only. Those of an encoded body are of the encoded bytes.
    var announcedChecksums: [Checksum] { checksums(in: headers) }

    /// Returns the ``announcedChecksums`` of trailers, which may have the same fields (RFC 9530 §2, §3).
    func checksums(inTrailers trailers: HTTPHeaders) -> [Checksum] { trailers.isEmpty ? [] : checksums(in: trailers) }

    private func checksums(in headers: HTTPHeaders) -> [Checksum] {
        guard statusCode == 200 else { return fileChecksums(in: headers) }
        return fileChecksums(in: headers) + headers.elements("Content-Digest").compactMap(Self.digest)
    }

    /// The ``announcedChecksums`` that also apply to later responses of this version: `Content-Digest` applies to its
    /// own message only.
    var fileChecksums: [Checksum] { fileChecksums(in: headers) }

    private func fileChecksums(in headers: HTTPHeaders) -> [Checksum] {
        var found = headers.elements("Repr-Digest").compactMap(Self.digest)
        // `SHA-256=base64,MD5=base64`
        found += headers.elements("Digest").compactMap { Self.halves($0).flatMap { Self.checksum($0, $1) } }
        if statusCode == 200 {
            found += headers.values(for: "Content-MD5").compactMap { Self.checksum("md5", $0[...]) }
        }
        return found
    }

    /// Parses a member such as `sha-256=:base64:` (RFC 8941 §3.2, §3.3.5).
    private static func digest(_ member: Substring) -> Checksum? {
        guard let (name, value) = halves(member) else { return nil }
        let item = value.prefix { $0 != ";" }.trimmed
        guard item.utf8.count >= 2, item.first == ":", item.last == ":" else { return nil }
        return checksum(name, item.dropFirst().dropLast())
    }

    private static func halves(_ member: Substring) -> (name: Substring, value: Substring)? {
        guard let equals = member.firstIndex(of: "=") else { return nil }
        return (member[..<equals].trimmed, member[member.index(after: equals)...].trimmed)
    }

    private static func checksum(_ name: some StringProtocol, _ value: Substring) -> Checksum? {
        // The padding may be missing (RFC 8941 §4.2.7).
        let text = value.trimmed
        let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        guard let algorithm = Checksum.Algorithm(name: String(name)), let data = Data(base64Encoded: text + padding)
        else { return nil }
        return Checksum(algorithm, bytes: Array(data))
    }
}
