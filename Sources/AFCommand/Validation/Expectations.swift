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
    let budgets: [TimeBudget]
    let certificates: CertificateExpectation?

    init(_ typed: ValidationArguments) {
        statusCheck = typed.statusCheck ?? .all
        statuses = typed.expectedStatus
        types = typed.expectedTypes
        headers = typed.expectedHeaders
        values = typed.expectedValues
        bodies = typed.expectedBodies
        budgets = typed.budgets
        certificates = typed.certificateDays.map(CertificateExpectation.init)
    }

    /// Whether the body must be captured.
    var requireBody: Bool { !values.isEmpty || !bodies.isEmpty }

    /// Whether there are expectations about the response, which another one may meet.
    var requireResponse: Bool { statuses != nil || !types.isEmpty || !headers.isEmpty || requireBody }

    /// The option that shows what failed.
    var hint: String {
        if requireResponse || budgets.isEmpty && certificates == nil { return "-v shows the request and the response" }
        return budgets.isEmpty ? "--cert-info shows the certificates" : "--timing shows the phases of each hop"
    }

    /// Whether a search of the body may take longer than about 0.1 s.
    ///
    /// RE2 needs up to about 7 ns for each byte and instruction: `a[ab]{1000}c` takes 13 s for 2 MB.
    func takeLong(in body: CapturedBody?) -> Bool {
        guard case .complete(let bytes, _)? = body else { return false }
        let size = (values.map(\.size) + bodies.map(\.pattern.size)).max() ?? 0
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
    ///   - times: The times; `nil` if there are none.
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

    /// Returns the failed expectations about the header.
    func failures(inHeadersOf response: HTTPURLResponse) -> [String] {
        [statusFailure(response), typeFailure(response)].compactMap(\.self)
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

    /// Returns the failure of the status.
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
    func failures(in body: CapturedBody) -> [String] { failures(in: body, of: values, bodies) }

    /// Returns the failures of some expectations.
    func failures(in body: CapturedBody, of values: [JSONExpectation], _ bodies: [BodyExpectation]) -> [String] {
        guard let first = values.first?.description ?? bodies.first?.description else { return [] }
        switch body {
        case .tooLarge(let limit):
            return [
                "expected \(first), got a body of more than \(HumanUnits.limit(Int64(limit))); "
                    + "increase --max-formatted"
            ]
        case .complete(let bytes, let kind):
            guard !bytes.isEmpty else { return ["expected \(first), but the response has no body"] }
            return failures(of: values, inJSON: bytes, kind) + bodies.compactMap { $0.failure(in: bytes) }
        }
    }

    /// Returns the failures in the JSON; a body that is not JSON fails every expectation with one message.
    private func failures(of values: [JSONExpectation], inJSON bytes: [UInt8], _ kind: BodyKind) -> [String] {
        guard let first = values.first else { return [] }
        do throws(JSONSyntaxError) {
            switch kind {
            case .eventStream:
                let messages = JSONCursor.messages(inEvents: bytes)
                return values.compactMap { $0.failure(inMessages: messages) }
            case .ndjson:
                let messages = try JSONCursor.sequence(bytes)
                return values.compactMap { $0.failure(inMessages: messages) }
            default:
                let document = try JSONCursor(bytes, acceptsGuard: true)
                return values.compactMap { $0.failure(in: document) }
            }
        } catch {
            let flaw = "expected \(error.expectation) at byte \(error.offset + 1)"
            return ["expected \(first.description), but the body is not JSON: \(flaw)"]
        }
    }
}

extension JSONCursor {
    /// Returns a cursor at the data of each event of a stream; data that is not JSON, such as `[DONE]`, is skipped.
    fileprivate static func messages(inEvents bytes: [UInt8]) -> [JSONCursor] {
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
