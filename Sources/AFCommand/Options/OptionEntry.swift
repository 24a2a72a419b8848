/// The documentation of an option for the help, the manual page and the completions.
package struct OptionEntry: Sendable {
    /// The argument of an option.
    enum Shape: Equatable, Sendable {
        /// No argument.
        case flag
        /// One argument, called `name` in the help.
        case argument(name: String, hint: ArgumentHint)
        /// An argument only if it is joined by `=`.
        case optionalArgument(name: String, hint: ArgumentHint)
    }

    /// The spellings with dashes: `-a`, `--auth`. The first long one is the option's name.
    package let spellings: [String]
    /// The summary on the help screen: at most 50 columns, no full stop.
    package let summary: String
    /// Returns the ``details``: most runs need none, and some are long.
    let makeDetails: @Sendable () -> String
    /// Whether the complete help lists the option in a last section.
    package let isRare: Bool
    /// Returns whether this libcurl has the feature that the option needs; `nil` if every libcurl has it.
    package let condition: (@Sendable () -> Bool)?
    let shape: Shape
    /// The heading in the help. The options of a heading are adjacent in the table.
    var section = ""

    /// Paragraphs, separated by blank lines, for `--help=OPTION` and the manual page; empty if the summary is
    /// sufficient.
    var details: String { makeDetails() }

    /// Whether the help lists the option.
    package var isOffered: Bool { condition?() != false }

    /// The paragraphs of ``details``.
    package var paragraphs: [String] { details.split(separator: "\n\n").map(String.init) }

    /// The spelling in messages, with dashes.
    package var name: String { spellings.first { $0.hasPrefix("--") } ?? spellings[0] }

    /// The long spellings without dashes.
    package var longSpellings: [Substring] {
        spellings.filter { $0.hasPrefix("--") }.map { $0.dropFirst(2) }
    }

    /// The letters without dashes.
    package var letters: [Character] {
        spellings.filter { !$0.hasPrefix("--") }.compactMap(\.last)
    }
}

extension OptionEntry {
    /// All spellings and the argument: `-o, --output FILE`.
    var synopsis: String { synopsis(of: spellings) }

    /// The first letter, the name and the argument.
    var shortSynopsis: String { synopsis(of: letters.prefix(1).map { "-\($0)" } + [name]) }

    private func synopsis(of spellings: [String]) -> String {
        let names = spellings.joined(separator: ", ")
        return switch shape {
        case .flag: names
        case .argument(let name, _): "\(names) \(name)"
        case .optionalArgument(let name, _): "\(names)[=\(name)]"
        }
    }

    /// The argument's name and completion; `nil` for a flag.
    package var argument: (name: String, hint: ArgumentHint, isOptional: Bool)? {
        switch shape {
        case .flag: nil
        case .argument(let name, let hint): (name, hint, false)
        case .optionalArgument(let name, let hint): (name, hint, true)
        }
    }

    /// The values that the argument may have; empty if there is no list.
    var choices: [String] {
        if case .choice(let choices) = argument?.hint { choices } else { [] }
    }

    /// The values that the argument may have; `nil` if there is no list, or the summary contains it.
    package var unlistedChoices: [String]? {
        choices.allSatisfy { summary.firstRange(of: $0) != nil } ? nil : choices
    }
}

extension [OptionEntry] {
    /// The headings in the order of the help, each with its options.
    package var sections: [(title: String, options: [OptionEntry])] {
        var sections: [(title: String, options: [OptionEntry])] = []
        for option in self {
            if sections.last?.title != option.section { sections.append((option.section, [])) }
            sections[sections.count - 1].options.append(option)
        }
        return sections
    }

    /// The rarely needed options under a heading of their own.
    package var rareSection: (title: String, options: [OptionEntry]) {
        ("Rarely needed", filter { $0.isRare && $0.isOffered })
    }

    /// Returns a heading and its options, in any case and with spaces or dashes; `nil` if there is no such heading.
    func section(titled title: String) -> (title: String, options: [OptionEntry])? {
        let title = title.lowercased().replacing("-", with: " ")
        return (sections + [rareSection]).first { $0.title.lowercased() == title }
    }

    /// Returns the options in which a word begins with a text: in a spelling or the summary, and in the details alone.
    func found(by text: String) -> (inSummary: [OptionEntry], inDetails: [OptionEntry]) {
        let offered = filter(\.isOffered)
        let inSummary = offered.filter { ($0.spellings + [$0.summary]).contains { $0.hasWord(beginningWith: text) } }
        let names = inSummary.map(\.name)
        let inDetails = offered.filter { !names.contains($0.name) && $0.details.hasWord(beginningWith: text) }
        return (inSummary, inDetails)
    }
}

extension String {
    /// Whether a word of the text begins with another text, in any case.
    fileprivate func hasWord(beginningWith prefix: String) -> Bool {
        let (text, prefix) = (lowercased(), prefix.lowercased())
        return text.ranges(of: prefix).contains { range in
            range.lowerBound == text.startIndex || !text[text.index(before: range.lowerBound)].isLetter
        }
    }
}
