internal import AFCore
internal import AFExpressions
internal import AFHTTP
internal import AFHurl
internal import AFJSON

/// A request with its expectations as an entry of a Hurl file: `--save`.
///
/// Secrets are variables.
struct SuiteEntry: Sendable {
    /// The parts of the command that the entry does not have.
    private(set) var omissions: [String] = []
    /// The files that `run` reads only with `--file-root`.
    private(set) var outsideFiles: [String] = []
    /// The variables in place of secrets.
    private(set) var secrets: [String] = []

    private var requestLines: [String] = []
    private var response: SuiteResponse
    /// The directory of the Hurl file, as an absolute path.
    private let directory: String
    private var file: SuiteFile
    private let url: String
    private let plan: Plan
    private let path: String

    private var headers: [String] = []
    private var options: [String] = []
    private var parts: [String] = []
    private var login: String?
    private var body: String?
    /// Whether the body is JSON, which has its type in an entry.
    private var isJSON = false
    private var method: String?
    /// Whether the user and the password are those of Basic.
    private let hasBasicLogin: Bool

    /// Creates an entry.
    ///
    /// - Parameters:
    ///   - path: The path of the Hurl file.
    ///   - file: Its entries.
    /// - Throws: ``UsageError`` if the request has no form in a Hurl file.
    init(_ plan: Plan, in path: String, after file: SuiteFile) throws(UsageError) {
        directory = path.absolutePath.directoryPath
        (self.file, url, self.plan, self.path) = (file, plan.url.text, plan, path)
        response = SuiteResponse(plan.expectations)
        let command = CurlCommand(plan, Redaction(revealsSecrets: false))
        let others = ["--digest", "--ntlm", "--negotiate", "--anyauth", "--aws-sigv4"]
        hasBasicLogin = !command.words.contains { others.contains($0.long) }
        for word in command.words { add(word) }
        if plan.messages.event != nil { omit("--event") }
        if plan.session.redirects.allowsDowngrade { omit("--allow-downgrade") }
        if isJSON { headers.removeAll { $0 == "Content-Type: application/json" } }
        let start = "\(method ?? plan.request.method.rawValue) "
        var lines = [line(start, Redaction(revealsSecrets: false).url(plan.url.text), secret: "secret")] + headers
        if let login { lines += ["[BasicAuth]", login] }
        if !options.isEmpty { lines += ["[Options]"] + options }
        if !parts.isEmpty { lines += ["[Multipart]"] + parts }
        if let body { lines.append(body) }
        requestLines = lines
        omissions += response.omissions
        guard (try? HurlFile(parsing: text)) != nil else {
            let name = method ?? plan.request.method.rawValue
            let isMethod = name.utf8.allSatisfy { 0x41...0x5A ~= $0 }
            throw UsageError(
                isMethod ? "the request has no form in a Hurl file" : "a Hurl file has no method '\(name)'",
                argument: "--save")
        }
    }

    /// Returns the entry with names of variables for another content of the file.
    func renamed(after file: SuiteFile) throws(UsageError) -> SuiteEntry {
        var entry = try SuiteEntry(plan, in: path, after: file)
        entry.response = response
        for omission in omissions { entry.omit(omission) }
        return entry
    }

    /// The lines of the entry.
    var text: String { (requestLines + [""] + response.lines).joined(separator: "\n") + "\n" }

    /// Removes the lines about the response that it does not meet although it meets the expectations, which have another
    /// meaning for some values.
    mutating func check(_ values: HurlResponseValues) {
        response.check(values)
        for omission in response.omissions { omit(omission) }
    }

    private mutating func omit(_ part: String) { if !omissions.contains(part) { omissions.append(part) } }

    // The request

