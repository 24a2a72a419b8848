extension Assignments {
    /// Checks the relations between the options.
    ///
    /// - Parameter values: The values that the assignments set.
    /// - Throws: ``UsageError`` for a repeated option, for two that exclude each other, and for one without effect.
    func checkRelations(_ values: Invocation) throws(UsageError) {
        for layer in layers { try layer.checkRepetitions() }
        for assignment in all where !assignment.option.relations.excludes.isEmpty {
            let excluded = assignment.option.relations.excludes
            guard let other = all.first(where: { excluded.contains($0.name) }) else { continue }
            throw assignment.contradiction(of: other)
        }
        try checkRequirements(values)
    }

    /// Checks that options have an effect.
    ///
    /// - Parameters:
    ///   - values: The values that the assignments set.
    ///   - fact: The fact that is known now, to check what depends on it; `nil` to check all requirements.
    /// - Throws: ``UsageError`` for an option without effect.
    func checkRequirements(_ values: Invocation, with fact: RequestFact? = nil) throws(UsageError) {
        for assignment in all {
            // curl ignores an option without an effect.
            guard let requirement = assignment.option.requirement, assignment.source != .curl,
                fact == nil || fact == requirement.dependsOn,
                assignment.source.isCommandLine || requirement.concernsConfigured,
                let failure = requirement.failure(values)
            else { continue }
            throw failure.naming(assignment.name)
        }
    }

    /// Checks the files that the options write: two options with the same file would overwrite each other.
    ///
    /// - Throws: ``UsageError`` with the second of two options that name the same file.
    func checkFiles(_ files: FileAccess) throws(UsageError) {
        var known: [DirectoryEntry: String] = [:]
        for (option, file) in writtenFiles(files) {
            guard let entry = DirectoryEntry(files.expanding(file.path).followingLinks) else { continue }
            let description = file.role.map { "\($0) of \(option)" } ?? option
            guard let earlier = known.updateValue(description, forKey: entry) else { continue }
            let problem: UsageError.Problem =
                if let role = file.role {
                    "\(known: role) is the file of \(known: earlier): '\(file.path)'"
                } else {
                    "names the same file as \(known: earlier): '\(file.path)'"
                }
            throw UsageError(problem, argument: option, hint: "use different files")
        }
    }

    /// Whether an option reads standard input, so that it is not the body.
    var readStandardInput: Bool { all.contains { $0.value?.namesStandardInput == true } }

    /// Checks that no file which is written after the response is one that the command line names for reading.
    ///
    /// - Parameter items: The typed items.
    /// - Throws: ``UsageError`` with the option that would replace the file.
    func checkReadFiles(_ items: [RequestItem], _ files: FileAccess) throws(UsageError) {
        let written = filesBesideResponse(files)
        guard !written.isEmpty else { return }
        for path in readFiles + items.compactMap(\.file) {
            guard let option = DirectoryEntry(files.expanding(path).followingLinks).flatMap({ written[$0] }) else {
                continue
            }
            throw UsageError(
                "would replace a file that is read: '\(path)'", argument: option, hint: "use different files")
        }
    }

    /// The paths that options read: a file, or what follows an `@` at the start of another argument, or after a colon or
    /// an equals sign.
    private var readFiles: [String] {
        all.filter { $0.option.relations.writes == nil && $0.source != .curl }.flatMap { assignment in
            guard let value = assignment.value else { return [String]() }
            if assignment.option.entry.shape.isFile { return [value] }
            let signs = value.indices.filter { value[$0] == "@" }
            return signs.filter { value[..<$0].last.map(":=".contains) ?? true }.map {
                String(value[value.index(after: $0)...])
            }
        }
    }

    /// Returns the files that are written after the response: its file must have another name.
    func filesBesideResponse(_ files: FileAccess) -> [DirectoryEntry: String] {
        let written = writtenFiles(files).filter { $0.option != "--output" }
        let entries = written.compactMap { option, file in
            DirectoryEntry(files.expanding(file.path).followingLinks).map { ($0, option) }
        }
        return Dictionary(entries) { first, _ in first }
    }

    /// The files that the options write, each with the option. Of a group, the last one counts.
    private func writtenFiles(_ access: FileAccess) -> [(option: String, file: WrittenFiles.File)] {
        effective { $0.writes != nil }.flatMap { assignment in
            let files = assignment.value.flatMap { assignment.option.relations.writes?.files($0, access) } ?? []
            return files.map { (assignment.name, $0) }
        }
    }

    /// The assignments that a curl command has as they were typed: the last one of an option, or all if they add up.
    var copiedToCurl: [Assignment] {
        all.filter { $0.option.relations.isCopiedToCurl && $0.option.relations.curl.first?.isRepeatable == true }
            + effective { $0.isCopiedToCurl && $0.curl.first?.isRepeatable != true }
    }

    /// Returns the assignments of some options that count: the last one of each group and kind.
    func effective(where isIncluded: (OptionRelations) -> Bool) -> [Assignment] {
        var effective: [(assignment: Assignment, slot: AnyKeyPath)] = []
        for assignment in all where isIncluded(assignment.option.relations) {
            let slot = assignment.option.effect.slot()
            effective.removeAll { $0.slot == slot && $0.assignment.kind ?? "" == assignment.kind ?? "" }
            effective.append((assignment, slot))
        }
        return effective.map(\.assignment)
    }
}

extension Invocation {
    /// Checks the files that the options write.
    ///
    /// - Throws: ``UsageError`` for a file that another option writes, or that is read.
    func checkFiles(_ files: FileAccess) throws(UsageError) {
        try assignments.checkFiles(files)
        let items = knownTarget?.positionals.items ?? positionals.compactMap { try? RequestItem($0) }
        try assignments.checkReadFiles(items, files)
    }
}

extension OptionEntry.Shape {
    /// Whether the argument is a file.
    fileprivate var isFile: Bool {
        if case .argument(_, .file) = self { true } else { false }
    }
}

extension Assignment {
    /// The kind of the argument, of which only one is allowed; `nil` if all are.
    fileprivate var kind: String? { option.relations.repetition?.kind(value ?? "") }

    /// Returns the error about an option that this one excludes. It names the configured one of both.
    func contradiction(of other: Assignment) -> UsageError {
        let isConfigured = source.path != nil && other.source.path == nil
        let (named, counterpart) = isConfigured ? (self, other) : (other, self)
        let isNegatable = named.source.path != nil && !named.name.hasPrefix("--no-")
        var error = UsageError.withoutHint("cannot be combined with \(known: counterpart.name)", argument: named.name)
        if isNegatable { error.hint = "add --no-\(named.name.dropFirst(2))" }
        return error
    }
}

extension ParsedArguments {
    /// Checks that an argument that names a file or a body is not ignored.
    func checkRepetitions() throws(UsageError) {
        for (index, assignment) in assignments.enumerated() {
            guard let repetition = assignment.option.relations.repetition, assignment.kind != nil,
                assignments[..<index].contains(where: { $0.name == assignment.name && $0.kind == assignment.kind })
            else { continue }
            let error = UsageError.withoutHint("cannot be repeated", argument: assignment.name)
            throw repetition.hint.map(error.hinting) ?? error
        }
    }
}
