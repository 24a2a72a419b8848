/// A part of a line, which knows its position.
struct EditorText {
    /// The characters; their indices are those in the line.
    let characters: ArraySlice<Unicode.Scalar>
    /// The number of the line, from 1.
    let line: Int

    var isEmpty: Bool { characters.isEmpty }
    var string: String { String(String.UnicodeScalarView(characters)) }
    var range: SourceRange { range(characters.startIndex, characters.endIndex) }

    func range(_ start: Int, _ end: Int) -> SourceRange {
        SourceRange(SourcePosition(line: line, column: start + 1), SourcePosition(line: line, column: end + 1))
    }

    /// The text without the blanks around it.
    var trimmed: EditorText {
        let start = characters.firstIndex { !$0.isBlank } ?? characters.endIndex
        let end = characters.lastIndex { !$0.isBlank }.map { $0 + 1 } ?? start
        return part(start..<end)
    }

    func part(_ range: Range<Int>) -> EditorText { EditorText(characters: characters[range], line: line) }

    func hasPrefix(_ prefix: String) -> Bool { characters.starts(with: prefix.unicodeScalars) }

    func dropFirst(_ count: Int) -> EditorText { EditorText(characters: characters.dropFirst(count), line: line) }

    /// The characters before the first one that matches, and those from it on.
    func split(where isEnd: (Unicode.Scalar) -> Bool) -> (head: EditorText, rest: EditorText) {
        let index = characters.firstIndex(where: isEnd) ?? characters.endIndex
        return (part(characters.startIndex..<index), part(index..<characters.endIndex))
    }

    /// The first word, and the text after the blanks behind it.
    var firstWord: (word: EditorText, rest: EditorText) {
        let (head, rest) = split(where: \.isBlank)
        return (head, rest.trimmed)
    }

    /// The index of a text from an index on; `nil` if the text does not occur.
    func firstIndex(of text: String, from start: Int) -> Int? {
        let scalars = Array(text.unicodeScalars)
        guard characters.endIndex - scalars.count >= start else { return nil }
        return (start...characters.endIndex - scalars.count).first { characters[$0...].starts(with: scalars) }
    }
}

extension EditorText {
    /// Returns the lines of a file without their ends.
    static func lines(of text: String) -> [EditorText] {
        let scalars =
            text.unicodeScalars.first == "\u{FEFF}" ? text.unicodeScalars.dropFirst() : text.unicodeScalars[...]
        return scalars.split(separator: "\n", omittingEmptySubsequences: false).enumerated().map { index, line in
            let characters = Array(line.last == "\r" ? line.dropLast() : line)
            return EditorText(characters: characters[...], line: index + 1)
        }
    }
}

extension Unicode.Scalar {
    /// Whether names of requests and variables may have the character.
    var isEditorName: Bool { isAlphanumeric || self == "_" || self == "-" }
}
