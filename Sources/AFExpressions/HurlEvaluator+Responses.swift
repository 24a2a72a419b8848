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
        return failures.map { $0.ofResponse() }
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
        return (headers + (body.map { [$0] } ?? [])).map { $0.ofResponse() }
            + asserts.map { $0.ofResponse(isListed: true) }
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
            // The start of a secret would not be masked later.
            let shown = secrets.redacted(variables.redacted(response.body), mask: HurlVariables.mask)
            let actual = HurlValue.bytes(Array(shown.prefix(64))).text + (shown.count > 64 ? "..." : "")
            throw HurlEvaluationError(.body(actual), at: body.valueRange)
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
            if case .multiline = body.content { difference.line += 1 }
            throw HurlEvaluationError(.bodyDifference(difference), at: body.range)
        }
    }
}
