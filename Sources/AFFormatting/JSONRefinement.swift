package import AFJSON

/// The values of a row, in the order in which they are written.
package struct JSONRow: Hashable, Sendable {
    package struct Column: Hashable, Sendable {
        /// The name of the member in a JSON object, with quotes.
        let name: String
        let steps: [JSONStep]

        /// Creates a column.
        ///
        /// - Parameter steps: Steps that select at most one value.
        package init(named name: String, _ steps: [JSONStep]) {
            self.name = JSONText.quoted(name)
            self.steps = steps
        }
    }

    let columns: [Column]

    package init(_ columns: [Column]) { self.columns = columns }
}

/// The part of a path from its first condition or row on. It needs a complete value: each one is held until its end.
struct JSONRefinement: Sendable {
    let condition: JSONCondition?
    let steps: [JSONStep]
    let row: JSONRow?

    /// Divides a path into the steps for which no value is held, and the rest; `nil` if nothing is left.
    static func divide(_ path: [JSONStep], _ row: JSONRow?) -> (path: [JSONStep], rest: JSONRefinement?) {
        for (index, step) in path.enumerated() {
            guard case .matching(let condition) = step else { continue }
            let rest = JSONRefinement(condition: condition, steps: Array(path[(index + 1)...]), row: row)
            return (Array(path[..<index]) + [.all], rest)
        }
        return (path, row.map { JSONRefinement(condition: nil, steps: [], row: $0) })
    }

    /// Returns cursors at the values that the rest of the path selects from a value.
    func values(in value: JSONCursor) -> [JSONCursor] {
        guard condition?.isMet(at: value) != false else { return [] }
        return steps.isEmpty ? [value] : JSONSelection(steps, in: value).positions.map(value.moved)
    }
}

extension JSONRow {
    /// Returns the row of a value as an object; a member without a value is `null`.
    func object(at value: JSONCursor) -> [UInt8] {
        var object: [UInt8] = []
        for column in columns {
            object += "\(object.isEmpty ? "{" : ",")\(column.name):".utf8
            let found = value.value(at: column.steps)
            object += found?.valueBytes ?? Array("null".utf8)[...]
        }
        return object + [UInt8(ascii: "}")]
    }

    /// Returns the row of a value as texts between tabs; a missing one is empty.
    func line(at value: JSONCursor) -> [UInt8] {
        var line: [UInt8] = []
        for (index, column) in columns.enumerated() {
            if index > 0 { line.append(UInt8(ascii: "\t")) }
            if let found = value.value(at: column.steps) { line.appendField(found) }
        }
        return line
    }
}

extension JSONCursor {
    /// Returns a cursor at the value that steps select; `nil` if they select no value.
    fileprivate func value(at steps: [JSONStep]) -> JSONCursor? {
        var cursor = self
        return cursor.enter(steps) == nil ? cursor : nil
    }

    /// The bytes of the value at the current position.
    var valueBytes: ArraySlice<UInt8> {
        var cursor = self
        return bytes(cursor.skipValue())
    }
}

extension [UInt8] {
    /// Appends a string without quotes, or the compact notation of another value.
    fileprivate mutating func appendField(_ value: JSONCursor) {
        appendEscaped(
            value.kind == .string
                ? JSONEscape.unescaped(value.valueBytes, replacesSurrogates: true) : value.compactBytes)
    }

    /// Appends a text whose tabs and line ends become escapes, so that it ends neither a field nor a line.
    private mutating func appendEscaped(_ text: [UInt8]) {
        for byte in text {
            switch byte {
            case UInt8(ascii: "\t"): self += #"\t"#.utf8
            case UInt8(ascii: "\n"): self += #"\n"#.utf8
            case UInt8(ascii: "\r"): self += #"\r"#.utf8
            case UInt8(ascii: "\\"): self += #"\\"#.utf8
            default: append(byte)
            }
        }
    }
}