    private mutating func add(_ word: CurlCommand.Word) {
        let argument = word.argument ?? ""
        switch word.long {
        case "--request": method = argument
        case "--head": method = "HEAD"
        // The coding of the response is not expected.
        case "--compressed", "--globoff", "--fail", "--include", "--silent", "--show-error":
            break
        // They are about the file of the response.
        case "--output", "--remote-name", "--create-dirs", "--no-clobber", "--remote-time", "--dump-header":
            break
        // Redirects to these schemes alone are followed anyway, and the entry's other options imply the rest.
        case "--proto-redir", "--speed-limit", "--retry-connrefused", "--retry-all-errors": break
        case "--header": addHeader(argument)
        case "--user-agent": addHeader("User-Agent: \(argument)")
        // The cookies that the session stores are those that an entry before it receives.
        case "--cookie" where file.hasEntry(at: url) && !plan.persistentState.cookiesOfRequest.isEmpty:
            let stored = plan.persistentState.typedCookies.map { "\($0.name)=\($0.value)" }
            let typed = (stored + plan.request.headers.values(for: "Cookie"))
                .map(Redaction(revealsSecrets: false).cookies)
            if typed.count < plan.persistentState.cookiesOfRequest.count {
                omit("the stored cookies, which an earlier entry receives")
            }
            if !typed.isEmpty { addHeader("Cookie: \(typed.joined(separator: "; "))") }
        case "--cookie": addHeader("Cookie: \(argument)")
        // An entry has one second between its attempts.
        case "--retry":
            let attempts = plan.retry.wait.map { min($0 / max(plan.retry.delay ?? 1, 0.001), 1e9).rounded(.up) }
            options.append("retry: \(attempts.map { "\(min(plan.retry.limit, Int($0)))" } ?? argument)")
        case "--retry-delay": options.append("retry-interval: \(argument)s")
        case "--connect-timeout" where plan.session.timeouts.connect == plan.retry.wait: break
        case "--speed-time" where plan.session.timeouts.idle == plan.retry.wait: break
        case "--data-raw" where argument == Redaction.mask: omit("the body, which may have secrets")
        case "--user":
            let (user, password) = argument.halves(around: ":") ?? (argument[...], Redaction.mask[...])
            if hasBasicLogin {
                login = line("\(String(user).hurlKey): ", String(password), secret: "password")
            } else {
                let name = line("user: ", String(user), secret: "user")
                options.append(line("\(name):", String(password), secret: "password"))
            }
        case "--data-raw": body = bodyText(argument)
        case "--data-binary", "--upload-file":
            let path = argument.hasPrefix("@") ? String(argument.dropFirst()) : argument
            if path == "-" { omit("the body, which is neither text nor a file") } else { body = "file,\(file(path));" }
        case "--form-string", "--form": addPart(argument, isText: word.long == "--form-string")
        default: addOption(word)
        }
    }

    private mutating func addHeader(_ field: String) {
        guard let (name, content) = field.halves(around: ":") else {
            if field.hasSuffix(";") { headers.append("\(String(field.dropLast()).hurlKey):") }
            return
        }
        let text = String(content.trimmed)
        // Without a value, curl removes its default field, which an entry does not have.
        if text.isEmpty || DefaultHeaders.isDefault(name: String(name), value: text) { return }
        let secret = ["authorization": "token", "cookie": "cookie"][name.lowercased()] ?? "secret"
        headers.append(line("\(String(name).hurlKey): ", text, secret: secret))
    }

    private mutating func addPart(_ argument: String, isText: Bool) {
        guard let (name, content) = argument.halves(around: "=") else { return }
        if isText {
            parts.append(line("\(String(name).hurlKey): ", String(content), secret: "secret"))
            return
        }
        let fields = content.split(separator: ";").map(String.init)
        guard content.hasPrefix("@"), !content.hasPrefix("@-"), !content.contains("\"") else {
            return omit("the part '\(name)'")
        }
        let file = String(fields[0].dropFirst())
        let type = fields.first { $0.hasPrefix("type=") }.map { " \($0.dropFirst("type=".count))" } ?? ""
        let usualName = "filename=\(file.lastComponent)"
        if fields.dropFirst().contains(where: { !$0.hasPrefix("type=") && $0 != usualName }) {
            omit("the file name of the part '\(name)'")
        }
        parts.append("\(String(name).hurlKey): file,\(self.file(file));\(type)")
    }

