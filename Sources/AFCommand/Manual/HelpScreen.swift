/// The topic of `--help`.
enum HelpTopic: Equatable, Sendable {
    case everything
    /// An option by its name, including dashes.
    case option(String)
}

/// Formats help as text of a given width.
struct HelpScreen: Sendable {
    /// Longer terms have their description on the next line.
    private static let longestTerm = 26
    private static let indentation = "  "

    private let options: [OptionEntry]
    private let width: Int

    /// Creates a screen.
    ///
    /// - Parameter width: The columns of the terminal; limited to a readable width.
    init(_ options: [OptionEntry], width: Int) {
        self.options = options
        self.width = min(max(width, 40), 100)
    }

    /// Returns the text about a topic, with a line end.
    func text(about topic: HelpTopic) -> String {
        if case .option(let name) = topic, let option = options.first(where: { $0.name == name }) {
            return text(about: option)
        }
        return text(of: HelpPage(overviewOf: options))
    }

    func text(of page: HelpPage) -> String {
        var lines = ["Usage: \(page.usage)", ""]
        lines += wrapped(page.purpose, indentation: "")
        lines += ["", "Examples:"]
        lines += rows(page.examples, termWidth: page.examples.map(\.term.count).max() ?? 0)
        for section in [page.items] + page.sections {
            lines += ["", "\(section.title):"]
            lines += rows(section.rows, termWidth: HelpScreen.longestTerm)
        }
        lines.append("")
        for sentence in page.footer { lines += wrapped(sentence, indentation: "") }
        return lines.joined(separator: "\n") + "\n"
    }

    private func text(about option: OptionEntry) -> String {
        var lines = [option.synopsis]
        lines += wrapped(option.summary + ".", indentation: HelpScreen.indentation)
        if !option.choices.isEmpty {
            lines +=
                [""] + wrapped("One of: \(option.choices.joined(separator: ", "))", indentation: HelpScreen.indentation)
        }
        for paragraph in option.paragraphs {
            lines += [""] + wrapped(paragraph, indentation: HelpScreen.indentation)
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Returns rows in two columns if both fit, else each description below its term.
    private func rows(_ rows: [HelpPage.Row], termWidth: Int) -> [String] {
        let column = HelpScreen.indentation.count + termWidth + 2
        let isNarrow = width - column < 30
        return rows.flatMap { row -> [String] in
            let term = HelpScreen.indentation + row.term
            let margin = String(repeating: " ", count: isNarrow ? 6 : column)
            let meaning = wrapped(row.meaning, indentation: margin)
            guard !isNarrow, row.term.count <= termWidth, let first = meaning.first else { return [term] + meaning }
            let padding = String(repeating: " ", count: column - term.count)
            return [term + padding + first.dropFirst(column)] + meaning.dropFirst()
        }
    }

    /// Breaks text between words; a word longer than a line has its own line.
    private func wrapped(_ text: String, indentation: String) -> [String] {
        var lines: [String] = []
        let margin = indentation.count
        var (line, column) = (indentation, margin)
        for word in text.utf8.split(separator: UInt8(ascii: " ")).map(Substring.init) {
            let length = word.count
            if column > margin, column + 1 + length > width {
                lines.append(line)
                (line, column) = (indentation, margin)
            }
            if column > margin {
                line += " "
                column += 1
            }
            line.append(contentsOf: word)
            column += length
        }
        return lines + [line]
    }
}
