internal import AFCore
internal import AFHTTP

/// Shows the body of a request while it is sent: what can be read twice is read again, a stream shows as it passes.
///
/// Everything happens on the printer's queue.
struct RequestBodyView {
    private let plan: RequestPlan
    private let printer: Printer
    /// What is still to be shown; a stream at the front is passing. `nil` while no body is shown.
    private var rest: [(source: BodySource, isStreamed: Bool)]?

    init(_ plan: RequestPlan, _ printer: Printer) {
        self.plan = plan
        self.printer = printer
    }

    mutating func begin() {
        printer.beginBody(of: plan.headers.value(for: "Content-Type").flatMap(MediaType.init(parsing:)))
        // What cannot be opened ends the transfer too, which tells.
        rest = Array(zip((try? plan.body.source())?.leaves ?? [], plan.body.streamedSources))
        showReadable()
    }

    /// A piece of the stream at the front, or its end.
    mutating func pass(_ bytes: [UInt8]) {
        guard rest != nil else { return }
        if bytes.isEmpty {
            rest?.removeFirst()
            showReadable()
        } else {
            bytes.withUnsafeBytes { printer.showBody($0) }
        }
    }

    /// Nothing more will pass.
    mutating func end() {
        if rest != nil { printer.endBody() }
        rest = nil
    }

    /// Shows up to the next stream.
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
                guard !printer.isBodySuppressed else { throw EndOfInterest() }
                printer.showBody(bytes)
            }
        } catch {
            // Suppressed, or unreadable: then the transfer meets the same trouble, and tells.
        }
    }
}

/// Ends the reading of a body that is not shown.
struct EndOfInterest: Error {}

extension BodySource {
    /// The sources that are not made of others, in order.
    fileprivate var leaves: [BodySource] {
        if case .parts(let parts) = self { parts.flatMap(\.leaves) } else { [self] }
    }
}
