package import AFHurl
internal import CLinux
internal import Glibc

/// Captures and asserts.
extension HurlEvaluator {
    /// Returns the name and the value of a capture.
    package func capture(
        _ capture: HurlCapture, in response: HurlResponse.Values
    ) throws(HurlEvaluationError) -> (name: String, value: HurlValue) {
        let name = try text(of: capture.name)
        guard let selected = try value(of: capture.query, in: response) else {
            throw HurlEvaluationError(.noQueryResult, at: capture.query.range)
        }
        guard let value = try value(selected, after: capture.filters) else {
            throw HurlEvaluationError(.noFilterResult, at: capture.filters.last?.range ?? capture.query.range)
        }
        if capture.isRedacted {
            guard case .string = value else {
                throw HurlEvaluationError(.secretType(value.text), at: capture.name.range)
            }
        }
        return (name, value)
    }

    /// Throws the failure of an assert.
    package func check(
        _ assert: HurlAssert, in response: HurlResponse.Values
    ) throws(HurlEvaluationError) {
        let actual = try value(try value(of: assert.query, in: response), after: assert.filters)
        let predicate = assert.predicate
        let result = try result(of: predicate, for: actual)
        guard result.isTypeMismatch || result.isMet == predicate.isNegated else { return }
        let expected = (predicate.isNegated ? "not " : "") + result.expected
        throw HurlEvaluationError(
            .failure(actual: result.actual, expected: expected, isTypeMismatch: result.isTypeMismatch),
            at: SourceRange(line: assert.query.range.start.line))
    }

    /// The outcome of a predicate without `not`.
    struct PredicateResult {
        var isMet: Bool
        let actual: String
        let expected: String
        var isTypeMismatch = false
    }

    func result(
        of predicate: HurlPredicate, for actual: HurlValue?
    ) throws(HurlEvaluationError) -> PredicateResult {
        switch predicate.content {
        case .test(let test): return result(of: test, for: actual)
        case .comparison(let comparison, let value):
            let expected = try self.value(of: value)
            guard let actual else {
                return PredicateResult(
                    isMet: false, actual: "none", expected: comparison.expectation(of: expected, isForNone: true))
            }
            guard comparison == .matches else { return result(of: comparison, actual, expected) }
            return try matchResult(actual, expected, at: predicate.range)
        }
    }

    /// Returns the value of a comparison.
    private func value(of value: HurlPredicateValue) throws(HurlEvaluationError) -> HurlValue {
        switch value {
        case .null: .null
        case .boolean(let value): .boolean(value)
        case .number(let number): .number(number)
        case .string(let template): .string(try text(of: template))
        case .multiline(let multiline): .string(try text(of: multiline))
        case .bytes(let bytes): .bytes(bytes)
        case .file(let path): .bytes(try contents(ofFile: path))
        case .regex(let text, _): .regex(text)
        case .placeholder(let placeholder): try self.value(of: placeholder)
        }
    }

    private func matchResult(
        _ actual: HurlValue, _ expected: HurlValue, at range: SourceRange
    ) throws(HurlEvaluationError) -> PredicateResult {
        var result = PredicateResult(
            isMet: false, actual: actual.description,
            expected: HurlPredicate.Comparison.matches.expectation(of: expected))
        switch (actual, expected) {
        case (.string(let text), .string(let pattern)), (.string(let text), .regex(let pattern)):
            guard let expression = try? RegularExpression(pattern) else {
                throw HurlEvaluationError(.invalidRegex, at: range)
            }
            result.isMet = expression.match(in: Array(text.utf8)) != nil
        default: result.isTypeMismatch = true
        }
        return result
    }

