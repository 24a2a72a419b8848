/// Comments with directives.
extension EditorFileParser {
    /// Directives that only describe a request, or concern the display of an editor.
    private static let descriptions: Set = [
        "title", "description", "tag", "no-log", "noLog", "no-response-view", "noResponseView", "noStreamingLog",
        "openWith", "extension", "language", "debug", "verbose",
    ]

    /// Applies the directive of a comment, if it has one.
    mutating func directive(_ comment: EditorText, _ draft: inout EditorDraft) throws(EditorFileError) {
        guard comment.hasPrefix("@") else { return }
        let (name, rest) = comment.dropFirst(1).split { $0.isBlank || $0 == "=" }
        let value = (rest.trimmed.hasPrefix("=") ? rest.trimmed.dropFirst(1) : rest).trimmed
        switch name.string {
        case "name":
            guard !value.isEmpty else { throw error(.missingName, comment) }
            // No reference can have another name, which only describes the request.
            if value.characters.allSatisfy(\.isEditorName) { draft.editor.name = value.string }
        case "no-redirect", "noRedirect": draft.followsRedirects = false
        case "no-cookie-jar", "noCookieJar": draft.editor.usesCookies = false
        case "timeout": try draft.addDuration(.maxTime, duration(value, comment), comment)
        case "connection-timeout": try draft.addDuration(.connectTimeout, duration(value, comment), comment)
        case "disabled" where value.string == "false": break
        case "disabled":
            draft.add(.skip, .boolean(.value(true)), comment)
            if !value.isEmpty, value.string != "true" { note(.directive("disabled"), comment) }
        case "note": note(.question, comment)
        case "prompt":
            let variable = value.firstWord.word
            guard !variable.isEmpty else { throw error(.missingPrompt, comment) }
            guard variable.string.isEditorVariable else { throw error(.variableName(variable.string), variable) }
            note(.prompt(variable.string), comment)
        case let word:
            // Other words are comments, such as `# @ada: why?`
            let isName = !word.isEmpty && name.characters.allSatisfy { $0.isASCIILetter || $0.isDigit || $0 == "-" }
            if isName, !Self.descriptions.contains(word) { note(.directive(word), comment) }
        }
    }

    /// Returns a duration, in seconds if it has no unit.
    private func duration(_ text: EditorText, _ directive: EditorText) throws(EditorFileError) -> HurlDuration {
        guard !text.isEmpty else { throw error(.missingDuration, directive) }
        let (digits, rest) = text.split { !$0.isDigit }
        let unit = rest.trimmed.string
        guard let count = UInt64(digits.string), unit.isEmpty || HurlDuration.Unit(rawValue: unit) != nil,
            case let duration = HurlDuration(count, HurlDuration.Unit(rawValue: unit) ?? .seconds),
            duration.milliseconds(default: .seconds) != nil
        else { throw error(.duration(text.string), text) }
        return duration
    }

    /// Reports a script or a file of a script.
    ///
    /// - Parameter text: The line of its start, which is the next one.
    mutating func script(_ text: EditorText) throws(EditorFileError) {
        note(.script, text)
        index += 1
        let isBlock = text.isScriptBlock
        guard isBlock || text.dropFirst(1).trimmed.hasPrefix("{%") else { return }
        var line: EditorText? = text
        while let current = line {
            let isEnd =
                isBlock
                ? current.trimmed.string == "}}"
                : current.firstIndex(of: "%}", from: current.characters.startIndex) != nil
            if isEnd { return }
            line = nextInRequest
            index += line == nil ? 0 : 1
        }
        throw error(.unclosedScript, text)
    }
}

/// The definitions of a file in the order of their lines.
struct EditorDefinitionList {
    private(set) var all: [EditorDefinition] = []

    var count: Int { all.count }

    mutating func append(_ definition: EditorDefinition) { all.append(definition) }

    /// The lists of requests, which are the same for requests with the same definitions before them.
    struct Cache {
        private let list: EditorDefinitionList
        private var last: (count: Int, definitions: [EditorDefinition])?

        init(_ list: EditorDefinitionList) { self.list = list }

        /// Returns the definitions for a request: those before its end win over those after it.
        ///
        /// - Parameter count: The number of definitions before the end of the request.
        mutating func definitions(upTo count: Int) throws(EditorFileError) -> [EditorDefinition] {
            if let last, last.count == count { return last.definitions }
            let definitions = try list.sorted(upTo: count)
            last = (count, definitions)
            return definitions
        }
    }

    /// Returns a definition of each name, each after those that its value contains.
    private func sorted(upTo count: Int) throws(EditorFileError) -> [EditorDefinition] {
        var chosen: [String: EditorDefinition] = [:]
        // Those of the file win over those of the environment.
        for definition in all where definition.source != .file { chosen[definition.name] = definition }
        for definition in all.reversed() where definition.source == .file { chosen[definition.name] = definition }
        for definition in all.prefix(count) where definition.source == .file { chosen[definition.name] = definition }
        var result: [EditorDefinition] = []
        // A definition waits on the stack for those that its value contains.
        var (isDone, isOpen) = (Set<String>(), Set<String>())
        for definition in all {
            var stack = [definition.name]
            while let name = stack.last {
                guard let definition = chosen[name], !isDone.contains(name) else {
                    stack.removeLast()
                    continue
                }
                isOpen.insert(name)
                let missing = definition.value.variables.filter { chosen[$0.name] != nil && !isDone.contains($0.name) }
                if let cycle = missing.first(where: { isOpen.contains($0.name) }) {
                    throw EditorFileError(.cycle(cycle.name), at: cycle.range)
                }
                guard missing.isEmpty else {
                    stack.append(missing[0].name)
                    continue
                }
                isDone.insert(name)
                isOpen.remove(name)
                result.append(definition)
                stack.removeLast()
            }
        }
        return result
    }
}

extension HurlTemplate {
    /// The variables in order.
    fileprivate var variables: [(name: String, range: SourceRange)] {
        parts.compactMap { part in
            guard case .placeholder(let placeholder) = part, case .variable(let name) = placeholder.content else {
                return nil
            }
            return (name, placeholder.range)
        }
    }
}
