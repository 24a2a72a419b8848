/// An error in the command line; no request was sent.
struct UsageError: ArgumentError, Equatable, Sendable {
    /// The problem, with and without values.
    let statement: Problem
    var argument: String?
    var value: String?
    var source: String?
    /// The correct form; `nil` if the problem states it.
    var hint: String?
    /// The invalid text with the position of the error.
    var excerpt: Excerpt?
    /// Whether neither a hint nor the help of the option adds anything, as for two arguments that exclude each other.
    var isSelfExplanatory = false
    /// curl's exit number; `nil` if it is that of other usage errors.
    var curlCode: Int32?

    init(_ problem: Problem, argument: String? = nil, hint: String? = nil, excerpt: Excerpt? = nil) {
        statement = problem
        self.argument = argument
        self.hint = hint
        self.excerpt = excerpt
    }

    /// Returns an error to which neither a hint nor the help of the option adds anything.
    static func withoutHint(_ problem: Problem, argument: String? = nil) -> UsageError {
        var error = UsageError(problem, argument: argument)
        error.isSelfExplanatory = true
        return error
    }

    /// Returns the error with curl's exit number.
    func numbered(_ curlCode: Int32) -> UsageError {
        var numbered = self
        numbered.curlCode = curlCode
        return numbered
    }

    /// Returns the error with another hint.
    func hinting(_ hint: String) -> UsageError {
        var hinted = self
        hinted.hint = hint
        return hinted
    }

    /// The problem as the end of a sentence.
    var problem: String { statement.text }
}

extension UsageError {
    /// A line of text and a line of carets under the invalid part.
    struct Excerpt: Equatable, Sendable {
        let text: String
        /// The offset in characters; the end of the text if something is missing.
        let offset: Int
        let length: Int

        init(_ text: String, offset: Int, length: Int = 1) {
            self.text = text
            self.offset = offset
            self.length = max(length, 1)
        }

        /// The invalid part with its surroundings, shortened so that the carets are below it on any screen.
        var lines: [String] {
            let start = max(0, offset - 40)
            let shown = text.dropFirst(start).prefix(80)
            let mark = String(repeating: "^", count: min(length, 80 - (offset - start)))
            return [String(shown), String(repeating: " ", count: offset - start) + mark]
        }
    }
}