    private func result(
        of comparison: HurlPredicate.Comparison, _ actual: HurlValue, _ expected: HurlValue
    ) -> PredicateResult {
        let isMet: Bool? =
            switch comparison {
            case .equal: actual == expected
            case .notEqual: actual != expected
            case .less: HurlValue.isLess(actual, expected)
            case .greater: HurlValue.isLess(expected, actual)
            case .lessOrEqual: HurlValue.isLess(expected, actual).map { !$0 }
            case .greaterOrEqual: HurlValue.isLess(actual, expected).map { !$0 }
            case .startsWith: actual.starts(with: expected)
            case .endsWith: actual.ends(with: expected)
            case .contains, .includes: actual.contains(expected)
            case .matches: nil
            }
        return PredicateResult(
            isMet: isMet ?? false, actual: actual.description, expected: comparison.expectation(of: expected),
            isTypeMismatch: isMet == nil)
    }

    private func result(of test: HurlPredicate.Test, for actual: HurlValue?) -> PredicateResult {
        guard let actual else {
            return PredicateResult(isMet: false, actual: "none", expected: test.expectationOfNone)
        }
        let isMet = test.isMet(by: actual)
        if test == .isEmpty, let count = actual.count {
            return PredicateResult(isMet: count == 0, actual: "count equals to \(count)", expected: test.expectation)
        }
        let expected = isMet == nil && test != .isEmpty ? "string" : test.expectation
        return PredicateResult(
            isMet: isMet ?? false, actual: actual.description, expected: expected, isTypeMismatch: isMet == nil)
    }
}

extension HurlPredicate.Comparison {
    /// Returns the expectation as text.
    ///
    /// - Parameter isForNone: Whether there is no actual value; Hurl then writes numbers in other words.
    fileprivate func expectation(of value: HurlValue, isForNone: Bool = false) -> String {
        if isForNone {
            switch self {
            case .greater: return "greater than <\(value.description)>"
            case .greaterOrEqual: return "greater than or equals to <\(value.description)>"
            case .less: return "less than <\(value.description)>"
            case .lessOrEqual: return "less than or equals to <\(value.description)>"
            default: break
            }
        }
        return switch self {
        case .equal: value.description
        case .notEqual: "not \(value.description)"
        case .greater: "greater than \(value.description)"
        case .greaterOrEqual: "greater or equal than \(value.description)"
        case .less: "less than \(value.description)"
        case .lessOrEqual: "less or equal than \(value.description)"
        case .startsWith: "starts with \(value.description)"
        case .endsWith: "ends with \(value.description)"
        case .contains: "contains \(value.description)"
        case .includes: isForNone ? "include \(value.description)" : "includes \(value.description)"
        case .matches: "matches regex <\(value.text)>"
        }
    }
}

extension HurlPredicate.Test {
    fileprivate var expectation: String {
        switch self {
        case .exists: "something"
        case .isEmpty: "count equals to 0"
        case .isBoolean: "boolean"
        case .isInteger: "integer"
        case .isFloat: "float"
        case .isNumber: "number"
        case .isString: "string"
        case .isDate: "date"
        case .isList: "list"
        case .isObject: "object"
        case .isCollection: "collection"
        case .isIsoDate: "string with format YYYY-MM-DDTHH:mm:ss.sssZ"
        case .isIpv4: "string in IPv4 format"
        case .isIpv6: "string in IPv6 format"
        case .isUuid: "string in UUID format"
        }
    }

    fileprivate var expectationOfNone: String {
        switch self {
        case .isEmpty: "empty"
        case .isIsoDate: "date"
        default: expectation
        }
    }

    /// Whether a value passes the test; `nil` if it has a wrong type.
    fileprivate func isMet(by value: HurlValue) -> Bool? {
        switch (self, value) {
        case (.exists, .nodeSet(let count)): count > 0
        case (.exists, _): true
        case (.isEmpty, _): value.count.map { $0 == 0 }
        case (.isBoolean, .boolean), (.isString, .string), (.isDate, .date), (.isFloat, .number(.float)): true
        case (.isInteger, .number(let number)): number.isInteger
        case (.isNumber, .number): true
        case (.isList, .list), (.isList, .bytes), (.isObject, .object), (.isObject, .nodeSet): true
        case (.isCollection, .list), (.isCollection, .bytes), (.isCollection, .object), (.isCollection, .nodeSet): true
        case (.isIsoDate, .string(let text)): text.isRFC3339
        case (.isIpv4, .string(let text)): text.isAddress(AF_INET)
        case (.isIpv6, .string(let text)): text.isAddress(AF_INET6)
        case (.isUuid, .string(let text)): text.isUUID
        case (.isIsoDate, _), (.isIpv4, _), (.isIpv6, _), (.isUuid, _): nil
        default: false
        }
    }
}

