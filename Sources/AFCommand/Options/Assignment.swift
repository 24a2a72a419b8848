/// One use of an option.
struct Assignment<Values>: Sendable {
    let option: Option<Values>
    /// The option as typed, for messages: `-a` or `--auth`.
    var spelling: String
    /// The argument; `nil` if there is none.
    let value: String?
    /// Whether it is `--no-OPTION`, which cancels the option and its group at any position.
    let isNegated: Bool
    let source: AssignmentSource
    /// The place of the argument; `nil` if it is not on the command line.
    var position: ArgumentPosition?
    /// The number of words before it that are not options, so that options and items keep their order.
    var precedingWords = 0
    /// Stores the parsed argument.
    let store: Option<Values>.Store

    /// The option's name, with dashes.
    var name: String { option.entry.name }
    /// The heading of the option.
    var section: String { option.entry.section }

    /// Parses the argument.
    init(_ option: Option<Values>, _ value: String?, spelling: String, _ source: AssignmentSource) throws(UsageError) {
        store = try option.effect.parse(value)
        (self.option, self.value, self.spelling, self.source) = (option, value, spelling, source)
        isNegated = false
    }

    /// Creates an assignment whose argument was parsed.
    init(
        _ option: Option<Values>, _ value: String, spelling: String, _ source: AssignmentSource,
        store: @escaping Option<Values>.Store
    ) {
        (self.option, self.value, self.spelling, self.source) = (option, value, spelling, source)
        self.store = store
        isNegated = false
    }

    init(negating option: Option<Values>, _ source: AssignmentSource) {
        store = { _ in }
        (self.option, value, spelling, self.source) = (option, nil, option.entry.name, source)
        isNegated = true
    }
}

/// The source of an assignment. A later case takes precedence, and all take precedence over the defaults.
enum AssignmentSource: Equatable, Sendable {
    /// A member of the configuration file for all requests.
    case configuration(path: String, key: String)
    /// The settings of the configuration file for a host.
    ///
    /// `isOrigin` indicates whether they are for one scheme or port of it.
    case host(path: String, key: String, isOrigin: Bool)
    /// The command line.
    case typed
    /// The command line of curl.
    case curl

    /// The path of the configuration file; `nil` for a command line.
    var path: String? {
        switch self {
        case .configuration(let path, _), .host(let path, _, _): path
        case .typed, .curl: nil
        }
    }

    /// The name of the member of the file; `nil` for a command line.
    var key: String? {
        switch self {
        case .configuration(_, let key), .host(_, let key, _): key
        case .typed, .curl: nil
        }
    }

    var isHost: Bool { if case .host = self { true } else { false } }
}

/// The sources in which an option may be set.
enum OptionScope: Sendable {
    /// The command line, the default options, and the settings for a host.
    case host
    /// The command line and the default options.
    case run
    /// The command line.
    case commandLine
}

/// The parsed words of one source.
struct ParsedArguments<Values>: Sendable {
    /// A word that is not an option.
    struct Word: Equatable, Sendable {
        var text: String
        /// The index on the command line; `nil` if the word is not there.
        let index: Int?
    }

    var assignments: [Assignment<Values>] = []
    var words: [Word] = []
    /// The error of the first invalid word; the words after it are parsed, too.
    var error: UsageError?
}

extension ParsedArguments {
    /// The names of the options, sorted.
    var names: [String] { Set(assignments.filter { !$0.isNegated }.map(\.name)).sorted() }

    /// Whether the settings for the host are the source.
    var isHost: Bool { assignments.first?.source.isHost == true }

    /// Whether these settings are for one scheme or port.
    var isOfOrigin: Bool { if case .host(_, _, true)? = assignments.first?.source { true } else { false } }

    /// Removes what environment variables replace.
    mutating func yield(to variables: Variables) {
        assignments = assignments.flatMap { assignment in
            guard let precedence = assignment.option.relations.variables, let value = assignment.value else {
                return [assignment]
            }
            return precedence.remaining(value, variables).compactMap {
                try? Assignment(assignment.option, $0, spelling: assignment.spelling, assignment.source)
            }
        }
    }
}

