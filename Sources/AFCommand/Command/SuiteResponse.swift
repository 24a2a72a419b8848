internal import AFExpressions
internal import AFHTTP
internal import AFHurl
internal import AFJSON

/// The expectations about a response as lines of a Hurl file: `--save`.
struct SuiteResponse: Sendable {
    /// A line about the response, with the option that it expresses; `nil` if a warning never names one.
    private struct Line {
        let text: String
        let option: String?
    }

    /// The options that the lines do not express.
    private(set) var omissions: [String] = []
    private var status = "*"
    private var headers: [Line] = []
    private var captures: [Line] = []
    private var asserts: [Line] = []

    init(_ expectations: Expectations) {
        addStatus(expectations)
        if expectations.types.count == 1, !expectations.types[0].essence.contains("*") {
            add("header \"Content-Type\" startsWith \(Self.quoted(expectations.types[0].essence))", "--expect-type")
        } else if !expectations.types.isEmpty {
            omit("--expect-type")
        }
        for header in expectations.headers { add(header) }
        for value in expectations.values {
            let option = "--expect-json \(value.shownText)"
            if !value.holdsSecret, let line = Self.assert(value) { add(line, option) } else { omit(option) }
        }
        for body in expectations.bodies {
            let isText = if case .text = body.pattern { true } else { false }
            let line = "body \(isText ? "contains" : "matches") \(Self.quoted(body.pattern.text))"
            add(line, "--expect-body \(body.pattern.description)")
        }
        if !expectations.fatalValues.isEmpty { omit("--fail-if") }
        for budget in expectations.budgets {
            guard budget.phase == .total else {
                omit("--budget \(budget.phase.rawValue)")
                continue
            }
            add("duration <= \(Int((budget.limit.value * 1000).rounded()))", nil)
        }
        if let certificates = expectations.certificates {
            add("certificate \"Expire-Date\" daysAfterNow >= \(certificates.days)", nil)
        }
        captures = Self.captures(of: expectations.values)
    }

    /// The lines of the response.
    var lines: [String] {
        func section(_ name: String, _ lines: [Line]) -> [String] {
            lines.isEmpty ? [] : ["[\(name)]"] + lines.map(\.text)
        }
        return ["HTTP \(status)"] + headers.map(\.text) + section("Captures", captures) + section("Asserts", asserts)
    }

    /// Removes the lines that a response does not meet although it meets the expectations: the same filter accepts other
    /// values, and depends on the type of the value.
    mutating func check(_ response: HurlResponseValues) {
        let evaluator = HurlEvaluator(FileRunEnvironment(root: "", files: .system(homeDirectory: nil)))
        let values = HurlResponse.Values(response)
        func isMet(_ lines: String) -> Bool {
            guard let expected = Self.response(lines) else { return false }
            let isCaptured = expected.captures.allSatisfy { (try? evaluator.capture($0, in: values)) != nil }
            return isCaptured && evaluator.failures(of: expected, in: values).isEmpty
        }
        var unmet: [Line] = []
        func remove(_ lines: inout [Line], in section: String) {
            let failed = lines.map { $0.option != nil && !isMet(section + $0.text) }
            unmet += zip(lines, failed).filter(\.1).map(\.0)
            lines = zip(lines, failed).filter { !$0.1 }.map(\.0)
        }
        remove(&headers, in: "")
        remove(&captures, in: "[Captures]\n")
        remove(&asserts, in: "[Asserts]\n")
        for line in unmet { if let option = line.option { omit(option) } }
    }

    private mutating func omit(_ option: String) { if !omissions.contains(option) { omissions.append(option) } }

    /// Adds an assert, if it is one of a Hurl file.
    private mutating func add(_ line: String, _ option: String?) {
        guard let option, Self.response("[Asserts]\n\(line)") == nil else {
            return asserts.append(Line(text: line, option: option))
        }
        omit(option)
    }

    private mutating func addStatus(_ expectations: Expectations) {
        guard let statuses = expectations.statuses else {
            guard expectations.statusCheck != .none else { return }
            return add("status < \(expectations.statusCheck == .all ? 300 : 400)", nil)
        }
        guard let range = statuses.ranges.first, statuses.ranges.count == 1, statuses.excluded.isEmpty else {
            return omit("--expect-status \(statuses.text)")
        }
        if range.first == range.last {
            status = "\(range.first)"
        } else {
            add("status >= \(range.first)", nil)
            add("status <= \(range.last)", nil)
        }
    }

    private mutating func add(_ header: HeaderExpectation) {
        let (query, option) = ("header \(Self.quoted(header.name))", "--expect-header \(header.shownText)")
        guard !header.holdsSecret else { return omit("--expect-header \(header.name)") }
        switch header.condition {
        case .exists: add("\(query) exists", option)
        case .isAbsent: add("\(query) not exists", option)
        // Any field of the name may have the value, and not the list of all.
        case .equals(let value):
            let line = Line(text: "\(header.name.hurlKey): \(value.escapedForHurl)", option: option)
            if Self.response(line.text) == nil { omit(option) } else { headers.append(line) }
        case .matches(let pattern): add("\(query) matches \(Self.quoted(pattern.text))", option)
        }
    }

    /// Parses lines about a response; returns `nil` if they are not those of a Hurl file.
    private static func response(_ lines: String) -> HurlResponse? {
        (try? HurlFile(parsing: "GET http://h\nHTTP *\n\(lines)\n"))?.entries[0].response
    }

    private static func quoted(_ text: String) -> String { "\"\(text.escapedForHurl)\"" }

    /// Returns captures of the values that are only expected to exist: later requests may use them.
    private static func captures(of values: [JSONExpectation]) -> [Line] {
        var names: Set<String> = []
        return values.compactMap { value in
            guard value.subject == .value, value.predicate == nil, let path = jsonPath(value.path.steps),
                case .member(let bytes)? = value.path.steps.last
            else { return nil }
            let name = String(decoding: bytes, as: UTF8.self)
            let line = "\(name): jsonpath \(quoted(path))" + (value.isSecret ? " redact" : "")
            guard response("[Captures]\n\(line)") != nil, names.insert(name).inserted else { return nil }
            return Line(text: line, option: "the capture \(name)")
        }
    }

    /// Returns the assert of an expectation; `nil` if no assert has the same meaning.
    private static func assert(_ value: JSONExpectation) -> String? {
        guard let path = jsonPath(value.path.steps) else { return nil }
        var query = "jsonpath \(quoted(path))"
        switch value.subject {
        case .absence: return "\(query) not exists"
        case .value where value.predicate == nil: return "\(query) exists"
        case .value: break
        case .length: query += " count"
        // The result of a path for several values is the value itself if it is the only one.
        case .count:
            guard value.path.steps.last == .all, let path = jsonPath(value.path.steps.dropLast()) else { return nil }
            query = "jsonpath \(quoted(path)) count"
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
    private static func jsonPath(_ steps: some Sequence<JSONStep>) -> String? {
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
