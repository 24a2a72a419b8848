extension UsageError {
    /// What is wrong, as the end of a sentence: in full for who typed it, and without values for who reads a record.
    ///
    /// What is put into the text was typed, or is taken for it: `"'\(name)' is no media type"`. What never holds a value
    /// says so: `"a form takes no \(known: type)"`.
    struct Problem: ExpressibleByStringInterpolation, Sendable {
        let text: String
        /// With dots in the place of values.
        let textWithoutValues: String

        init(stringLiteral text: String) {
            self.text = text
            textWithoutValues = text
        }

        init(stringInterpolation pieces: Interpolation) {
            text = pieces.text
            textWithoutValues = pieces.textWithoutValues
        }
    }
}

extension UsageError.Problem: Equatable {
    /// Whether both read the same.
    static func == (first: Self, second: Self) -> Bool { first.text == second.text }
}

extension UsageError.Problem {
    struct Interpolation: StringInterpolationProtocol {
        fileprivate var text = ""
        fileprivate var textWithoutValues = ""

        init(literalCapacity: Int, interpolationCount: Int) {}

        mutating func appendLiteral(_ literal: String) { append(literal, literal) }

        mutating func appendInterpolation<Value>(_ value: Value) { append("\(value)", "...") }

        mutating func appendInterpolation<Value>(known value: Value) { append("\(value)", "\(value)") }

        mutating func appendInterpolation(_ problem: UsageError.Problem) {
            append(problem.text, problem.textWithoutValues)
        }

        private mutating func append(_ piece: String, _ pieceWithoutValues: String) {
            text += piece
            textWithoutValues += pieceWithoutValues
        }
    }
}

extension UsageError {
    /// The same error for records: its values are none for others' eyes, and of an item but the name is told.
    var withoutValues: UsageError {
        let problem = Problem(stringLiteral: statement.textWithoutValues)
        guard let argument, !OptionTable.all.contains(where: { $0.spellings.contains(argument) }) else {
            return UsageError(problem, argument: argument)
        }
        let item = try? RequestItem(argument)
        return UsageError(problem, argument: item.map { "\($0.name)\($0.separator.rawValue)..." } ?? "...")
    }
}
