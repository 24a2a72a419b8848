internal import AFCore
internal import AFExpressions
internal import AFFormatting
internal import AFHTTP
internal import AFSigning
internal import Synchronization

/// The end of a run: its status and the messages about it. On the printer's queue.
extension Run {
    /// Returns the run's status for the end of a request and prints its message.
    ///
    /// - Parameters:
    ///   - hint: The hint after a failure, if it differs from the usual one.
    ///   - unmet: A failed expectation besides those of the plan.
    func reportOutcome(of request: Request, _ error: AFError?, hint: String? = nil, unmet: String? = nil) -> ExitStatus
    {
        finalResponse.withLock { $0 = request.response }
        // First, as messages hide the secrets that were sent.
        recorder.record(attempts: request.allMetrics, segments: segmentMetrics(of: request), ended: cancellation.end)
        if let response = request.response {
            statePersister?.recordResponse()
            if recorder.plan.headerFile != nil { recorder.record(head: response.rawHead) }
            recordForSuite(response)
        }
        showTrailers(request)
        let status: ExitStatus
        if let failure = printer.failure {
            status = fail(Diagnosis(failure))
        } else {
            showTimings(request)
            status = outcome(of: request, error, hint: hint, unmet: unmet)
        }
        if cancellation.diagnosis == nil, let note = rule.refusalNote { messages.note(note) }
        showEvidence(status, of: (request as? DownloadRequest)?.rejectedSegment(error))
        if let event = upload?.interruption, let path = plan.upload?.path { messages.note(event.note(for: path)) }
        recordBody(of: request)
        return status
    }

    private func outcome(of request: Request, _ error: AFError?, hint: String?, unmet: String?) -> ExitStatus {
        if var diagnosis = cancellation.diagnosis ?? diagnosis(of: error, in: request) {
            diagnosis.hint = hint ?? diagnosis.hint
            // For curl, 101 without a request for it is an interim response, and no other one follows.
            if plan.webSocket == nil, request.response?.statusCode == 101 { diagnosis.curlCode = 52 }
            return fail(diagnosis)
        }
        guard let response = request.response else { return .failure }
        let received = request.lastHops.last?.responseBodyBytes
        if let failure = rangeFailure(response, received: received) ?? lengthFailure(response) { return fail(failure) }
        if plan.mayHaveLateInput, environment.standardInput.firstDelivery(.zero) == .bytes {
            return fail(
                Diagnosis(
                    "standard input had data only after GET was sent: too late to send it",
                    hint: "name the method: afcli post URL; or ignore the input: -I", status: .usage))
        }
        guard let evaluation = evaluation(of: response, request) else {
            return fail(cancellation.diagnosis ?? .interrupted(.interrupted))
        }
        recorder.record(evaluation.results)
        let status = plan.expectations.exitStatus(for: response)
        if status != .success { recorder.record(status: Diagnosis(response, status: status)) }
        if let failure = failure(of: response, status, [unmet].compactMap(\.self) + evaluation.failures) {
            warnOfUnsentBody(unsentBody(request), response)
            return fail(failure)
        }
        report(response, status, request)
        return status
    }

    /// Returns the failed expectations, and the results for a JUnit report; `nil` if the search was abandoned.
    private func evaluation(
        of response: HTTPURLResponse,
        _ request: Request
    ) -> (failures: [String], results: [ExpectationResult])? {
        let times = RunTimes(request.allMetrics, segmentMetrics(of: request))
        return search.result(in: search.capture?.text) {
            [
                expectations = plan.expectations, hops = request.lastHops,
                needsResults = recorder.plan.recordsExpectations
            ] body
            in
            (
                expectations.failures(in: response, body: body, times: times, hops: hops),
                needsResults ? expectations.results(in: response, body: body, times: times) : []
            )
        }
    }

