/// The options of a command line, in the order of the help.
struct OptionTable: Sendable {
    let all: [Option<Invocation>]

    var entries: [OptionEntry] { all.map(\.entry) }
}

/// The position of a flag among the positional arguments.
enum FlagPosition: Sendable {
    /// Before all of them.
    case first
    /// After a word that may be the method or the URL.
    case afterWord
    /// After the URL.
    case afterURL
}

extension OptionTable {
    /// The meaning of a long option.
    struct Match {
        let option: Option<Invocation>
        /// Whether it is `--no-OPTION`, and the table has no option of that name.
        let isNegated: Bool
    }

    func find(letter: Character) -> Option<Invocation>? {
        option(named: "-\(letter)")
    }

    /// Finds an option by its long name, without dashes: exact or an unambiguous prefix.
    ///
    /// - Throws: ``UsageError`` with the nearest name or the candidates.
    func find(long name: Substring) throws(UsageError) -> Match {
        if let exact = exactMatch(name) { return exact }
        // The name of an option of curl is no abbreviation.
        if let hint = CurlHints.hint(for: String(name)) {
            throw UsageError("unknown option", argument: "--\(name)", hint: hint)
        }
        let candidates = name.isEmpty ? [] : abbreviated(name)
        let options = Set(candidates.map(\.match.identity))
        if options.count == 1 { return candidates[0].match }
        if candidates.isEmpty {
            throw UsageError("unknown option", argument: "--\(name)", hint: suggestion(for: name) ?? Self.listHint)
        }
        let spellings = candidates.map { "--\($0.spelling)" }.joined(separator: ", ")
        throw UsageError("ambiguous option: \(known: spellings)", argument: "--\(name)")
    }

    static var listHint: String { "afcli --help=all shows all options" }

    /// Returns a hint with the option nearest to a misspelled name, if there is one.
    func suggestion(for name: Substring) -> String? {
        // Longer names are no typing errors, and comparing them is slow.
        guard name.utf8.count <= 40 else { return nil }
        if let nearest = nearest(to: name) { return "did you mean --\(nearest)?" }
        guard name.hasPrefix("no-") else { return nil }
        return nearest(to: name.dropFirst(3)).map { "did you mean --no-\($0)?" }
    }

    private func nearest(to name: Substring) -> Substring? {
        nearestWord(to: name, in: all.flatMap(\.entry.longSpellings))
    }

    private func exactMatch(_ name: Substring) -> Match? {
        if let option = option(named: "--\(name)") { return Match(option: option, isNegated: false) }
        guard name.hasPrefix("no-") else { return nil }
        return option(named: "--\(name.dropFirst(3))").map { Match(option: $0, isNegated: true) }
    }

    func option(named spelling: String) -> Option<Invocation>? {
        all.first { $0.entry.spellings.contains(spelling) }
    }

    private func abbreviated(_ name: Substring) -> [(spelling: String, match: Match)] {
        let plain = all.flatMap { option in
            option.entry.longSpellings.map { (spelling: String($0), match: Match(option: option, isNegated: false)) }
        }
        let taken = Set(plain.map(\.spelling))
        let negated = plain.filter { !taken.contains("no-\($0.spelling)") && !$0.spelling.hasPrefix("no-") }
            .map { (spelling: "no-\($0.spelling)", match: Match(option: $0.match.option, isNegated: true)) }
        return (plain + negated).filter { $0.spelling.hasPrefix(name) }
    }
}

extension OptionTable.Match {
    fileprivate var identity: String { isNegated ? "no \(option.entry.name)" : option.entry.name }
}
