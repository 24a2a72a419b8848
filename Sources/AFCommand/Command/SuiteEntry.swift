internal import AFHTTP
internal import AFHurl
internal import AFJSON

/// A request with its expectations as an entry of a Hurl file: `--save`.
///
/// Secrets are variables.
struct SuiteEntry: Sendable {
    private(set) var text = ""
    /// The parts of the command that the entry does not have.
    private(set) var omissions: [String] = []
    /// The variables in place of secrets.
    private(set) var secrets: [String] = []

    private var headers: [String] = []
    private var options: [String] = []
    private var parts: [String] = []
    private var login: String?
    private var body: String?
    /// Whether the body is JSON, which has its type in an entry.
    private var isJSON = false
    private var method: String?

    init(_ plan: Plan) {
        let command = CurlCommand(plan, Redaction(revealsSecrets: false))
        for word in command.words { add(word) }
        if isJSON { headers.removeAll { $0 == "Content-Type: application/json" } }
        if let feed = command.feed { omit("the body of '\(feed)'") }
        let url = value(Redaction(revealsSecrets: false).url(plan.url.text), secret: "secret")
        var lines = ["\(method ?? plan.request.method.rawValue) \(url)"] + headers
        if let login { lines += ["[BasicAuth]", login] }
        if !options.isEmpty { lines += ["[Options]"] + options }
        if !parts.isEmpty { lines += ["[Multipart]"] + parts }
        if let body { lines.append(body) }
        lines.append("")
        lines += response(plan.expectations)
        text = lines.joined(separator: "\n") + "\n"
    }

    private mutating func omit(_ part: String) { if !omissions.contains(part) { omissions.append(part) } }

    // The request

    private mutating func add(_ word: CurlCommand.Word) {
        let argument = word.argument ?? ""
        switch word.long {
        case "--request": method = argument
        case "--head": method = "HEAD"
        // The coding of the response is not expected.
        case "--compressed", "--globoff", "--output", "--remote-name", "--fail", "--include", "--silent",
            "--show-error":
            break
        case "--header": addHeader(argument)
        case "--user-agent": addHeader("User-Agent: \(argument)")
        case "--cookie": addHeader("Cookie: \(argument)")
        case "--user":
            let (user, password) = argument.halves(around: ":") ?? (argument[...], Redaction.mask[...])
            let isBasic = !options.contains { ["digest: true", "ntlm: true", "negotiate: true"].contains($0) }
            let secret = value(String(password), secret: "password")
            if isBasic {
                login = "\(Self.key(String(user))): \(secret)"
            } else {
                options.append("user: \(value(String(user), secret: "user")):\(secret)")
            }
        case "--data-raw": body = bodyText(argument)
        case "--data-binary", "--upload-file":
            let path = argument.hasPrefix("@") ? String(argument.dropFirst()) : argument
            if path == "-" { omit("the body of standard input") } else { body = "file,\(Self.path(path));" }
        case "--form-string", "--form": addPart(argument, isText: word.long == "--form-string")
        default: addOption(word)
        }
    }

    private mutating func addHeader(_ field: String) {
        guard let (name, content) = field.halves(around: ":") else {
            if field.hasSuffix(";") { headers.append("\(Self.key(String(field.dropLast()))):") }
            return
        }
        let text = String(content.trimmed)
        // Without a value, curl removes its default field, which an entry does not have.
        if text.isEmpty || DefaultHeaders.isDefault(name: String(name), value: text) { return }
        let secret = ["authorization": "token", "cookie": "cookie"][name.lowercased()] ?? "secret"
        headers.append("\(Self.key(String(name))): \(value(text, secret: secret))")
    }

    private mutating func addPart(_ argument: String, isText: Bool) {
        guard let (name, content) = argument.halves(around: "=") else { return }
        if isText {
            parts.append("\(Self.key(String(name))): \(value(String(content), secret: "secret"))")
            return
        }
        let fields = content.split(separator: ";").map(String.init)
        guard content.hasPrefix("@"), let file = fields.first?.dropFirst(), file != "-", !content.contains("\"") else {
            return omit("the part '\(name)'")
        }
        let type = fields.first { $0.hasPrefix("type=") }.map { " \($0.dropFirst("type=".count))" } ?? ""
        parts.append("\(Self.key(String(name))): file,\(Self.path(String(file)));\(type)")
    }

