import TestSupport

extension Version {
    /// Returns the SHA-256 digest of the bytes, computed by openssl.
    func digest(inBase64 isBase64: Bool = false) async throws -> String {
        var program = try Program.installed("openssl", package: "openssl", ["dgst", "-sha256", "-binary"])
        program.input = .bytes(bytes)
        let digest = try await program.run().output
        if isBase64 { return Self.base64(digest) }
        return digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private static func base64(_ bytes: [UInt8]) -> String {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        var text = ""
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = Array(bytes[start..<min(start + 3, bytes.count)])
            let word = (0..<3).reduce(0) { $0 << 8 | ($1 < group.count ? Int(group[$1]) : 0) }
            for place in 0..<4 {
                text.append(place <= group.count ? letters[word >> (18 - 6 * place) & 63] : "=")
            }
        }
        return text
    }
}
