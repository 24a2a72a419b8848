internal import AFCore
internal import AFHTTP

/// Shows a request body while it is sent: repeatable sources are read again, streams are shown as they are sent.
///
/// Used on the printer's queue.
struct RequestBodyView {
    private let plan: RequestPlan
    private let printer: Printer
    /// The sources that are not shown yet; a stream at the front is being sent. `nil` while no body is shown.
    private var rest: [(source: BodySource, isStreamed: Bool)]?

    init(_ plan: RequestPlan, _ printer: Printer) {
        self.plan = plan
        self.printer = printer
    }

    mutating func begin() {
        printer.beginBody(ofRequest: plan.headers)
        // A source that cannot be opened also fails the transfer, which reports it.
        rest = Array(zip((try? plan.body.source())?.leaves ?? [], plan.body.streamedSources))
        showReadable()
    }

    /// Shows a chunk of the stream at the front, or handles its end.
    mutating func show(_ bytes: [UInt8]) {
        guard rest != nil else { return }
        if bytes.isEmpty {
            rest?.removeFirst()
            showReadable()
        } else {
            bytes.withUnsafeBytes { printer.showBody($0) }
        }
    }

    /// Ends the body.
    mutating func end() {
        if rest != nil { printer.endBody() }
        rest = nil
    }

    /// Shows sources up to the next stream.
    private mutating func showReadable() {
        while let part = rest?.first {
            if part.isStreamed { return }
            rest?.removeFirst()
            show(part.source)
        }
        end()
    }

    private func show(_ part: BodySource) {
        do {
            try part.forEachChunk { bytes in
                guard !printer.isBodySuppressed else { throw PrintingStopped() }
                printer.showBody(bytes)
            }
        } catch {
            // Suppressed, or unreadable: then the transfer fails, too, and reports it.
        }
    }
}

/// Thrown to stop reading a body that is not shown.
struct PrintingStopped: Error {}

extension BodySource {
    /// The sources in order, with nested ones flattened.
    fileprivate var leaves: [BodySource] {
        if case .parts(let parts) = self { parts.flatMap(\.leaves) } else { [self] }
    }
}
