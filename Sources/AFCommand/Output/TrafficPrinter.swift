internal import AFCore
internal import AFHTTP
internal import FoundationEssentials
internal import Synchronization

/// Shows the traffic besides the final response, in order: requests and, with `--all`, redirects, authentication
/// rounds, interim responses and responses that a retry replaces.
///
/// Unless all hops are shown alike, a request is buffered until its response is known to be final.
final class TrafficPrinter: Sendable {
    private struct State {
        var body: RequestBodyView
        var heldRequest: [UInt8]?
        /// The interim headers for the buffered request.
        var heldHeads: [[UInt8]] = []
        var headerBuffers = ResponseHeaderBuffers()
        /// Whether the output ends with the body of a response that is not final.
        var isInResponseBody = false
    }

    private let planned: RequestPlan
    private let output: OutputPlan
    private let cookies: [HTTPCookie]
    private let waits: WaitLimits
    /// Whether several requests may be in progress at the same time.
    private let isConcurrent: Bool
    private let printer: Printer
    private let state: Mutex<State>
    /// The parts of the final request to show.
    private let parts: MessageParts
    /// The parts of earlier requests and responses to show.
    private let historyParts: MessageParts
    /// The observed kinds of events.
    let kinds: Set<TransferEvent.Kind>

    /// Creates a printer.
    ///
    /// - Parameter cookies: The stored cookies of the first request.
    init(
        _ request: RequestPlan,
        _ output: OutputPlan,
        cookies: [HTTPCookie],
        isConcurrent: Bool,
        _ waits: WaitLimits,
        _ printer: Printer
    ) {
        planned = request
        self.output = output
        self.cookies = cookies
        self.isConcurrent = isConcurrent
        self.waits = waits
        self.printer = printer
        parts = output.parts
        historyParts = output.historyParts
        var start = State(body: RequestBodyView(request, printer))
        start.headerBuffers.endsPartial = output.endsPartialHeads
        state = Mutex(start)
        var kinds: Set<TransferEvent.Kind> = [.requestHead]
        if !historyParts.isDisjoint(with: [.responseHead, .responseBody]) { kinds.insert(.responseHeadLine) }
        if historyParts.contains(.responseBody) { kinds.insert(.redirectBody) }
        self.kinds = kinds
    }

    /// An observer of bodies that can be read only once.
    var observer: UploadObserver {
        let backlog = UploadBacklog()
        return UploadObserver(backlog: backlog) { [self] bytes in
            backlog.add(bytes)
            printer.queue.async {
                self.state.withLock { $0.body.show(bytes) }
                backlog.remove(bytes)
            }
        }
    }

    /// Handles an event. Called on the transport's thread.
    func show(_ event: TransferEvent) {
        guard kinds.contains(event.kind), !event.isOfTunnel || !output.hidesTunnelHeads else { return }
        printer.queue.async { self.take(event) }
    }

    /// Shows the request of the final response. The runner shows the response. Runs on the printer's queue.
    func release() {
        state.withLock { state in
            _ = state.headerBuffers.takeLatest()
            showWithheldResponse(&state, parts)
            state.body.end()
        }
    }

    /// Shows a chunk of the body of a response that a retry replaces. On the printer's queue.
    func passBody(_ bytes: UnsafeRawBufferPointer) {
        guard historyParts.contains(.responseBody) else { return }
        state.withLock { showBody(bytes, &$0) }
    }

    /// Ends the view; without a final response, the last one is shown. On the printer's queue.
    ///
    /// - Parameter hasResponse: Whether the last response was a part of the result.
    func end(hasResponse: Bool = false) {
        state.withLock { state in
            showWithheldResponse(&state, hasResponse ? historyParts : parts)
            endHop(&state, isLast: true)
        }
    }

    /// Forgets what was not shown yet, before another attempt. On the printer's queue.
    func restart() {
        state.withLock { state in
            _ = state.headerBuffers.takeAll(completeOnly: false)
            (state.heldRequest, state.heldHeads, state.isInResponseBody) = (nil, [], false)
        }
    }

    private func take(_ event: TransferEvent) {
        state.withLock { state in
            switch event.kind {
            case .requestHead: takeRequest(event.bytes, &state)
            case .responseHeadLine:
                guard let head = state.headerBuffers.add(event.bytes, of: event.transferNumber) else { return }
                if state.heldRequest != nil { state.heldHeads.append(head) } else { showHead(head, &state) }
            case .redirectBody: event.bytes.withUnsafeBytes { showBody($0, &state) }
            default: break
            }
        }
    }

    private func takeRequest(_ head: [UInt8], _ state: inout State) {
        // Earlier requests did not lead to the final response.
        showWithheldResponse(&state, historyParts)
        endHop(&state)
        let requestParts: MessageParts = [.requestHead, .requestBody]
        if head.starts(with: "CONNECT ".utf8) {
            show(head, &state, historyParts)
        } else if parts.intersection(requestParts) == historyParts.intersection(requestParts)
            || planned.body.isStreamed
        {
            // A stream is sent only once: only the current request can show it.
            show(head, &state, parts)
        } else {
            state.heldRequest = head
        }
    }

