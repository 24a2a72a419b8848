/// A command line in a document.
struct Example: Hashable, Sendable {
    /// The document, with the line number if there is one: `README.md:37`.
    let place: String
    /// The exact shell command.
    let command: String

    /// Returns the examples of a Markdown document: lines of code blocks without a language, and inline code.
    static func markdown(_ text: String, named name: String) -> [Example] {
        var examples: [Example] = []
        var language: Substring?
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let place = "\(name):\(number + 1)"
            if line.hasPrefix("```") {
                language = language == nil ? line.dropFirst(3) : nil
            } else if language == nil {
                // Every second part is between backticks.
                let pieces = line.split(separator: "`", omittingEmptySubsequences: false)
                for piece in pieces.enumerated() where !piece.offset.isMultiple(of: 2) && runsTheTool(piece.element) {
                    examples.append(Example(place: place, command: String(piece.element)))
                }
            } else if language == "", runsTheTool(line) {
                examples.append(Example(place: place, command: String(line)))
            }
        }
        return examples
    }

    /// Returns the examples of a manual page in mdoc: lines of literal displays, and quoted literals.
    static func manual(_ text: String, named name: String) -> [Example] {
        var isDisplay = false
        return text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().compactMap { number, line in
            if line.hasPrefix(".Bd") || line.hasPrefix(".Ed") { isDisplay = line.hasPrefix(".Bd") }
            let literal = isDisplay ? line : line.firstMatch(of: #/^\.Ql "(.*)"/#)?.1
            guard let command = literal.map(unescaped), runsTheTool(command) else { return nil }
            return Example(place: "\(name):\(number + 1)", command: command)
        }
    }

    /// Returns the examples of the help screen: the first of two columns is the command.
    static func help(_ text: String) -> [Example] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let start = lines.firstIndex(of: "Examples:").map { lines[($0 + 1)...] } ?? []
        return start.prefix { $0.hasPrefix("  ") }.map { line in
            let row = line.drop { $0 == " " }
            let end = row.firstRange(of: "  ")?.lowerBound ?? row.endIndex
            return Example(place: "afcli --help", command: String(row[..<end]))
        }
    }

    private static func runsTheTool(_ line: some StringProtocol) -> Bool {
        line.hasPrefix("afcli ") || line.contains("| afcli ")
    }

    private static func unescaped(_ text: Substring) -> String {
        String(text).replacing("\\-", with: "-").replacing("\\&", with: "").replacing("\\(dq", with: "\"")
            .replacing("\\e", with: "\\")
    }
}

extension Example {
    /// The files that the command should create in its working directory.
    var promisedFiles: Set<String> {
        let words = command.prefix { $0 != "#" }.split(separator: " ").map(String.init)
        var files: Set<String> = []
        let options = ["-o", "--report", "--report-junit", "--har"]
        for (option, name) in zip(words, words.dropFirst()) where options.contains(option) {
            files.insert(name.replacing("junit:", with: ""))
        }
        if words.contains("-d"), !words.contains("-o"), let url = words.last(where: { $0.contains("/") }) {
            files.insert(String(url.split(separator: "/").last ?? ""))
        }
        return files
    }
}
