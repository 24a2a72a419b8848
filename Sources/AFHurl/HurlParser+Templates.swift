/// A set of characters that end a text, or have another meaning after a backslash.
struct HurlTextSyntax: Sendable {
    /// Whether a character without a backslash belongs to the text.
    let accepts: @Sendable (Unicode.Scalar) -> Bool
    /// The characters that mean themselves after a backslash.
    let escapes: [Unicode.Scalar]

    private static let controls: [Unicode.Scalar] = ["\\", "\u{8}", "\n", "\u{C}", "\r", "\t"]
    private static let textEscapes: [Unicode.Scalar] = ["\"", "\\", "/", "#", "`"]
    private static let filenameEnds: [Unicode.Scalar] = ["#", ";", "{", "}", " ", "\t", "\n", "\r", "\\"]

    static let value = HurlTextSyntax(
        accepts: { $0 != "#" && !controls.contains($0) }, escapes: textEscapes)
    static let quoted = HurlTextSyntax(
        accepts: { $0 != "\"" && !controls.contains($0) }, escapes: textEscapes)
    static let oneline = HurlTextSyntax(
        accepts: { $0 != "`" && !controls.contains($0) }, escapes: textEscapes)
    static let key = HurlTextSyntax(
        accepts: { $0.isAlphanumeric || "_-.[]@$".unicodeScalars.contains($0) }, escapes: ["#", ":", "\\", "/"])
    static let filename = HurlTextSyntax(
        accepts: { !filenameEnds.contains($0) }, escapes: ["\\", "#", ";", " ", "{", "}", ":"])
    static let password = HurlTextSyntax(
        accepts: { $0 != ";" && $0 != "#" && $0 != "{" && $0 != "}" && !controls.contains($0) },
        escapes: ["\\", "#", ";", " ", "{", "}", ":"])
}

/// Texts with placeholders.
extension HurlParser {
    /// Reads a value without quotes, up to the blanks before the end of the line or a comment.
    mutating func unquotedTemplate() throws(HurlSyntaxError) -> HurlTemplate {
        let start = reader.cursor
        var parts = HurlPartList()
        try appendLine(.value, to: &parts)
        return template(parts, from: start)
    }

    /// Reads characters up to the blanks before the end of the line or a comment.
    private mutating func appendLine(
        _ syntax: HurlTextSyntax, to parts: inout HurlPartList
    ) throws(HurlSyntaxError) {
        var (end, blankCount) = (reader.cursor, 0)
        while true {
            let isBlank = reader.next == " "
            guard try appendPart(syntax, to: &parts) else { break }
            blankCount = isBlank ? blankCount + 1 : 0
            if !isBlank { end = reader.cursor }
        }
        parts.removeLast(blankCount)
        reader.cursor = end
    }

    /// Reads a text in double quotes.
    mutating func quotedTemplate() throws(HurlSyntaxError) -> HurlTemplate {
        try delimitedTemplate("\"", .quoted)
    }

    /// Reads a text in backticks.
    mutating func onelineTemplate() throws(HurlSyntaxError) -> HurlTemplate {
        if reader.isNext("```") { throw otherwise("`") }
        return try delimitedTemplate("`", .oneline)
    }

    private mutating func delimitedTemplate(
        _ delimiter: String, _ syntax: HurlTextSyntax
    ) throws(HurlSyntaxError) -> HurlTemplate {
        let start = reader.cursor
        guard reader.skip(delimiter) else { throw otherwise(delimiter) }
        var parts = HurlPartList()
        while try appendPart(syntax, to: &parts) {}
        guard reader.skip(delimiter) else { throw error(.expected(delimiter)) }
        return template(parts, from: start)
    }

    /// Reads the name of a header, of an item or of a variable.
    mutating func keyTemplate() throws(HurlSyntaxError) -> HurlTemplate {
        let start = reader.cursor
        var parts = HurlPartList()
        // JSON and sections start with a bracket.
        guard reader.next != "[" else { throw otherwise("key-string") }
        while try appendPart(.key, to: &parts) {}
        guard !parts.isEmpty else { throw otherwise("key-string") }
        return template(parts, from: start)
    }

    /// Reads the path of a file.
    mutating func filenameTemplate() throws(HurlSyntaxError) -> HurlTemplate {
        let start = reader.cursor
        var parts = HurlPartList()
        while try appendPart(.filename, to: &parts) {}
        guard !parts.isEmpty else { throw HurlSyntaxError(.filename, at: start.position) }
        return template(parts, from: start)
    }

