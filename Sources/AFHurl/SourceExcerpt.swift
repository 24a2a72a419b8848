/// Lines of a file in a message, in the layout of Hurl and of compilers.
package struct SourceExcerpt: Sendable {
    private let lines: [Substring]
    private let filename: String
    /// The width of the line numbers.
    private let width: Int

    /// Creates the excerpts of a file.
    package init(_ content: String, filename: String) {
        lines = content.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
        self.filename = filename
        width = max(String(lines.count).count, 2)
    }

    /// Returns a message with a caret below each character of a range.
    ///
    /// - Parameters:
    ///   - title: The subject of the message.
    ///   - reason: The text after the carets; its further lines are below.
    ///   - range: The part of the file; for a range of several lines, carets are below the rest of the first one.
    ///   - entryLine: The line of the request, which is shown, too; `nil` for none.
    package func text(title: String, reason: String, range: SourceRange, entryLine: Int?) -> String {
        let indent = String(repeating: " ", count: offset(of: range) + 1)
        let carets = String(repeating: "^", count: caretCount(range))
        let shown = reason.split(separator: "\n", omittingEmptySubsequences: false)
        let further = String(repeating: " ", count: indent.count + carets.count + 1)
        let notes = shown.enumerated().map { index, line in index == 0 ? "\(indent)\(carets) \(line)" : further + line }
        return text(title: title, notes: notes, range: range, entryLine: entryLine)
    }

    /// Returns a message with lines below that of a range.
    ///
    /// - Parameter notes: The lines, with their indentation.
    package func text(title: String, notes: [String], range: SourceRange, entryLine: Int?) -> String {
        let margin = String(repeating: " ", count: width)
        let line = range.start.line
        var result = [title, "\(margin)--> \(filename):\(line):\(range.start.column)", "\(margin) |"]
        if let entryLine, entryLine < line {
            result.append("\(margin) | \(self.line(entryLine))")
            if line - entryLine > 1 { result.append("\(margin) | ...") }
        }
        let number = String(line)
        let padding = String(repeating: " ", count: max(width - number.count, 0))
        result.append("\(padding)\(number) |" + (self.line(line).isEmpty ? "" : " \(self.line(line))"))
        result += notes.map { "\(margin) |\($0)" }
        result.append("\(margin) |")
        return result.joined(separator: "\n")
    }

    /// Returns a line in which each tab is four spaces.
    private func line(_ number: Int) -> String {
        guard lines.indices.contains(number - 1) else { return "" }
        return lines[number - 1].split(separator: "\t", omittingEmptySubsequences: false).joined(separator: "    ")
    }

    /// Returns the number of columns before a range.
    private func offset(of range: SourceRange) -> Int {
        let before = max(range.start.column - 1, 0)
        guard lines.indices.contains(range.start.line - 1) else { return before }
        let tabs = lines[range.start.line - 1].unicodeScalars.prefix(before).count { $0 == "\t" }
        return before + 3 * tabs
    }

    private func caretCount(_ range: SourceRange) -> Int {
        let isOneLine = range.end.line == range.start.line
        let lineLength =
            lines.indices.contains(range.start.line - 1) ? lines[range.start.line - 1].unicodeScalars.count : 0
        return max((isOneLine ? range.end.column : lineLength + 1) - range.start.column, 1)
    }
}

extension SourceExcerpt {
    /// Returns the error of a file that is not UTF-8, at the first octet that is no part of a character.
    package static func encodingError(in bytes: [UInt8], filename: String) -> String {
        var (length, octets, parser) = (0, bytes.makeIterator(), Unicode.UTF8.ForwardParser())
        while case .valid(let character) = parser.parseScalar(from: &octets) { length += character.count }
        let lines = String(decoding: bytes[..<length], as: UTF8.self).split(omittingEmptySubsequences: false) {
            $0 == "\n" || $0 == "\r\n"
        }
        let column = (lines.last?.unicodeScalars.count ?? 0) + 1
        let start = SourcePosition(line: lines.count, column: column)
        let range = SourceRange(start, SourcePosition(line: lines.count, column: column + 1))
        return SourceExcerpt(String(decoding: bytes, as: UTF8.self), filename: filename)
            .text(title: "Parsing file", reason: "expected UTF-8", range: range, entryLine: nil)
    }
}
