/// Text in columns of a terminal.
extension StringProtocol {
    /// The number of columns: two for wide characters of East Asia and emoji, none for combining ones.
    package var columnCount: Int { reduce(0) { $0 + $1.columnCount } }

    /// Returns the text in a maximum number of columns; an ellipsis replaces the middle of a longer one.
    package func shortened(toColumns limit: Int, isUTF8: Bool) -> String {
        guard columnCount > limit else { return String(self) }
        let ellipsis = isUTF8 ? "…" : "..."
        let available = limit - ellipsis.columnCount
        guard available > 0 else { return String(ellipsis.prefix(Swift.max(0, limit))) }
        return fitting(self, columns: (available + 1) / 2) + ellipsis
            + String(fitting(reversed(), columns: available / 2).reversed())
    }

    /// Returns the text in a maximum number of columns; an ellipsis replaces the end of a longer one.
    package func shortenedAtEnd(toColumns limit: Int, isUTF8: Bool) -> String {
        guard columnCount > limit else { return String(self) }
        let ellipsis = isUTF8 ? "…" : "..."
        guard limit > ellipsis.columnCount else { return "" }
        return fitting(self, columns: limit - ellipsis.columnCount) + ellipsis
    }

    /// Returns the lines of the text, broken at spaces; a word that is longer than a line has its own.
    ///
    /// - Parameter first: The start of the first line.
    /// - Parameter margin: The start of every further line.
    package func wrapped(toColumns limit: Int, first: String = "", margin: String) -> [String] {
        var lines: [String] = []
        var line = first
        var (start, column) = (first.columnCount, first.columnCount)
        for word in split(separator: " ", omittingEmptySubsequences: false) {
            let length = word.columnCount
            if column > start, column + 1 + length > limit {
                lines.append(line)
                line = margin
                start = margin.columnCount
                column = start
            }
            if column > start {
                line += " "
                column += 1
            }
            line += word
            column += length
        }
        return lines + [line]
    }

    /// Returns the text, padded with trailing spaces.
    package func padded(toColumns columns: Int) -> String {
        self + String(repeating: " ", count: Swift.max(0, columns - columnCount))
    }

    /// Returns the text, padded with leading spaces.
    package func aligned(toColumns columns: Int) -> String {
        String(repeating: " ", count: Swift.max(0, columns - columnCount)) + self
    }
}

/// Returns the leading characters that fit.
private func fitting(_ characters: some Sequence<Character>, columns limit: Int) -> String {
    var text = ""
    var columns = 0
    for character in characters {
        columns += character.columnCount
        if columns > limit { break }
        text.append(character)
    }
    return text
}

extension Character {
    /// The maximum number of columns: terminals that do not join the parts of a flag, an emoji or a syllable show them side
    /// by side.
    package var columnCount: Int { unicodeScalars.reduce(0) { $0 + $1.columnCount } }
}

extension Unicode.Scalar {
    /// The number of columns, as in wcwidth(3).
    fileprivate var columnCount: Int {
        switch value {
        case 0x20..<0x300: return 1
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF,
            0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1FAFF,
            0x20000...0x3FFFD:
            return 2
        // Vowels and final consonants of Hangul, which follow another letter.
        case 0x1160...0x11FF: return 0
        default: break
        }
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: return 1
        }
    }
}

extension Unicode.Scalar {
    /// Whether the character is visible and does not affect others: not a control, format, separator, private or
    /// unassigned character, except for the joiners that emoji and several scripts need.
    package var isPlainlyVisible: Bool { isOfCommonScript || isOfVisibleCategory }

    /// Whether the character is visible by its value alone: of Latin and other common scripts, an emoji, or a joiner.
    @inline(__always)
    var isOfCommonScript: Bool {
        switch value {
        case 0x20...0x7E, 0xA1...0xAC, 0x200C, 0x200D, 0xAE...0x377, 0x400...0x52F, 0x3041...0x3096, 0x30A0...0x30FF,
            0x4E00...0x9FFF, 0xAC00...0xD7A3, 0x1F300...0x1F64F:
            true
        default: false
        }
    }

    @inline(never)
    private var isOfVisibleCategory: Bool {
        switch properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned: false
        case .lineSeparator, .paragraphSeparator, .spaceSeparator: false
        default: true
        }
    }
}
