internal import AFCore
internal import AFExpressions
internal import AFHTTP
internal import AFSigning
internal import FoundationEssentials

/// Several runs with common reports.
struct RunList: Sendable {
    /// The name of their test suite; `nil` if it is the method and the URL of the first one.
    let name: String?

    static let input = Self(name: "afcli --input")
    static let uploads = Self(name: "afcli --upload-file")
    /// The runs of one request: its repetitions or its pages.
    static let request = Self(name: nil)
}

/// The data of a completed or failed run.
struct RunRecord: Sendable {
    /// A retry with its reason.
    struct Retry: Equatable, Sendable {
        /// The number of the retry, starting with 1.
        let number: Int
        /// The delay before the retry in seconds.
        let delay: Double
        let reason: String
        /// The status of the replaced response; `nil` after a failure.
        let status: Int?
    }

    struct Failure: Equatable, Sendable {
        let status: ExitStatus
        /// The message, a sentence without full stop.
        let message: String
        /// Further lines: failed expectations, or the position of a syntax error.
        var details: [String] = []
    }

    /// A recorded body of a response.
    struct Body: Sendable {
        /// The first bytes.
        let bytes: [UInt8]
        /// Whether these are all of the body.
        let isComplete: Bool
        let type: MediaType?
        /// The charset that overrides the media type's.
        let charset: String?
    }

    /// The name that the user gave; `nil` if the request has no name.
    var name: String?
    var started = Date.now
    /// The request; `nil` if the command line is invalid.
    var request: RequestPlan?
    var login: AuthenticationPlan?
    /// The contents of the file that is the body; `nil` if they are not read.
    private(set) var sentFile: [UInt8]?
    /// The password for the proxy.
    var proxyPassword: String?
    /// The typed target of the request line; `nil` if it is that of the URL.
    var requestTarget: String?
    /// See ``Redaction/secretTargets``.
    var secretTargets: [String] = []
    /// See ``Redaction/uploadTarget``.
    var uploadTarget: String?
    /// The method and the URL of a command line whose request is not known, as one of its arguments is invalid.
    var typedTarget: (method: String, url: String)?
    /// Whether the request was to be sent, and not only shown.
    var isSent = true
    var attempts: [TransferMetrics] = []
    /// The metrics of the segments.
    var segments: [TransferMetrics] = []
    var retries: [Retry] = []
    /// The header of the final response; `nil` if it is not written.
    var head: [UInt8]?
    /// The path of the saved body.
    var savedPath: String?
    /// The path of the device that received the body.
    var device: String?
    /// The expectations; without a response they are skipped.
    var expectations: [ExpectationResult] = []
    var failure: Failure?
    /// The body of the final response; `nil` if it is not recorded.
    var body: Body?
    /// The lines of the response that explain the failure.
    var evidence: [String] = []
    /// The failure of the response's status, even if another failure ended the run.
    var statusFailure: Failure?
    /// The time at which a limit or a signal ended the run; `nil` for other ends.
    var ended: Date?
    var status = ExitStatus.success

    var hops: [HopRecord] {
        HopRecord.hops(of: attempts, segments, planned: request?.headers ?? HTTPHeaders())
    }

    /// The secrets of the request, which a response may repeat.
    var secrets: KnownSecrets {
        var secrets = RequestSecrets()
        secrets.add(self)
        return secrets.known
    }

    /// The maximum size of a file whose secrets are known.
    private static let fileLimit: Int64 = 1 << 20

    /// Reads the file that is the body, unless it is large.
    mutating func readSentFile(_ files: FileAccess) {
        guard sentFile == nil, case .file(let path, let size?, _)? = request?.body.content, size <= Self.fileLimit
        else {
            return
        }
        sentFile = (try? files.read(path, .text)) ?? []
    }

    var times: RunTimes? { RunTimes(attempts, segments, ended: ended) }

    /// The seconds of the run.
    var elapsed: Double { times?.total ?? ended.map { max(0, $0.timeIntervalSince(started)) } ?? 0 }
}

extension Redaction {
    /// Returns the redaction of a run's report.
    func knowing(_ run: RunRecord) -> Redaction {
        revealsSecrets ? self : Redaction(of: run, run.secrets)
    }

    /// Creates the redaction of a run.
    ///
    /// - Parameter known: The secrets of its request.
    init(of run: RunRecord, _ known: KnownSecrets) {
        self.init(
            revealsSecrets: false, secretTargets: run.secretTargets, uploadTarget: run.uploadTarget, known: known)
    }
}

extension RequestSecrets {
    /// Adds the secrets of a run's request.
    mutating func add(_ run: RunRecord) {
        for secret in (run.login?.secrets ?? []) + [run.proxyPassword].compactMap(\.self) { add(secret) }
        if let target = run.requestTarget { add(url: target) }
        if let request = run.request { add(request, sentFile: run.sentFile) }
        // Those of a session are known only after they were sent.
        for hop in run.hops { hop.requestHeaders.forEach { add($0) } }
    }

    private mutating func add(_ request: RequestPlan, sentFile: [UInt8]?) {
        for header in request.headers { add(header) }
        add(url: request.url.text)
        if case .multipart(let parts, _, _) = request.body.content {
            for case (let part, .bytes(let bytes)) in parts.map({ ($0, $0.content) }) {
                add(bytes, named: part.name, type: part.mediaType)
            }
        } else if let bytes = request.body.content.bytes ?? sentFile {
            add(bytes, type: request.headers.value(for: "Content-Type").flatMap(MediaType.init(parsing:)))
        }
    }
}

extension AuthenticationPlan {
    /// The passwords and tokens.
    fileprivate var secrets: [String] {
        switch self {
        case .password(_, let credential, _): [credential.password]
        case .bearer(let token): [token]
        case .aws(let credentials, _): [credentials.secretAccessKey, credentials.sessionToken].compactMap(\.self)
        case .oauth2(let client, let refreshToken): [client.secret, refreshToken].compactMap(\.self)
        }
    }
}

extension ExitStatus {
    /// The name of the class of failures, for programs.
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
        case .checksum: "checksum"
        case .file: "file"
        case .usage: "usage"
        case .interrupted: "interrupted"
        case .terminated: "terminated"
        case .outputClosed: "output-closed"
        default: "other"
        }
    }
}