    private mutating func addOption(_ word: CurlCommand.Word) {
        let name = CurlNotation.ownName(of: word.long)
        guard let option = HurlOption.Name(rawValue: String(word.long.dropFirst(2))) else { return omit(name) }
        let argument = word.argument ?? ""
        switch option.kind {
        case .boolean: options.append("\(option.rawValue): true")
        case .duration:
            guard let seconds = Double(argument), 0...1_000_000_000 ~= seconds else { return omit(name) }
            options.append("\(option.rawValue): \(Int((seconds * 1000).rounded()))ms")
        case .text, .filename, .filenameWithPassword, .count, .natural:
            // `run` resolves these paths from its current directory, and not from that of the Hurl file.
            let isFile = [.cacert, .cert, .key].contains(option)
            let start = "\(option.rawValue): "
            options.append(
                isFile ? start + Self.path(argument.absolutePath) : line(start, argument, secret: "secret"))
        case .definition, .verbosity: omit(name)
        }
    }

    private mutating func bodyText(_ text: String) -> String {
        let hasType = headers.contains { $0.lowercased().hasPrefix("content-type:") }
        isJSON =
            hasType && (try? JSONText(text)) != nil && !text.contains("{{")
            && (text.hasPrefix("{") || text.hasPrefix("["))
        return isJSON ? filled("", text, "", secret: "secret") : line("`", text, "`", secret: "secret")
    }

    /// Returns the path of a file, relative to the directory of the Hurl file if it is there.
    private mutating func file(_ path: String) -> String {
        let absolute = path.absolutePath
        let prefix = directory.hasSuffix("/") ? directory : directory + "/"
        if absolute.hasPrefix(prefix) { return Self.path(String(absolute.dropFirst(prefix.count))) }
        outsideFiles.append(absolute)
        return Self.path(absolute)
    }

    // Texts

    /// Returns a line with the escapes of a text, and variables in place of its masked secrets.
    ///
    /// - Parameter secret: The start of the names of the variables.
    private mutating func line(_ start: String, _ text: String, _ end: String = "", secret: String) -> String {
        filled(start, text.escapedForHurl, end, secret: secret)
    }

    private mutating func filled(_ start: String, _ text: String, _ end: String, secret: String) -> String {
        var pieces = text.split(separator: Redaction.mask, omittingEmptySubsequences: false).map(String.init)
        pieces[0] = start + pieces[0]
        pieces[pieces.count - 1] += end
        if pieces.count == 1 { return pieces[0] }
        for (index, name) in file.names(between: pieces, at: url, base: secret).enumerated() {
            if !secrets.contains(name) { secrets.append(name) }
            pieces[index] += "{{\(name)}}"
        }
        return pieces.joined()
    }

    private static func path(_ text: String) -> String {
        String(text.flatMap { "#; {}:\\".contains($0) ? ["\\", $0] : [$0] })
    }
}

extension String {
    /// The text with escapes for a Hurl file.
    var escapedForHurl: String {
        var result = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "\\", "\"", "#", "`": result += "\\\(scalar)"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case "{" where result.hasSuffix("{"): result += "\\u{7B}"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                result += "\\u{\(String(scalar.value, radix: 16))}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// The text as the name of a field in a Hurl file.
    var hurlKey: String {
        var result = ""
        for scalar in unicodeScalars {
            let isPlain = scalar.properties.isAlphabetic || scalar.properties.numericType != nil
            if isPlain || "_-.[]@$".unicodeScalars.contains(scalar) {
                result.unicodeScalars.append(scalar)
            } else {
                result += "\\u{\(String(scalar.value, radix: 16))}"
            }
        }
        return result
    }
}
