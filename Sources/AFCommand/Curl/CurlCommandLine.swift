internal import AFHTTP
internal import AFJSON
internal import FoundationEssentials

/// A parsed command line of curl.
struct CurlCommandLine {
    /// The form of the printed commands of afcli.
    enum PrintedForm: Sendable {
        case short
        /// With all options, such that the request is that of curl.
        case long
    }

    /// The groups of options and URLs, separated by `--next`.
    private(set) var groups = [CurlArguments()]
    /// Whether the requests are shown and not sent.
    private(set) var isOffline = false
    /// The form in which the commands of afcli are printed, and nothing is sent; `nil` to execute.
    private(set) var printedStyle: PrintedForm?
    /// Whether they contain secrets.
    private(set) var showsSecrets = false
    /// Sentences about lines of configuration files that are ignored.
    private(set) var warnings: [String] = []
    /// The secrets on the command line.
    private(set) var secrets: [WordRange] = []
    private let options: [CurlOption]
    private let files: FileAccess
    private let environment: Variables
    /// The reader of files and of standard input, which can be read only once.
    private(set) var input: InputReader
    private var variables: [String: [UInt8]] = [:]
    /// The number of configuration files that are being read, each of which includes the next one.
    private var depth = 0

    /// A word, and its place on the command line; `nil` if it is not there.
    private struct Word {
        var text: String
        var position: ArgumentPosition?
    }

    /// Parses the words after `curl`.
    ///
    /// - Parameters:
    ///   - options: The options of curl.
    ///   - offset: The number of words before them on the command line; `nil` if they are not there.
    /// - Throws: ``UsageError`` with the option, ``FileProblem`` for an unreadable configuration file.
    init(
        _ words: [String],
        _ options: [CurlOption],
        offset: Int?,
        environment: Variables,
        files: FileAccess,
        _ input: InputReader
    ) throws {
        self.options = options
        self.environment = environment
        self.files = files
        self.input = input
        let first = words.first { !CurlOption.ofAfcli.contains($0) }
        let isDisabled = first.map { $0 == "--disable" || $0.hasPrefix("-q") } ?? false
        if !isDisabled, let path = standardConfiguration {
            do {
                try parse(configuration: path, skipsErrors: true)
            } catch let error as UsageError {
                throw error.hinting("-q as the first option omits this file")
            }
        }
        try parse(
            words.enumerated().map { index, word in
                Word(text: word, position: offset.map { ArgumentPosition(word: $0 + index, offset: 0) })
            })
        // As in curl, the transfers before a last --next are executed.
        for index in groups.indices.dropLast(groups.count > 1 ? 1 : 0) where groups[index].urls.isEmpty {
            throw CurlArguments.missingURL(isFirst: index == 0)
        }
        if groups.contains(where: { $0.failsQuietly && $0.failsWithBody }) {
            throw UsageError.withoutHint("cannot be combined with --fail", argument: "--fail-with-body")
        }
        // These options concern the whole command, as in curl.
        for index in groups.indices {
            groups[index].isSilent = groups.contains(where: \.isSilent)
            groups[index].showsErrors = groups.contains(where: \.showsErrors)
            groups[index].hidesProgress = groups.contains(where: \.hidesProgress)
        }
    }

    private mutating func parse(_ words: [Word]) throws {
        var rest = words[...]
        var hasOptions = true
        while let word = rest.popFirst() {
            let text = word.text
            if hasOptions, text == "--" {
                hasOptions = false
            } else if hasOptions, text.hasPrefix("--") {
                try parseLong(word, &rest)
            } else if hasOptions, text.hasPrefix("-"), text.count > 1 {
                try parseLetters(of: word, &rest)
            } else {
                secrets += ArgumentSecrets.url.ranges(of: text, at: word.position)
                groups[groups.count - 1].urls.append(text.percentEncodingBytes)
            }
        }
    }

