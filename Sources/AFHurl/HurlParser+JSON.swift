/// JSON with placeholders.
///
/// The JSON grammar of AFJSON reads bytes of complete documents; this one has placeholders in strings and in place of
/// values, and Hurl's errors. It keeps the text as written, and reads no values.
extension HurlParser {
    mutating func json() throws(HurlSyntaxError) -> HurlJSON {
        var text = JSONParts(start: reader.cursor)
        try jsonValue(&text)
        text.append(from: reader)
        return HurlJSON(parts: text.parts)
    }

    /// The parts of JSON that were read, and the start of the next text.
    private struct JSONParts {
        var parts: [HurlJSON.Part] = []
        var start: HurlReader.Cursor

        /// Appends the text up to the current position.
        mutating func append(from reader: HurlReader) {
            let text = reader.text(from: start)
            if !text.isEmpty { parts.append(.text(text)) }
        }
    }

    /// Reads a placeholder; returns `false` if other text follows.
    private mutating func jsonPlaceholder(_ text: inout JSONParts, isInString: Bool) throws(HurlSyntaxError) -> Bool {
        let before = reader
        guard let placeholder = try placeholder() else { return false }
        text.append(from: before)
        text.parts.append(.placeholder(placeholder, isInString: isInString))
        text.start = reader.cursor
        return true
    }

    private mutating func jsonValue(_ text: inout JSONParts) throws(HurlSyntaxError) {
        if try jsonPlaceholder(&text, isInString: false) { return }
        switch reader.next {
        case "\""?: try jsonString(&text)
        case "{"?: try jsonContainer(&text, closer: "}")
        case "["?: try jsonContainer(&text, closer: "]")
        default:
            if skipWord("null") || boolean() != nil { return }
            guard try number() != nil else { throw error(.jsonElement, isRecoverable: true) }
        }
    }

    private mutating func jsonString(_ text: inout JSONParts) throws(HurlSyntaxError) {
        guard reader.skip("\"") else { throw error(.expected("\"")) }
        while reader.next != "\"" {
            if try jsonPlaceholder(&text, isInString: true) { continue }
            guard let character = reader.next, character.value >= 0x20 else { throw error(.expected("\"")) }
            reader.read()
            if character == "\\" { try jsonEscape() }
        }
        reader.read()
    }

    private mutating func jsonEscape() throws(HurlSyntaxError) {
        let position = reader.position
        switch reader.read() {
        case "\"", "\\", "/", "b", "f", "n", "r", "t": return
        case "u":
            let first = try codeUnit()
            guard UTF16.isTrailSurrogate(first) || UTF16.isLeadSurrogate(first) else { return }
            guard UTF16.isLeadSurrogate(first), reader.skip("\\u"), UTF16.isTrailSurrogate(try codeUnit()) else {
                throw HurlSyntaxError(.unicode, at: position)
            }
        default: throw HurlSyntaxError(.escape, at: position)
        }
    }

    /// Reads four hexadecimal digits.
    private mutating func codeUnit() throws(HurlSyntaxError) -> UInt16 {
        let start = reader.cursor
        for _ in 0..<4 {
            guard reader.next?.isHexDigit == true else { throw error(.hexDigit) }
            reader.read()
        }
        return UInt16(reader.text(from: start), radix: 16) ?? 0
    }

    /// Reads an object or an array.
    private mutating func jsonContainer(_ text: inout JSONParts, closer: Unicode.Scalar) throws(HurlSyntaxError) {
        guard depth < Self.maximumDepth else { throw error(.nesting) }
        depth += 1
        reader.read()
        skipJSONSpace()
        if reader.next != closer {
            try jsonElement(&text, isMember: closer == "}")
            while reader.next == "," {
                let comma = reader.position
                reader.read()
                skipJSONSpace()
                if reader.next == closer { throw HurlSyntaxError(.jsonTrailingComma, at: comma) }
                if reader.next == "," { throw error(.jsonEmptyElement) }
                try jsonElement(&text, isMember: closer == "}")
            }
        }
        guard reader.next == closer else { throw error(.expected(String(closer))) }
        reader.read()
        depth -= 1
    }

    /// Reads an element or a member, and the space after it.
    private mutating func jsonElement(_ text: inout JSONParts, isMember: Bool) throws(HurlSyntaxError) {
        if isMember {
            try jsonString(&text)
            skipJSONSpace()
            guard reader.skip(":") else { throw error(.expected(":")) }
            skipJSONSpace()
        }
        do throws(HurlSyntaxError) {
            try jsonValue(&text)
        } catch {
            throw HurlSyntaxError(error.kind, at: error.position)
        }
        skipJSONSpace()
    }

    private mutating func skipJSONSpace() { _ = reader.read(while: \.isJSONSpace) }
}
