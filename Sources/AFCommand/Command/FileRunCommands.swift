internal import AFExpressions
internal import AFHTTP
internal import AFHurl

/// The entries of a file as commands of afcli: `afcli run --show`.
///
/// Values that are not known are variables of the shell.
struct FileRunCommands {
    private let entries: [HurlEntry]
    private let lines: [Substring]
    private let excerpt: SourceExcerpt
    private let arguments: FileRunArguments
    private var evaluator: HurlEvaluator<FileRunEnvironment>
    private let placeholders: ShellPlaceholders

    /// - Parameters:
    ///   - text: The contents of the file.
    ///   - name: The name of the file for messages.
    init(
        _ file: HurlFile,
        _ text: String,
        name: String,
        _ environment: FileRunEnvironment,
        _ variables: HurlVariables,
        _ arguments: FileRunArguments
    ) {
        (entries, self.arguments) = (file.entries, arguments)
        lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
        placeholders = ShellPlaceholders(lines)
        excerpt = SourceExcerpt(text, filename: name)
        evaluator = HurlEvaluator(environment, variables: variables)
        evaluator.substitute = { [placeholders] in placeholders.marker(for: $0, $1) }
    }

    /// Adds the commands, or errors, to the result of the file.
    ///
    /// - Parameter names: The variables that the file does not change.
    mutating func add(to result: inout FileRunResult, except names: Set<String>) {
        for (number, entry) in zip(1..., entries)
        where number >= arguments.firstEntry && number <= arguments.lastEntry {
            let line = entry.request.range.start.line
            do {
                let command = try command(of: entry, except: names)
                let shown = placeholders.shellText(evaluator.variables.redacted(command))
                let head = ["# line \(line)"] + placeholders.notes + notes(before: entry)
                let text = (head + [shown] + notes(after: entry)).joined(separator: "\n")
                result.output += Array((result.output.isEmpty ? "" : "\n").utf8) + Array((text + "\n").utf8)
            } catch {
                let text =
                    (error as? HurlEvaluationError)?.text(in: excerpt, entryLine: line) ?? Diagnosis(error).message
                result.failures.append(
                    FileRunResult.Failure(
                        line: line, title: "Invalid request", text: evaluator.variables.redacted(text), isAssert: false)
                )
            }
        }
    }

    private mutating func command(of entry: HurlEntry, except names: Set<String>) throws -> String {
        placeholders.start(entry.request)
        let options = try EntryOptions(entry, arguments, except: names, &evaluator)
        let values = try evaluator.values(of: entry.request)
        let bodyFile = try evaluator.bodyFile(of: entry.request)
        let request = EntryRequest(values, options, arguments, evaluator.environment)
        let words = ["--disable", "--globoff"] + request.commandWords(bodyFile: bodyFile)
        var input = InputReader(evaluator.environment.files, .taken, mayReadStandardInput: false)
        let line = try CurlCommandLine(
            words, CurlOption.all, offset: nil, environment: evaluator.environment.variables,
            files: evaluator.environment.files, input)
        let transfer = try CurlTranslation(
            line.groups[0], CurlGlob.Match(url: values.url, parts: []), index: 0, upload: nil, isOnly: true,
            encodesLikeCurl: false, files: evaluator.environment.files, input: &input)
        let command = CurlPrinter(transfer, revealsSecrets: true, hasNetrc: false).text(.short)
        let status = entry.response?.status.map { " --expect-status \($0)" } ?? ""
        let output = options.output.map { " -o \(ShellWord.quoted($0))" } ?? ""
        let feed = bodyFile == nil ? request.binaryBody.map { "\(ShellWord.printing($0)) | " } ?? "" : ""
        return feed + command + status + output
    }

    /// Returns the lines of the options that concern the run and not the request, as comments.
    private func notes(before entry: HurlEntry) -> [String] {
        let names: [HurlOption.Name] = [.delay, .repeat, .retry, .retryInterval, .skip]
        let options = entry.request.options.filter { names.contains($0.name) }
        return notes(options.map { ("option: ", $0.range.start.line) })
    }

