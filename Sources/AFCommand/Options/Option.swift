/// One logical option: every spelling of it, every sentence about it, and its effect.
struct Option: Sendable {
    /// The headings of the help, in its order.
    enum Section: String, CaseIterable, Sendable {
        case request = "Request"
        case authentication = "Authentication"
        case redirects = "Redirects"
        case sessions = "Sessions"
        case tls = "TLS"
        case network = "Network"
        case retry = "Retry"
        case validation = "Validation"
        case download = "Download"
        case output = "Output"
        case dryRun = "Dry run"
        case other = "Other"
    }

    /// What a shell may offer after the option.
    enum Hint: Equatable, Sendable {
        case anything, file, directory
        /// A part: `name=@file`, where a semicolon in the name begins something else unless it is quoted.
        case part
        /// One of these words and nothing else.
        case choice([String])
        /// These words among others.
        case suggestion([String])
        /// A file, or one of these words.
        case fileOr([String])
        /// `Name: value`
        case header
        /// The name of an option, without its dashes.
        case option
    }

    /// With or without the dashes, as typed: `-a`, `--auth`. The first long one is the option's name.
    let spellings: [String]
    let section: Section
    /// One line for the help screen: at most 58 columns, no full stop.
    let summary: String
    /// Paragraphs, with blank lines between them, for `--help=OPTION` and the manual page; empty where the summary says it all.
    var details: String { makeDetails() }
    private let makeDetails: @Sendable () -> String
    /// Whether help, manual and completions keep silent about it.
    let isHidden: Bool
    let effect: Effect

    init(
        _ spellings: String...,
        in section: Section,
        summary: String,
        details: @autoclosure @escaping @Sendable () -> String = "",
        isHidden: Bool = false,
        effect: Effect
    ) {
        self.spellings = spellings
        self.section = section
        self.summary = summary
        makeDetails = details
        self.isHidden = isHidden
        self.effect = effect
    }

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
