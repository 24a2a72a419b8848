/// Why a command line cannot be carried out: something typed is wrong, and nothing has been sent.
struct UsageError: Error, Equatable, Sendable {
    /// What is wrong, with and without the values in it.
    let statement: Problem
    /// The option, item or word at fault, as typed.
    private(set) var argument: String?
    /// What to type instead.
    var hint: String?
    /// The text at fault, with the place in it.
    var excerpt: Excerpt?

    init(_ problem: Problem, argument: String? = nil, hint: String? = nil, excerpt: Excerpt? = nil) {
        statement = problem
        self.argument = argument
        self.hint = hint
        self.excerpt = excerpt
    }

    /// The same error, laid to an argument unless it names one already.
    func naming(_ argument: String) -> UsageError {
        var named = self
        named.argument = self.argument ?? argument
        return named
    }

    /// The same error with another hint.
    func hinting(_ hint: String) -> UsageError {
        var hinted = self
        hinted.hint = hint
        return hinted
    }

    /// What is wrong, as the end of a sentence.
    var problem: String { statement.text }

    /// The sentence: the argument at fault and what is wrong with it.
    var message: String {
        guard let argument else { return problem }
        return "\(argument.isEmpty ? "''" : argument): \(problem)"
    }
}

extension UsageError {
    /// A line of text and a line of carets under the part at fault.
    struct Excerpt: Equatable, Sendable {
        let text: String
        /// In characters from the start of the text; one past its end where something is missing.
        let offset: Int
        let length: Int

        init(_ text: String, offset: Int, length: Int = 1) {
            self.text = text
            self.offset = offset
            self.length = max(length, 1)
        }

        /// The part at fault with what stands around it, so that the carets are below it on any screen.
        var lines: [String] {
            let start = max(0, offset - 40)
            let shown = text.dropFirst(start).prefix(80)
            let mark = String(repeating: "^", count: min(length, 80 - (offset - start)))
            return [String(shown), String(repeating: " ", count: offset - start) + mark]
        }
    }
}