    /// Reads the path of a file, which a colon and a password may follow.
    mutating func filenameWithPassword() throws(HurlSyntaxError) -> HurlTemplate {
        let start = reader.cursor
        var parts = HurlPartList()
        while reader.next != ":", try appendPart(.filename, to: &parts) {}
        guard !parts.isEmpty else { throw HurlSyntaxError(.filename, at: start.position) }
        if reader.next == ":" { try appendLine(.password, to: &parts) }
        return template(parts, from: start)
    }

    /// Reads a text between fences, of which the opening one and its line were read.
    mutating func fencedTemplate(hasPlaceholders: Bool) throws(HurlSyntaxError) -> HurlTemplate {
        let start = reader.cursor
        var parts = HurlPartList()
        while !reader.isAtEnd, !reader.isNext("```") {
            if hasPlaceholders, let placeholder = try placeholder() {
                parts.append(placeholder)
            } else if let character = reader.read() {
                parts.append(character)
            }
        }
        let template = template(parts, from: start)
        guard reader.skip("```") else { throw error(.expected("```")) }
        return template
    }

    func template(_ parts: HurlPartList, from start: HurlReader.Cursor) -> HurlTemplate {
        HurlTemplate(parts: parts.all, source: reader.text(from: start), range: reader.range(from: start))
    }

    /// Reads a character, an escape or a placeholder; returns `false` at the end of the text.
    private mutating func appendPart(
        _ syntax: HurlTextSyntax, to parts: inout HurlPartList
    ) throws(HurlSyntaxError) -> Bool {
        if let placeholder = try placeholder() {
            parts.append(placeholder)
            return true
        }
        if reader.next == "\\" {
            parts.append(try escape(syntax.escapes))
            return true
        }
        guard let character = reader.next, syntax.accepts(character) else { return false }
        reader.read()
        parts.append(character)
        return true
    }

    private mutating func escape(_ escapes: [Unicode.Scalar]) throws(HurlSyntaxError) -> Unicode.Scalar {
        reader.read()
        let position = reader.position
        switch reader.read() {
        case "b": return "\u{8}"
        case "f": return "\u{C}"
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "u": return try bracedCharacter()
        case let character? where escapes.contains(character): return character
        default: throw HurlSyntaxError(.escape, at: position)
        }
    }

    /// Reads the hexadecimal number of a character in braces.
    private mutating func bracedCharacter() throws(HurlSyntaxError) -> Unicode.Scalar {
        guard reader.skip("{") else { throw error(.expected("{")) }
        let start = reader.position
        let digits = reader.read(while: \.isHexDigit)
        guard !digits.isEmpty else { throw HurlSyntaxError(.hexDigit, at: start) }
        guard let character = UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init) else {
            throw HurlSyntaxError(.unicode, at: start)
        }
        guard reader.skip("}") else { throw error(.expected("}")) }
        return character
    }
}

/// Placeholders.
extension HurlParser {
    /// Reads a placeholder; returns `nil` if other text follows.
    mutating func placeholder() throws(HurlSyntaxError) -> HurlPlaceholder? {
        guard reader.skip("{{") else { return nil }
        skipBlanks()
        let start = reader.cursor
        guard reader.next?.isASCIILetter == true else { throw error(.variable) }
        let name = reader.read { $0.isAlphanumeric || $0 == "_" || $0 == "-" }
        let range = reader.range(from: start)
        skipBlanks()
        guard reader.skip("}}") else { throw error(.expected("}}")) }
        return HurlPlaceholder(
            content: HurlFunction(rawValue: name).map { .function($0) } ?? .variable(name), range: range)
    }

    /// Reads a placeholder where a value may be one.
    ///
    /// - Parameter expected: The value, for the error.
    mutating func placeholder(or expected: String) throws(HurlSyntaxError) -> HurlPlaceholder {
        guard let placeholder = try placeholder() else { throw error(.expected(expected)) }
        return placeholder
    }
}

/// The parts of a text that is read.
struct HurlPartList {
    private var parts: [HurlTemplate.Part] = []
    private var text = String.UnicodeScalarView()

    var isEmpty: Bool { parts.isEmpty && text.isEmpty }
    var all: [HurlTemplate.Part] { text.isEmpty ? parts : parts + [.text(String(text))] }

    mutating func append(_ character: Unicode.Scalar) { text.append(character) }

    mutating func append(_ placeholder: HurlPlaceholder) {
        if !text.isEmpty { parts.append(.text(String(text))) }
        parts.append(.placeholder(placeholder))
        text = String.UnicodeScalarView()
    }

    /// Removes characters of the last text.
    mutating func removeLast(_ count: Int) { text.removeLast(count) }
}
