#if Logging
    public import AFCore
    public import AFHTTP
    internal import AFTransport
    public import Dispatch
    internal import FoundationEssentials
    public import Logging

    /// Logs the events of requests with swift-log, without secrets.
    ///
    /// ```swift
    /// let session = Session(eventMonitors: [LoggingEventMonitor(logger: Logger(label: "org.example.http"))])
    /// ```
    ///
    /// Every entry has the metadata `http.method`, `http.url` and `http.request`, a number shared by the entries of a
    /// request. Entries about an end also have `http.status`, `http.duration` (seconds, with retries and delays),
    /// `http.retries` and, after a failure, `error`.
    public final class LoggingEventMonitor: EventMonitor {
        /// The log level of each kind of entry; `nil` disables it.
        public struct Levels: Hashable, Sendable {
            /// An attempt begins.
            public var started: Logger.Level? = .debug
            /// A redirect was followed.
            public var redirected: Logger.Level? = .debug
            /// A request or response header: all fields, secrets redacted.
            public var heads: Logger.Level? = .trace
            /// An attempt failed and is retried.
            public var retried: Logger.Level? = .notice
            /// The request ended with a status below 400.
            public var succeeded: Logger.Level? = .info
            /// The request ended with a status from 400 to 499.
            public var clientError: Logger.Level? = .warning
            /// The request ended with a status of 500 or above, or with an error.
            public var failed: Logger.Level? = .error
            /// The request was canceled.
            public var cancelled: Logger.Level? = .info

            /// Creates the default levels.
            public init() {}
        }

        /// The queue of the events: serial, private by default.
        public let queue: DispatchQueue
        private let logger: Logger
        private let levels: Levels
        private let redaction: LogRedaction

        /// Creates a monitor.
        ///
        /// - Parameter queue: A serial queue, which preserves the order of the entries.
        public init(
            logger: Logger,
            levels: Levels = Levels(),
            redaction: LogRedaction = LogRedaction(),
            queue: DispatchQueue = DispatchQueue(label: "org.afcli.loggingEventMonitor")
        ) {
            self.logger = logger
            self.levels = levels
            self.redaction = redaction
            self.queue = queue
        }

        /// Logs the start of an attempt.
        public func request(_ request: Request, didCreateTask task: TransferTask) {
            let sent = task.originalRequest
            log(levels.started, "request starts", of: request, sent)
            log(levels.heads, "request head", of: request, sent, [LogKey.headers: head(sent.headers)])
        }

        /// Logs a redirect.
        public func request(
            _ request: Request,
            task: TransferTask,
            willPerformHTTPRedirection response: HTTPURLResponse,
            newRequest: URLRequest
        ) {
            log(levels.redirected, "redirect followed", of: request, newRequest)
        }

        /// Logs the final response header.
        public func request(_ request: Request, task: TransferTask, didReceive response: HTTPURLResponse) {
            let details: Logger.Metadata = [
                LogKey.status: "\(response.statusCode)",
                LogKey.headers: head(response.headers),
            ]
            log(levels.heads, "response head", of: request, task.currentRequest, details)
        }

        /// Logs a retry.
        public func requestIsRetrying(_ request: Request) {
            var details: Logger.Metadata = [LogKey.retries: "\(request.retryCount)"]
            if let status = request.response?.statusCode { details[LogKey.status] = "\(status)" }
            log(levels.retried, "request is tried again", of: request, request.performedRequests.last, details)
        }

        /// Logs the end of the request.
        public func requestDidFinish(_ request: Request) {
            let status = request.response?.statusCode
            var details: Logger.Metadata = [LogKey.retries: "\(request.retryCount)"]
            if let status { details[LogKey.status] = "\(status)" }
            if let duration = request.duration { details[LogKey.duration] = .stringConvertible(duration) }
            if let error = request.error { details[LogKey.error] = text(of: error) }
            let sent = request.performedRequests.last ?? request.lastRequest
            switch (request.error, status ?? 0) {
            case (.explicitlyCancelled, _): log(levels.cancelled, "request was canceled", of: request, sent, details)
            case (nil, ..<400): log(levels.succeeded, "request succeeded", of: request, sent, details)
            case (_, 400..<500): log(levels.clientError, "request was refused", of: request, sent, details)
            default: log(levels.failed, "request failed", of: request, sent, details)
            }
        }

        /// Records a serialization error.
        public func request<Value>(_ request: DataRequest, didParseResponse response: DataResponse<Value, AFError>) {
            didSerialize(request, response.error)
        }

        /// Records a serialization error.
        public func request<Value>(
            _ request: DownloadRequest, didParseResponse response: DownloadResponse<Value, AFError>
        ) {
            didSerialize(request, response.error)
        }

        /// Records that a complete response was not usable, which only serializers detect.
        private func didSerialize(_ request: Request, _ error: AFError?) {
            guard let error, request.error == nil else { return }
            let sent = request.performedRequests.last
            log(levels.failed, "response could not be read", of: request, sent, [LogKey.error: text(of: error)])
        }

        private func head(_ headers: HTTPHeaders) -> Logger.MetadataValue {
            .array(headers.map { .string(redaction.header($0)) })
        }

        private func text(of error: AFError) -> Logger.MetadataValue {
            .string(redaction.text(String(describing: error)))
        }

        private func log(
            _ level: Logger.Level?,
            _ message: Logger.Message,
            of request: Request,
            _ sent: URLRequest?,
            _ details: @autoclosure () -> Logger.Metadata = [:]
        ) {
            guard let level, logger.logLevel <= level else { return }
            var metadata = details()
            metadata[LogKey.request] = "\(request.id)"
            if let sent {
                metadata[LogKey.method] = "\(sent.httpMethod ?? "GET")"
                metadata[LogKey.url] = "\(redaction.url(sent.url?.absoluteString ?? ""))"
            }
            logger.log(level: level, message, metadata: metadata)
        }
    }

    private enum LogKey {
        static let method = "http.method"
        static let url = "http.url"
        static let request = "http.request"
        static let status = "http.status"
        static let duration = "http.duration"
        static let retries = "http.retries"
        static let headers = "http.headers"
        static let error = "error"
    }

    extension Request {
        /// Seconds from the start of the first attempt to the end of the last one.
        fileprivate var duration: Double? {
            guard let start = firstMetrics?.taskInterval.start, let end = lastMetrics?.taskInterval.end else {
                return nil
            }
            return end.timeIntervalSince(start)
        }
    }
#endif