    private mutating func addOption(_ word: CurlCommand.Word) {
        guard let option = HurlOption.Name(rawValue: String(word.long.dropFirst(2))) else { return omit(word.long) }
        let argument = word.argument ?? ""
        switch option.argument {
        case .none: options.append("\(option.rawValue): true")
        case .duration:
            guard let seconds = Double(argument), 0...1_000_000_000 ~= seconds else { return omit(word.long) }
            options.append("\(option.rawValue): \(Int((seconds * 1000).rounded()))ms")
        case .text, .count, .natural:
            let isFile = [.cacert, .cert, .key].contains(option)
            let text = isFile ? Self.path(argument) : value(argument, secret: "secret")
            options.append("\(option.rawValue): \(text)")
        case .definition, .verbosity: omit(word.long)
        }
    }

    private mutating func bodyText(_ text: String) -> String {
        isJSON =
            (try? JSONText(text)) != nil && !text.contains("{{") && (text.hasPrefix("{") || text.hasPrefix("["))
        return isJSON ? filled(text, secret: "secret") : "`\(value(text, secret: "secret"))`"
    }

    // Texts

    /// Returns a text with escapes, and variables in place of masked secrets.
    private mutating func value(_ text: String, secret: String) -> String {
        filled(Self.escaped(text), secret: secret)
    }

    private mutating func filled(_ text: String, secret: String) -> String {
        var pieces = text.split(separator: Redaction.mask, omittingEmptySubsequences: false).map(String.init)
        for index in pieces.indices.dropLast() {
            let count = secrets.count { $0.prefix { !$0.isNumber } == secret }
            let name = count == 0 ? secret : "\(secret)\(count + 1)"
            secrets.append(name)
            pieces[index] += "{{\(name)}}"
        }
        return pieces.joined()
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
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

    private static func key(_ text: String) -> String { escapedWord(text, plain: "_-.[]@$") }
    private static func path(_ text: String) -> String {
        String(text.flatMap { "#; {}:\\".contains($0) ? ["\\", $0] : [$0] })
    }

    private static func escapedWord(_ text: String, plain: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            let isPlain = scalar.properties.isAlphabetic || scalar.properties.numericType != nil
            if isPlain || plain.unicodeScalars.contains(scalar) {
                result.unicodeScalars.append(scalar)
            } else {
                result += "\\u{\(String(scalar.value, radix: 16))}"
            }
        }
        return result
    }

    // The response

    private mutating func response(_ expectations: Expectations) -> [String] {
        var (status, asserts) = ("*", [String]())
        if let statuses = expectations.statuses {
            let range = statuses.ranges.first
            if statuses.ranges.count != 1 || !statuses.excluded.isEmpty {
                omit("--expect-status \(statuses.text)")
            } else if let range, range.count == 1 {
                status = "\(range.lowerBound)"
            } else if let range {
                asserts += ["status >= \(range.lowerBound)", "status <= \(range.upperBound)"]
            }
        } else if expectations.statusCheck != .none {
            asserts.append("status < \(expectations.statusCheck == .all ? 300 : 400)")
        }
        if expectations.types.count == 1, !expectations.types[0].essence.contains("*") {
            asserts.append("header \"Content-Type\" startsWith \(Self.quoted(expectations.types[0].essence))")
        } else if !expectations.types.isEmpty {
            omit("--expect-type")
        }
        asserts += expectations.headers.compactMap { header in
            guard !header.holdsSecret else { return omitted("--expect-header \(header.name)") }
            let query = "header \(Self.quoted(header.name))"
            switch header.condition {
            case .exists: return "\(query) exists"
            case .isAbsent: return "\(query) not exists"
            case .equals(let value): return "\(query) == \(Self.quoted(value))"
            case .matches(let pattern): return "\(query) matches \(Self.quoted(pattern.text))"
            }
        }
        for value in expectations.values {
            guard !value.holdsSecret, let line = Self.assert(value), Self.isValid(line) else {
                omit("--expect-json \(value.shownText)")
                continue
            }
            asserts.append(line)
        }
        for body in expectations.bodies {
            let isText = if case .text = body.pattern { true } else { false }
            asserts.append("body \(isText ? "contains" : "matches") \(Self.quoted(body.pattern.text))")
        }
        if !expectations.fatalValues.isEmpty { omit("--fail-if") }
        for budget in expectations.budgets {
            guard budget.phase == .total else {
                omit("--budget \(budget.phase.rawValue)")
                continue
            }
            asserts.append("duration <= \(Int((budget.limit.value * 1000).rounded()))")
        }
        if let certificates = expectations.certificates {
            asserts.append("certificate \"Expire-Date\" daysAfterNow >= \(certificates.days)")
        }
        let captures = captures(of: expectations.values)
        return ["HTTP \(status)"] + (captures.isEmpty ? [] : ["[Captures]"] + captures)
            + (asserts.isEmpty ? [] : ["[Asserts]"] + asserts)
    }

