/// The values of a complete command line: options and positional arguments.
protocol CommandLineValues: OptionValues {
    /// Appends a positional argument.
    mutating func append(_ positional: String)
    /// Stores how an option was typed.
    mutating func note(_ spelling: String, of option: String)
}

/// Parses a command line into values.
///
/// Options may precede and follow positional arguments until `--`; letters can be combined; an argument may be a
/// separate word, follow its letter, or be joined by `=`.
struct Parser<Values: CommandLineValues> {
    private let table: OptionTable<Values>
    private var words: ArraySlice<String>
    private var values: Values
    private var position = FlagPosition.first
    /// The options to reset after parsing: `--no-OPTION` takes precedence at any position.
    private var undone: [Option<Values>] = []

    /// Creates a parser.
    ///
    /// - Parameter defaults: The initial values.
    init(_ arguments: [String], _ table: OptionTable<Values>, over defaults: Values) {
        self.table = table
        words = arguments[...]
        values = defaults
    }

    /// Parses the arguments.
    ///
    /// - Returns: The values, and the error of the first invalid word; the words after it are parsed, too.
    mutating func parse() -> (values: Values, error: UsageError?) {
        var first: UsageError?
        while let word = words.popFirst() {
            do throws(UsageError) { try parse(word) } catch { first = first ?? error }
        }
        for option in undone { option.effect.reset(&values) }
        return (values, first)
    }

    private mutating func parse(_ word: String) throws(UsageError) {
        if word == "--" {
            for word in words { values.append(word) }
            words = []
        } else if word.hasPrefix("--") {
            try parseLong(word.dropFirst(2))
        } else if word.hasPrefix("-"), word != "-" {
            try parseCluster(word.dropFirst())
        } else {
            values.append(word)
            position = position == .first && word.isMethod ? .afterWord : .afterURL
        }
    }

    private mutating func parseLong(_ word: Substring) throws(UsageError) {
        let halves = word.halves(around: "=")
        let name = halves?.before ?? word
        let joined = halves.map { String($0.after) }
        let match = try table.find(long: name)
        guard match.isNegated else {
            return try apply(match.option, typed: match.option.entry.name, joined: joined)
        }
        guard joined == nil else {
            throw UsageError("takes no value", argument: "--\(name)")
        }
        undone.append(match.option)
    }

    private mutating func parseCluster(_ letters: Substring) throws(UsageError) {
        var rest = letters
        while let letter = rest.popFirst() {
            guard let option = table.find(letter: letter) else {
                throw UsageError("unknown option", argument: "-\(letter)", hint: hint(forUnknown: letter, in: letters))
            }
            if option.entry.argument?.isOptional == false {
                let glued = rest.first == "=" ? rest.dropFirst() : rest
                return try apply(option, typed: "-\(letter)", joined: rest.isEmpty ? nil : String(glued))
            }
            if rest.first == "=" {
                return try apply(option, typed: "-\(letter)", joined: String(rest.dropFirst()))
            }
            try apply(option, typed: "-\(letter)", joined: nil, isLast: rest.isEmpty)
        }
    }

    /// Applies an option.
    ///
    /// - Parameter isLast: Whether the next word follows it, and not another letter.
    private mutating func apply(
        _ option: Option<Values>,
        typed: String,
        joined: String?,
        isLast: Bool = true
    ) throws(UsageError) {
        do throws(UsageError) {
            switch option.entry.shape {
            case .flag, .count:
                guard joined == nil else { throw UsageError("takes no value") }
                if isLast { try checkNextWord(after: typed, problem: "takes no value") }
                try option.effect.store(&values, nil)
            case .optionalArgument:
                if joined == nil, isLast { try checkNextWord(after: typed, problem: "takes a value only after =") }
                try option.effect.store(&values, joined)
            case .argument(let name, _):
                guard let argument = joined ?? words.popFirst() else {
                    throw UsageError("requires an argument: \(name)")
                }
                try option.effect.store(&values, argument)
            }
            values.note(typed, of: option.entry.name)
        } catch {
            throw error.naming(typed)
        }
    }

    /// Checks that the word after an option without an argument is not meant as its argument, as in another tool.
    private func checkNextWord(after typed: String, problem: UsageError.Problem) throws(UsageError) {
        let name = String(typed.drop { $0 == "-" })
        guard words.first?.hasPrefix("-") == false, let hint = table.hintForArgument(name, words, position)
        else { return }
        throw UsageError(problem, hint: hint)
    }

    /// A single dash before a long name is the most common error.
    private func hint(forUnknown letter: Character, in letters: Substring) -> String? {
        let name = letters.prefix { $0 != "=" }
        if name.count > 1, (try? table.find(long: name)) != nil { return "did you mean --\(name)?" }
        return table.hintForForeign(String(letter)) ?? OptionTable<Values>.listHint
    }
}
