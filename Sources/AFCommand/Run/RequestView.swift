internal import AFCore
internal import AFHTTP
internal import Dispatch
internal import FoundationEssentials
internal import Glibc
internal import Synchronization

/// Shows requests: as they are sent, or as they would be.
///
/// Unless every hop is shown, only the one that brought the final response is: a request is held until it is known.
final class RequestView: Sendable {
    private let plan: Plan
    private let printer: Printer
    private let held = Mutex<[UInt8]?>(nil)

    init(_ plan: Plan, _ printer: Printer) {
        self.plan = plan
        self.printer = printer
    }

    /// On the transport's thread.
    func note(_ event: TransferEvent) {
        guard event.kind == .requestHead else { return }
        printer.queue.async { self.take(event.bytes) }
    }

    /// The response to the request seen last is the final one, or none came. On the printer's queue.
    func release() {
        if let head = held.withLock({ $0.take() }) { show(head) }
    }

    private func take(_ head: [UInt8]) {
        if plan.output.showsAll {
            show(head)
        } else if !head.starts(with: "CONNECT ".utf8) {
            held.withLock { $0 = head }
        }
    }

    private func show(_ head: [UInt8]) {
        if plan.output.parts.contains(.requestHead) { printer.showHead(head) }
        let method = head.prefix { $0 != 0x20 }
        // A redirect may have taken the body away.
        if method.elementsEqual(plan.request.method.rawValue.utf8) { showBody() }
    }

    private func showBody() {
        guard plan.output.parts.contains(.requestBody) else { return }
        do {
            try showBody(plan.request.body)
        } catch {
            // The transfer meets the same trouble, and tells.
            printer.endBody()
        }
    }

    // Without a network.

    func showOffline() throws {
        let body = try plan.request.body.source()
        if plan.output.parts.contains(.requestHead) {
            let line = "\(plan.request.method.rawValue) \(plan.url.target) HTTP/1.1"
            printer.showHead(startLine: line, headers: try wireHeaders(body))
        }
        if plan.output.parts.contains(.requestBody) { try showBody(plan.request.body) }
    }

    /// In the order of the wire: Host and Cookie first, the length last.
    private func wireHeaders(_ body: BodySource?) throws -> HTTPHeaders {
        var headers = HTTPHeaders()
        let typed = plan.request.headers
        let origin = plan.url.origin.description.dropFirst(plan.url.scheme.rawValue.count + 3)
        if typed.value(for: "Host") == nil { headers.append(name: "Host", value: String(origin)) }
        let cookies = typed.values(for: "Cookie")
        if !cookies.isEmpty { headers.append(name: "Cookie", value: cookies.joined(separator: "; ")) }
        for header in typed where header.name.lowercased() != "cookie" { headers.append(header) }
        guard let body, typed.value(for: "Content-Length") == nil else { return headers }
        if let length = try body.length() {
            headers.append(name: "Content-Length", value: "\(length)")
        } else {
            headers.append(name: "Transfer-Encoding", value: "chunked")
        }
        return headers
    }

    private func showBody(_ body: BodyPlan) throws {
        switch body {
        case .none: return
        case .standardInput:
            guard plan.isOffline else { return printer.showText("+ standard input +\n") }
        default: break
        }
        let type = plan.request.headers.value(for: "Content-Type").flatMap(MediaType.init(parsing:))
        printer.beginBody(of: type)
        try body.source()?.forEachChunk { bytes in
            guard !printer.isBodySuppressed else { throw EndOfInterest() }
            printer.showBody(bytes)
        }
        printer.endBody()
    }
}

/// Ends the reading of a body that is not shown.
private struct EndOfInterest: Error {}
