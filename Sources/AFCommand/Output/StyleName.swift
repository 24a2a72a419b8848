internal import AFFormatting
internal import AFHTTP

/// The value of `--style`: a theme, or a style of HTTPie.
struct StyleName: Equatable, Sendable, ArgumentValue {
    let theme: Theme
    /// The name, if it is unknown; then the theme is ``Theme/auto``.
    let unknown: String?

    static var hint: ArgumentHint { Theme.hint }

    init(argument: String) throws(UsageError) {
        let name = argument.lowercased()
        if let theme = Theme(rawValue: name) ?? Self.themes[name] {
            (self.theme, unknown) = (theme, nil)
            return
        }
        // The styles of Pygments, which HTTPie accepts, have names in lower case.
        guard name == argument, (3...40).contains(name.utf8.count), name.first?.isLetter == true,
            name.utf8.allSatisfy({
                $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
            })
        else {
            let choices = Theme.allCases.map(\.rawValue).joined(separator: ", ")
            // The letters of other options of curl, or the URL, follow curl's -s.
            let isSilent = argument.utf8.count < 3 || argument.contains { ":/.".contains($0) }
            var hint = isSilent ? "curl's --silent is not needed here: omit it" : nil
            if argument.contains("L"), argument.allSatisfy({ "fSLoO".contains($0) }) {
                let saves = argument.contains("O") ? ["-d"] : argument.contains("o") ? ["-o"] : []
                let needed = (["-L"] + saves).joined(separator: " and ")
                hint = "of curl's -s\(argument), only \(needed) \(saves.isEmpty ? "is" : "are") needed here"
            }
            throw UsageError("expected one of \(choices), got '\(argument)'", hint: hint)
        }
        (theme, unknown) = (.auto, argument)
    }

    /// The theme nearest to each of the better known styles.
    private static let themes: [String: Theme] = [
        "pie": .dusk, "pie-dark": .dusk, "pie-light": .dusk, "monokai": .dusk, "dracula": .dusk, "fruity": .dusk,
        "material": .dusk, "one-dark": .dusk, "gruvbox-dark": .ember, "gruvbox-light": .ember, "autumn": .ember,
        "solarized": .ocean, "solarized-dark": .ocean, "solarized-light": .ocean, "nord": .ocean, "nord-darker": .ocean,
        "github-dark": .ocean, "default": .ocean, "friendly": .ocean, "tango": .ocean, "vs": .ocean, "xcode": .ocean,
        "paraiso-dark": .meadow, "paraiso-light": .meadow, "native": .meadow, "vim": .meadow, "bw": .mono,
        "algol": .mono, "algol_nu": .mono, "friendly_grayscale": .mono,
    ]
}
