internal import AFExpressions
internal import AFHTTP
internal import AFHurl

/// The command line of `afcli run`, with the names of Hurl's options.
struct FileRunArguments: Sendable {
    /// The report formats.
    enum ReportFormat: Sendable { case junit, tap, json, html }

    /// The files and folders in order; `-` is standard input.
    var files: [String] = []
    /// The options that entries inherit, in order.
    var inherited: [(name: HurlOption.Name, value: HurlOptionValue)] = []
    var variables: [(name: String, value: String)] = []
    var variablesFiles: [String] = []
    var secrets: [(name: String, value: String)] = []
    var secretsFiles: [String] = []
    var fileRoot: String?
    /// The environment of `.http` files.
    var environmentName: String?
    var output: String?
    /// The entries to run, counted from 1.
    var firstEntry = 1
    var lastEntry = Int.max
    /// The number of times that the files are run; `nil` for no limit.
    var repetitions: UInt64? = 1
    /// The number of files at the same time; `nil` for the default.
    var jobs: Int?
    var isTest = false
    var isParallel = false
    var isCheck = false
    /// Whether the commands of the entries are shown, and nothing is sent.
    var showsCommands = false
    var includesHead = false
    var hidesOutput = false
    var continuesOnError = false
    var ignoresAsserts = false
    var coercesJSONPath = true
    var usesCookieStore = true
    var cookieFiles: [String] = []
    /// The cookies of the cookie files, which are read before the first request.
    var cookies: [HTTPCookie] = []
    var cookieJar: String?
    var reports: [(format: ReportFormat, path: String)] = []
    /// Options of curl that entries do not have.
    var words: [String] = []
    /// The file of the commands of curl.
    var curlFile: String?
    /// Whether errors contain the response.
    var showsResponses = false
    /// Whether the results are the output, as JSON.
    var printsJSON = false
    /// Whether JSON is indented; `nil` if the output decides.
    var isPretty: Bool?
    /// Whether the output is colored; `nil` if the output and the environment decide.
    var color: OutputArguments.Color?
    var showsHelp = false
    var showsVersion = false
    /// Whether a report needs the requests and responses.
    var needsRecords: Bool {
        printsJSON || curlFile != nil || reports.contains { $0.format == .json || $0.format == .html }
    }
    /// The secrets on the command line, after `run`.
    private(set) var secretWords: [WordRange] = []
    /// The length of each word in bytes.
    private let lengths: [Int]

    /// Parses the words after `run`.
    ///
    /// - Parameters:
    ///   - configuration: The options of the configuration file, which others replace.
    ///   - variables: The environment variables by their names after `HURL_`, which typed options replace.
    /// - Throws: ``UsageError`` with the option.
    init(
        _ typed: [String],
        after configuration: [FileRunConfiguration.Option] = [],
        variables: [(name: String, value: String)] = []
    ) throws(UsageError) {
        lengths = typed.map(\.utf8.count)
        for option in configuration {
            do throws(UsageError) {
                try FileRunOption.byName[option.name]?.set(&self, option.value ?? "")
            } catch {
                throw error.naming("--\(option.name) in line \(option.line)")
            }
        }
        for variable in variables { try take(variable) }
        var rest = typed[...]
        while let word = rest.popFirst() {
            if word == "--" {
                files += rest
                break
            }
            if word.hasPrefix("--") {
                let halves = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                guard let option = FileRunOption.byName[String(halves[0])] else {
                    throw Self.unknown("--\(halves[0])")
                }
                try take(option, spelled: "--\(halves[0])", halves.count > 1 ? String(halves[1]) : nil, &rest)
            } else if word.hasPrefix("-"), word != "-" {
                try take(letters: word.dropFirst(), &rest)
            } else {
                files.append(word)
            }
        }
    }

    /// Applies an environment variable; those with other names are ignored.
    private mutating func take(_ variable: (name: String, value: String)) throws(UsageError) {
        guard let option = FileRunOption.byVariable[variable.name] else { return }
        do throws(UsageError) {
            if option.argument == nil {
                switch variable.value.lowercased() {
                case "1", "true", "yes", "on": try option.set(&self, "")
                case "", "0", "false", "no", "off": break
                default: throw UsageError("expected true or false, got '\(variable.value)'")
                }
            } else if option.isList {
                for value in variable.value.split(separator: "|") { try option.set(&self, String(value)) }
            } else {
                try option.set(&self, variable.value)
            }
        } catch {
            throw error.naming("HURL_\(variable.name)")
        }
    }

