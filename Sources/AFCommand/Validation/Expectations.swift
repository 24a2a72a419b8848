internal import AFCore
internal import AFFormatting
internal import AFHTTP
internal import AFJSON

/// The expectations about the final response.
struct Expectations: Sendable {
    let statusCheck: StatusCheck
    let statuses: StatusList?
    let types: [MediaType]
    let headers: [HeaderExpectation]
    let values: [JSONExpectation]
    let bodies: [BodyExpectation]
    /// The values of a body that ends the run at once.
    let fatalValues: [JSONExpectation]
    let budgets: [TimeBudget]
    let certificates: CertificateExpectation?

    init(_ typed: ValidationArguments) {
        statusCheck = typed.statusCheck ?? .all
        statuses = typed.expectedStatus
        types = typed.expectedTypes
        headers = typed.expectedHeaders
        values = typed.expectedValues
        bodies = typed.expectedBodies
        fatalValues = typed.fatalValues
        budgets = typed.budgets
        certificates = typed.certificateDays.map(CertificateExpectation.init)
    }

    /// Whether the body must be captured.
    var requireBody: Bool { expectBody || !fatalValues.isEmpty }

    private var expectBody: Bool { !values.isEmpty || !bodies.isEmpty }

    /// Whether there are expectations about the response, which another one may meet.
    var requireResponse: Bool { statuses != nil || !types.isEmpty || !headers.isEmpty || expectBody }

    /// Returns the hint how to see what failed; `nil` if it is the response, which the failure shows.
    func hint(for url: HTTPURL) -> String? {
        if requireBody || requireResponse || budgets.isEmpty && certificates == nil { return nil }
        guard budgets.isEmpty else { return "--timing shows the phases of each hop" }
        return url.scheme == .https ? "--cert-info shows the certificates" : "use https://"
    }

    /// Whether a search of the body may take longer than about 0.1 s.
    ///
    /// RE2 needs up to about 7 ns for each byte and instruction: `a[ab]{1000}c` takes 13 s for 2 MB.
    func takeLong(in body: CapturedBody?) -> Bool {
        guard case .complete(let bytes, _)? = body else { return false }
        let size = ((values + fatalValues).map(\.size) + bodies.map(\.pattern.size)).max() ?? 0
        return bytes.count * size > 1 << 24
    }

    /// Whether a 304 is acceptable.
    var acceptsNotModified: Bool {
        types.isEmpty && headers.isEmpty && !requireBody && statuses?.contains(304) != false
    }
}

extension Expectations {
    /// Returns the failed expectations, a sentence each with the expected and the actual value.
    ///
    /// - Parameters:
    ///   - body: The captured body; needed only for expectations about it.
    ///   - times: The times; `nil` if the request was not sent.
    ///   - hops: The hops of the last attempt.
    func failures(
        in response: HTTPURLResponse,
        body: CapturedBody?,
        times: RunTimes?,
        hops: [TransactionMetrics] = []
    ) -> [String] {
        failures(inHeadersOf: response) + (body.map(failures(in:)) ?? [])
            + budgets.compactMap { budget in times.flatMap(budget.failure) }
            + (certificates?.failures(in: hops) ?? [])
    }

    /// Returns the first expectation that a response does not meet; `nil` if it meets all.
    ///
    /// - Parameter requiresSuccess: Whether the status must be a success, too.
    func unmet(in response: HTTPURLResponse, body: CapturedBody?, requiresSuccess: Bool) -> UnmetExpectation? {
        if let sentence = body.flatMap({ fatalFailure(in: $0, of: fatalValues) }) {
            return UnmetExpectation(sentence: sentence, option: "--fail-if", isFatal: true)
        }
        if requiresSuccess, exitStatus(for: response) != .success {
            return UnmetExpectation(sentence: response.statusMessage, isFatal: false)
        }
        for result in results(in: response, body: body, times: nil) {
            guard case .unmet(let sentence) = result.outcome else { continue }
            return UnmetExpectation(sentence: sentence, option: result.name, isFatal: false)
        }
        return nil
    }

    /// Returns the failed expectations about the header.
    func failures(inHeadersOf response: HTTPURLResponse) -> [String] {
        // Most runs have none.
        guard statuses != nil || !types.isEmpty || !headers.isEmpty else { return [] }
        return [statusFailure(response), typeFailure(response)].compactMap(\.self)
            + headers.compactMap { $0.failure(in: response.headers) }
    }

    /// Whether the body is the requested one and may replace a file: not an error page, and not that of a redirect that
    /// was not followed. A 304 has none: the existing file is current.
    func accepts(_ response: HTTPURLResponse) -> Bool {
        response.statusCode != 304 && failures(inHeadersOf: response).isEmpty
            && (statuses != nil || !statusCheck.fails(response.statusCode))
    }

    /// Returns the exit status if all expectations are met.
    func exitStatus(for response: HTTPURLResponse) -> ExitStatus {
        statuses == nil && statusCheck.fails(response.statusCode) ? .ofResponse(response.statusCode) : .success
    }

    /// Returns a sentence about an unexpected status; `nil` if it is expected.
    func statusFailure(_ response: HTTPURLResponse) -> String? {
        guard let statuses, !statuses.contains(response.statusCode) else { return nil }
        return "expected a status of \(statuses.text), got \(response.statusCode)"
    }

