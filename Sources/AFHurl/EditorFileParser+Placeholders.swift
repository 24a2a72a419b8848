/// Placeholders: variables of files, values of the system and references.
extension EditorFileParser {
    /// The names of values of the system.
    static let systemNames: [String] =
        Array(systemVariables.keys).sorted()
        + EditorVariable.Alphabet.allCases.map { "$random.\($0.rawValue)" } + ["$random.integer", "$random.float"]

    /// Returns the template of a part of a line.
    func template(_ text: EditorText) throws(EditorFileError) -> HurlTemplate {
        try template(joining: [(text, "")])
    }

    /// Returns the template of several lines.
    ///
    /// - Parameter pieces: The lines, and the text after each of them.
    func template(joining pieces: [(text: EditorText, end: String)]) throws(EditorFileError) -> HurlTemplate {
        var parts = HurlPartList()
        for (text, end) in pieces {
            var index = text.characters.startIndex
            while index < text.characters.endIndex {
                guard text.characters[index...].starts(with: "{{".unicodeScalars) else {
                    parts.append(text.characters[index])
                    index += 1
                    continue
                }
                guard let close = text.firstIndex(of: "}}", from: index + 2) else {
                    throw EditorFileError(.unclosedPlaceholder, at: text.range(index, index + 2))
                }
                parts.append(try placeholder(text.part(index + 2..<close)))
                index = close + 2
            }
            for character in end.unicodeScalars { parts.append(character) }
        }
        let start = pieces.first?.text.range.start ?? SourcePosition(line: 1, column: 1)
        let range = SourceRange(start, pieces.last?.text.range.end ?? start)
        return HurlTemplate(parts: parts.all, source: pieces.map { $0.text.string + $0.end }.joined(), range: range)
    }

    /// Reads the text between the braces.
    private func placeholder(_ text: EditorText) throws(EditorFileError) -> HurlPlaceholder {
        let content = text.trimmed
        if content.isEmpty {
            let start = text.characters.startIndex
            throw EditorFileError(.emptyPlaceholder, at: text.range(start, text.characters.endIndex))
        }
        if content.hasPrefix(EditorDefinition.sharedPrefix) {
            return HurlPlaceholder(content: .variable(content.string), range: content.range)
        }
        if content.hasPrefix("$") {
            return HurlPlaceholder(content: .system(try systemVariable(content)), range: content.range)
        }
        if let reference = try reference(content) {
            return HurlPlaceholder(content: .reference(reference), range: content.range)
        }
        guard content.string.isEditorVariable else { throw error(.variableName(content.string), content) }
        return HurlPlaceholder(content: .variable(content.string), range: content.range)
    }

    // References

    /// Reads a reference; returns `nil` for a name of a variable.
    private func reference(_ text: EditorText) throws(EditorFileError) -> EditorReference? {
        let parts = text.string.split(separator: ".", maxSplits: 3, omittingEmptySubsequences: false).map(String.init)
        guard parts.count > 1, parts[1] == "response" || parts[1] == "request" else { return nil }
        guard parts.count > 2, !parts[0].isEmpty, parts[0].unicodeScalars.allSatisfy(\.isEditorName) else {
            throw error(.reference, text)
        }
        if let names, !names.contains(parts[0]) {
            throw EditorFileError(
                .unknownRequest(parts[0]),
                at: text.range(text.characters.startIndex, text.characters.startIndex + parts[0].unicodeScalars.count))
        }
        let rest = parts.count > 3 ? parts[3] : ""
        let part: EditorReference.Part
        switch parts[2] {
        case "body" where rest.isEmpty || rest == "*": part = .body
        case "body" where rest.hasPrefix("$"): part = .jsonPath(rest.quotingHyphenatedNames)
        case "body" where rest.hasPrefix("/"): part = .xPath(rest)
        case "body" where rest.unicodeScalars.first?.isEditorName == true:
            part = .jsonPath("$.\(rest)".quotingHyphenatedNames)
        case "body": throw error(.referencePath(rest), text)
        case "headers" where !rest.isEmpty: part = .header(rest)
        default: throw error(.reference, text)
        }
        return EditorReference(name: parts[0], isOfResponse: parts[1] == "response", part: part)
    }

    // The system

    private typealias Reader = @Sendable (_ words: [String]) -> EditorVariable?

    /// The values: their arguments for messages, and a function that returns `nil` for invalid ones.
    private static let systemVariables: [String: (usage: String, read: Reader)] = [
        "$guid": ("$guid", { $0.isEmpty ? .uuid : nil }), "$uuid": ("$uuid", { $0.isEmpty ? .uuid : nil }),
        "$random.uuid": ("$random.uuid", { $0.isEmpty ? .uuid : nil }),
        "$random.email": ("$random.email", { $0.isEmpty ? .email : nil }),
        "$randomInt": ("$randomInt MIN MAX", { $0.isEmpty ? .integer(0..<1000) : integers($0) }),
        "$timestamp": (
            "$timestamp NUMBER UNIT",
            { words in words.isEmpty ? .timestamp(nil) : EditorInterval(words).map { .timestamp($0) } }
        ),
        "$isoTimestamp": ("$isoTimestamp", { $0.isEmpty ? .date(.iso8601, nil, isLocal: false) : nil }),
        "$datetime": ("$datetime FORMAT NUMBER UNIT", { date($0, isLocal: false) }),
        "$localDatetime": ("$localDatetime FORMAT NUMBER UNIT", { date($0, isLocal: true) }),
        "$processEnv": ("$processEnv NAME", { $0.count == 1 ? .environment($0[0]) : nil }),
        "$dotenv": ("$dotenv NAME", { $0.count == 1 ? .dotenv($0[0]) : nil }),
    ]