    /// Parses `--NAME` or `--NAME=ARGUMENT`.
    private mutating func parseLong(_ word: Word, _ rest: inout ArraySlice<Word>) throws {
        let text = String(word.text.dropFirst(2))
        let halves = text.halves(around: "=")
        let name = halves.map { String($0.before) } ?? text
        do {
            let isExpanded = name.hasPrefix("expand-")
            let name = isExpanded ? String(name.dropFirst(7)) : name
            if let argument = halves?.after {
                let option = try options.find(long: name)
                guard option.takesArgument else { throw UsageError("takes no argument") }
                let offset = word.text.utf8.count - argument.utf8.count
                let position = word.position.map { ArgumentPosition(word: $0.word, offset: offset) }
                rest = [Word(text: String(argument), position: position)] + rest
                return try take(option, isExpanded: isExpanded, &rest)
            }
            guard name.hasPrefix("no-"), !options.contains(where: { $0.name == name }) else {
                return try take(try options.find(long: name), isExpanded: isExpanded, &rest)
            }
            // As in curl, a negated name is not abbreviated.
            guard let option = options.first(where: { $0.name == name.dropFirst(3) }) else { throw CurlOption.unknown }
            guard !option.takesArgument else { throw UsageError("takes an argument, so that it cannot be negated") }
            try option.apply("", isOn: false, to: &groups[groups.count - 1])
        } catch {
            // The part after an equals sign may be a secret.
            throw naming("--\(name)", error)
        }
    }

    private mutating func parseLetters(of word: Word, _ rest: inout ArraySlice<Word>) throws {
        var letters = word.text.dropFirst()
        while let letter = letters.popFirst() {
            guard let option = options.find(letter: letter) else {
                throw CurlOption.unknown.naming("-\(letter)")
            }
            if option.takesArgument, !letters.isEmpty {
                let offset = word.text.utf8.count - letters.utf8.count
                let position = word.position.map { ArgumentPosition(word: $0.word, offset: offset) }
                rest = [Word(text: String(letters), position: position)] + rest
                letters = ""
            }
            do { try take(option, &rest) } catch { throw naming("-\(letter)", error) }
        }
    }

    /// Applies an option with its argument.
    private mutating func take(_ option: CurlOption, isExpanded: Bool = false, _ rest: inout ArraySlice<Word>) throws {
        var argument = ""
        if option.takesArgument {
            guard let word = rest.popFirst() else { throw UsageError("requires an argument") }
            argument = isExpanded ? try expanded(word.text) : word.text
            if word.text.hasOtherBytes, !option.takesBytes(word.text) {
                throw UsageError("is not UTF-8", hint: "data, header fields, passwords and URLs may have any bytes")
            }
            if let number = CurlNumber.kinds[option.name] { argument = try number.plain(argument) }
            if option.name == "url" { argument = argument.percentEncodingBytes }
            secrets += option.secrets?.ranges(of: word.text, at: word.position) ?? []
        }
        switch option.name {
        case "offline": isOffline = true
        case "show-command": printedStyle = .short
        case "show-command-long": printedStyle = .long
        case "show-secrets": showsSecrets = true
        // In a file, curl ignores it before the first URL.
        case "next": if depth == 0 || groups.last?.urls.isEmpty == false { groups.append(CurlArguments()) }
        case "config": try parse(configuration: argument)
        case "variable": try setVariable(argument)
        case "url" where argument.hasPrefix("@"): try addURLs(of: String(argument.dropFirst()))
        default: try option.apply(argument, to: &groups[groups.count - 1])
        }
    }

    /// Adds the URLs of a file, one per line, each with the output of `--remote-name`.
    private mutating func addURLs(of path: String) throws {
        let text = try naming("--url") { try input.text(path, .configuration) }
        for line in text.split(whereSeparator: \.isNewline) {
            let url = line.trimmingPrefix(while: \.isWhitespace)
            guard let first = url.first, first != "#" else { continue }
            let end = url.lastIndex { !$0.isWhitespace } ?? url.startIndex
            let group = groups.count - 1
            let missing = groups[group].urls.count - groups[group].outputs.count
            groups[group].outputs += Array(repeating: .standardOutput, count: max(0, missing)) + [.remoteName]
            groups[group].urls.append(String(url[...end]))
        }
    }

    // Configuration files

