internal import AFHTTP
internal import AFJSON
internal import FoundationEssentials

/// Secrets whose texts are known, and which other texts must not repeat.
package struct KnownSecrets: Hashable, Sendable {
    /// The texts that were added.
    package private(set) var texts: Set<String> = []
    /// Whether there are more secrets than those that were added, so that no text is shown.
    package private(set) var isIncomplete = false
    /// The texts and their encodings by their first byte: a text is searched only once, however many secrets there are.
    private var encodings: [Set<[UInt8]>] = []

    /// Creates a list without secrets.
    package init() {}

    /// The maximum number of lines of a secret that are searched: the time grows with it.
    private static let lineLimit = 400

    /// Adds a secret. With one of very many lines, no text is shown.
    package mutating func add(_ text: String) {
        guard !text.isEmpty, texts.insert(text).inserted else { return }
        if text.count(where: \.isNewline) > Self.lineLimit { hideAll() }
        if isIncomplete { return }
        if encodings.isEmpty { encodings = Array(repeating: [], count: 256) }
        for encoding in text.encodings.union(text.lines).map({ Array($0.utf8) }) {
            encodings[Int(encoding[0])].insert(encoding)
        }
    }

    /// Shows no text, as there are more secrets than those that were added.
    package mutating func hideAll() { isIncomplete = true }

    /// Whether a text contains a secret.
    package func areRepeated(in text: String) -> Bool { isIncomplete || !ranges(in: Array(text.utf8)).isEmpty }

    /// Returns a text without the secrets, which may be encoded as Base64, in a URL or in JSON.
    package func redacted(_ text: String, mask: String) -> String { redacted(text, mask: mask, isCut: false) }

    /// Returns the start of a text without the secrets, the last of which may be cut.
    package func redacted(prefix text: String, mask: String) -> String { redacted(text, mask: mask, isCut: true) }

    private func redacted(_ text: String, mask: String, isCut: Bool) -> String {
        if !isIncomplete, encodings.isEmpty { return text }
        return String(decoding: redacted(Array(text.utf8), mask: mask, isCut: isCut), as: UTF8.self)
    }

    /// Returns bytes without the secrets.
    func redacted(_ bytes: [UInt8], mask: String, isCut: Bool = false) -> [UInt8] {
        if isIncomplete { return bytes.isEmpty ? bytes : Array(mask.utf8) }
        var (shown, copiedEnd) = ([UInt8](), 0)
        for range in ranges(in: bytes, isCut: isCut) {
            shown += bytes[copiedEnd..<range.lowerBound] + Array(mask.utf8)
            copiedEnd = range.upperBound
        }
        return copiedEnd == 0 ? bytes : shown + bytes[copiedEnd...]
    }

    /// The maximum depth of JSON in strings of JSON.
    private static let maximumDepth = 2

    /// Returns the ranges of the secrets in order, also of those with the escapes of JSON, which servers choose: `/`, `+` and
    /// all characters above ASCII may have one. Ranges that overlap are one.
    private func ranges(in bytes: [UInt8], isCut: Bool = false) -> [Range<Int>] {
        if encodings.isEmpty { return [] }
        var ranges = literalRanges(in: bytes, isCut: isCut)
        if bytes.contains(UInt8(ascii: "\\")) {
            var text = UnescapedText(bytes)
            for _ in 0..<Self.maximumDepth where text.resolveEscapes(isCut: isCut) {
                ranges += literalRanges(in: text.bytes, isCut: isCut).map {
                    text.offsets[$0.lowerBound]..<text.offsets[$0.upperBound]
                }
            }
        }
        ranges.sort { $0.lowerBound < $1.lowerBound }
        return ranges.reduce(into: []) { merged, range in
            if let last = merged.last, range.lowerBound < last.upperBound {
                merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                merged.append(range)
            }
        }
    }

    private func literalRanges(in bytes: [UInt8], isCut: Bool) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        for start in bytes.indices where !encodings[Int(bytes[start])].isEmpty {
            let rest = bytes[start...]
            let lengths = encodings[Int(bytes[start])].lazy.map { secret in
                if rest.starts(with: secret) { return secret.count }
                let mayBeCut = isCut && rest.count >= String.minimumEncodingLength
                return mayBeCut && secret.starts(with: rest) ? rest.count : 0
            }
            guard let length = lengths.max(), length > 0 else { continue }
            ranges.append(start..<start + length)
        }
        return ranges
    }
}