    /// Returns the lines of captures and asserts as comments.
    private func notes(after entry: HurlEntry) -> [String] {
        let captures = entry.response?.captures.map { ("then: ", $0.name.range.start.line) } ?? []
        let asserts = entry.response?.asserts.map { ("expected: ", $0.query.range.start.line) } ?? []
        return notes(captures + asserts)
    }

    private func notes(_ titled: [(title: String, line: Int)]) -> [String] {
        titled.compactMap { title, line in
            guard lines.indices.contains(line - 1) else { return nil }
            return "# \(title)\(String(lines[line - 1])[...].trimmed)"
        }
    }
}

/// The placeholders of a request, each of which is a marker in the command and then a variable of the shell.
private final class ShellPlaceholders {
    private let lines: [Substring]
    private var request: HurlRequest?
    private var names: [(name: String, typed: String?)] = []

    /// - Parameter lines: The lines of the file.
    init(_ lines: [Substring]) { self.lines = lines }

    /// Starts a request.
    func start(_ request: HurlRequest) { (self.request, names) = (request, []) }

    /// Returns the marker of a placeholder; `nil` if its value is known and no secret.
    func marker(for placeholder: HurlPlaceholder, _ variables: HurlVariables) -> String? {
        var name = text(placeholder.range)
        var typed: String? = "{{\(name)}}"
        switch placeholder.content {
        case .variable(let variable):
            if let value = variables[variable] {
                guard case .string(let text) = value, variables.secrets.contains(text) else { return nil }
            }
            (name, typed) = (variable, nil)
        case .function, .reference: break
        case .system: name = String(name.dropFirst().prefix { $0 != " " && $0 != "(" })
        }
        let isPlain = { (character: Character) in character.isASCII && (character.isLetter || character.isNumber) }
        let words = name.split { !isPlain($0) }
        let shellName = words.joined(separator: "_")
        let index = names.firstIndex { $0.name == shellName && $0.typed == typed } ?? names.count
        if index == names.count { names.append((shellName, typed)) }
        guard case .placeholder(let first)? = request?.url.parts.first, first.range == placeholder.range else {
            return Self.marker(index)
        }
        return "http://" + Self.marker(index)
    }

    /// Returns a part of a line.
    private func text(_ range: SourceRange) -> String {
        guard lines.indices.contains(range.start.line - 1) else { return "" }
        let characters = lines[range.start.line - 1].unicodeScalars
        let end = characters.prefix(max(range.end.column - 1, 0))
        return String(end.dropFirst(max(range.start.column - 1, 0)))
    }

    private static func marker(_ index: Int) -> String { "zq\(index)qz" }

    /// The comments about variables that are not variables of the file.
    var notes: [String] {
        names.compactMap { entry in entry.typed.map { "# $\(entry.name): \($0)" } }
    }

    /// Returns a command in which variables of the shell replace the markers.
    func shellText(_ command: String) -> String {
        var (result, isQuoted) = ("", false)
        let parts = command.split(separator: "'", omittingEmptySubsequences: false)
        for (position, part) in parts.enumerated() {
            var text = String(part)
            for (index, entry) in names.enumerated().reversed() {
                let variable = isQuoted ? "'\"$\(entry.name)\"'" : "\"$\(entry.name)\""
                text = text.replacing("http://" + Self.marker(index), with: variable)
                    .replacing(Self.marker(index), with: variable)
            }
            if isQuoted {
                // Beside a variable, an empty text needs no quotes.
                let quoted = "'\(text)'"
                result += text.isEmpty ? quoted : quoted.replacing("''", with: "")
                isQuoted = false
            } else if !part.reversed().prefix(while: { $0 == "\\" }).count.isMultiple(of: 2) {
                // The quote is a character of a word.
                result += text + (position < parts.count - 1 ? "'" : "")
            } else {
                result += text
                isQuoted = true
            }
        }
        return result
    }
}