    /// The path of the user's configuration file; `nil` if the user has no such file.
    private var standardConfiguration: String? {
        let candidates = [
            ("CURL_HOME", ".curlrc"), ("XDG_CONFIG_HOME", ".curlrc"), ("XDG_CONFIG_HOME", "curlrc"),
            ("HOME", ".curlrc"),
            ("HOME", ".config/curlrc"),
        ].map { variable, name in environment[variable].map { "\($0)/\(name)" } }
        return candidates.compactMap(\.self).first { (try? files.describe($0)) != nil }
    }

    /// Parses a configuration file.
    ///
    /// - Parameter skipsErrors: Whether a line with an error is a warning. Options that afcli refuses are errors.
    private mutating func parse(configuration path: String, skipsErrors: Bool = false) throws {
        guard depth < Self.maximumDepth else {
            throw UsageError(
                "the files include each other, more than \(known: Self.maximumDepth) deep", argument: "--config"
            ).numbered(2)
        }
        depth += 1
        defer { depth -= 1 }
        let text = try input.text(path, .configuration)
        let lines = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).map(Substring.init)
        for (index, line) in lines.enumerated() {
            do {
                let (words, ignored) = CurlConfiguration.words(of: line)
                if !ignored.isEmpty {
                    warn("line \(index + 1) of \(path): without quotes, the argument ends at the first blank")
                }
                try parse(line: words)
            } catch let error as UsageError where skipsErrors && error.curlCode == nil {
                warn("line \(index + 1) of \(path) is ignored: \(error.message)")
            } catch let error as UsageError where depth == 1 {
                let line = UsageError(
                    "line \(known: index + 1) of \(path): \(error.statement)", argument: error.argument ?? "--config",
                    hint: error.hint)
                // As in curl 8: curl 7 ignores the line.
                throw line.numbered(error.curlCode ?? 26)
            }
        }
    }

    /// Parses the words of a line of a configuration file.
    private mutating func parse(line: [String]) throws {
        var words = line.map { Word(text: $0) }[...]
        guard let word = words.popFirst() else { return }
        if word.text.hasPrefix("--") {
            try parseLong(word, &words)
        } else {
            try parseLetters(of: word, &words)
        }
        // curl ignores an empty argument.
        guard words.allSatisfy(\.text.isEmpty) else { throw UsageError("takes no argument", argument: word.text) }
    }

    /// Adds a warning, unless `--silent` precedes it.
    private mutating func warn(_ sentence: String) {
        if !groups.contains(where: \.isSilent) { warnings.append(sentence) }
    }

    private static let maximumDepth = 16

    // Variables

    /// Sets a variable: `NAME=TEXT`, `NAME@FILE`, or `%NAME` from the environment with `%NAME=DEFAULT`.
    private mutating func setVariable(_ argument: String) throws {
        let isImported = argument.hasPrefix("%")
        let text = isImported ? argument.dropFirst() : argument[...]
        let end = text.firstIndex(ofAny: "=@") ?? text.endIndex
        let (name, range) = try Self.range(of: text[..<end])
        let value = text[end...].dropFirst()
        if isImported, let found = environment[name] {
            variables[name] = range.part(of: Array(found.utf8))
        } else if end == text.endIndex {
            throw UsageError(
                isImported ? "the environment variable '\(name)' is not set" : "expected NAME=TEXT or NAME@FILE")
        } else {
            variables[name] = range.part(of: text[end] == "@" ? try input.bytes(String(value)) : Array(value.utf8))
        }
    }

    /// Splits `NAME[FIRST-LAST]`; without brackets the range is complete.
    private static func range(of text: Substring) throws(UsageError) -> (name: String, range: ClosedRange<Int>) {
        guard text.hasSuffix("]"), let (name, bounds) = text.dropLast().halves(around: "[") else {
            return (String(text), 0...Int.max)
        }
        guard let (first, last) = bounds.halves(around: "-"), first.isDecimal, last.isEmpty || last.isDecimal,
            let start = Int(first), let end = last.isEmpty ? Int.max : Int(last), start <= end
        else { throw UsageError("expected a range of bytes such as NAME[0-9] or NAME[10-]") }
        return (String(name), start...end)
    }

    /// Whether a text is the name of a variable, which curl replaces.
    private static func isName(_ text: Substring) -> Bool {
        (1..<128).contains(text.utf8.count)
            && text.utf8.allSatisfy { $0 == 0x5F || (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20) }
    }

    /// Replaces `{{name}}` and `{{name:function:function}}`.
    private func expanded(_ text: String) throws(UsageError) -> String {
        var result = ""
        var isReplaced = false
        var rest = text[...]
        while let open = rest.firstRange(of: "{{"), let close = rest[open.upperBound...].firstRange(of: "}}") {
            let isEscaped = rest[..<open.lowerBound].last == "\\"
            result += rest[..<open.lowerBound]
            if isEscaped { result.removeLast() }
            let name = rest[open.upperBound..<close.lowerBound].prefix { $0 != ":" }
            if isEscaped || !Self.isName(name) {
                result += rest[open.lowerBound..<close.upperBound]
            } else {
                result += try value(of: rest[open.upperBound..<close.lowerBound])
                isReplaced = true
            }
            rest = rest[close.upperBound...]
        }
        // As in curl, backslashes have a meaning only beside a variable.
        return isReplaced ? result + rest : text
    }

    private func value(of expression: Substring) throws(UsageError) -> String {
        let words = expression.split(separator: ":", omittingEmptySubsequences: false)
        var bytes = variables[String(words[0])] ?? []
        for function in words.dropFirst() {
            switch function {
            case "trim": bytes = Array(bytes[...].trimming { $0 == 0x20 || (0x09...0x0D).contains($0) })
            case "json":
                bytes = Array(JSONText.quoted(String(decoding: bytes, as: UTF8.self)).utf8.dropFirst().dropLast())
            case "url": bytes = Array(bytes.percentEncoded { byte, _ in !byte.isUnreserved }.utf8)
            case "b64": bytes = Array(Data(bytes).base64EncodedString().utf8)
            case "64dec": bytes = Data(base64Encoded: Data(bytes)).map(Array.init) ?? Array("[64dec-fail]".utf8)
            default: throw UsageError("'\(function)' is not a function of curl", hint: "trim, json, url, b64, 64dec")
            }
        }
        guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
            throw UsageError(
                "the variable '\(words[0])' is not UTF-8 text without zero bytes", hint: "{{NAME:b64}} encodes it")
        }
        return text
    }
}