/// A text whose escapes of JSON are resolved, and where its bytes were.
private struct UnescapedText {
    private(set) var bytes: [UInt8]
    /// The offset of each byte in the original text, and that of its end.
    private(set) var offsets: [Int]

    init(_ bytes: [UInt8]) { (self.bytes, offsets) = (bytes, Array(0...bytes.count)) }

    /// Resolves the escapes; returns whether there are any. Of a cut text, the end may be the start of one.
    mutating func resolveEscapes(isCut: Bool) -> Bool {
        var resolved: (bytes: [UInt8], offsets: [Int]) = ([], [])
        var index = 0
        while index < bytes.count {
            let escape = bytes[index] == UInt8(ascii: "\\") ? JSONEscape(bytes[index...]) : nil
            if isCut, escape == .incomplete { break }
            if case .character(let character, let length)? = escape {
                for byte in String(character).utf8 {
                    resolved.bytes.append(byte)
                    resolved.offsets.append(offsets[index])
                }
                index += length
            } else {
                resolved.bytes.append(bytes[index])
                resolved.offsets.append(offsets[index])
                index += 1
            }
        }
        let hasEscapes = resolved.bytes.count < bytes.count
        resolved.offsets.append(offsets[bytes.count])
        (bytes, offsets) = resolved
        return hasEscapes
    }
}

extension String {
    /// The minimum length of encodings that are searched: shorter ones occur in other texts, too.
    fileprivate static var minimumEncodingLength: Int { 4 }

    /// The lines of a text of several lines, which logs and differences show one by one, without blanks around them.
    fileprivate var lines: Set<String> {
        guard contains(where: \.isNewline) else { return [] }
        let lines = split(whereSeparator: \.isNewline).map { String($0.trimmed) }
        let quoted = lines.map { String(JSONText.quoted($0).dropFirst().dropLast()) }
        let encoded = lines.filter { !$0.isEmpty }.flatMap { $0.octets.hexadecimals + $0.octets.percentEncodings }
        return Set((lines + quoted + encoded).filter { $0.utf8.count >= Self.minimumEncodingLength })
    }

    /// The percent-encoded text with its escapes in lower case.
    fileprivate var withLowercaseEscapes: String {
        let parts = split(separator: "%", omittingEmptySubsequences: false)
        return ([String(parts[0])] + parts.dropFirst().map { $0.prefix(2).lowercased() + $0.dropFirst(2) })
            .joined(separator: "%")
    }

    /// The text and its encodings.
    fileprivate var encodings: Set<String> {
        let bytes = Array(utf8)
        var encodings = Set([String(JSONText.quoted(self).dropFirst().dropLast())] + bytes.hexadecimals)
        encodings.formUnion(bytes.percentEncodings)
        // A text in a charset of one byte per character, which is shown as UTF-8.
        encodings.insert(String(String.UnicodeScalarView(unicodeScalars.map { $0.isASCII ? $0 : "\u{FFFD}" })))
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

extension [UInt8] {
    /// The bytes as hexadecimal numbers of either case.
    fileprivate var hexadecimals: [String] { [hexadecimal, hexadecimal.uppercased()] }

    /// The percent-encoded texts: the digits have any case (RFC 3986 §2.1), and in a form a space is a plus sign.
    fileprivate var percentEncodings: [String] {
        [false, true].flatMap { keepsSlash in
            let escaped = percentEncoded { byte, _ in
                !byte.isUnreserved && !(keepsSlash && byte == UInt8(ascii: "/"))
            }
            return [escaped, escaped.withLowercaseEscapes].flatMap { [$0, $0.replacing("%20", with: "+")] }
        }
    }
}
