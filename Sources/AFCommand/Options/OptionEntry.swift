/// An option as the help, the manual page and the completions show it.
struct OptionEntry: Sendable {
    /// What an option takes.
    enum Shape: Equatable, Sendable {
        /// Takes nothing.
        case flag
        /// Takes nothing and means more each time it is given.
        case count
        /// Takes one argument, shown as `name` in the help.
        case argument(name: String, hint: ArgumentHint)
        /// Takes an argument only where `=` joins it to the option.
        case optionalArgument(name: String, hint: ArgumentHint)
    }

    /// With or without the dashes, as typed: `-a`, `--auth`. The first long one is the option's name.
    let spellings: [String]
    /// One line for the help screen: at most 58 columns, no full stop.
    let summary: String
    /// Makes ``details``: most runs show none, and some are long.
    let makeDetails: @Sendable () -> String
    /// Whether help, manual and completions keep silent about it.
    let isHidden: Bool
    let shape: Shape
    /// The heading in the help. The options of a heading stand together in the table.
    var section = ""

    /// Paragraphs, with blank lines between them, for `--help=OPTION` and the manual page; empty where the summary says it all.
    var details: String { makeDetails() }

    /// ``details``, which empty lines divide.
    var paragraphs: [String] { details.split(separator: "\n\n").map(String.init) }

    /// The spelling that messages use, dashes included.
    var name: String { spellings.first { $0.hasPrefix("--") } ?? spellings[0] }

    /// The long spellings, without their dashes.
    var longSpellings: [Substring] {
        spellings.filter { $0.hasPrefix("--") }.map { $0.dropFirst(2) }
    }

    /// The letters, without their dash.
    var letters: [Character] {
        spellings.filter { !$0.hasPrefix("--") }.compactMap(\.last)
    }
}

extension OptionEntry {
    /// Every spelling, then the argument: `-o, --output FILE`.
    var synopsis: String {
        let names = spellings.joined(separator: ", ")
        return switch shape {
        case .flag, .count: names
        case .argument(let name, _): "\(names) \(name)"
        case .optionalArgument(let name, _): "\(names)[=\(name)]"
        }
    }

    /// What may follow the option, and what messages call it; `nil` where nothing may.
    var argument: (name: String, hint: ArgumentHint, isOptional: Bool)? {
        switch shape {
        case .flag, .count: nil
        case .argument(let name, let hint): (name, hint, false)
        case .optionalArgument(let name, let hint): (name, hint, true)
        }
    }

    /// The words that the argument may be, where there is a list of them.
    var choices: [String] {
        if case .choice(let choices) = argument?.hint { choices } else { [] }
    }
}

extension [OptionEntry] {
    /// The headings in the order of the help, each with the options that it shows.
    var sections: [(title: String, options: [OptionEntry])] {
        var sections: [(title: String, options: [OptionEntry])] = []
        for option in self where !option.isHidden {
            if sections.last?.title != option.section { sections.append((option.section, [])) }
            sections[sections.count - 1].options.append(option)
        }
        return sections
    }
}
