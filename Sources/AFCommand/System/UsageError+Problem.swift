internal import AFHTTP

extension UsageError {
    /// The problem as the end of a sentence: complete for the user, and without values for reports.
    ///
    /// Interpolated text counts as a value: `"'\(name)' is not a media type"`. Text that is never a value must be
    /// marked: `"a form takes no \(known: type)"`.
    struct Problem: ExpressibleByStringInterpolation, Sendable {
        let text: String
        /// The text with each value replaced by `...`.
        let redactedText: String
        /// Whether one of the values appears to contain a secret.
        let holdsSecret: Bool

        init(stringLiteral text: String) {
            self.text = text
            redactedText = text
            holdsSecret = false
        }

        init(stringInterpolation interpolation: Interpolation) {
            text = interpolation.text
            redactedText = interpolation.redactedText
            holdsSecret = interpolation.holdsSecret
        }
    }
}

extension UsageError.Problem: Equatable {
    /// Whether the texts are equal.
    static func == (first: Self, second: Self) -> Bool { first.text == second.text }
}

extension UsageError.Problem {
    struct Interpolation: StringInterpolationProtocol {
        fileprivate var text = ""
        fileprivate var redactedText = ""
        fileprivate var holdsSecret = false

        init(literalCapacity: Int, interpolationCount: Int) {}

        mutating func appendLiteral(_ literal: String) { append(literal, literal) }

        mutating func appendInterpolation<Value>(_ value: Value) {
            let text = "\(value)"
            let hasUserInfo = text.contains("://") && text.withoutUserInfo != text
            if hasUserInfo || text.namesSecret { holdsSecret = true }
            append(text, "...")
        }

        mutating func appendInterpolation<Value>(known value: Value) { append("\(value)", "\(value)") }

        mutating func appendInterpolation(_ problem: UsageError.Problem) {
            holdsSecret = holdsSecret || problem.holdsSecret
            append(problem.text, problem.redactedText)
        }

        private mutating func append(_ string: String, _ redactedString: String) {
            text += string
            redactedText += redactedString
        }
    }
}

extension String {
    /// Whether the text appears to compare a value with a secret: `[?token=="x"]`.
    var comparesSecret: Bool {
        let hasOperator =
            utf8.contains(where: "=<>~".utf8.contains) || [" contains ", " in "].contains(where: contains)
        guard hasOperator else { return false }
        let names = split { !$0.isLetter && !$0.isNumber && !"_-".contains($0) }
        return names.contains(where: SecretNames().contains)
    }

    /// Whether the text appears to be a secret with its name before it, even without a separator.
    var namesSecret: Bool {
        let name = prefix { !" ;:=@".contains($0) }
        guard name.endIndex < endIndex else { return SecretText.isLikely(self) }
        // The key may be nested, also if it is invalid: password[x
        let names = [name] + name.split { "[]".contains($0) }
        return names.contains { SecretNames().contains(String($0)) } || SecretText.isLikely(self)
    }
}
