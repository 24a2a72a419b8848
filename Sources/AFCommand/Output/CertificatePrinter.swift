internal import AFCore
internal import AFFormatting
internal import AFHTTP
internal import FoundationEssentials
internal import Synchronization

/// Shows the certificates of each server once, before the response.
final class CertificatePrinter: Sendable {
    private let printer: Printer
    private let output: any ByteOutput
    private let beforeOutput: @Sendable () -> Void
    private let shown = Mutex<[(origin: String, bytes: [UInt8])]>([])

    /// Creates a printer.
    ///
    /// - Parameters:
    ///   - printer: The printer of the response, whose queue keeps the order of the output.
    ///   - beforeOutput: Called before lines are written, to end an incomplete line.
    init(_ printer: Printer, _ output: any ByteOutput, beforeOutput: @escaping @Sendable () -> Void) {
        self.printer = printer
        self.output = output
        self.beforeOutput = beforeOutput
    }

    /// Handles an event. Called on the transport's thread.
    func show(_ event: TransferEvent) {
        guard event.kind == .certificates else { return }
        printer.queue.async { self.print(event) }
    }

    private func print(_ event: TransferEvent) {
        let url = event.url ?? ""
        let origin = (try? HTTPURL(parsing: url))?.origin.description ?? url
        let isNew = shown.withLock { shown in
            guard !shown.contains(where: { $0.origin == origin && $0.bytes == event.bytes }) else { return false }
            shown.append((origin, event.bytes))
            return true
        }
        guard isNew else { return }
        let view = CertificateView(
            origin: origin,
            certificates: Certificate.certificates(in: event.bytes).compactMap(\.details),
            date: .now,
            isUTF8: printer.plan.isUTF8,
            palette: printer.plan.errorPalette
        )
        printer.flush()
        beforeOutput()
        try? output.endLine()
        try? output.write(view.render())
    }
}
