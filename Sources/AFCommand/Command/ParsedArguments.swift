/// The parsed words of one source.
struct ParsedArguments: Sendable {
    /// A word that is not an option.
    struct Word: Equatable, Sendable {
        var text: String
        /// The index on the command line; `nil` if the word is not there.
        let index: Int?
    }

    var assignments: [Assignment] = []
    var words: [Word] = []
    /// The error of the first invalid word; the words after it are parsed, too.
    var error: UsageError?
}

extension ParsedArguments {
    /// The names of the options, sorted.
    var names: [String] { Set(assignments.filter { !$0.isNegated }.map(\.name)).sorted() }

    /// Whether it has an assignment or a word.
    var isFilled: Bool { !assignments.isEmpty || !words.isEmpty }

    /// Whether the settings for the host are the source.
    var isHost: Bool { assignments.first?.source.isHost == true }

    /// Creates the assignments of the environment variables.
    init(_ variables: Variables, _ table: OptionTable = Invocation.options) {
        for option in table.all {
            guard let settings = option.variables?.settings(variables) else { continue }
            assignments += settings.map { setting in
                let source = AssignmentSource.variable(setting.name)
                return Assignment(option, setting.argument, spelling: "\(source)", source, storing: setting.store)
            }
        }
    }

    /// Stores the values and the words, in their order.
    func store(in values: inout Invocation) {
        var next = 0
        for assignment in assignments where !assignment.isNegated {
            while next < min(assignment.precedingWords, words.count) {
                values.request.positionals.append(words[next].text)
                next += 1
            }
            assignment.store(&values)
        }
        values.request.positionals += words[next...].map(\.text)
    }
}
