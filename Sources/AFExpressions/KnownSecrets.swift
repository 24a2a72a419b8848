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

    /// Whether there are no secrets.
    package var isEmpty: Bool { texts.isEmpty && !isIncomplete }

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

    /// Returns a text without the secrets of at least a length, as shorter ones may be other parts of it.
    package func redacted(_ text: String, mask: String, minimumLength: Int) -> String {
        if isIncomplete { return text.isEmpty ? text : mask }
        let bytes = Array(text.utf8)
        let ranges = ranges(in: bytes).filter { $0.count >= minimumLength }
        return ranges.isEmpty ? text : String(decoding: Self.masked(bytes, ranges, mask), as: UTF8.self)
    }

    /// Returns the start of a text without the secrets, the last of which may be cut.
    package func redacted(prefix text: String, mask: String) -> String { redacted(text, mask: mask, isCut: true) }

    private func redacted(_ text: String, mask: String, isCut: Bool) -> String {
        if !isIncomplete, encodings.isEmpty { return text }
        return String(decoding: redacted(Array(text.utf8), mask: mask, isCut: isCut), as: UTF8.self)
    }

    /// Returns bytes without the secrets.
    func redacted(_ bytes: [UInt8], mask: String, isCut: Bool = false) -> [UInt8] {
        if isIncomplete { return bytes.isEmpty ? bytes : Array(mask.utf8) }
        return Self.masked(bytes, ranges(in: bytes, isCut: isCut), mask)
    }

    private static func masked(_ bytes: [UInt8], _ ranges: [Range<Int>], _ mask: String) -> [UInt8] {
        var (shown, copiedEnd) = ([UInt8](), 0)
        for range in ranges {
            shown += bytes[copiedEnd..<range.lowerBound] + Array(mask.utf8)
            copiedEnd = range.upperBound
        }
        return copiedEnd == 0 ? bytes : shown + bytes[copiedEnd...]
    }

    /// The maximum depth of JSON in strings of JSON, and of URLs in URLs.
    private static let maximumDepth = 2

    /// Returns the ranges of the secrets in order, also of those with the escapes of JSON, HTML or URLs, which servers
    /// choose: all characters may have one. Ranges that overlap are one.
    ///
    /// - Parameter isCut: Whether the last secret may be cut.
    package func ranges(in bytes: [UInt8], isCut: Bool = false) -> [Range<Int>] {
        if encodings.isEmpty { return [] }
        var ranges = literalRanges(in: bytes, isCut: isCut)
        let hasEscapes = UnescapedText.Syntax.allCases.contains { bytes.contains($0.mark) }
        var text = UnescapedText(hasEscapes ? bytes : [])
        // The mark of a syntax may be an escape of the one before it.
        for syntax in UnescapedText.Syntax.allCases where text.bytes.contains(syntax.mark) {
            for _ in 0..<Self.maximumDepth where text.resolveEscapes(of: syntax, isCut: isCut) {
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

/// A text whose escapes are resolved, and where its bytes were.
private struct UnescapedText {
    /// The syntax of escapes.
    enum Syntax: CaseIterable {
        /// That of JSON, and `\xHH` of other languages.
        case json
        case html
        /// That of URLs (RFC 3986 §2.1).
        case percent

        /// The byte that starts an escape.
        var mark: UInt8 {
            switch self {
            case .json: UInt8(ascii: "\\")
            case .html: UInt8(ascii: "&")
            case .percent: UInt8(ascii: "%")
            }
        }

        /// Reads the escape at the start; returns `nil` if there is none, and a length of 0 if it is incomplete.
        func read(_ bytes: ArraySlice<UInt8>) -> (bytes: [UInt8], length: Int)? {
            switch self {
            case .json:
                switch JSONEscape(bytes) {
                case .character(let character, let length): return (Array(String(character).utf8), length)
                case .incomplete: return ([], 0)
                default:
                    let rest = bytes.dropFirst()
                    if rest.first == UInt8(ascii: "'") { return ([UInt8(ascii: "'")], 2) }
                    return rest.first == UInt8(ascii: "x") ? Self.number(rest.dropFirst(), start: 2) : nil
                }
            case .html:
                let rest = bytes.dropFirst()
                if rest.first == UInt8(ascii: "#"), let (characters, length) = HTMLReference.decode(rest) {
                    let mayContinue = length == rest.count && rest.last != UInt8(ascii: ";")
                    return mayContinue ? ([], 0) : (Array(characters.utf8), length + 1)
                }
                for (name, character) in Self.references where rest.starts(with: name.utf8) {
                    return ([character], name.utf8.count + 1)
                }
                let isComplete = rest.count > 6 || rest.contains { !$0.isASCIILetter && $0 != UInt8(ascii: "#") }
                return isComplete ? nil : ([], 0)
            case .percent: return Self.number(bytes.dropFirst(), start: 1)
            }
        }

        /// The references of characters that have one in most texts.
        private static let references: [(name: String, character: UInt8)] = [
            ("amp;", UInt8(ascii: "&")), ("lt;", UInt8(ascii: "<")), ("gt;", UInt8(ascii: ">")),
            ("quot;", UInt8(ascii: "\"")), ("apos;", UInt8(ascii: "'")), ("plus;", UInt8(ascii: "+")),
            ("equals;", UInt8(ascii: "=")), ("sol;", UInt8(ascii: "/")),
        ]

        /// Reads two hexadecimal digits after the start of an escape.
        private static func number(_ bytes: ArraySlice<UInt8>, start: Int) -> (bytes: [UInt8], length: Int)? {
            let digits = bytes.prefix(2)
            if digits.isEmpty { return ([], 0) }
            guard let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16) else { return nil }
            return digits.count == 2 ? ([value], start + 2) : ([], 0)
        }
    }

    private(set) var bytes: [UInt8]
    /// The offset of each byte in the original text, and that of its end.
    private(set) var offsets: [Int]

    init(_ bytes: [UInt8]) { (self.bytes, offsets) = (bytes, Array(0...bytes.count)) }

    /// Resolves the escapes; returns whether there are any. Of a cut text, the end may be the start of one.
    mutating func resolveEscapes(of syntax: Syntax, isCut: Bool) -> Bool {
        var resolved: (bytes: [UInt8], offsets: [Int]) = ([], [])
        var index = 0
        while index < bytes.count {
            let escape = bytes[index] == syntax.mark ? syntax.read(bytes[index...]) : nil
            if isCut, escape?.length == 0 { break }
            if let escape, escape.length > 0 {
                resolved.bytes += escape.bytes
                resolved.offsets += escape.bytes.map { _ in offsets[index] }
                index += escape.length
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
        let encoded = lines.filter { !$0.isEmpty }.flatMap { $0.octets.hexadecimals + [$0.withPlusSigns] }
        return Set((lines + quoted + encoded).filter { $0.utf8.count >= Self.minimumEncodingLength })
    }

    /// The text with its spaces as in a form, whose other escapes are those of URLs.
    fileprivate var withPlusSigns: String { replacing(" ", with: "+") }

    /// The text and its encodings.
    fileprivate var encodings: Set<String> {
        let bytes = Array(utf8)
        var encodings = Set([String(JSONText.quoted(self).dropFirst().dropLast())] + bytes.hexadecimals)
        encodings.insert(withPlusSigns)
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
}
