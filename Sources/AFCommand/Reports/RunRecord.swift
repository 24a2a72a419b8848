internal import AFCore
internal import AFHTTP
internal import FoundationEssentials

/// All that is told of a run once it is over, or could not begin.
struct RunRecord: Sendable {
    /// Another try, and why.
    struct Retry: Equatable, Sendable {
        /// 1 for the first try after the first attempt.
        let number: Int
        /// Seconds that were waited before it.
        let delay: Double
        let reason: String
        /// Of the response that it replaced; `nil` after a failure.
        let status: Int?
    }

    struct Failure: Equatable, Sendable {
        let status: ExitStatus
        /// A sentence without its end.
        let message: String
        /// Further lines: each expectation that failed, or the place of a mistake.
        var details: [String] = []
    }

    var started = Date.now
    /// `nil` where the command line could not be carried out.
    var request: PlannedRequest?
    /// Whether the request was to be sent, and not only to be shown.
    var isSent = true
    var attempts: [TransferMetrics] = []
    /// Of the ranges that were fetched beside the attempts.
    var segments: [TransferMetrics] = []
    var retries: [Retry] = []
    /// Where the body was stored.
    var savedPath: String?
    var failure: Failure?
    var status = ExitStatus.success

    var hops: [HopRecord] {
        HopRecord.hops(of: attempts, segments, planned: request?.plan.headers ?? HTTPHeaders())
    }

    var times: RunTimes? { RunTimes(attempts, segments) }
}

extension ExitStatus {
    /// A name for the class of failures, for programs that read records.
    var kind: String {
        switch self {
        case .success: "none"
        case .timeout: "timeout"
        case .redirected: "redirect"
        case .clientError: "client-error"
        case .serverError: "server-error"
        case .redirects: "redirects"
        case .unresolved: "name"
        case .unconnected: "connection"
        case .security: "tls"
        case .broken: "broken"
        case .expectation: "expectation"
        case .file: "file"
        case .usage: "usage"
        case .interrupted: "interrupted"
        case .terminated: "terminated"
        case .outputClosed: "output-closed"
        default: "other"
        }
    }
}