    private mutating func take(letters: Substring, _ rest: inout ArraySlice<String>) throws(UsageError) {
        var letters = letters
        while let letter = letters.popFirst() {
            guard let option = FileRunOption.byLetter[letter] else { throw Self.unknown("-\(letter)") }
            // The rest of the word is the argument, if the option has one.
            let argument = option.argument != nil && !letters.isEmpty ? String(letters) : nil
            try take(option, spelled: "-\(letter)", argument, &rest)
            if argument != nil { return }
        }
    }

    private static let usualHint = "afcli run --help shows the options"

    private static func unknown(_ spelling: String) -> UsageError {
        // Longer names are no typing errors, and comparing them is slow.
        let isName = spelling.hasPrefix("--") && spelling.utf8.count <= 40
        let nearest =
            isName ? nearestWord(to: spelling.dropFirst(2), in: FileRunOption.all.map(\.name)) : nil
        let hint = nearest.map { "did you mean --\($0)?" } ?? usualHint
        return UsageError("unknown option", argument: spelling, hint: hint)
    }

    private mutating func take(
        _ option: FileRunOption,
        spelled spelling: String,
        _ attached: String?,
        _ rest: inout ArraySlice<String>
    ) throws(UsageError) {
        do throws(UsageError) {
            guard option.argument != nil else {
                if attached != nil { throw UsageError("takes no value") }
                return try option.set(&self, "")
            }
            guard let argument = attached ?? rest.popFirst() else { throw UsageError("requires an argument") }
            // The words of the process begin with `run`.
            let word = rest.startIndex - 1
            let position = ArgumentPosition(word: word + 1, offset: lengths[word] - argument.utf8.count)
            secretWords += option.secrets?.ranges(of: argument, at: position) ?? []
            try option.set(&self, argument)
        } catch {
            throw error.naming(spelling).hinting(error.hint ?? Self.usualHint)
        }
    }

    /// Sets an option of entries.
    mutating func inherit(_ option: HurlOption.Name, _ text: String) throws(UsageError) {
        let value: HurlOptionValue
        switch option.kind {
        case .boolean: value = .boolean(true)
        case .text, .filename, .filenameWithPassword: value = .text(text)
        case .count: value = .count(try Self.count(text))
        case .natural: value = .natural(try Self.natural(text))
        case .duration:
            let unit: HurlDuration.Unit = option == .connectTimeout || option == .maxTime ? .seconds : .milliseconds
            value = .milliseconds(try Self.milliseconds(text, default: unit))
        case .definition:
            variables.append(try Self.definition(text))
            return
        case .verbosity:
            guard let level = HurlOption.Verbosity(rawValue: text) else {
                throw UsageError("expected brief, verbose or debug")
            }
            value = .verbosity(level)
        }
        inherited.append((option, value))
    }

    static func natural(_ text: String) throws(UsageError) -> UInt64 {
        guard text.utf8.allSatisfy({ 48...57 ~= $0 }), let number = UInt64(text) else {
            throw UsageError("expected a number, got '\(text)'")
        }
        return number
    }

    static func count(_ text: String) throws(UsageError) -> UInt64? {
        text == "-1" ? nil : try natural(text)
    }

    static func positive(_ text: String) throws(UsageError) -> Int {
        let number = try natural(text)
        guard number > 0, let count = Int(exactly: number) else { throw UsageError("expected a number above 0") }
        return count
    }

    private static func milliseconds(_ text: String, default unit: HurlDuration.Unit) throws(UsageError) -> UInt64 {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let written = HurlDuration.Unit(rawValue: String(text.dropFirst(digits.count)))
        guard let count = UInt64(digits), written != nil || digits.count == text.count,
            let milliseconds = HurlDuration(count, written).milliseconds(default: unit)
        else { throw UsageError("expected a duration such as 500ms, 10s or 2m, got '\(text)'") }
        return milliseconds
    }

    static func definition(_ text: String) throws(UsageError) -> (name: String, value: String) {
        if let definition = HurlVariables.definition(text) { return definition }
        let name = String(text.prefix { $0 != "=" })
        throw UsageError(
            HurlFunction(rawValue: name) == nil ? "expected NAME=VALUE" : "'\(name)' is the name of a function")
    }

    static func tlsVersion(_ text: String) throws(UsageError) -> String {
        guard ["1.0", "1.1", "1.2", "1.3"].contains(text) else {
            throw UsageError("expected 1.0, 1.1, 1.2 or 1.3, got '\(text)'")
        }
        return text
    }
}