    /// Returns the failure of the media type.
    func typeFailure(_ response: HTTPURLResponse) -> String? {
        guard !types.isEmpty else { return nil }
        let expected = "the media type " + types.map { "'\($0.essence)'" }.joined(separator: " or ")
        guard let found = response.contentType else {
            return "expected \(expected), but the response has none"
        }
        return types.contains { $0.accepts(found) } ? nil : "expected \(expected), got '\(found.essence)'"
    }

    /// Returns the failures; a body that cannot be searched fails every expectation with one message.
    func failures(in body: CapturedBody) -> [String] {
        failures(in: body, of: values, bodies) + [fatalFailure(in: body, of: fatalValues)].compactMap(\.self)
    }

    /// Returns the first of the expectations of `--fail-if` that a body meets, or that cannot be checked, as a sentence.
    func fatalFailure(in body: CapturedBody, of fatalValues: [JSONExpectation]) -> String? {
        guard let first = fatalValues.first else { return nil }
        switch body {
        case .tooLarge(let limit):
            return "--fail-if '\(first.shownText)' cannot check \(Self.excess(limit))"
        case .complete(let bytes, let kind):
            guard !bytes.isEmpty || kind.isStream else { return nil }
            return fatalValues.first { isMet($0, inJSON: bytes, kind) }.map {
                "the body meets --fail-if '\($0.shownText)'"
            }
        }
    }

    private static func excess(_ limit: Int) -> String {
        "a body of more than \(HumanUnits.limit(Int64(limit))); increase --max-formatted"
    }

    private func isMet(_ value: JSONExpectation, inJSON bytes: [UInt8], _ kind: BodyKind) -> Bool {
        let documents = JSONCursor.validMessages(in: bytes, kind)
        if value.subject == .count {
            return !(documents.isEmpty && !kind.isStream) && value.failure(inMessages: documents) == nil
        }
        return documents.contains(where: value.isMet)
    }

    /// Returns the failures of some expectations.
    func failures(in body: CapturedBody, of values: [JSONExpectation], _ bodies: [BodyExpectation]) -> [String] {
        guard let first = values.first?.description ?? bodies.first?.description else { return [] }
        switch body {
        case .tooLarge(let limit):
            return ["expected \(first), got \(Self.excess(limit))"]
        case .complete(let bytes, let kind):
            // A stream may have no message.
            guard !bytes.isEmpty || kind.isStream && !values.isEmpty else {
                return ["expected \(first), but the response has no body"]
            }
            return failures(of: values, inJSON: bytes, kind) + bodies.compactMap { $0.failure(in: bytes) }
        }
    }

    /// Returns the failures in the JSON; a body that is not JSON fails every expectation with one message.
    private func failures(of values: [JSONExpectation], inJSON bytes: [UInt8], _ kind: BodyKind) -> [String] {
        guard let first = values.first else { return [] }
        do throws(JSONSyntaxError) {
            let documents = try JSONCursor.messages(in: bytes, kind)
            guard let document = documents.first, documents.count == 1, !kind.isStream else {
                return values.compactMap { $0.failure(inMessages: documents) }
            }
            return values.compactMap { $0.failure(in: document) }
        } catch {
            let flaw = "expected \(error.expectation) at byte \(error.offset + 1)"
            return ["expected \(first.description), but the body is not JSON: \(flaw)"]
        }
    }
}

extension BodyKind {
    /// Whether the body consists of messages.
    fileprivate var isStream: Bool { self == .eventStream || self == .ndjson }
}

extension JSONCursor {
    /// Returns a cursor at each message of a stream, or at each text of another body, as `--filter` does.
    static func messages(in bytes: [UInt8], _ kind: BodyKind) throws(JSONSyntaxError) -> [JSONCursor] {
        switch kind {
        case .eventStream: return messages(inEvents: bytes)
        case .ndjson: return try sequence(bytes)
        default:
            do throws(JSONSyntaxError) {
                return [try JSONCursor(bytes, acceptsGuard: true)]
            } catch {
                guard let texts = try? sequence(bytes), texts.count > 1 else { throw error }
                return texts
            }
        }
    }

    /// Returns a cursor at each message that is JSON; of JSON lines, those that are not are skipped.
    static func validMessages(in bytes: [UInt8], _ kind: BodyKind) -> [JSONCursor] {
        if let messages = try? messages(in: bytes, kind) { return messages }
        guard kind == .ndjson else { return [] }
        return bytes.split(separator: 0x0A).flatMap { (try? sequence(Array($0))) ?? [] }
    }

    /// Returns a cursor at the data of each event of a stream; data that is not JSON, such as `[DONE]`, is skipped.
    private static func messages(inEvents bytes: [UInt8]) -> [JSONCursor] {
        var parser = EventStreamParser(lastEventID: "", maximumEventSize: bytes.count)
        parser.append(bytes)
        var messages: [JSONCursor] = []
        // No event is longer than the stream.
        while let event = try? parser.next() {
            if let message = try? JSONCursor(Array(event.data.utf8), acceptsGuard: true) { messages.append(message) }
        }
        return messages
    }
}
