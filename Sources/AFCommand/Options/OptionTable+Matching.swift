extension OptionTable {
    /// What a long option means: an option, or the undoing of one.
    struct Match {
        let option: Option
        /// Whether it was spelled `--no-OPTION` and the table has no option of that name.
        let isNegated: Bool
    }

    static func find(letter: Character) -> Option? {
        all.first { $0.letters.contains(letter) }
    }

    /// Finds an option by its long name, without dashes: exactly, or by an unambiguous beginning.
    ///
    /// - Throws: ``UsageError`` that suggests the nearest name, or lists the candidates.
    static func find(long name: Substring) throws(UsageError) -> Match {
        if let exact = exactMatch(name) { return exact }
        if let counterpart = curlCounterparts[String(name)] {
            throw UsageError("unknown option", argument: "--\(name)", hint: "as in curl? Here it is \(counterpart)")
        }
        let candidates = name.isEmpty ? [] : abbreviated(name)
        let options = Set(candidates.map(\.match.identity))
        if options.count == 1 { return candidates[0].match }
        if candidates.isEmpty {
            throw UsageError("unknown option", argument: "--\(name)", hint: suggestion(for: name))
        }
        let spellings = candidates.map { "--\($0.spelling)" }.joined(separator: ", ")
        throw UsageError("could be any of \(spellings)", argument: "--\(name)")
    }

    /// A sentence with the option nearest to a misspelled name, if one is near.
    static func suggestion(for name: Substring) -> String? {
        // Whatever is longer is no slip of the finger, and comparing takes its time.
        guard name.utf8.count <= 40 else { return nil }
        if let nearest = nearest(to: name) { return "did you mean --\(nearest)?" }
        guard name.hasPrefix("no-") else { return nil }
        return nearest(to: name.dropFirst(3)).map { "did you mean --no-\($0)?" }
    }

    private static func nearest(to name: Substring) -> Substring? {
        let tolerance = max(1, name.count / 3)
        let nearest =
            all.flatMap(\.longSpellings)
            .map { (spelling: $0, distance: editDistance($0, name)) }
            .min { $0.distance < $1.distance }
        guard let nearest, nearest.distance <= tolerance else { return nil }
        return nearest.spelling
    }

    /// What people who know curl look for, and what they must not get instead by an abbreviation.
    private static let curlCounterparts = [
        "cookie": "an item: 'Cookie:name=value'", "data": "items or --raw: name=value, --raw TEXT",
        "data-raw": "--raw TEXT", "data-binary": "--raw @FILE", "data-urlencode": "an item: name=value with --form",
        "fail": "the default; --no-check-status undoes it", "head": "the method: afcli head URL",
        "include": "--print=hb", "insecure": "--verify=no", "json": "--raw TEXT, or items: name=value",
        "location": "--follow", "request": "--method, or the method before the URL", "silent": "--quiet",
        "url": "the URL without an option", "user": "--auth", "user-agent": "an item: User-Agent:NAME",
        "referer": "an item: Referer:URL", "get": "the method: afcli get URL name==value",
    ]

    private static func exactMatch(_ name: Substring) -> Match? {
        if let option = all.first(where: { $0.longSpellings.contains(name) }) {
            return Match(option: option, isNegated: false)
        }
        guard name.hasPrefix("no-") else { return nil }
        let positive = name.dropFirst(3)
        return all.first { $0.longSpellings.contains(positive) }.map { Match(option: $0, isNegated: true) }
    }

    private static func abbreviated(_ name: Substring) -> [(spelling: String, match: Match)] {
        let plain = all.flatMap { option in
            option.longSpellings.map { (spelling: String($0), match: Match(option: option, isNegated: false)) }
        }
        let taken = Set(plain.map(\.spelling))
        let negated = plain.filter { !taken.contains("no-\($0.spelling)") }
            .map { (spelling: "no-\($0.spelling)", match: Match(option: $0.match.option, isNegated: true)) }
        return (plain + negated).filter { $0.spelling.hasPrefix(name) }
    }
}

extension OptionTable.Match {
    fileprivate var identity: String { isNegated ? "no \(option.name)" : option.name }
}
