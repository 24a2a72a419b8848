/// Turns the words of a command line into an ``Invocation``.
///
/// Options may stand anywhere before `--`; one-letter options cluster; an argument may be a word of its own, glued to
/// its letter, or joined by `=`.
struct Parser {
    private var words: ArraySlice<String>
    private var invocation: Invocation
    /// Undone once everything is read: `--no-OPTION` wins wherever it stands.
    private var undone: [Option] = []

    /// - Parameter defaults: What holds where the words say nothing.
    init(_ arguments: [String], over defaults: Invocation = Invocation()) {
        words = arguments[...]
        invocation = defaults
    }

    /// Takes the arguments as the system hands them over, the program's name left out.
    ///
    /// `CommandLine.arguments` puts U+FFFD where the bytes are not UTF-8, which would then be sent in their place.
    ///
    /// - Throws: ``UsageError`` with the position of the first argument that is not UTF-8.
    init(rawArguments: [[UInt8]], over defaults: Invocation = Invocation()) throws(UsageError) {
        var arguments: [String] = []
        for (index, bytes) in rawArguments.enumerated() {
            guard let argument = String(validating: bytes, as: UTF8.self) else {
                let shown = String(decoding: bytes, as: UTF8.self)
                throw UsageError(
                    "argument \(known: index + 1) is not UTF-8: '\(shown)'",
                    hint: "put the bytes into a file and name the file: name=@FILE or --raw @FILE"
                )
            }
            arguments.append(argument)
        }
        self.init(arguments, over: defaults)
    }

    /// - Throws: ``UsageError`` that names the word at fault.
    mutating func parse() throws(UsageError) -> Invocation {
        while let word = words.popFirst() {
            if word == "--" {
                invocation.positionals += words
                words = []
            } else if word.hasPrefix("--") {
                try parseLong(word.dropFirst(2))
            } else if word.hasPrefix("-"), word != "-" {
                try parseCluster(word.dropFirst())
            } else {
                invocation.positionals.append(word)
            }
        }
        for option in undone { option.effect.reset(&invocation) }
        return invocation
    }

    private mutating func parseLong(_ word: Substring) throws(UsageError) {
        let halves = word.halves(around: "=")
        let name = halves?.before ?? word
        let joined = halves.map { String($0.after) }
        let match = try OptionTable.find(long: name)
        guard match.isNegated else {
            return try apply(match.option, typed: match.option.name, joined: joined)
        }
        guard joined == nil else {
            throw UsageError("takes no value", argument: "--\(name)")
        }
        undone.append(match.option)
    }

    private mutating func parseCluster(_ letters: Substring) throws(UsageError) {
        var rest = letters
        while let letter = rest.popFirst() {
            guard let option = OptionTable.find(letter: letter) else {
                throw UsageError("unknown option", argument: "-\(letter)", hint: hint(forUnknown: letter, in: letters))
            }
            if option.takesArgument {
                let glued = rest.first == "=" ? rest.dropFirst() : rest
                return try apply(option, typed: "-\(letter)", joined: rest.isEmpty ? nil : String(glued))
            }
            if rest.first == "=" {
                return try apply(option, typed: "-\(letter)", joined: String(rest.dropFirst()))
            }
            try apply(option, typed: "-\(letter)", joined: nil)
        }
    }

    private mutating func apply(_ option: Option, typed: String, joined: String?) throws(UsageError) {
        do throws(UsageError) {
            switch option.effect.shape {
            case .flag, .count:
                guard joined == nil else { throw UsageError("takes no value") }
                try option.effect.store(&invocation, nil)
            case .optionalArgument:
                try option.effect.store(&invocation, joined)
            case .argument(let name, _):
                guard let argument = joined ?? words.popFirst() else { throw UsageError("needs \(name) after it") }
                try option.effect.store(&invocation, argument)
            }
        } catch {
            throw error.naming(typed)
        }
    }

    /// A single dash before a long name is the commonest slip.
    private func hint(forUnknown letter: Character, in letters: Substring) -> String? {
        let name = letters.prefix { $0 != "=" }
        guard name.count > 1, (try? OptionTable.find(long: name)) != nil else { return nil }
        return "did you mean --\(name)?"
    }
}

extension Option {
    fileprivate var takesArgument: Bool {
        if case .argument = effect.shape { true } else { false }
    }
}

extension Invocation {
    /// - Throws: ``UsageError`` that names the word at fault.
    init(parsing arguments: [String]) throws(UsageError) {
        var parser = Parser(arguments)
        self = try parser.parse()
    }
}
