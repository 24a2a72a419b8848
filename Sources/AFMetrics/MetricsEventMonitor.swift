#if Metrics
    public import AFCore
    public import AFTransport
    public import Dispatch
    internal import FoundationEssentials
    public import Metrics
    internal import Synchronization

    /// Records metrics of requests with swift-metrics.
    ///
    /// | label (after the prefix) | kind | dimensions |
    /// |---|---|---|
    /// | `requests` | counter: requests that ended | `host`, `method`, `status` (`2xx` …, `none`) |
    /// | `failures` | counter: requests that ended with an error | `host`, `kind` |
    /// | `retries` | counter: attempts after the first | `host` |
    /// | `request_duration` | timer: first attempt's start to the last one's end | `host` |
    /// | `attempt_duration` | timer: one attempt, including redirects | `host` |
    /// | `first_byte` | timer: request's start to the first byte of the response | `host` |
    /// | `sent_bytes`, `received_bytes` | counter: heads and bodies on the wire | `host` |
    /// | `in_flight` | gauge: requests under way | |
    ///
    /// The number of series is bounded: hosts beyond ``init(prefix:maximumHosts:factory:queue:)``'s limit count as `other`,
    /// as do methods that HTTP does not define.
    ///
    /// A request is counted once, at its first end, even if a serializer retries it later.
    public final class MetricsEventMonitor: EventMonitor {
        /// The monitor's private serial queue.
        public let queue: DispatchQueue
        private let instruments: Instruments
        private let hosts: BoundedLabels
        private let requests = Mutex(Requests())

        private struct Requests {
            var inFlight: Set<ObjectIdentifier> = []
            /// The requests among them that have been counted.
            var counted: Set<ObjectIdentifier> = []
        }

        /// Creates a monitor.
        ///
        /// - Parameters:
        ///   - prefix: The prefix of every label, before a dot.
        ///   - maximumHosts: The number of hosts with series of their own, in order of first use.
        ///   - factory: The metrics backend; by default the one that `MetricsSystem` was bootstrapped with.
        ///   - queue: A serial queue.
        public init(
            prefix: String = "http_client",
            maximumHosts: Int = 50,
            factory: any MetricsFactory = MetricsSystem.factory,
            queue: DispatchQueue = DispatchQueue(label: "org.afcli.metricsEventMonitor")
        ) {
            self.queue = queue
            instruments = Instruments(prefix: prefix, factory: factory)
            hosts = BoundedLabels(limit: maximumHosts)
        }

        /// Counts the request as in flight.
        public func requestDidResume(_ request: Request) {
            record(
                requests.withLock { requests in
                    requests.inFlight.insert(ObjectIdentifier(request))
                    return requests.inFlight.count
                }
            )
        }

        /// Records the metrics of an attempt.
        public func request(_ request: Request, didGatherMetrics metrics: TransferMetrics) {
            let host = [("host", host(of: request))]
            instruments.timer("attempt_duration", host).record(seconds: metrics.duration)
            for hop in metrics.transactionMetrics {
                if hop.statusCode != nil { instruments.timer("first_byte", host).record(seconds: hop.waiting) }
                instruments.counter("sent_bytes", host).increment(by: hop.requestHeadBytes + hop.requestBodyBytes)
                instruments.counter("received_bytes", host).increment(by: hop.responseHeadBytes + hop.responseBodyBytes)
            }
        }

        /// Counts a retry.
        public func requestIsRetrying(_ request: Request) {
            instruments.counter("retries", [("host", host(of: request))]).increment()
            let reopened = requests.withLock { requests -> Int? in
                guard requests.inFlight.insert(ObjectIdentifier(request)).inserted else { return nil }
                requests.counted.insert(ObjectIdentifier(request))
                return requests.inFlight.count
            }
            if let reopened { record(reopened) }
        }

        /// Counts the request as ended, unless a serializer retries it.
        public func requestDidFinish(_ request: Request) {
            let (count, isCounted) = requests.withLock { requests in
                requests.inFlight.remove(ObjectIdentifier(request))
                return (requests.inFlight.count, requests.counted.remove(ObjectIdentifier(request)) != nil)
            }
            record(count)
            guard !isCounted else { return }
            let host = host(of: request)
            let dimensions = [
                ("host", host),
                ("method", Self.label(forMethod: request.firstRequest?.httpMethod)),
                ("status", request.response.map { "\($0.statusCode / 100)xx" } ?? "none"),
            ]
            instruments.counter("requests", dimensions).increment()
            if let error = request.error {
                instruments.counter("failures", [("host", host), ("kind", error.metricsKind)]).increment()
            }
            guard let start = request.firstMetrics?.taskInterval.start, let end = request.lastMetrics?.taskInterval.end
            else { return }
            instruments.timer("request_duration", [("host", host)]).record(seconds: end.timeIntervalSince(start))
        }

        private func record(_ inFlight: Int) { instruments.gauge("in_flight").record(inFlight) }

        /// Returns the host of the first request, before redirects.
        private func host(of request: Request) -> String {
            request.firstRequest?.url?.host().map { hosts.label(for: $0.lowercased()) } ?? "none"
        }

        private static func label(forMethod method: String?) -> String {
            let method = method ?? "GET"
            return standardMethods.contains(method) ? method : "other"
        }

        private static let standardMethods: Set = [
            "CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "QUERY", "TRACE",
        ]
    }
#endif
