internal import AFExpressions
internal import AFHurl

/// An option of `afcli run`.
package struct FileRunOption: Sendable {
    /// The groups of options in the help and in the manual page.
    package enum Section: String, CaseIterable, Sendable {
        case run = "Run"
        case variables = "Variables and files"
        case output = "Output"
        case reports = "Reports"
        case request = "Requests"
        case network = "Network"
        case security = "Security"
        case other = "Other"
    }

    typealias Setter = @Sendable (inout FileRunArguments, _ argument: String) throws(UsageError) -> Void

    /// The name without hyphens.
    package let name: String
    /// The short form, without its hyphen.
    package let letter: Character?
    /// The name of the argument; `nil` if the option has no argument.
    package let argument: String?
    /// The section.
    package let section: Section
    /// The effect, for the help.
    package let summary: String
    /// The option that this one is another name of; `nil` if it is none.
    package let alias: String?
    /// Whether several arguments add up.
    let isList: Bool
    /// The secrets in its argument; `nil` if the argument is not secret.
    let secrets: ArgumentSecrets?
    /// Returns whether this libcurl has the feature that the option needs; `nil` if every libcurl has it.
    package let condition: (@Sendable () -> Bool)?
    /// Applies the option; the argument is empty if it has none.
    let set: Setter

    init(
        _ name: String,
        _ section: Section,
        _ summary: String,
        letter: Character? = nil,
        argument: String? = nil,
        alias: String? = nil,
        isList: Bool = false,
        secrets: ArgumentSecrets? = nil,
        condition: (@Sendable () -> Bool)? = nil,
        _ set: @escaping Setter
    ) {
        (self.secrets, self.condition) = (secrets, condition)
        (self.name, self.letter, self.argument, self.section) = (name, letter, argument, section)
        (self.summary, self.alias, self.isList, self.set) = (summary, alias, isList, set)
    }

    /// Creates the option of entries that the command line sets for all.
    init(
        _ option: HurlOption.Name,
        _ section: Section,
        _ summary: String,
        letter: Character? = nil,
        argument: String? = nil,
        secrets: ArgumentSecrets? = nil,
        condition: (@Sendable () -> Bool)? = nil
    ) {
        let isList = [.header, .noHeader, .resolve, .connectTo].contains(option)
        self.init(
            option.rawValue, section, summary, letter: letter, argument: argument, isList: isList, secrets: secrets,
            condition: condition
        ) { (arguments, text) throws(UsageError) in try arguments.inherit(option, text) }
    }

    /// The completion for the argument; `nil` if the argument has no completion.
    package var hint: ArgumentHint? {
        switch (name, argument) {
        case (_, nil): nil
        case ("error-format", _): .choice(["short", "long"])
        case ("verbosity", _): .choice(HurlOption.Verbosity.allCases.map(\.rawValue))
        case (_, "VERSION"?): .choice(["1.0", "1.1", "1.2", "1.3"])
        case (_, "NAME:VALUE"?): .header
        case (_, "FOLDER"?): .directory
        case (_, "FILE"?), (_, "FILE[:PASSWORD]"?), (_, "PATH"?): .file
        default: .anything
        }
    }

    /// The letter and the name with their hyphens.
    package var spellings: [String] { (letter.map { ["-\($0)"] } ?? []) + ["--\(name)"] }

    /// The name of the environment variable: `HURL_HTTP11` for `--http1.1`.
    package var variable: String {
        "HURL_" + name.uppercased().filter { $0 != "." }.replacing("-", with: "_")
    }

    /// The options by environment variable without `HURL_`: all that do not define names.
    static let byVariable: [String: FileRunOption] = {
        let options = all.filter { !["variable", "secret", "help", "version"].contains($0.name) && $0.alias == nil }
        return Dictionary(uniqueKeysWithValues: options.map { (String($0.variable.dropFirst(5)), $0) })
    }()
    static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
    static let byLetter = Dictionary(
        uniqueKeysWithValues: all.compactMap { option in option.letter.map { ($0, option) } })
}

extension FileRunOption {
    /// The help: the options by section.
    static var help: String {
        let sections = Section.allCases.map { section in
            let lines = all.filter { $0.section == section && $0.alias == nil && $0.condition?() != false }
                .map(\.helpLine)
            return "\(section.rawValue):\n" + lines.joined(separator: "\n") + "\n"
        }
        return """
            Usage: afcli run [OPTION ...] FILE ...

            Runs Hurl files, requests with their expected responses, and the .http and .rest
            files of editors. - is a Hurl file from standard input; folders are searched for
            files with these endings. Options of requests apply to all entries that do not
            have them in [Options].

            \(sections.joined(separator: "\n"))
            Exit status: 0 success, 1 bad options, 2 a file cannot be read or parsed, 3 an
            error, 4 failed asserts, 5 a .http file has a script, which is not run.

            """
    }

    private var helpLine: String {
        let short = letter.map { "-\($0), " } ?? "    "
        let term = "  \(short)--\(name)\(argument.map { " \($0)" } ?? "")"
        let column = 34
        guard term.count < column else { return "\(term)\n\(String(repeating: " ", count: column))\(summary)" }
        return term + String(repeating: " ", count: column - term.count) + summary
    }
}
