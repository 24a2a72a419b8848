internal import AFHTTP

/// Masks the values of secrets in a response of unknown syntax, such as a log line, HTML or XML.
///
/// Names and all other text stay, because they explain a failure. A value ends where most syntaxes end it; in doubt, more
/// is masked.
struct TextRedaction {
    /// Returns the text with secrets replaced.
    ///
    /// - Parameters:
    ///   - isJSON: Whether quotes end strings with escapes.
    ///   - known: Returns the ranges of known secrets, whose ends may be others.
    static func masked(_ text: String, isJSON: Bool = false, known: ([UInt8]) -> [Range<Int>] = { _ in [] }) -> String {
        let bytes = Array(text.utf8)
        var redaction = Self(bytes, isJSON: isJSON)
        redaction.scan()
        redaction.ranges += known(bytes)
        var (shown, copiedEnd) = ([UInt8](), 0)
        for range in redaction.ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if range.lowerBound >= copiedEnd {
                shown += bytes[copiedEnd..<range.lowerBound] + Array(Redaction.mask.utf8)
            }
            copiedEnd = max(copiedEnd, range.upperBound)
        }
        return copiedEnd == 0 ? text : String(decoding: shown + bytes[copiedEnd...], as: UTF8.self)
    }

    private let bytes: [UInt8]
    private let isJSON: Bool
    private let names = SecretNames()
    /// The secrets, which may overlap.
    private var ranges: [Range<Int>] = []
    /// The last secret value and the contents of the last secret element. They are not examined further, so that the time
    /// is linear.
    private var (lastValue, lastElement) = (0..<0, 0..<0)
    /// The end of the last URL, and of the last tag.
    private var (urlEnd, tagEnd) = (0, 0)
    /// The number of elements without an end tag: a text with several is not XML.
    private var openElements = 0
    private static let maximumOpenElements = 8
    /// The end of the bytes in which a value ends.
    private var limit: Int

    private init(_ bytes: [UInt8], isJSON: Bool) { (self.bytes, self.isJSON, limit) = (bytes, isJSON, bytes.count) }

    private mutating func scan() {
        var position = 0
        while position < bytes.count {
            if let masked = [lastValue, lastElement].first(where: { $0.contains(position) }) {
                position = masked.upperBound
                continue
            }
            if starts("://", at: position) || starts(":\\/\\/", at: position) { maskURL(at: position) }
            if bytes[position] == UInt8(ascii: "<"), position >= tagEnd { maskElement(at: position) }
            guard bytes[position].isOfName else {
                position += 1
                continue
            }
            let name = position..<end(from: position) { $0.isOfName }
            maskCredentials(after: name)
            if let separator = separator(after: name) {
                lastValue = maskValue(of: name) { $0.value(of: name, after: separator) } ?? lastValue
            }
            position = name.upperBound
        }
    }

    /// Masks the value of a name if it is a secret, and returns it.
    private mutating func maskValue(of name: Range<Int>, _ value: (Self) -> Range<Int>?) -> Range<Int>? {
        guard names.contains(text(name)) else { return nil }
        let isInQuery = name.lowerBound > 0 && "?&".utf8.contains(bytes[name.lowerBound - 1])
        if !isInQuery, names.areCommon(text(name)) {
            limit = min(limit, name.upperBound + 300)
            defer { limit = bytes.count }
            guard let start = value(self), SecretNames.isOpaque(text(start)) else { return nil }
        }
        guard let value = value(self), !value.isEmpty else { return nil }
        ranges.append(value)
        return value
    }

    private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    private func starts(_ text: String, at position: Int) -> Bool { bytes[position...].starts(with: text.utf8) }

    /// Returns the end of the bytes that match.
    private func end(from start: Int, while matches: (UInt8) -> Bool) -> Int {
        bytes[start..<limit].firstIndex { !matches($0) } ?? limit
    }

    private mutating func mask(_ range: Range<Int>) {
        if !range.isEmpty { ranges.append(range) }
    }

    private func isSecret(_ name: Range<Int>, _ value: Range<Int>) -> Bool {
        names.containInResponse(text(name), value: text(value))
    }
}

/// URLs, credentials and elements.
extension TextRedaction {
    /// Masks the user info and the secrets of a URL.
    private mutating func maskURL(at separator: Int) {
        let start = separator + (starts("://", at: separator) ? 3 : 5)
        let authority = start..<((start..<limit).first { isEndOfURL($0) || "/?#\\".utf8.contains(bytes[$0]) } ?? limit)
        if let at = bytes[authority].lastIndex(of: UInt8(ascii: "@")) { mask(start..<at) }
        // The query of a URL in this one is a part of its query.
        guard start >= urlEnd else { return }
        urlEnd = (start..<limit).first { isEndOfURL($0) } ?? limit
        ranges += QueryRedaction().secrets(inURL: bytes[start..<urlEnd])
    }

