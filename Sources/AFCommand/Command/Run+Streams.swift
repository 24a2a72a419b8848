internal import AFCore
internal import AFFormatting
internal import AFHTTP

extension Run {
    /// Ends the last attempt of `--wait` if the server keeps it alive without an end: it may take as long as the option
    /// says. A response that is accepted already may take longer.
    func limitWait(of request: Request) {
        guard let wait = plan.retry.wait else { return }
        Cancellation.perform(after: 2 * wait) { [weak self, weak request] in
            guard let self, let request, !request.isFinished, (request as? DownloadRequest)?.hasSavedFile != true else {
                return
            }
            let isAccepted = request.response.map { !isUnmet($0) } ?? false
            if isAccepted, !plan.expectations.requireBody { return }
            let sent = request.uploadProgress
            let isSending = sent.totalUnitCount == 0 || sent.completedUnitCount < sent.totalUnitCount
            if plan.request.body != .none, isSending { return }
            cancellation.end(
                request,
                Diagnosis(
                    "the response was not complete within --wait (\(HumanUnits.duration(wait)))",
                    hint: "increase --wait", status: .timeout))
        }
    }

    /// Ends a stream that is saved after the time of `--wait`: it may be endless, and a file is judged at its end.
    func limitStream(_ response: HTTPURLResponse, of request: DownloadRequest?) {
        guard let wait = plan.retry.wait, search.capture != nil, let seconds = rule.remainingWait,
            [.eventStream, .ndjson].contains(BodyKind(plan.output.mediaType ?? response.contentType))
        else { return }
        Cancellation.perform(after: seconds) { [self, weak request] in
            guard let request, !request.isFinished, !request.hasSavedFile else { return }
            let limit = HumanUnits.duration(wait)
            cancellation.end(
                request,
                Diagnosis(
                    "the stream did not end within --wait (\(limit)), and a file is judged at its end",
                    hint: "omit --output: messages that are shown are judged as they arrive", status: .timeout))
        }
    }
}