    private func systemVariable(_ text: EditorText) throws(EditorFileError) -> EditorVariable {
        let (head, _) = text.split { $0.isBlank || $0 == "(" }
        let name = head.string
        if name.hasPrefix("$env."), name.count > 5, text.string == name {
            return .environment(String(name.dropFirst(5)))
        }
        if name.hasPrefix("$random."), Self.systemVariables[name] == nil { return try randomValue(name, text) }
        guard let (usage, read) = Self.systemVariables[name] else { throw error(.systemVariable(name), head) }
        let words = Self.words(text.dropFirst(head.characters.count))
        guard let words, let value = read(words) else { throw error(.arguments(name, usage: usage), text) }
        return value
    }

    /// Reads `$random.NAME(ARGUMENTS)`.
    private func randomValue(_ name: String, _ text: EditorText) throws(EditorFileError) -> EditorVariable {
        let arguments = text.dropFirst(name.unicodeScalars.count).trimmed.string
        let inner = arguments.hasPrefix("(") && arguments.hasSuffix(")") ? arguments.dropFirst().dropLast() : ""
        let words = inner.split(separator: ",").map { $0.filter { $0 != " " } }
        if name == "$random.integer" {
            guard let value = arguments.isEmpty ? .integer(0..<1000) : Self.integers(words) else {
                throw error(.arguments(name, usage: "$random.integer(MIN, MAX)"), text)
            }
            return value
        }
        if name == "$random.float" {
            let bounds = words.compactMap(Double.init).filter(\.isFinite)
            guard words.count == 2, bounds.count == 2, bounds[0] < bounds[1] else {
                throw error(.arguments(name, usage: "$random.float(MIN, MAX)"), text)
            }
            return .decimal(bounds[0]..<bounds[1])
        }
        guard let alphabet = EditorVariable.Alphabet(rawValue: String(name.dropFirst("$random.".count))) else {
            throw error(.systemVariable(name), text.part(text.range.start.column - 1..<text.characters.endIndex))
        }
        guard words.count == 1, let count = Int(words[0]), 1...65_536 ~= count else {
            throw error(.arguments(name, usage: "\(name)(LENGTH)"), text)
        }
        return .text(alphabet, count: count)
    }

    private static func integers(_ words: [String]) -> EditorVariable? {
        guard words.count == 2, let minimum = Int64(words[0]), let maximum = Int64(words[1]), minimum < maximum else {
            return nil
        }
        return .integer(minimum..<maximum)
    }

    private static func date(_ words: [String], isLocal: Bool) -> EditorVariable? {
        guard let format = words.first, words.count == 1 || words.count == 3 else { return nil }
        let interval = EditorInterval(Array(words.dropFirst()))
        guard interval != nil || words.count == 1 else { return nil }
        switch format {
        case "iso8601": return .date(.iso8601, interval, isLocal: isLocal)
        case "rfc1123": return .date(.rfc1123, interval, isLocal: isLocal)
        default:
            // Words keep their quotes.
            guard format.unicodeScalars.count > 2, format.hasPrefix("\"") || format.hasPrefix("'") else { return nil }
            return .date(.pattern(String(format.dropFirst().dropLast())), interval, isLocal: isLocal)
        }
    }

    /// Returns the words of a text, of which one may be in quotes, which it keeps; `nil` if a quote has no end.
    private static func words(_ text: EditorText) -> [String]? {
        var words: [String] = []
        var rest = text.trimmed
        while let first = rest.characters.first {
            guard first == "\"" || first == "'" else {
                let (word, next) = rest.firstWord
                words.append(word.string)
                rest = next
                continue
            }
            let (inner, end) = rest.dropFirst(1).split { $0 == first }
            if end.isEmpty { return nil }
            words.append("\(first)\(inner.string)\(first)")
            rest = end.dropFirst(1).trimmed
        }
        return words
    }
}

extension String {
    /// The JSONPath in which names with hyphens after a dot, which editors accept, are in brackets and quotes.
    fileprivate var quotingHyphenatedNames: String {
        var path = String.UnicodeScalarView()
        var (rest, quote) = (Array(unicodeScalars)[...], Unicode.Scalar?.none)
        var depth = 0
        while let scalar = rest.popFirst() {
            if quote != nil {
                if scalar == quote { quote = nil }
            } else if scalar == "'" || scalar == "\"" {
                quote = scalar
            } else if scalar == "[" || scalar == "]" {
                depth += scalar == "[" ? 1 : -1
            } else if scalar == ".", depth == 0, case let name = rest.prefix(while: \.isEditorName), name.contains("-")
            {
                rest = rest.dropFirst(name.count)
                if path.last == "." { path.append(".") }
                path += "['".unicodeScalars + name + "']".unicodeScalars
                continue
            }
            path.append(scalar)
        }
        return String(path)
    }
}

extension EditorInterval {
    /// Creates the interval of a number and a unit; `nil` if they are invalid.
    fileprivate init?(_ words: [String]) {
        guard words.count == 2, let count = Int64(words[0]), abs(count) <= 1_000_000_000_000,
            let unit = Unit(rawValue: words[1])
        else { return nil }
        self.init(count: count, unit: unit)
    }
}

extension HurlTemplate {
    /// Parses the contents of a file with the placeholders of `.http` files.
    ///
    /// - Throws: ``EditorFileError`` at the first invalid placeholder.
    package init(parsingEditorText text: String) throws(EditorFileError) {
        var parser = EditorFileParser(text)
        parser.names = nil
        let last = parser.lines.count - 1
        self = try parser.template(joining: parser.lines.enumerated().map { ($1, $0 == last ? "" : "\n") })
    }
}
