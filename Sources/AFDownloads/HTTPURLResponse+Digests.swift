internal import AFHTTP
internal import FoundationEssentials

extension HTTPURLResponse {
    /// The header's digests of the complete resource: `Repr-Digest` (RFC 9530 §3.1), `Digest` (RFC 3230 §4.3.2) and, in
    /// a complete response, `Content-Digest` (RFC 9530 §2) and `Content-MD5` (RFC 2616 §14.15).
    ///
    /// Contains supported algorithms only. Those of an encoded body are of the encoded bytes.
    var announcedChecksums: [Checksum] {
        guard statusCode == 200 else { return fileChecksums }
        return fileChecksums + headers.values(for: "Content-Digest").flatMap(Self.dictionary)
    }

    /// The ``announcedChecksums`` that also apply to later responses of this version: `Content-Digest` applies to its
    /// own message only.
    var fileChecksums: [Checksum] {
        var found = headers.values(for: "Repr-Digest").flatMap(Self.dictionary)
        found += headers.values(for: "Digest").flatMap(Self.instanceDigests)
        if statusCode == 200 {
            found += headers.values(for: "Content-MD5").compactMap { Self.checksum("md5", $0[...]) }
        }
        return found
    }

    /// Parses `sha-256=:base64:, sha-512=:base64:` (RFC 8941 §3.2, §3.3.5).
    private static func dictionary(_ text: String) -> [Checksum] {
        text.split(separator: ",").compactMap { member in
            guard let (name, value) = halves(member) else { return nil }
            let item = value.prefix { $0 != ";" }.trimmed
            guard item.utf8.count >= 2, item.first == ":", item.last == ":" else { return nil }
            return checksum(name, item.dropFirst().dropLast())
        }
    }

    /// Parses `SHA-256=base64,MD5=base64`.
    private static func instanceDigests(_ text: String) -> [Checksum] {
        text.split(separator: ",").compactMap { member in halves(member).flatMap { checksum($0, $1) } }
    }

    private static func halves(_ member: Substring) -> (name: Substring, value: Substring)? {
        guard let equals = member.firstIndex(of: "=") else { return nil }
        return (member[..<equals].trimmed, member[member.index(after: equals)...].trimmed)
    }

    private static func checksum(_ name: some StringProtocol, _ value: Substring) -> Checksum? {
        guard let algorithm = Checksum.Algorithm(name: String(name)),
            let data = Data(base64Encoded: String(value.trimmed))
        else { return nil }
        return Checksum(algorithm, bytes: Array(data))
    }
}
