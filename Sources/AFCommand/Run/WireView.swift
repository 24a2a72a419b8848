internal import AFCore
internal import AFHTTP
internal import FoundationEssentials
internal import Synchronization

/// Shows what passes besides the answer, in the order of the wire: requests and, where every hop is shown, the heads of
/// redirects, rounds of authentication and interim responses.
///
/// Unless every hop is shown, only the request that brought the answer is: it is held until it is known.
final class WireView: Sendable {
    private struct State {
        var body: RequestBodyView
        var heldHead: [UInt8]?
        var passingHead = PassingHead()
    }

    private let plan: Plan
    private let printer: Printer
    private let state: Mutex<State>
    private let parts: MessageParts

    init(_ plan: Plan, _ printer: Printer) {
        self.plan = plan
        self.printer = printer
        parts = plan.output.parts
        state = Mutex(State(body: RequestBodyView(plan.request, printer)))
    }

    /// Sees the bodies that can be read only once.
    var tap: BodyTap {
        BodyTap { [self] bytes in printer.queue.async { self.state.withLock { $0.body.pass(bytes) } } }
    }

    /// The events that it wants to hear of.
    var kinds: Set<TransferEvent.Kind> { showsPassingHeads ? [.requestHead, .responseHeadLine] : [.requestHead] }

    /// On the transport's thread.
    func note(_ event: TransferEvent) {
        switch event.kind {
        case .requestHead: printer.queue.async { self.takeRequest(event.bytes) }
        case .responseHeadLine where showsPassingHeads: printer.queue.async { self.takeResponse(event.bytes) }
        default: break
        }
    }

    /// The response to the request seen last is the answer, which others show. On the printer's queue.
    func release() {
        state.withLock { state in
            _ = state.passingHead.take()
            showHeldRequest(&state)
        }
    }

    /// Nothing more comes; where there was no answer, what came last is shown. On the printer's queue.
    func end() {
        state.withLock { state in
            showHeldRequest(&state)
            if let head = state.passingHead.take() { printer.showHead(head) }
        }
    }

    private func showHeldRequest(_ state: inout State) {
        if let head = state.heldHead.take() { show(head, &state) }
        state.body.end()
    }

    private var showsPassingHeads: Bool { plan.output.showsAll && parts.contains(.responseHead) }

    private func takeResponse(_ line: [UInt8]) {
        state.withLock { state in
            guard let head = state.passingHead.add(line) else { return }
            state.body.end()
            printer.showHead(head)
        }
    }

    private func takeRequest(_ head: [UInt8]) {
        state.withLock { state in
            state.body.end()
            if let answered = state.passingHead.take() { printer.showHead(answered) }
            // A stream is sent only once: the request that carries it is the only one that can show it.
            if plan.output.showsAll || plan.request.body.isStreamed {
                show(head, &state)
            } else if !head.starts(with: "CONNECT ".utf8) {
                state.heldHead = head
            }
        }
    }

    private func show(_ head: [UInt8], _ state: inout State) {
        if parts.contains(.requestHead) { printer.showHead(head) }
        if parts.contains(.requestBody), plan.request.body != .none, carriesBody(head) { state.body.begin() }
    }

    /// A redirect may have taken the body away, and the first round of a digest login goes without it.
    private func carriesBody(_ head: [UInt8]) -> Bool {
        let method = head.prefix { $0 != UInt8(ascii: " ") }
        let isEmpty = head.split(separator: UInt8(ascii: "\n")).contains { line in
            String(decoding: line, as: UTF8.self).lowercased() == "content-length: 0\r"
        }
        return method.elementsEqual(plan.request.method.rawValue.utf8) && !isEmpty
    }
}

extension WireView {
    /// Shows the request that would be sent.
    func showOffline(_ request: URLRequest) throws {
        let body = try plan.request.body.source()
        if parts.contains(.requestHead) {
            let url = request.url.flatMap { try? HTTPURL(parsing: $0.absoluteString) } ?? plan.url
            let line = "\(plan.request.method.rawValue) \(url.target) HTTP/1.1"
            printer.showHead(startLine: line, headers: try wireHeaders(request.headers, body))
        }
        guard parts.contains(.requestBody), let body else { return }
        printer.beginBody(of: plan.request.headers.value(for: "Content-Type").flatMap(MediaType.init(parsing:)))
        try body.forEachChunk { printer.showBody($0) }
        printer.endBody()
    }

    /// In the order of the wire: Host, the coding of a body of unknown length and Cookie first, a known length last.
    private func wireHeaders(_ typed: HTTPHeaders, _ body: BodySource?) throws -> HTTPHeaders {
        var headers = HTTPHeaders()
        let origin = plan.url.origin.description.dropFirst(plan.url.scheme.rawValue.count + 3)
        if !plan.request.removedHeaders.contains(where: { $0.lowercased() == "host" }) {
            headers.append(name: "Host", value: typed.value(for: "Host") ?? origin.withoutZone)
        }
        let isFramedByHand = ["Content-Length", "Transfer-Encoding"].contains { typed.value(for: $0) != nil }
        let length = try body?.length()
        if body != nil, length == nil, !isFramedByHand { headers.append(name: "Transfer-Encoding", value: "chunked") }
        let cookies = typed.values(for: "Cookie")
        if !cookies.isEmpty { headers.append(name: "Cookie", value: cookies.joined(separator: "; ")) }
        for header in typed where !["cookie", "host"].contains(header.name.lowercased()) { headers.append(header) }
        if let length, !isFramedByHand { headers.append(name: "Content-Length", value: "\(length)") }
        return headers
    }
}

extension Substring {
    /// The zone of an IPv6 address is this machine's business (RFC 6874 §4).
    fileprivate var withoutZone: String {
        guard let percent = firstRange(of: "%25"), let bracket = firstIndex(of: "]") else { return String(self) }
        return String(self[..<percent.lowerBound] + self[bracket...])
    }
}