    /// Shows the buffered request and its interim headers.
    private func showWithheldResponse(_ state: inout State, _ parts: MessageParts) {
        if let head = state.heldRequest.take() { show(head, &state, parts) }
        let heads = state.heldHeads
        state.heldHeads = []
        for head in heads { showHead(head, &state) }
    }

    /// Ends the responses that are not final.
    private func endHop(_ state: inout State, isLast: Bool = false) {
        state.body.end()
        for head in state.headerBuffers.takeAll(completeOnly: isConcurrent && !isLast) { showHead(head, &state) }
        if state.isInResponseBody { printer.endBody() }
        state.isInResponseBody = false
    }

    private func showHead(_ head: [UInt8], _ state: inout State) {
        state.body.end()
        if historyParts.contains(.responseHead) { printer.showHead(head) }
    }

    private func showBody(_ bytes: UnsafeRawBufferPointer, _ state: inout State) {
        guard !bytes.isEmpty else { return }
        if !state.isInResponseBody {
            showWithheldResponse(&state, historyParts)
            let head = state.headerBuffers.takeLatest() ?? []
            if !head.isEmpty { showHead(head, &state) }
            printer.beginBody(of: output.mediaType ?? MediaType(ofHead: head), charset: output.charset)
            state.isInResponseBody = true
        }
        printer.showBody(bytes)
    }

    private func show(_ head: [UInt8], _ state: inout State, _ parts: MessageParts) {
        if parts.contains(.requestHead) { printer.showHead(head) }
        if parts.contains(.requestBody), planned.body != .none, carriesBody(head) { state.body.begin() }
    }

    /// Whether the request has a body: a redirect may have dropped it, and the first round of digest authentication has
    /// none.
    private func carriesBody(_ head: [UInt8]) -> Bool {
        let method = head.prefix { $0 != UInt8(ascii: " ") }
        let isEmpty = head.split(separator: UInt8(ascii: "\n")).contains { line in
            String(decoding: line, as: UTF8.self).lowercased() == "content-length: 0\r"
        }
        return method.elementsEqual(planned.method.rawValue.utf8) && !isEmpty
    }
}

extension TrafficPrinter {
    /// Shows the request that would be sent.
    ///
    /// - Parameter target: The target of `--request-target`; `nil` for that of the URL.
    func showOffline(_ request: URLRequest, target: String?) throws {
        let body = try planned.body.source(waits)
        if parts.contains(.requestHead) {
            let url = (try? request.httpURL) ?? planned.url
            let line = "\(planned.method.rawValue) \(target ?? url.target) HTTP/1.1"
            printer.showHead(startLine: line, headers: try wireHeaders(request.headers, body))
        }
        guard parts.contains(.requestBody), let body else { return }
        printer.beginBody(ofRequest: planned.headers)
        do {
            try body.forEachChunk { bytes in
                guard !printer.isBodySuppressed else { throw PrintingStopped() }
                printer.showBody(bytes)
            }
        } catch is PrintingStopped {}
        printer.endBody()
    }

    /// Returns the fields in the order on the wire: Host, Transfer-Encoding (for a body of unknown length) and Cookie
    /// first, Content-Length last.
    private func wireHeaders(_ typed: HTTPHeaders, _ body: BodySource?) throws -> HTTPHeaders {
        var headers = HTTPHeaders()
        let origin = planned.url.origin.description.dropFirst(planned.url.scheme.rawValue.count + 3)
        if !planned.removedHeaders.contains(where: { $0.lowercased() == "host" }) {
            headers.append(name: "Host", value: typed.value(for: "Host") ?? origin.withoutZone)
        }
        let isChunkedByHand = typed.value(for: "Transfer-Encoding") != nil
        let length = try body?.length().map(String.init) ?? typed.value(for: "Content-Length")
        if body != nil, length == nil, !isChunkedByHand { headers.append(name: "Transfer-Encoding", value: "chunked") }
        let cookies = cookies.map { "\($0.name)=\($0.value)" } + typed.values(for: "Cookie")
        if !cookies.isEmpty { headers.append(name: "Cookie", value: cookies.joined(separator: "; ")) }
        let moved = ["cookie", "host"] + (body == nil ? [] : ["content-length"])
        for header in typed where !moved.contains(header.name.lowercased()) { headers.append(header) }
        if let length, body != nil, !isChunkedByHand { headers.append(name: "Content-Length", value: length) }
        return headers
    }
}

extension Substring {
    /// The zone of an IPv6 address is local to this machine (RFC 6874 §4).
    fileprivate var withoutZone: String {
        guard let percent = firstRange(of: "%25"), let bracket = firstIndex(of: "]") else { return String(self) }
        return String(self[..<percent.lowerBound] + self[bracket...])
    }
}
