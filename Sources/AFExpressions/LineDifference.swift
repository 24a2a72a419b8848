/// The first difference of two texts, in complete lines: those that one text has and the other one does not.
package struct LineDifference: Equatable, Sendable {
    /// The maximum number of lines that are shown of each text.
    private static let limit = 100
    /// The maximum size of the table for the longest common subsequence. Texts with more lines differ up to their ends.
    private static let maximumTableSize = 1 << 22

    /// The number of lines of the expected text before the one to which the difference belongs: the first expected line
    /// of it, or the line after which the actual text has more.
    package var line: Int
    /// The expected lines that differ.
    package let expected: [String]
    /// The actual lines that differ.
    package let actual: [String]

    init(expected: String, actual: String) {
        let (first, second) = (Self.lines(expected), Self.lines(actual))
        let start = zip(first, second).prefix { $0 == $1 }.count
        let (firstEnd, secondEnd) = Self.end(of: first, second, from: start)
        let (removed, added) = (first[start..<firstEnd], second[start..<secondEnd])
        line = removed.isEmpty ? max(start - 1, 0) : start
        // If only one of the last lines has a line feed, an empty line shows it.
        let ends = [removed, added].compactMap(\.last).map { $0.last == Self.lineFeed }
        let showsEnd = Set(ends).count == 2
        (self.expected, self.actual) = (
            Self.texts(removed, showsEnd: showsEnd), Self.texts(added, showsEnd: showsEnd)
        )
    }

    private static let lineFeed = UInt8(ascii: "\n")

    /// Returns the lines of a text with their line feeds.
    private static func lines(_ text: String) -> [ArraySlice<UInt8>] {
        var rest = Array(text.utf8)[...]
        var lines: [ArraySlice<UInt8>] = []
        while !rest.isEmpty {
            let end = rest.firstIndex(of: lineFeed).map { $0 + 1 } ?? rest.endIndex
            lines.append(rest[..<end])
            rest = rest[end...]
        }
        return lines
    }

    private static func texts(_ lines: ArraySlice<ArraySlice<UInt8>>, showsEnd: Bool) -> [String] {
        let texts = lines.prefix(limit).map { line in
            String(decoding: line.last == lineFeed ? line.dropLast() : line, as: UTF8.self)
        }
        return showsEnd && lines.last?.last == lineFeed ? texts + [""] : texts
    }

    /// Returns the ends of the lines that differ, from where on both texts are the same for at least a line.
    private static func end(
        of first: [ArraySlice<UInt8>], _ second: [ArraySlice<UInt8>], from start: Int
    ) -> (first: Int, second: Int) {
        let suffix = zip(first[start...].reversed(), second[start...].reversed()).prefix { $0 == $1 }.count
        let (rows, columns) = (first.count - suffix - start, second.count - suffix - start)
        guard rows > 0, columns > 0, rows <= maximumTableSize / columns else {
            return (first.count - suffix, second.count - suffix)
        }
        // The length of the longest common subsequence of the lines after each pair.
        var lengths = [Int32](repeating: 0, count: (rows + 1) * (columns + 1))
        for row in (0..<rows).reversed() {
            for column in (0..<columns).reversed() {
                let index = row * (columns + 1) + column
                lengths[index] =
                    first[start + row] == second[start + column]
                    ? lengths[index + columns + 2] + 1 : max(lengths[index + 1], lengths[index + columns + 1])
            }
        }
        var (row, column) = (0, 0)
        while row < rows, column < columns, first[start + row] != second[start + column] {
            let index = row * (columns + 1) + column
            if lengths[index + columns + 1] >= lengths[index + 1] { row += 1 } else { column += 1 }
        }
        let isEnd = row == rows || column == columns
        return isEnd ? (start + rows, start + columns) : (start + row, start + column)
    }

    /// Returns the lines, with a minus sign before the expected and a plus sign before the actual ones.
    ///
    /// - Parameter masked: Returns a text without secrets.
    package func lines(masked: (String) -> String) -> [String] {
        [("-", expected), ("+", actual)].flatMap { sign, lines in
            lines.isEmpty
                ? []
                : masked(lines.joined(separator: "\n")).unicodeScalars
                    .split(separator: "\n", omittingEmptySubsequences: false).map { sign + String($0) }
        }
    }
}
