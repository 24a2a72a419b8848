/// An error in the command line; no request was sent.
struct UsageError: Error, Equatable, Sendable {
    /// The problem, with and without values.
    let statement: Problem
    /// The invalid option, item or word, as typed.
    private(set) var argument: String?
    /// The path of the configuration file that contains the option; `nil` if it was typed.
    var source: String?
    /// The correct form; `nil` if the problem states it.
    var hint: String?
    /// The invalid text with the position of the error.
    var excerpt: Excerpt?

    init(_ problem: Problem, argument: String? = nil, hint: String? = nil, excerpt: Excerpt? = nil) {
        statement = problem
        self.argument = argument
        self.hint = hint
        self.excerpt = excerpt
    }

    /// Returns the error with an argument, unless it has one.
    func naming(_ argument: String) -> UsageError {
        var named = self
        named.argument = self.argument ?? argument
        return named
    }

    /// Returns the error with another name of its argument, if there is one.
    func renaming(_ name: (_ argument: String) -> String?) -> UsageError {
        var renamed = self
        renamed.argument = argument.map { name($0) ?? $0 }
        return renamed
    }

    /// Returns the error with another hint.
    func hinting(_ hint: String) -> UsageError {
        var hinted = self
        hinted.hint = hint
        return hinted
    }

    /// The problem as the end of a sentence.
    var problem: String { statement.text }

    /// The message: the invalid argument and the problem.
    var message: String {
        guard let argument else { return problem }
        return "\(argument.isEmpty ? "''" : argument)\(source.map { " in '\($0)'" } ?? ""): \(problem)"
    }
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
