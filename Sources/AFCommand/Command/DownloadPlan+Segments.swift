internal import AFCore
internal import AFHTTP

extension DownloadPlan {
    /// Returns the reason why a requested segmented download was not possible.
    func sequentialReason(_ request: DownloadRequest, _ network: NetworkOptions) -> String? {
        guard segments > 1, let response = request.response else { return nil }
        if !request.segments.isEmpty {
            let isRestart = request.lastRequest?.headers["Range"] == nil && request.retryCount > 0
            return isRestart
                ? "parallel ranges were not possible: the file was downloaded again sequentially" : nil
        }
        guard response.statusCode == 200, response.expectedContentLength >> 21 != 0 else { return nil }
        if network.maximumReceiveRate != nil, !response.httpVersion.hasPrefix("HTTP/1") {
            return "the download was sequential: with --limit-rate, parallel ranges need --http1.1"
        }
        return "the download was sequential: parallel ranges need a strong validator, a length and Accept-Ranges"
    }
}
