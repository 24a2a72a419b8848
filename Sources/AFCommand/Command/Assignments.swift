/// The assignments of all sources. Those of later sources take precedence.
struct Assignments: Sendable {
    private(set) var layers: [ParsedArguments] = []
    /// The options that the last source with an assignment of them cancels, as with `--no-follow`.
    private(set) var cancelled: Set<String> = []

    /// All assignments, in the order in which they are stored.
    var all: some Sequence<Assignment> { layers.lazy.flatMap(\.assignments) }

    /// Returns the assignment of an option that counts; `nil` if the option is not set.
    func last(_ name: String) -> Assignment? {
        for layer in layers.reversed() {
            if let last = layer.assignments.last(where: { $0.name == name }) { return last }
        }
        return nil
    }

    /// Returns the source of an option's value.
    func source(of name: String) -> AssignmentSource { last(name)?.source ?? .default }

    /// Sentences about the sources other than the command line, with the options that each of them sets.
    var sourceNotes: [String] {
        var sources: [(source: AssignmentSource, options: Set<String>, headers: [String])] = []
        for assignment in all where !assignment.source.isCommandLine {
            if sources.last?.source != assignment.source { sources.append((assignment.source, [], [])) }
            let last = sources.count - 1
            if assignment.isHostHeader {
                sources[last].headers.append("the header \(assignment.value?.prefix { $0 != ":" } ?? "")")
            } else {
                sources[last].options.insert(assignment.name)
            }
        }
        return sources.map { source, options, headers in
            "\(source) sets \((options.sorted() + headers).joined(separator: ", "))"
        }
    }

    /// Returns the error with its option as it was typed, or with the configuration file that sets it.
    func locating<Failure: ArgumentError>(_ error: Failure) -> Failure {
        guard let name = error.argument, let assignment = assignment(of: name, error.value) else { return error }
        var named = error
        named.argument = assignment.spelling
        named.source = assignment.source.path
        return named
    }

    /// Returns the error, with the place of its option if it has one.
    func naming(_ error: any Error) -> any Error {
        if let error = error as? any ArgumentError { locating(error) } else { error }
    }

    /// Returns the assignment of a value, or that which counts.
    private func assignment(of name: String, _ value: String?) -> Assignment? {
        if let value, let own = all.first(where: { $0.name == name && $0.value == value }) { return own }
        // The error of a variable names it.
        return layers.reversed().lazy.compactMap { layer in
            layer.assignments.last { $0.name == name && !$0.source.isVariable }
        }.first
    }

    /// The typed option that selects what is shown of a response; `nil` if no such option was typed.
    var typedSelection: Assignment? {
        all.first { $0.option.relations.showsResponse && $0.source == .typed }
    }

    /// Removes assignments.
    mutating func removeAll(where isRemoved: (Assignment) -> Bool) {
        for index in layers.indices { layers[index].assignments.removeAll(where: isRemoved) }
    }

    /// Adds a source, which takes precedence over the earlier ones.
    mutating func add(_ layer: ParsedArguments) {
        guard layer.isFilled else { return }
        var layer = layer
        cancelled.subtract(layer.names)
        if layer.assignments.contains(where: \.isNegated) {
            cancelled.formUnion(layer.assignments.filter(\.isNegated).map(\.name))
            let cancelled = layer.assignments.filter(\.isNegated).map { $0.option.effect.slot() }
            layer.assignments.removeAll { cancelled.contains($0.option.effect.slot()) }
            // Variables are the default.
            removeAll { cancelled.contains($0.option.effect.slot()) && !$0.source.isVariable }
        }
        if !layers.isEmpty { replaceEarlier(&layer) }
        layers.append(layer)
    }

    private mutating func replaceEarlier(_ layer: inout ParsedArguments) {
        let names = layer.names
        removeAll { $0.option.relations.yieldsTo.contains(where: names.contains) }
        let isFollowing = { (assignment: Assignment) in
            assignment.option.relations.isFirstDecisive && names.contains(assignment.name)
        }
        layer.assignments += all.filter(isFollowing)
        removeAll(where: isFollowing)
    }
}