extension ParsedArguments {
    fileprivate func checkRepetitions() throws(UsageError) {
        for (index, assignment) in assignments.enumerated() where !assignment.isNegated {
            let earlier = assignments[..<index].filter { $0.name == assignment.name }
            switch assignment.option.relations.repetition {
            case .allowed: break
            case .error(let hint):
                if !earlier.isEmpty { throw UsageError("cannot be repeated", argument: assignment.name, hint: hint) }
            case .errorForSameKind(let hint, let kind):
                guard earlier.contains(where: { kind($0.value ?? "") == kind(assignment.value ?? "") }) else { break }
                throw UsageError("cannot be repeated", argument: assignment.name, hint: hint)
            }
        }
    }
}

extension ParsedArguments where Values: CommandLineValues {
    /// Stores the values and the words, in their order.
    func store(in values: inout Values) {
        var next = 0
        for assignment in assignments where !assignment.isNegated {
            while next < min(assignment.precedingWords, words.count) {
                values.append(words[next].text)
                next += 1
            }
            assignment.store(&values)
        }
        for word in words[next...] { values.append(word.text) }
    }
}

/// The assignments of all sources. Those of later sources take precedence.
struct Assignments<Values>: Sendable {
    private(set) var layers: [ParsedArguments<Values>] = []

    /// All assignments, in the order in which they are stored.
    var all: some Sequence<Assignment<Values>> { layers.lazy.flatMap(\.assignments) }

    /// Returns the assignment of an option that counts; `nil` if there is none.
    func last(_ name: String) -> Assignment<Values>? {
        for layer in layers.reversed() {
            if let last = layer.assignments.last(where: { $0.name == name }) { return last }
        }
        return nil
    }

    /// Checks the relations between the options.
    ///
    /// - Parameter values: The values that the assignments set.
    /// - Throws: ``UsageError`` for a repeated option, for two that exclude each other, and for one without effect.
    func checkRelations(_ values: Values) throws(UsageError) {
        for layer in layers { try layer.checkRepetitions() }
        for assignment in all where !assignment.option.relations.excludes.isEmpty {
            let excluded = assignment.option.relations.excludes
            guard let other = all.first(where: { excluded.contains($0.name) }) else { continue }
            throw UsageError(
                "cannot be combined with \(known: assignment.name)", argument: other.name, hint: "omit one of them")
        }
        try checkRequirements(values) { $0.source.path == nil }
    }

    /// Checks that options have an effect.
    ///
    /// - Parameter isChecked: Whether an assignment is checked.
    /// - Throws: ``UsageError`` for an option without effect.
    func checkRequirements(_ values: Values, of isChecked: (Assignment<Values>) -> Bool) throws(UsageError) {
        for assignment in all {
            guard let requirement = assignment.option.requirement, isChecked(assignment),
                assignment.source.path == nil || requirement.concernsConfigured,
                let failure = requirement.failure(values)
            else { continue }
            throw failure.naming(assignment.name)
        }
    }

    /// Removes assignments.
    mutating func removeAll(where isRemoved: (Assignment<Values>) -> Bool) {
        for index in layers.indices { layers[index].assignments.removeAll(where: isRemoved) }
    }

    /// Adds a source, which takes precedence over the earlier ones.
    mutating func add(_ layer: ParsedArguments<Values>) {
        var layer = layer
        if layer.assignments.contains(where: \.isNegated) {
            let cancelled = layer.assignments.filter(\.isNegated).map { $0.option.effect.slot() }
            layer.assignments.removeAll { cancelled.contains($0.option.effect.slot()) }
            removeAll { cancelled.contains($0.option.effect.slot()) }
        }
        if !layers.isEmpty { replaceEarlier(&layer) }
        layers.append(layer)
    }

    private mutating func replaceEarlier(_ layer: inout ParsedArguments<Values>) {
        let names = layer.names
        removeAll { $0.option.relations.yieldsTo.contains(where: names.contains) }
        let isFollowing = { (assignment: Assignment<Values>) in
            assignment.option.relations.isFirstDecisive && names.contains(assignment.name)
        }
        layer.assignments += all.filter(isFollowing)
        removeAll(where: isFollowing)
    }
}
