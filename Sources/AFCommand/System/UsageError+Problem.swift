internal import AFHTTP

extension UsageError {
    /// What is wrong, as the end of a sentence: in full for who typed it, and without values for who reads a record.
    ///
    /// What is put into the text was typed, or is taken for it: `"'\(name)' is no media type"`. What never holds a value
    /// says so: `"a form takes no \(known: type)"`.
    struct Problem: ExpressibleByStringInterpolation, Sendable {
        let text: String
        /// With dots in the place of values.
        let textWithoutValues: String
        /// Whether one of the values looks like a secret with its name before it.
        let holdsSecret: Bool

        init(stringLiteral text: String) {
            self.text = text
            textWithoutValues = text
            holdsSecret = false
        }

        init(stringInterpolation pieces: Interpolation) {
            text = pieces.text
            textWithoutValues = pieces.textWithoutValues
            holdsSecret = pieces.holdsSecret
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
        fileprivate var holdsSecret = false

        init(literalCapacity: Int, interpolationCount: Int) {}

        mutating func appendLiteral(_ literal: String) { append(literal, literal) }

        mutating func appendInterpolation<Value>(_ value: Value) {
            let text = "\(value)"
            if text.namesSecret { holdsSecret = true }
            append(text, "...")
        }

        mutating func appendInterpolation<Value>(known value: Value) { append("\(value)", "\(value)") }

        mutating func appendInterpolation(_ problem: UsageError.Problem) {
            holdsSecret = holdsSecret || problem.holdsSecret
            append(problem.text, problem.textWithoutValues)
        }

        private mutating func append(_ piece: String, _ pieceWithoutValues: String) {
            text += piece
            textWithoutValues += pieceWithoutValues
        }
    }
}

extension String {
    /// Whether this looks like a secret with its name before it, the sign between them perhaps forgotten.
    var namesSecret: Bool {
        let name = prefix { !" ;:=@".contains($0) }
        return name.endIndex < endIndex && SecretNames().contains(name) || SecretText.isLikely(self)
    }
}
