internal import AFHTTP
internal import AFJSON
internal import FoundationEssentials

/// Secrets whose texts are known, and which other texts must not repeat.
package struct KnownSecrets: Hashable, Sendable {
    /// The texts in the order in which they were added.
    package private(set) var texts: [String] = []
    /// The texts and their encodings. The longest is first: a secret may be a part of another one.
    private var encodings: [String] = []

    /// Creates a list without secrets.
    package init() {}

    /// Adds a secret.
    package mutating func add(_ text: String) {
        guard !text.isEmpty, !texts.contains(text) else { return }
        texts.append(text)
        encodings = Set(encodings).union(text.encodings).sorted { ($1.utf8.count, $0) < ($0.utf8.count, $1) }
    }

    /// Returns a text without the secrets, which may be encoded as Base64, in a URL or in JSON.
    package func redacted(_ text: String, mask: String) -> String {
        encodings.reduce(text) { $0.replacing($1, byText: mask) }
    }

    /// Returns the start of a text without the secrets, the last of which may be cut.
    package func redacted(prefix text: String, mask: String) -> String {
        let shown = redacted(text, mask: mask)
        let end = encodings.lazy.map { shown.endLength(startingLike: $0) }.max() ?? 0
        return end < String.minimumEncodingLength
            ? shown : String(decoding: shown.utf8.dropLast(end), as: UTF8.self) + mask
    }
}

extension String {
    /// The minimum length of encodings that are searched: shorter ones occur in other texts, too.
    fileprivate static var minimumEncodingLength: Int { 4 }

    /// Returns the number of bytes at the end that are the start of another text, but not all of it.
    fileprivate func endLength(startingLike other: String) -> Int {
        let (end, start) = (utf8.suffix(other.utf8.count - 1), other.utf8)
        return (0..<end.count).reversed().first { end.suffix($0 + 1).elementsEqual(start.prefix($0 + 1)) }.map {
            $0 + 1
        } ?? 0
    }

    /// The text and its encodings.
    fileprivate var encodings: Set<String> {
        let bytes = Array(utf8)
        var encodings: Set<String> = [String(JSONText.quoted(self).dropFirst().dropLast()), bytes.hexadecimal]
        encodings.insert(bytes.percentEncoded { byte, _ in !byte.isUnreserved })
        encodings.insert(bytes.percentEncoded { byte, _ in !byte.isUnreserved && byte != UInt8(ascii: "/") })
        // In Base64 of a longer text, the characters at the ends depend on the bytes around the secret.
        for shift in 0..<3 {
            let padded = [UInt8](repeating: 0, count: shift) + bytes
            let complete = Array(padded.prefix(padded.count / 3 * 3))
            let skipped = shift == 0 ? 0 : 4
            encodings.insert(String(Data(complete).base64EncodedString().dropFirst(skipped)))
            encodings.insert(String(complete.base64URLText.dropFirst(skipped)))
        }
        return encodings.filter { $0.utf8.count >= Self.minimumEncodingLength }.union([self])
    }
}
