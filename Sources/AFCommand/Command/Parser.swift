/// Parses a command line into assignments and other words.
///
/// Options may precede and follow positional arguments until `--`; letters can be combined; an argument may be a
/// separate word, follow its letter, or be joined by `=`.
struct Parser {
    private let table: OptionTable
    private let source: AssignmentSource
    /// The word that is being parsed.
    private var word = ""
    /// The words after it.
    private var words: ArraySlice<String>
    private var result = ParsedArguments()
    private var position = FlagPosition.first

    init(_ arguments: [String], _ table: OptionTable, _ source: AssignmentSource) {
        self.table = table
        self.source = source
        words = arguments[...]
    }

    mutating func parse() -> ParsedArguments {
        while let word = words.popFirst() {
            self.word = word
            do throws(UsageError) { try parse(word) } catch { result.error = result.error ?? error }
        }
        return result
    }

    private mutating func parse(_ word: String) throws(UsageError) {
        if word == "--" {
            for index in words.indices { append(words[index], at: index) }
            words = []
        } else if word.hasPrefix("--") {
            try parseLong(word.dropFirst(2))
        } else if word.hasPrefix("-"), word != "-" {
            try parseCluster(word.dropFirst())
        } else {
            append(word, at: words.startIndex - 1)
            position = position == .first && word.isMethod ? .afterWord : .afterURL
        }
    }

    private mutating func append(_ word: String, at index: Int) {
        result.words.append(.init(text: word, index: source == .typed ? index : nil))
    }

    private mutating func parseLong(_ word: Substring) throws(UsageError) {
        let halves = word.halves(around: "=")
        let name = halves?.before ?? word
        let joined = halves.map { String($0.after) }
        try name.checkIsOneWord(after: "--")
        let match = try table.find(long: name)
        guard match.isNegated else {
            return try assign(match.option, typed: match.option.entry.name, joined: joined)
        }
        guard joined == nil else {
            throw UsageError("takes no value", argument: "--\(name)")
        }
        let option = match.option
        result.assignments.append(
            Assignment(option, nil, spelling: option.entry.name, source, isNegated: true) { _ in })
    }

    private mutating func parseCluster(_ letters: Substring) throws(UsageError) {
        var rest = letters
        while let letter = rest.popFirst() {
            if rest.first?.isWhitespace == true { try letters.checkIsOneWord(after: "-") }
            guard let option = table.find(letter: letter) else {
                throw UsageError("unknown option", argument: "-\(letter)", hint: hint(forUnknown: letter, in: letters))
            }
            if option.entry.argument?.isOptional == false {
                let glued = rest.first == "=" ? rest.dropFirst() : rest
                return try assign(option, typed: "-\(letter)", joined: rest.isEmpty ? nil : String(glued))
            }
            if rest.first == "=" {
                return try assign(option, typed: "-\(letter)", joined: String(rest.dropFirst()))
            }
            try assign(option, typed: "-\(letter)", joined: nil, isLast: rest.isEmpty)
        }
    }

    /// Assigns an option.
    ///
    /// - Parameter isLast: Whether the next word follows it, and not another letter.
    private mutating func assign(
        _ option: Option<Invocation>,
        typed: String,
        joined: String?,
        isLast: Bool = true
    ) throws(UsageError) {
        var argument = joined
        var place = ArgumentPosition(word: words.startIndex - 1, offset: word.utf8.count - (joined?.utf8.count ?? 0))
        do throws(UsageError) {
            switch option.entry.shape {
            case .flag:
                guard joined == nil else { throw UsageError("takes no value") }
                if isLast { try checkNextWord(after: typed, problem: "takes no value") }
            case .optionalArgument:
                if joined == nil, isLast { try checkNextWord(after: typed, problem: "takes a value only after =") }
            case .argument(let name, _):
                if joined == nil {
                    place = ArgumentPosition(word: words.startIndex, offset: 0)
                    argument = words.popFirst()
                }
                guard argument != nil else { throw UsageError("requires an argument: \(name)") }
            }
            var assignment = try Assignment(option, argument, spelling: typed, source)
            assignment.position = source == .typed ? place : nil
            assignment.precedingWords = result.words.count
            result.assignments.append(assignment)
        } catch {
            throw error.naming(typed)
        }
    }

    /// Checks that the word after an option without an argument is not meant as its argument, as in another tool.
    private func checkNextWord(after typed: String, problem: UsageError.Problem) throws(UsageError) {
        let name = String(typed.drop { $0 == "-" })
        guard words.first?.hasPrefix("-") == false, let hint = CurlHints.hint(for: name, before: words, at: position)
        else { return }
        throw UsageError(problem, hint: hint)
    }

    /// A single dash before a long name is the most common error.
    private func hint(forUnknown letter: Character, in letters: Substring) -> String? {
        let name = letters.prefix { $0 != "=" }
        if name.count > 1, (try? table.find(long: name)) != nil { return "did you mean --\(name)?" }
        return CurlHints.hint(for: String(letter)) ?? OptionTable.listHint
    }
}

extension Substring {
    /// Checks that the value of an option is not in the same argument, after a space.
    ///
    /// - Parameter dashes: The dashes before the text.
    /// - Throws: ``UsageError`` without the text after the space, which may be a secret.
    fileprivate func checkIsOneWord(after dashes: String) throws(UsageError) {
        guard let end = firstIndex(where: \.isWhitespace) else { return }
        throw UsageError.space(after: "\(dashes)\(self[..<end])")
            .hinting("write each option and each value as an argument of its own, or --OPTION=VALUE")
    }
}

extension UsageError {
    /// Returns the error about an argument that contains an option and more.
    static func space(after option: String) -> Self {
        Self(
            "is followed by a space in the same argument", argument: option,
            hint: "write each option and each value as an argument of its own")
    }
}
