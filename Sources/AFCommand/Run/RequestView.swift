internal import AFCore
internal import AFHTTP
internal import Synchronization

/// Shows requests: as they are sent, or as they would be.
///
/// Unless every hop is shown, only the one that brought the final response is: a request is held until it is known.
final class RequestView: Sendable {
    private struct State {
        var body: RequestBodyView
        var heldHead: [UInt8]?
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

    /// On the transport's thread.
    func note(_ event: TransferEvent) {
        guard event.kind == .requestHead else { return }
        printer.queue.async { self.take(event.bytes) }
    }

    /// The response to the request seen last is the final one, or none came. On the printer's queue.
    func release() {
        state.withLock { state in
            if let head = state.heldHead.take() { show(head, &state) }
            state.body.end()
        }
    }

    private func take(_ head: [UInt8]) {
        state.withLock { state in
            state.body.end()
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

extension RequestView {
    /// Shows the request that would be sent.
    func showOffline() throws {
        let body = try plan.request.body.source()
        if parts.contains(.requestHead) {
            let line = "\(plan.request.method.rawValue) \(plan.url.target) HTTP/1.1"
            printer.showHead(startLine: line, headers: try wireHeaders(body))
        }
        guard parts.contains(.requestBody), let body else { return }
        printer.beginBody(of: plan.request.headers.value(for: "Content-Type").flatMap(MediaType.init(parsing:)))
        try body.forEachChunk { printer.showBody($0) }
        printer.endBody()
    }

    /// In the order of the wire: Host and Cookie first, the length last.
    private func wireHeaders(_ body: BodySource?) throws -> HTTPHeaders {
        var headers = HTTPHeaders()
        let typed = plan.request.headers
        let origin = plan.url.origin.description.dropFirst(plan.url.scheme.rawValue.count + 3)
        if !plan.request.removedHeaders.contains(where: { $0.lowercased() == "host" }) {
            headers.append(name: "Host", value: typed.value(for: "Host") ?? String(origin))
        }
        let cookies = typed.values(for: "Cookie")
        if !cookies.isEmpty { headers.append(name: "Cookie", value: cookies.joined(separator: "; ")) }
        for header in typed where !["cookie", "host"].contains(header.name.lowercased()) { headers.append(header) }
        guard let body, typed.value(for: "Content-Length") == nil else { return headers }
        if let length = try body.length() {
            headers.append(name: "Content-Length", value: "\(length)")
        } else {
            headers.append(name: "Transfer-Encoding", value: "chunked")
        }
        return headers
    }
}
