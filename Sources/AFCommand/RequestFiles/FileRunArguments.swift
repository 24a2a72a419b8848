internal import AFExpressions
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
    /// - Throws: ``UsageError`` with the option.
    init(_ typed: [String]) throws(UsageError) {
        lengths = typed.map(\.utf8.count)
        var rest = typed[...]
        while let word = rest.popFirst() {
            if word == "--" {
                files += rest
                break
            }
            if word.hasPrefix("--") {
                let halves = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                try take(
                    String(halves[0]), spelled: "--\(halves[0])", halves.count > 1 ? String(halves[1]) : nil, &rest)
            } else if word.hasPrefix("-"), word != "-" {
                try take(letters: word.dropFirst(), &rest)
            } else {
                files.append(word)
            }
        }
    }

    private static let letters: [Character: String] = [
        "b": "cookie", "c": "cookie-jar", "E": "cert", "H": "header", "i": "include", "k": "insecure", "L": "location",
        "m": "max-time", "n": "netrc", "o": "output", "u": "user", "A": "user-agent", "v": "verbose", "x": "proxy",
        "0": "http1.0", "4": "ipv4", "6": "ipv6", "h": "help", "V": "version",
    ]

    /// Options that end with an error of their own.
    private static let unsupported: Set = [
        "fail-with-body"
    ]

    private mutating func take(letters: Substring, _ rest: inout ArraySlice<String>) throws(UsageError) {
        var letters = letters
        while let letter = letters.popFirst() {
            guard let name = Self.letters[letter] else { throw Self.unknown("-\(letter)") }
            // The rest of the word is the argument, if the option has one.
            let argument = Self.hasArgument(name) && !letters.isEmpty ? String(letters) : nil
            try take(name, spelled: "-\(letter)", argument, &rest)
            if argument != nil { return }
        }
    }

    private static func unknown(_ spelling: String) -> UsageError {
        let names = HurlOption.Name.allCases.filter { $0 != .skip }.map(\.rawValue)
        // Longer names are no typing errors, and comparing them is slow.
        let isName = spelling.hasPrefix("--") && spelling.utf8.count <= 40
        let nearest =
            isName
            ? nearestWord(to: spelling.dropFirst(2), in: names + Array(flags.keys.sorted() + textOptions.keys.sorted()))
            : nil
        let hint = nearest.map { "did you mean --\($0)?" } ?? "afcli run --help shows the options"
        return UsageError("unknown option", argument: spelling, hint: hint)
    }

    private static func hasArgument(_ name: String) -> Bool {
        if let option = HurlOption.Name(rawValue: name) { return option.argument != .none }
        return textOptions[name] != nil
    }

    private mutating func take(
        _ name: String,
        spelled spelling: String,
        _ attached: String?,
        _ rest: inout ArraySlice<String>
    ) throws(UsageError) {
        do throws(UsageError) {
            if Self.unsupported.contains(name) { throw UsageError("is not supported") }
            if let flag = Self.flags[name] {
                if attached != nil { throw UsageError("takes no value") }
                return flag(&self)
            }
            let option = HurlOption.Name(rawValue: name)
            if let option, option != .skip, option.argument == .none {
                if attached != nil { throw UsageError("takes no value") }
                inherited.append((option, .boolean(true)))
                return
            }
            guard option?.argument != nil && option != .skip || Self.textOptions[name] != nil else {
                throw Self.unknown(spelling)
            }
            guard let argument = attached ?? rest.popFirst() else { throw UsageError("requires an argument") }
            if ["secret", "user", "proxy"].contains(name) {
                let word = rest.startIndex - 1
                let bytes = lengths[word] - argument.utf8.count..<lengths[word]
                // The words of the process begin with `run`.
                secretWords.append(WordRange(word: word + 1, bytes: bytes))
            }
            if let set = Self.textOptions[name] { return try set(&self, argument) }
            if let option { try inherit(option, argument) }
        } catch {
            throw error.naming(spelling)
        }
    }

    private mutating func inherit(_ option: HurlOption.Name, _ text: String) throws(UsageError) {
        let value: HurlOptionValue
        switch option.argument {
        case .none: value = .boolean(true)
        case .text: value = .text(text)
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

    private static func natural(_ text: String) throws(UsageError) -> UInt64 {
        guard text.utf8.allSatisfy({ 48...57 ~= $0 }), let number = UInt64(text) else {
            throw UsageError("expected a number, got '\(text)'")
        }
        return number
    }

    private static func count(_ text: String) throws(UsageError) -> UInt64? {
        text == "-1" ? nil : try natural(text)
    }

    private static func positive(_ text: String) throws(UsageError) -> Int {
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

    private static func definition(_ text: String) throws(UsageError) -> (name: String, value: String) {
        guard let definition = HurlVariables.definition(text) else {
            throw UsageError("expected NAME=VALUE")
        }
        return definition
    }

    private static let flags: [String: @Sendable (inout FileRunArguments) -> Void] = [
        "test": { $0.isTest = true }, "parallel": { $0.isParallel = true }, "check": { $0.isCheck = true },
        "show": { $0.showsCommands = true },
        "include": { $0.includesHead = true }, "no-output": { $0.hidesOutput = true },
        "continue-on-error": { $0.continuesOnError = true }, "no-assert": { $0.ignoresAsserts = true },
        "ignore-asserts": { $0.ignoresAsserts = true }, "no-jsonpath-coercion": { $0.coercesJSONPath = false },
        "no-cookie-store": { $0.usesCookieStore = false }, "color": { _ in }, "no-color": { _ in },
        "pretty": { _ in }, "no-pretty": { _ in }, "help": { $0.showsHelp = true },
        "version": { $0.showsVersion = true }, "json": { $0.printsJSON = true }, "progress-bar": { _ in },
    ]

    private typealias Setter = @Sendable (inout FileRunArguments, String) throws(UsageError) -> Void

    private static let textOptions: [String: Setter] = [
        "variables-file": { (arguments, text) in arguments.variablesFiles.append(text) },
        "secret": { (arguments, text) throws(UsageError) in arguments.secrets.append(try definition(text)) },
        "secrets-file": { (arguments, text) in arguments.secretsFiles.append(text) },
        "file-root": { (arguments, text) in arguments.fileRoot = text },
        "env": { (arguments, text) in arguments.environmentName = text },
        "output": { (arguments, text) in arguments.output = text },
        "from-entry": { (arguments, text) throws(UsageError) in arguments.firstEntry = try positive(text) },
        "to-entry": { (arguments, text) throws(UsageError) in arguments.lastEntry = try positive(text) },
        "repeat": { (arguments, text) throws(UsageError) in arguments.repetitions = try count(text) },
        "jobs": { (arguments, text) throws(UsageError) in arguments.jobs = try positive(text) },
        "cookie": { (arguments, text) in arguments.cookieFiles.append(text) },
        "cookie-jar": { (arguments, text) in arguments.cookieJar = text },
        "report-junit": { (arguments, text) in arguments.reports.append((.junit, text)) },
        "report-json": { (arguments, text) in arguments.reports.append((.json, text)) },
        "report-html": { (arguments, text) in arguments.reports.append((.html, text)) },
        "curl": { (arguments, text) in arguments.curlFile = text },
        "error-format": { (arguments, text) throws(UsageError) in
            guard ["short", "long"].contains(text) else { throw UsageError("expected short or long, got '\(text)'") }
            arguments.showsResponses = text == "long"
        },
        "glob": { (arguments, text) throws(UsageError) in arguments.files += try FilePattern(text).paths() },
        "report-tap": { (arguments, text) in arguments.reports.append((.tap, text)) },
        "user-agent": { (arguments, text) in arguments.words += ["--user-agent", text] },
        "proxy-header": { (arguments, text) in arguments.words += ["--proxy-header", text] },
        "no-proxy": { (arguments, text) in arguments.words += ["--noproxy", text] },
        "max-filesize": { (arguments, text) in arguments.words += ["--max-filesize", text] },
    ]
}

extension HurlOption.Name {
    /// The kinds of arguments on a command line.
    enum Argument { case none, text, count, natural, duration, definition, verbosity }

    /// The argument of the option on a command line.
    var argument: Argument {
        switch self {
        case .awsSigV4, .cacert, .cert, .connectTo, .header, .key, .netrcFile, .noHeader, .output, .pinnedPubKey,
            .proxy, .resolve, .unixSocket, .user:
            .text
        case .connectTimeout, .delay, .maxTime, .retryInterval: .duration
        case .maxRedirs, .repeat, .retry: .count
        case .limitRate: .natural
        case .variable: .definition
        case .verbosity: .verbosity
        case .compressed, .digest, .failWithBody, .http10, .http11, .http2, .http3, .insecure, .ipv4, .ipv6,
            .location, .locationTrusted, .negotiate, .netrc, .netrcOptional, .ntlm, .pathAsIs, .skip, .verbose,
            .veryVerbose:
            .none
        }
    }
}
