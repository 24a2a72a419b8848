internal import AFCore
internal import AFFormatting
internal import AFHTTP

extension Run {
    /// Ends a stream that is saved after the time of `--wait`: it may be endless, and a file is judged at its end.
    func limitStream(_ response: HTTPURLResponse, of request: DownloadRequest?) {
        let kind = BodyKind(plan.output.mediaType ?? response.contentType)
        guard [.eventStream, .ndjson].contains(kind), search.capture != nil, let wait = plan.retry.wait,
            let seconds = rule.remainingWait
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