    private func isEndOfURL(_ index: Int) -> Bool {
        let byte = bytes[index]
        if byte == UInt8(ascii: "\\") { return !starts("\\/", at: index) }
        return byte.isSpacing || "\"'<>`".utf8.contains(byte)
    }

    /// Masks a JSON web token, and the word after the scheme of credentials: `Bearer x`. A word such as `realm` is a
    /// parameter of a challenge.
    private mutating func maskCredentials(after name: Range<Int>) {
        if starts("eyJ", at: name.lowerBound), name.count >= 10 { mask(name) }
        guard ["basic", "bearer", "digest", "dpop", "negotiate", "token"].contains(text(name).lowercased()),
            case let start = end(from: name.upperBound, while: { $0 == 0x20 }), start > name.upperBound
        else { return }
        let value = start..<end(from: start) { $0.isOfName || "~+/=".utf8.contains($0) }
        // "Unexpected token 1" is no credential.
        let hasDigit = bytes[value].contains(where: \.isASCIIDigit) && (name.count != 5 || value.count >= 8)
        let isUppercase = { (byte: UInt8) in byte.isASCIILetter && byte != byte.asciiLowercased }
        let isMixed =
            bytes[value].dropFirst().contains(where: isUppercase)
            && bytes[value].contains { $0.isASCIILetter && !isUppercase($0) }
        let isParameter = bytes[value].dropLast().contains(UInt8(ascii: "=")) && bytes[value].last != UInt8(ascii: "=")
        if !isParameter, hasDigit || isMixed || value.count >= 16 { mask(value) }
    }

    /// Masks the contents of an element with a secret name, and the value of an attribute such as
    /// `<input name="password" value="x">`.
    private mutating func maskElement(at start: Int) {
        guard start + 1 < bytes.count, bytes[start + 1].isASCIILetter else { return }
        let nameEnd = end(from: start + 1) { $0.isOfName || $0 == UInt8(ascii: ":") }
        let name = (bytes[start + 1..<nameEnd].lastIndex(of: UInt8(ascii: ":")).map { $0 + 1 } ?? start + 1)..<nameEnd
        let attributes: [(name: String, value: Range<Int>)]
        (attributes, tagEnd) = self.attributes(from: nameEnd)
        let names = attributes.filter { ["name", "id", "key", "property", "type"].contains($0.name) }
        for attribute in attributes where ["value", "content"].contains(attribute.name) {
            if names.contains(where: { isSecret($0.value, attribute.value) }) { mask(attribute.value) }
        }
        guard tagEnd < bytes.count, bytes[tagEnd] == UInt8(ascii: ">"), bytes[tagEnd - 1] != UInt8(ascii: "/") else {
            return
        }
        guard self.names.contains(text(name)) else { return }
        let end = endTag(of: bytes[start + 1..<nameEnd], from: tagEnd + 1)
        if end == nil { openElements += 1 }
        lastElement = maskValue(of: name) { $0.contents(from: $0.tagEnd + 1, to: end) } ?? lastElement
    }

    /// Returns the position of the end tag; `nil` if the element is not closed.
    private func endTag(of name: ArraySlice<UInt8>, from start: Int) -> Int? {
        guard openElements < Self.maximumOpenElements else { return nil }
        let tag = Array("</".utf8) + name
        return (start..<limit).first { bytes[$0] == UInt8(ascii: "<") && bytes[$0...].starts(with: tag) }
    }

    /// Returns the contents up to the end tag; the rest of the line if there is none, as the text may be no XML.
    private func contents(from start: Int, to end: Int?) -> Range<Int>? {
        guard start <= limit else { return nil }
        return start..<min(limit, end ?? self.end(from: start) { !$0.isLineEnd })
    }

    /// Returns the attributes of a tag, with names in lower case, and the position of its last character.
    private func attributes(from start: Int) -> (list: [(name: String, value: Range<Int>)], end: Int) {
        var list: [(name: String, value: Range<Int>)] = []
        var position = start
        while position < bytes.count, !"<>".utf8.contains(bytes[position]) {
            guard bytes[position].isOfName else {
                position += 1
                continue
            }
            let name = position..<end(from: position) { $0.isOfName }
            position = name.upperBound
            let equals = end(from: position, while: \.isSpacing)
            guard equals < bytes.count, bytes[equals] == UInt8(ascii: "=") else { continue }
            let first = end(from: equals + 1, while: \.isSpacing)
            guard first < bytes.count else { break }
            let quote = bytes[first]
            let isQuoted = "\"'".utf8.contains(quote)
            let value =
                isQuoted
                ? first + 1..<end(from: first + 1) { $0 != quote }
                : first..<end(from: first) { !$0.isSpacing && !"<>".utf8.contains($0) }
            list.append((text(name).lowercased(), value))
            position = value.upperBound + (isQuoted && value.upperBound < bytes.count ? 1 : 0)
        }
        return (list, position)
    }
}