    /// Returns the error of a response that does not meet the expectations, or from which the filter selects nothing.
    private func failure(of response: HTTPURLResponse, _ status: ExitStatus, _ unmet: [String]) -> Diagnosis? {
        // Messages of a WebSocket connection are filtered one by one.
        let isFiltered = plan.webSocket == nil && (status == .success || printer.filter != nil)
        var filtered = isFiltered ? filterFailure : nil
        // A page may have no values.
        if plan.pages != nil, filtered?.exitStatus == .expectation { filtered = nil }
        if let filtered, filtered.exitStatus != .expectation, status == .success { return filtered }
        guard unmet.isEmpty else {
            rule.recordUnmetExpectation()
            var diagnosis = Diagnosis(unmet: unmet, hint: plan.expectations.hint(for: plan.url))
            if status != .success { diagnosis.excerpt.append(response.statusMessage) }
            // Batches do not support the hint's option.
            diagnosis.hint = withheldCredentialsNote(response) ?? (part == nil ? diagnosis.hint : nil)
            return diagnosis
        }
        // The body of an error seldom has the selected values.
        if status == .success { return filtered }
        if let filtered, filtered.exitStatus == .expectation { messages.note(filtered.message) }
        return nil
    }

    /// The error of a filter that failed or selected nothing; `nil` if the filter succeeded.
    var filterFailure: Diagnosis? { Diagnosis(printer.filter, plan.output.filter, hasBody: bodyPrefix.hasBytes) }

    /// Prints the messages about a response that meets the expectations.
    private func report(_ response: HTTPURLResponse, _ status: ExitStatus, _ request: Request) {
        if plan.showsCertificates, request.lastHops.allSatisfy(\.certificates.isEmpty) {
            messages.note("the connection did not use TLS, so there are no certificates")
        }
        warnOfRange(response)
        warnOfCoding(request, response)
        let unsentBody = unsentBody(request)
        if status != .success { recorder.record(Diagnosis(response, status: status)) }
        let isHeadShown = plan.output.parts.contains(.responseHead) && !plan.output.reportsStatus
        if status != .success, status == .redirected || !isHeadShown {
            let diagnosis = Diagnosis(
                response, status: status, unsentBody: unsentBody, clause: redirectClause(response, status)
            ).masked(by: recorder.redaction)
            // In a batch, only this shows that a download failed.
            let suffix = plan.storesBody ? "; nothing was saved" : ""
            if plan.output.reportsStatus {
                // The sentence of curl, which scripts search for.
                let message = "The requested URL returned error: \(response.statusCode)"
                messages.error(Diagnosis(message, status: status, curlCode: 22))
            } else if part == nil {
                messages.outcome(diagnosis.message + suffix)
            } else {
                messages.error(diagnosis)
            }
        } else {
            warnOfUnsentBody(unsentBody, response)
        }
        let note =
            withheldCredentialsNote(response) ?? challengeNote(response, request) ?? proxyNote(response, request)
            ?? expectationNote(response, request) ?? uploadNote(response) ?? identityNote(response, request)
        if let note { messages.note(messages.notation(note)) }
        if let note = withheldFieldsNote(request) { messages.note(messages.notation(note)) }
    }

    /// Whether the status of a response is no failure.
    func isSuccess(_ response: HTTPURLResponse?) -> Bool {
        response.map { plan.expectations.exitStatus(for: $0) == .success } ?? true
    }

    /// Returns the diagnosis of an error. A retryable status is not an error after the last retry: it is evaluated like
    /// any other, as is a rejected body.
    private func diagnosis(of error: AFError?, in request: Request) -> Diagnosis? {
        guard let error, error.responseCode == nil, !(error.underlyingError is UnexpectedBody),
            !(error.underlyingError is EndedEventStream)
        else { return nil }
        if case .noResponse(_, let url)? = error.underlyingError as? OAuth2Error {
            return Diagnosis(error, FailureContext(plan, tokenEndpoint: url))
        }
        return Diagnosis(error, FailureContext(plan, request, upload))
    }

    func fail(_ failure: Diagnosis) -> ExitStatus {
        let diagnosis = failure.masked(by: recorder.redaction)
        // The summary of a batch reports the interruption once.
        if part == nil || !diagnosis.exitStatus.isInterruption { messages.error(diagnosis) }
        recorder.record(diagnosis)
        return diagnosis.exitStatus
    }

