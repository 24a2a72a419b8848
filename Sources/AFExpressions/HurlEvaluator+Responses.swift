internal import AFHTTP
package import AFHurl

/// The implicit asserts of a response: its version, status, headers and body.
extension HurlEvaluator {
    /// Returns the failure of the version and of the status.
    package func statusFailures(
        of expected: HurlResponse, in response: HurlResponse.Values
    ) -> [HurlEvaluationError] {
        let values = response.values
        var failures: [HurlEvaluationError] = []
        let version = "HTTP/\(values.version)"
        if expected.version != .any, expected.version.rawValue != version {
            failures.append(HurlEvaluationError(.version(version), at: expected.versionRange))
        }
        if let status = expected.status, status != UInt64(exactly: values.status) {
            failures.append(HurlEvaluationError(.status("\(values.status)"), at: expected.statusRange))
        }
        return failures
    }

    /// Returns the failures of the headers, of the body and of the asserts, in order.
    package func failures(of expected: HurlResponse, in response: HurlResponse.Values) -> [HurlEvaluationError] {
        let headers = expected.headers.compactMap { header in
            failure { () throws(HurlEvaluationError) in try check(header, in: response.values) }
        }
        let body = expected.body.flatMap { body in
            failure { () throws(HurlEvaluationError) in try check(body, in: response.values) }
        }
        let asserts = expected.asserts.compactMap { assert in
            failure { () throws(HurlEvaluationError) in try check(assert, in: response) }
        }
        return headers + (body.map { [$0] } ?? []) + asserts
    }

    private func failure(_ check: () throws(HurlEvaluationError) -> Void) -> HurlEvaluationError? {
        do throws(HurlEvaluationError) {
            try check()
            return nil
        } catch {
            return error
        }
    }

    /// Checks that one of the header's fields has the value.
    private func check(
        _ header: HurlKeyValue, in response: HurlResponseValues
    ) throws(HurlEvaluationError) {
        let (name, value) = (try text(of: header.key), try text(of: header.value))
        let actual = response.headers.values(for: name)
        guard !actual.isEmpty else { throw HurlEvaluationError(.headerNotFound, at: header.key.range) }
        guard !actual.contains(where: { $0.utf8.elementsEqual(value.utf8) }) else { return }
        throw HurlEvaluationError(.headerValue(actual.joined(separator: ", ")), at: header.value.range)
    }

    /// Checks that the body has the bytes, or the text in the charset of its type.
    private func check(_ body: HurlBody, in response: HurlResponseValues) throws(HurlEvaluationError) {
        let expected = try bytes(of: body)
        if let failure = response.bodyFailure { throw HurlEvaluationError(failure.kind, at: body.range) }
        switch body.content {
        case .base64, .hex, .file, .composed:
            guard expected != response.body else { return }
            let actual = HurlValue.bytes(Array(response.body.prefix(64))).text + (response.body.count > 64 ? "..." : "")
            throw HurlEvaluationError(.body(actual), at: body.range)
        case .json, .xml, .multiline, .oneline:
            let actual: String
            do throws(HurlResponseValues.TextError) {
                actual = try response.text()
            } catch {
                throw HurlEvaluationError(error.kind, at: body.range)
            }
            let text = String(decoding: expected, as: UTF8.self)
            guard !actual.utf8.elementsEqual(text.utf8) else { return }
            var difference = LineDifference(expected: text, actual: actual)
            // The lines of a multiline body are below its fence.
            if case .multiline = body.content { difference.firstLine += 1 }
            throw HurlEvaluationError(.bodyDifference(difference), at: body.range)
        }
    }
}

/// The first lines in which two texts differ.
package struct LineDifference: Equatable, Sendable {
    /// The number of lines that are shown of each text.
    private static let limit = 3

    /// The number of lines of the body, as written, before the first one that differs.
    package var firstLine: Int
    /// The expected lines that differ, at most three.
    package let expected: [String]
    /// The actual lines that differ, at most three.
    package let actual: [String]

    init(expected: String, actual: String) {
        func lines(_ text: String) -> [Substring] {
            text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
        }
        let (first, second) = (lines(expected), lines(actual))
        let equal = zip(first, second).prefix { $0.utf8.elementsEqual($1.utf8) }.count
        let suffix = zip(first.dropFirst(equal).reversed(), second.dropFirst(equal).reversed())
            .prefix { $0.utf8.elementsEqual($1.utf8) }.count
        firstLine = equal
        self.expected = first.dropFirst(equal).dropLast(suffix).prefix(Self.limit).map(String.init)
        self.actual = second.dropFirst(equal).dropLast(suffix).prefix(Self.limit).map(String.init)
    }

    /// The lines, with a minus sign before the expected and a plus sign before the actual ones.
    package var lines: [String] { expected.map { "-\($0)" } + actual.map { "+\($0)" } }
}
