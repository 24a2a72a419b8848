/// The characters of a file, and the position of the next one.
struct HurlReader {
    struct Cursor {
        var index = 0
        var line = 1
        var column = 1

        var position: SourcePosition { SourcePosition(line: line, column: column) }
    }

    private let characters: [Unicode.Scalar]
    var cursor = Cursor()

    /// Creates a reader of the text after a byte order mark.
    init(_ text: String) {
        let scalars = text.unicodeScalars
        characters = Array(scalars.first == "\u{FEFF}" ? scalars.dropFirst() : scalars[...])
    }

    var position: SourcePosition { cursor.position }
    var isAtEnd: Bool { cursor.index == characters.count }
    /// The next character; `nil` at the end.
    var next: Unicode.Scalar? { character(after: 0) }

    /// Returns a character after the next ones; `nil` beyond the end.
    func character(after count: Int) -> Unicode.Scalar? {
        let index = cursor.index + count
        return index < characters.count ? characters[index] : nil
    }

    /// Returns the text from a position to the current one.
    func text(from start: Cursor) -> String {
        var text = String.UnicodeScalarView()
        for character in characters[start.index..<cursor.index] { text.append(character) }
        return String(text)
    }

    func range(from start: Cursor) -> SourceRange { SourceRange(start.position, position) }

    /// Reads a character; returns `nil` at the end.
    @discardableResult
    mutating func read() -> Unicode.Scalar? {
        guard let character = next else { return nil }
        cursor.index += 1
        if character == "\n" {
            cursor.line += 1
            cursor.column = 1
        } else {
            cursor.column += 1
        }
        return character
    }

    /// Reads the characters that match.
    mutating func read(while matches: (Unicode.Scalar) -> Bool) -> String {
        let start = cursor
        while let character = next, matches(character) { read() }
        return text(from: start)
    }

    func isNext(_ literal: String) -> Bool {
        literal.unicodeScalars.enumerated().allSatisfy { character(after: $0) == $1 }
    }

    /// Skips a text; returns `false` if another one follows.
    mutating func skip(_ literal: String) -> Bool {
        guard isNext(literal) else { return false }
        for _ in literal.unicodeScalars { read() }
        return true
    }
}

extension Unicode.Scalar {
    var isBlank: Bool { self == " " || self == "\t" }
    var isJSONSpace: Bool { isBlank || self == "\n" || self == "\r" }
    var isDigit: Bool { "0"..."9" ~= self }
    var isHexDigit: Bool { isDigit || "a"..."f" ~= self || "A"..."F" ~= self }
    var isASCIILetter: Bool { "a"..."z" ~= self || "A"..."Z" ~= self }
    /// Whether the character is a letter or digit of any language.
    var isAlphanumeric: Bool {
        isASCII ? isDigit || isASCIILetter : properties.isAlphabetic || properties.numericType != nil
    }
}