    /// Shows the parts of the response that explain a failure and were not shown, and records them for a JUnit report.
    ///
    /// - Parameter segment: The segment whose response is the reason; `nil` for the request itself.
    /// - Returns: The evidence; `nil` if the response does not explain the failure.
    @discardableResult
    func showEvidence(_ status: ExitStatus, of segment: SegmentRequest? = nil) -> ResponseEvidence? {
        guard let response = segment?.response ?? finalResponse.withLock(\.self), concernsResponse(status) else {
            return nil
        }
        let prefix = segment.map { Array($0.rejectedBytes.prefix(BodyPrefix.evidenceLimit)) } ?? bodyPrefix.bytes
        let evidence = ResponseEvidence(
            response, prefix: prefix, type: plan.output.mediaType ?? response.contentType,
            charset: plan.output.charset, recorder.redaction)
        recorder.record(evidence)
        let isHeadShown = plan.output.parts.contains(.responseHead)
        let lines =
            if bodyPrefix.isShown {
                // The message has the status.
                !isHeadShown && (status == .expectation || evidence.hasFields) ? evidence.head : []
            } else {
                isHeadShown ? evidence.body : evidence.lines
            }
        if !lines.isEmpty { messages.response(lines) }
        return evidence
    }

    /// Records the response for `--save`; the body only if it is expected.
    private func recordForSuite(_ response: HTTPURLResponse) {
        guard recorder.plan.suite != nil else { return }
        var values = HurlResponseValues(status: response.statusCode, headers: response.headers)
        if case .complete(let body, _)? = search.capture?.body { values.body = body }
        recorder.record(values)
    }

    /// Records the start of a body that is not in a file.
    private func recordBody(of request: Request) {
        let limit = recorder.plan.bodyLimit
        guard limit > 0, let response = request.response, recorder.savedPath == nil else { return }
        let (bytes, isComplete) = bodyPrefix.recorded(limit)
        recorder.record(
            RunRecord.Body(
                bytes: bytes, isComplete: isComplete, type: plan.output.mediaType ?? response.contentType,
                charset: plan.output.charset))
    }

    /// Whether a failure is about the response, and not about its transfer.
    private func concernsResponse(_ status: ExitStatus) -> Bool {
        // curl shows nothing else.
        if plan.output.hidesErrorBodies || plan.output.reportsStatus { return false }
        // A body that cannot be filtered cancels the request.
        if printer.filter?.problem != nil { return true }
        guard cancellation.diagnosis == nil else { return false }
        switch status {
        case .redirected, .clientError, .serverError, .checksum: return true
        case .expectation:
            return plan.expectations.requireBody || plan.expectations.requireResponse || printer.filter != nil
        default: return false
        }
    }

    private func showTrailers(_ request: Request) {
        guard plan.output.showsTrailers, let trailers = request.allMetrics.last?.transactionMetrics.last?.trailers,
            !trailers.isEmpty
        else { return }
        printer.showTrailers(trailers)
        printer.flush()
    }

    private func showTimings(_ request: Request) {
        guard plan.output.parts.contains(.metadata) || plan.output.showsTiming else { return }
        if let upload { recorder.hide(upload.resources) }
        let hops = HopRecord.hops(of: request.allMetrics, segmentMetrics(of: request))
        var rows = TimingRow.rows(of: hops, recorder.redaction)
        // The attempts of a resumable upload are its steps.
        if upload != nil { for index in rows.indices { rows[index].retry = 0 } }
        guard !rows.isEmpty else { return }
        if plan.output.parts.contains(.metadata) {
            let times = RunTimes(request.allMetrics, segmentMetrics(of: request), ended: cancellation.end)
            let figures = MetaView(rows: rows, elapsed: times?.total ?? 0, palette: plan.output.palette).render()
            printer.showText(figures + (plan.output.isForTerminal ? "\n" : ""))
        }
        if plan.output.showsTiming {
            let picture = Waterfall(
                rows: rows,
                width: environment.errorTerminal?.columns ?? plan.output.width,
                isUTF8: plan.output.isUTF8,
                palette: plan.output.errorPalette
            )
            try? environment.errors.endLine()
            try? environment.errors.write(picture.render())
        }
    }
}

extension DownloadRequest {
    /// Returns the segment whose response caused an error; `nil` for another cause.
    fileprivate func rejectedSegment(_ error: AFError?) -> SegmentRequest? {
        guard case .segmentRejected(let status)? = (error?.underlyingError as? DownloadFailure)?.reason else {
            return nil
        }
        return segments.last { $0.response?.statusCode == status }
    }
}