/// Values after names.
extension TextRedaction {
    /// The values of these names may contain spaces.
    private static let phrases = [
        "authorization", "cookie", "credentials", "pass", "passphrase", "passwd", "password", "pwd", "secret",
    ]

    /// Returns the position of the colon or the equals sign after a name; `nil` if neither follows.
    private func separator(after name: Range<Int>) -> Int? {
        let separator = end(from: name.upperBound) { "\"'\\] \t".utf8.contains($0) }
        let isJoined = starts("::", at: separator) || starts("://", at: separator)
        return separator < limit && ":=".utf8.contains(bytes[separator]) && !isJoined ? separator : nil
    }

    /// Returns the value after a name and its separator; `nil` if no value follows.
    private func value(of name: Range<Int>, after separator: Int) -> Range<Int>? {
        let operatorEnd = end(from: separator) { ":=>".utf8.contains($0) }
        var start = end(from: operatorEnd) { $0 == 0x20 || $0 == 0x09 }
        if start < limit, bytes[start].isLineEnd {
            // Only a string is the value on the next line.
            start = end(from: start, while: \.isSpacing)
            guard start < limit, bytes[start].isQuote else { return nil }
        }
        guard start < limit else { return nil }
        if bytes[start].isQuote {
            // The end of the string that contains the name.
            if isJSON, !bytes[name.upperBound..<separator].contains(bytes[start]) { return nil }
            return quoted(from: start + 1, by: bytes[start...start])
        }
        if starts("\\\"", at: start), start + 2 <= limit {
            return quoted(from: start + 2, by: bytes[start...start + 1])
        }
        if "[{(".utf8.contains(bytes[start]) {
            return names.areCommon(text(name)) ? nil : bracketed(from: start)
        }
        let isAfterColon = bytes[separator] == UInt8(ascii: ":")
        return unquoted(from: start, of: name, isAfterColon: isAfterColon)
    }

    /// Returns the rest of a string; of the line, if its quote is missing.
    private func quoted(from start: Int, by quote: ArraySlice<UInt8>) -> Range<Int> {
        var position = start
        while position < limit, !bytes[position].isLineEnd {
            if bytes[position...].starts(with: quote) { break }
            position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        return start..<min(position, limit)
    }

    /// Returns an array or an object; all that follows, if its last bracket is missing.
    private func bracketed(from start: Int) -> Range<Int> {
        var depth = 0
        for position in start..<limit {
            if "[{(".utf8.contains(bytes[position]) { depth += 1 }
            if "]})".utf8.contains(bytes[position]) { depth -= 1 }
            if depth == 0 { return start..<position + 1 }
        }
        return start..<limit
    }

    private func unquoted(from start: Int, of name: Range<Int>, isAfterColon: Bool) -> Range<Int>? {
        let word = start..<((start..<limit).first { isEndOfWord($0) } ?? limit)
        guard isAfterColon else { return word }
        let last = text(name).lowercased()
        let isPhrase = Self.phrases.contains(where: last.hasSuffix)
        let isField = last.hasSuffix("authorization") || last.hasSuffix("cookie")
        if isField || isPhrase && isAtStartOfLine(name.lowerBound) {
            return start..<end(from: start) { !$0.isLineEnd && !(isJSON && $0 == UInt8(ascii: "\"")) }
        }
        return !isPhrase && isProse(word) ? nil : word
    }

    /// Whether a word and the next one are of a sentence: `invalid token: signature mismatch`.
    private func isProse(_ word: Range<Int>) -> Bool {
        func isWord(_ range: Range<Int>) -> Bool {
            !range.isEmpty && range.count < 16
                && bytes[range].allSatisfy { $0.isASCIILetter && $0 == $0.asciiLowercased }
        }
        guard isWord(word), word.upperBound < limit, bytes[word.upperBound] == 0x20 else { return false }
        let next = word.upperBound + 1
        return isWord(next..<end(from: next, while: \.isASCIILetter))
    }

    private func isEndOfWord(_ index: Int) -> Bool {
        let byte = bytes[index]
        if byte.isSpacing || byte.isQuote || "<>&;".utf8.contains(byte) { return true }
        if byte == UInt8(ascii: "\\") { return isJSON || starts("\\\"", at: index) }
        guard ",)]}".utf8.contains(byte) else { return false }
        return index + 1 == limit || bytes[index + 1].isSpacing || bytes[index + 1].isQuote
    }

    private func isAtStartOfLine(_ index: Int) -> Bool {
        let before = bytes[..<index].last { !(" \t\"'-".utf8.contains($0)) }
        return before.map(\.isLineEnd) ?? true
    }
}

extension UInt8 {
    fileprivate var isLineEnd: Bool { self == 0x0A || self == 0x0D }
    fileprivate var isQuote: Bool { self == UInt8(ascii: "\"") || self == UInt8(ascii: "'") }
}
