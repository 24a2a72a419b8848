#if Tracing
    public import AFCore
    public import AFHTTP
    internal import AFTransport
    public import Dispatch
    internal import FoundationEssentials
    internal import Synchronization
    public import Tracing

    /// Records a span for each attempt of a request with swift-distributed-tracing, and sends its context to the server.
    ///
    /// ```swift
    /// let tracer = RequestTracer()
    /// let session = Session(interceptor: tracer, eventMonitors: [tracer])
    /// ```
    ///
    /// A span has the kind `client`, the name of the method, and the attributes of OpenTelemetry's conventions for HTTP
    /// clients: `http.request.method`, `url.full` without secrets, `server.address`, `server.port`,
    /// `http.request.resend_count`, `http.response.status_code`, `network.protocol.version` and `error.type`. Its parent
    /// is the span of the task that created the request. The header fields, such as `traceparent`, are those of the
    /// tracer; as any other, they are sent to the targets of redirects.
    public final class RequestTracer: EventMonitor, RequestInterceptor, RequestCreationObserver {
        private struct Trace {
            weak var request: Request?
            let context: ServiceContext
            /// The spans of attempts that have not ended, in order.
            var spans: [any Span] = []
            var attempts = 0
        }

        /// The monitor's private serial queue.
        public let queue: DispatchQueue
        private let tracer: any Tracer
        private let traces = Mutex<[UUID: Trace]>([:])

        /// Creates a tracer, to be used as an interceptor and as a monitor.
        ///
        /// - Parameters:
        ///   - tracer: The tracing backend; by default the one that `InstrumentationSystem` was bootstrapped with.
        ///   - queue: A serial queue.
        public init(
            tracer: any Tracer = InstrumentationSystem.tracer,
            queue: DispatchQueue = DispatchQueue(label: "org.afcli.requestTracer")
        ) {
            self.tracer = tracer
            self.queue = queue
        }

        /// Stores the context of the task that created the request.
        package func didCreate(_ request: Request) {
            let context = ServiceContext.current ?? .topLevel
            let id = request.id
            let known = traces.withLock { traces in
                traces[id] = Trace(request: request, context: context)
                return traces.count >= 64 && traces.count.nonzeroBitCount == 1 ? traces : [:]
            }
            // Requests that were released before they started. Outside of the lock: the reference may be the last one.
            let released = known.filter { $0.value.request == nil }.keys
            if !released.isEmpty { traces.withLock { traces in released.forEach { traces[$0] = nil } } }
        }

        /// Starts the span of an attempt, and adds the header fields of its context.
        public func adapt(
            _ urlRequest: URLRequest,
            using state: RequestAdapterState,
            completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
        ) {
            let (context, attempts) = traces.withLock { traces in
                defer { traces[state.requestID]?.attempts += 1 }
                return (traces[state.requestID]?.context ?? .topLevel, traces[state.requestID]?.attempts ?? 0)
            }
            let method = urlRequest.httpMethod ?? "GET"
            let span: any Span = tracer.startSpan(method, context: context, ofKind: .client)
            span.updateAttributes { attributes in
                attributes["http.request.method"] = method
                if let url = urlRequest.redactedURL { attributes["url.full"] = url }
                if let host = urlRequest.url?.host() { attributes["server.address"] = host }
                if let port = urlRequest.url?.port { attributes["server.port"] = port }
                if attempts > 0 { attributes["http.request.resend_count"] = attempts }
            }
            var request = urlRequest
            tracer.inject(span.context, into: &request.headers, using: HeaderInjector())
            traces.withLock { $0[state.requestID]?.spans.append(span) }
            completion(.success(request))
        }

        /// Passes the request on: the context of the adapter is needed.
        public func adapt(
            _ urlRequest: URLRequest,
            for session: Session,
            completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
        ) {
            completion(.success(urlRequest))
        }

        /// Ends the span of an attempt.
        public func request(_ request: Request, didCompleteTask task: TransferTask, with error: AFError?) {
            guard let span = takeSpan(of: request) else { return }
            let hop = request.lastMetrics?.transactionMetrics.last
            span.updateAttributes { attributes in
                if let status = task.response?.statusCode { attributes["http.response.status_code"] = status }
                if let version = hop?.protocolName?.split(separator: "/").last {
                    attributes["network.protocol.version"] = String(version)
                }
            }
            end(span, error, status: task.response?.statusCode)
        }

        /// Ends the span of an attempt that was not sent, as another adapter failed.
        public func request(
            _ request: Request,
            didFailToAdaptURLRequest initialRequest: URLRequest,
            withError error: AFError
        ) {
            if let span = traces.withLock({ $0[request.id]?.spans.popLast() }) { end(span, error, status: nil) }
        }

        /// Ends the other spans.
        public func requestDidFinish(_ request: Request) {
            let id = request.id
            let rest = traces.withLock { traces in
                defer { traces[id]?.spans = [] }
                return traces[id]?.spans ?? []
            }
            for span in rest { end(span, request.error, status: nil) }
        }

        private func takeSpan(of request: Request) -> (any Span)? {
            let id = request.id
            return traces.withLock { traces in
                guard traces[id]?.spans.isEmpty == false else { return nil }
                return traces[id]?.spans.removeFirst()
            }
        }

        private func end(_ span: any Span, _ error: AFError?, status: Int?) {
            if let error {
                span.recordError(error)
                span.attributes["error.type"] = status.flatMap { $0 >= 400 ? "\($0)" : nil } ?? error.traceType
            }
            if error != nil || status.map({ $0 >= 400 }) == true { span.setStatus(SpanStatus(code: .error)) }
            span.end()
        }
    }

    /// Writes the fields of a context into a header.
    private struct HeaderInjector: Injector {
        func inject(_ value: String, forKey key: String, into headers: inout HTTPHeaders) { headers[key] = value }
    }

    extension URLRequest {
        /// The URL without user info and secrets of the query.
        fileprivate var redactedURL: String? {
            url.map { QueryRedaction().url($0.absoluteString.withoutUserInfo) }
        }
    }

    extension AFError {
        /// The kind of the transport's failure, else the name of the case.
        fileprivate var traceType: String {
            if let failure = underlyingError as? TransferFailure { return failure.kind.name }
            return String("\(self)".prefix { $0 != "(" })
        }
    }
#endif