extension HurlNumber {
    fileprivate var isInteger: Bool {
        if case .float = self { false } else { true }
    }
}

extension HurlValue {
    /// `nil` if the types do not fit.
    fileprivate func starts(with part: HurlValue) -> Bool? {
        switch (self, part) {
        case (.string(let text), .string(let part)): text.utf8.starts(with: part.utf8)
        case (.bytes(let bytes), .bytes(let part)): bytes.starts(with: part)
        default: nil
        }
    }

    fileprivate func ends(with part: HurlValue) -> Bool? {
        switch (self, part) {
        case (.string(let text), .string(let part)): text.utf8.reversed().starts(with: part.utf8.reversed())
        case (.bytes(let bytes), .bytes(let part)): bytes.reversed().starts(with: part.reversed())
        default: nil
        }
    }

    fileprivate func contains(_ part: HurlValue) -> Bool? {
        switch (self, part) {
        case (.string(let text), .string(let part)): Array(text.utf8).containsBytes(Array(part.utf8))
        case (.bytes(let bytes), .bytes(let part)): bytes.containsBytes(part)
        case (.list(let values), _): values.contains(part)
        default: nil
        }
    }
}

extension [UInt8] {
    /// Whether the bytes contain others; memmem takes linear time.
    fileprivate func containsBytes(_ part: [UInt8]) -> Bool {
        withUnsafeBytes { bytes in
            part.withUnsafeBytes { part in
                part.isEmpty || memmem(bytes.baseAddress, bytes.count, part.baseAddress, part.count) != nil
            }
        }
    }
}

extension String {
    fileprivate var isRFC3339: Bool {
        let bytes = Array(utf8)
        guard bytes.count >= 20, bytes[10] | 0x20 == UInt8(ascii: "t") || bytes[10] == UInt8(ascii: " ") else {
            return false
        }
        // The offset of the zone has a colon.
        let isUTC = bytes[bytes.count - 1] | 0x20 == UInt8(ascii: "z")
        guard isUTC || bytes[bytes.count - 3] == UInt8(ascii: ":") && "+-".utf8.contains(bytes[bytes.count - 6]) else {
            return false
        }
        let text = String(decoding: bytes[..<10] + [UInt8(ascii: "T")] + bytes[11...], as: UTF8.self)
        return DateFormat("%Y-%m-%dT%H:%M:%S%.f%:z")?.date(parsing: text) != nil
            || DateFormat("%+")?.date(parsing: text) != nil
    }

    fileprivate func isAddress(_ family: Int32) -> Bool {
        var address = in6_addr()
        return inet_pton(family, self, &address) == 1
    }

    /// Whether the text is a UUID with or without hyphens, in braces, or a URN.
    fileprivate var isUUID: Bool {
        var text = self[...]
        if text.hasPrefix("urn:uuid:") {
            text = text.dropFirst(9)
        } else if text.hasPrefix("{"), text.hasSuffix("}") {
            text = text.dropFirst().dropLast()
        }
        let groups = text.split(separator: "-", omittingEmptySubsequences: false)
        guard groups.map(\.utf8.count) == [8, 4, 4, 4, 12] || groups.map(\.utf8.count) == [32] else { return false }
        return groups.allSatisfy { $0.unicodeScalars.allSatisfy { $0.isASCII && $0.properties.isASCIIHexDigit } }
    }
}
