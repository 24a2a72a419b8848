internal import AFHTTP

/// Bodies of requests and responses.
extension HurlParser {
    mutating func body() throws(HurlSyntaxError) -> HurlBody {
        skipLines()
        skipBlanks()
        let start = reader.cursor
        let content = try bodyContent()
        let range = reader.range(from: start)
        let valueRange = valueRange(of: content, from: start)
        try endLine()
        return HurlBody(content: content, range: range, valueRange: valueRange)
    }

    /// Returns the part of a body that was read between its prefix and its semicolon; `nil` if it has none.
    private func valueRange(of content: HurlBody.Content, from start: HurlReader.Cursor) -> SourceRange? {
        switch content {
        case .file(let path): return path.range
        case .base64, .hex: break
        default: return nil
        }
        var body = reader
        body.cursor = start
        _ = body.read { $0 != "," }
        body.read()
        _ = body.read(while: \.isJSONSpace)
        let value = body.cursor
        var end = value
        while body.cursor.index + 1 < reader.cursor.index {
            guard body.read()?.isJSONSpace == false else { continue }
            end = body.cursor
        }
        return SourceRange(value.position, end.position)
    }

    private mutating func bodyContent() throws(HurlSyntaxError) -> HurlBody.Content {
        switch reader.next {
        case "<"?: return .xml(try xml())
        case "`"?:
            if let text = try multiline() { return .multiline(text) }
            return .oneline(try onelineTemplate())
        default: break
        }
        if reader.isNext("file,") { return .file(try filePath()) }
        if let bytes = try base64Bytes() { return .base64(bytes) }
        if let bytes = try hexBytes() { return .hex(bytes) }
        return .json(try json())
    }

    /// Reads `file,PATH;`.
    mutating func filePath() throws(HurlSyntaxError) -> HurlTemplate {
        guard reader.skip("file,") else { throw otherwise("file,") }
        skipBlanks()
        let path = try filenameTemplate()
        skipBlanks()
        guard reader.skip(";") else { throw error(.expected(";")) }
        return path
    }

    /// Reads `hex,DIGITS;`; returns `nil` if other text follows.
    mutating func hexBytes() throws(HurlSyntaxError) -> [UInt8]? {
        guard reader.skip("hex,") else { return nil }
        skipBlanks()
        let start = reader.position
        let digits = reader.read(while: \.isHexDigit).utf8.compactMap(\.hexadecimalValue)
        skipBlanks()
        guard reader.next == ";" else { throw error(digits.isEmpty ? .hexDigit : .expected(";")) }
        guard digits.count.isMultiple(of: 2) else { throw HurlSyntaxError(.oddHexDigits, at: start) }
        reader.read()
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }

    /// Reads `base64,TEXT;`, which may have white space and no padding; returns `nil` if other text follows.
    mutating func base64Bytes() throws(HurlSyntaxError) -> [UInt8]? {
        guard reader.skip("base64,") else { return nil }
        let text = reader.read {
            $0.isAlphanumeric && $0.isASCII || $0.isJSONSpace || "+/=".unicodeScalars.contains($0)
        }
        guard reader.next == ";", let bytes = [UInt8](base64: text.unicodeScalars.filter { !$0.isJSONSpace }) else {
            throw error(.expected(";"))
        }
        reader.read()
        return bytes
    }

    /// Reads a text between fences; returns `nil` if no fence follows.
    mutating func multiline() throws(HurlSyntaxError) -> HurlMultilineText? {
        guard reader.skip("```") else { return nil }
        let start = reader.position
        let word = reader.read { $0 != "\n" && $0 != "\r" && $0 != "`" }
        let hint = word.filter { $0 != " " && $0 != "\t" }
        let language = HurlMultilineText.Language(rawValue: hint)
        guard hint.isEmpty || language != nil && word.hasPrefix(hint) else {
            throw HurlSyntaxError(.languageHint(word), at: start)
        }
        guard reader.skip("\n") || reader.skip("\r\n") else { throw error(.expected("newline")) }
        if language == .graphql { return try graphQL() }
        let text = try fencedTemplate(hasPlaceholders: language != .raw)
        return HurlMultilineText(language: language, text: text, variables: nil)
    }

    /// Reads a query, and its variables after a line that starts with `variables`.
    private mutating func graphQL() throws(HurlSyntaxError) -> HurlMultilineText {
        let start = reader.cursor
        var parts = HurlPartList()
        var text: HurlTemplate?
        var variables: HurlJSON?
        while variables == nil, !reader.isAtEnd, !reader.isNext("```") {
            if reader.position.column == 1, reader.isNext("variables") {
                text = template(parts, from: start)
                variables = try graphQLVariables()
            } else if let placeholder = try placeholder() {
                parts.append(placeholder)
            } else if let character = reader.read() {
                parts.append(character)
            }
        }
        let query = text ?? template(parts, from: start)
        guard reader.skip("```") else { throw error(.expected("```")) }
        return HurlMultilineText(language: .graphql, text: query, variables: variables)
    }

    private mutating func graphQLVariables() throws(HurlSyntaxError) -> HurlJSON {
        _ = reader.skip("variables")
        skipBlanks()
        let start = reader.position
        guard reader.next == "{", !reader.isNext("{{"), let variables = try? json() else {
            throw HurlSyntaxError(.graphQLVariables, at: start)
        }
        _ = reader.read(while: \.isJSONSpace)
        return variables
    }
}

extension [UInt8] {
    /// Decodes text without white space, whose padding may be missing; returns `nil` if it is not Base64.
    ///
    /// - Parameter isURLSafe: Whether the alphabet is that of URLs, which needs no padding.
    package init?(base64 text: some Sequence<Unicode.Scalar>, isURLSafe: Bool = false) {
        var bytes: [UInt8] = []
        var (bits, count, padding): (UInt32, Int, Int) = (0, 0, 0)
        for character in text {
            if character == "=" {
                padding += 1
                continue
            }
            guard padding == 0, let value = character.base64Value(isURLSafe: isURLSafe) else { return nil }
            bits = bits << 6 | value
            count += 1
            if count.isMultiple(of: 4) {
                bytes += [UInt8(truncatingIfNeeded: bits >> 16), UInt8(truncatingIfNeeded: bits >> 8)]
                bytes.append(UInt8(truncatingIfNeeded: bits))
            }
        }
        guard padding < 3, padding == 0 || (count + padding).isMultiple(of: 4) else { return nil }
        switch count % 4 {
        case 0: break
        case 2 where bits & 0xF == 0: bytes.append(UInt8(truncatingIfNeeded: bits >> 4))
        case 3 where bits & 0x3 == 0:
            bytes += [UInt8(truncatingIfNeeded: bits >> 10), UInt8(truncatingIfNeeded: bits >> 2)]
        default: return nil
        }
        self = bytes
    }
}

extension Unicode.Scalar {
    fileprivate func base64Value(isURLSafe: Bool) -> UInt32? {
        switch self {
        case "A"..."Z": value - 65
        case "a"..."z": value - 71
        case "0"..."9": value + 4
        case "+" where !isURLSafe, "-" where isURLSafe: 62
        case "/" where !isURLSafe, "_" where isURLSafe: 63
        default: nil
        }
    }
}