    /// Returns captures of the values that are only expected to exist: later requests may use them.
    private func captures(of values: [JSONExpectation]) -> [String] {
        var names: Set<String> = []
        return values.compactMap { value in
            guard value.subject == .value, value.predicate == nil, let path = Self.jsonPath(value.path.steps),
                case .member(let bytes)? = value.path.steps.last
            else { return nil }
            let name = String(decoding: bytes, as: UTF8.self)
            let line = "\(name): jsonpath \(Self.quoted(path))" + (value.isSecret ? " redact" : "")
            guard Self.isValid(line, in: "Captures"), names.insert(name).inserted else { return nil }
            return line
        }
    }

    private mutating func omitted(_ part: String) -> String? {
        omit(part)
        return nil
    }

    private static func quoted(_ text: String) -> String { "\"\(escaped(text))\"" }

    /// Whether a line is one of a section of a Hurl file.
    private static func isValid(_ line: String, in section: String = "Asserts") -> Bool {
        (try? HurlFile(parsing: "GET http://h\nHTTP *\n[\(section)]\n\(line)\n")) != nil
    }

    /// Returns the assert of an expectation; `nil` if there is none with the same meaning.
    private static func assert(_ value: JSONExpectation) -> String? {
        guard let path = jsonPath(value.path.steps) else { return nil }
        var query = "jsonpath \(quoted(path))"
        switch value.subject {
        case .absence: return "\(query) not exists"
        case .value where value.predicate == nil: return "\(query) exists"
        case .value: break
        case .length, .count: query += " count"
        case .any, .all: return nil
        }
        guard let predicate = value.predicate else { return nil }
        switch predicate.test {
        case .comparison(let operation, let expected):
            guard let text = literal(expected, typed: JSONPredicate.Parts(value.typed).value) else { return nil }
            return "\(query) \(operation.rawValue.filter { $0 != " " }) \(text)"
        case .match(let pattern): return "\(query) matches \(quoted(pattern.text))"
        case .membership: return nil
        case .type(let type): return type.assert.map { "\(query) \($0)" }
        }
    }

    private static func literal(_ value: JSONValue, typed: String) -> String? {
        switch value {
        case .null: "null"
        case .truth(let value): "\(value)"
        case .number: typed
        case .string(let bytes): quoted(String(decoding: bytes, as: UTF8.self))
        case .array, .object: nil
        }
    }

    /// Returns the path in JSONPath; `nil` for conditions.
    private static func jsonPath(_ steps: [JSONStep]) -> String? {
        var path = "$"
        for step in steps {
            switch step {
            case .member(let name): path += "[\(quotedName(name))]"
            case .descendants(let name): path += "..[\(quotedName(name))]"
            case .elements(let range) where range.count == 1: path += "[\(range.lowerBound)]"
            case .elements(let range): path += "[\(range.lowerBound):\(range.upperBound)]"
            case .fromEnd(let number): path += "[-\(number)]"
            case .all: path += "[*]"
            case .matching: return nil
            }
        }
        return path

        func quotedName(_ bytes: [UInt8]) -> String {
            let text = String(decoding: bytes, as: UTF8.self)
            return "'\(text.replacing("\\", with: "\\\\").replacing("'", with: "\\'"))'"
        }
    }
}

extension JSONPredicate.ValueType {
    /// The predicate of a Hurl file.
    fileprivate var assert: String? {
        switch self {
        case .object: "isObject"
        case .array: "isList"
        case .string: "isString"
        case .number: "isNumber"
        case .integer: "isInteger"
        case .boolean: "isBoolean"
        case .null: "== null"
        }
    }
}
