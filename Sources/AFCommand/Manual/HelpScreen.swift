internal import AFFormatting

/// The subject of a help text.
enum HelpTopic: Equatable, Sendable {
    case overview
    /// All options.
    case all
    /// The notations of items.
    case items
    /// Commands with descriptions.
    case examples
    /// The options of a heading.
    case section(title: String)
    /// An option by its name, including dashes.
    case option(String)
    /// The options in which a word begins with a text.
    case search(String)
}

/// Formats help as text of a given width.
struct HelpScreen: Sendable {
    /// Longer terms have their description on the next line.
    private static let longestTerm = 26
    private static let indentation = "  "

    private let options: [OptionEntry]
    /// The options that lists contain.
    private let offered: [OptionEntry]
    private let width: Int

    /// Creates a screen.
    ///
    /// - Parameter width: The columns of the terminal; limited to a readable width.
    init(_ options: [OptionEntry], width: Int) {
        self.options = options
        offered = options.filter(\.isOffered)
        self.width = min(max(width, 40), 100)
    }

    /// Returns the text about a topic, with a line end.
    func text(about topic: HelpTopic) -> String {
        let lines =
            switch topic {
            case .overview: lines(of: HelpPage(overviewOf: offered))
            case .all: lines(of: HelpPage(describing: offered))
            case .items: lines(of: HelpPage.items)
            case .examples: lines(of: HelpPage.Section(title: "Examples", rows: HelpPage.examples))
            case .section(let title): section(title)
            case .option(let name): option(name) + section(String(name.dropFirst(2))).inParagraph
            case .search(let text): search(text)
            }
        return lines.joined(separator: "\n") + "\n"
    }

    func lines(of page: HelpPage) -> [String] {
        var lines = ["Usage: \(HelpPage.usage)"]
        for section in page.sections { lines += [""] + self.lines(of: section) }
        return lines + page.footer.flatMap { wrapped($0, indentation: "") }.inParagraph
    }

    private func lines(of section: HelpPage.Section) -> [String] {
        // The examples are short, and their terms long.
        let longest = section.rows.map(\.term.count).max() ?? 0
        let isOfOptions = section.rows.first?.term.hasPrefix("-") ?? false
        return ["\(section.title):"] + rows(section.rows, termWidth: isOfOptions ? Self.longestTerm : longest)
    }

    /// Returns the options of a heading; empty if there is no such heading.
    private func section(_ title: String) -> [String] {
        offered.section(titled: title).map { lines(of: HelpPage.Section(title: $0.title, $0.options)) } ?? []
    }

    /// Returns the options that a search finds.
    private func search(_ text: String) -> [String] {
        let (inSummary, inDetails) = offered.found(by: text)
        let sections = [("Options for '\(text)'", inSummary), ("Options that mention '\(text)'", inDetails)]
            .filter { !$0.1.isEmpty }
            .map { lines(of: HelpPage.Section(title: $0.0, $0.1)) }
        return Array(sections.joined(separator: [""])) + ["", "--help=OPTION describes an option."]
    }

    private func option(_ name: String) -> [String] {
        guard let option = options.first(where: { $0.name == name }) else { return [] }
        var lines = [option.synopsis] + wrapped(option.summary + ".", indentation: Self.indentation)
        if let choices = option.unlistedChoices {
            lines += wrapped("One of: \(choices.joined(separator: ", "))", indentation: Self.indentation).inParagraph
        }
        return lines + option.paragraphs.flatMap { wrapped($0, indentation: Self.indentation).inParagraph }
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

    private func wrapped(_ text: String, indentation: String) -> [String] {
        text.wrapped(toColumns: width, first: indentation, margin: indentation)
    }
}

extension [String] {
    /// The lines after an empty one; empty if there are none.
    fileprivate var inParagraph: [String] { isEmpty ? [] : [""] + self }
}