extension CurlOption {
    /// Whether an argument with bytes that are not UTF-8 is sent as it is: data, header fields and passwords, but not names
    /// of files.
    fileprivate func takesBytes(_ argument: String) -> Bool {
        switch name {
        case "data", "data-ascii", "data-binary", "json", "header": argument.first != "@"
        case "cookie": argument.contains("=")
        case "form": argument.halves(around: "=")?.after.first.map { !"@<".contains($0) } ?? true
        case "data-urlencode", "url-query": !argument.encodedParts.isFile
        case "user": argument.firstIndex(ofAny: ":") != nil
        case "data-raw", "form-string", "user-agent", "referer", "url": true
        default: false
        }
    }
}

extension String {
    /// Whether the text has bytes that are not UTF-8.
    var hasOtherBytes: Bool { octets.count != utf8.count }

    /// The text of a URL, in which bytes that are not UTF-8 are percent-encoded.
    var percentEncodingBytes: String {
        hasOtherBytes ? octets.percentEncoded { byte, _ in byte >= 0x80 } : self
    }
}

extension ClosedRange<Int> {
    /// Returns the bytes at these offsets, as far as there are any.
    fileprivate func part(of bytes: [UInt8]) -> [UInt8] {
        Array(bytes.dropFirst(lowerBound).prefix(upperBound == .max ? bytes.count : count))
    }
}

extension ArraySlice<UInt8> {
    fileprivate func trimming(_ isBlank: (UInt8) -> Bool) -> ArraySlice {
        let start = firstIndex { !isBlank($0) } ?? endIndex
        let end = lastIndex { !isBlank($0) }.map { $0 + 1 } ?? start
        return self[start..<end]
    }
}
