/// A position in a file, counted in Unicode scalars.
package struct SourcePosition: Hashable, Sendable {
    /// The number of the line, from 1.
    package let line: Int
    /// The number of the column, from 1; 0 for a line.
    package let column: Int

    /// Creates a position.
    package init(line: Int, column: Int) { (self.line, self.column) = (line, column) }
}

/// A part of a file.
package struct SourceRange: Hashable, Sendable {
    /// The position of the first character.
    package let start: SourcePosition
    /// The position after the part.
    package let end: SourcePosition

    /// Creates a range.
    package init(_ start: SourcePosition, _ end: SourcePosition) { (self.start, self.end) = (start, end) }

    /// Creates the range of a complete line.
    package init(line: Int) {
        let position = SourcePosition(line: line, column: 0)
        self.init(position, position)
    }
}
