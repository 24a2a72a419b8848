internal import AFCore
internal import AFFormatting

/// Shows libcurl's messages for `--debug`, each line with a star.
struct DebugLog: Sendable {
    private let queue: CallbackQueue
    private let output: any ByteOutput
    private let redaction: DebugLogRedaction

    /// Creates a log.
    ///
    /// - Parameters:
    ///   - queue: The printer's queue, which keeps the order of the output.
    ///   - uploadTarget: See ``Redaction/uploadTarget``.
    init(_ queue: CallbackQueue, _ output: any ByteOutput, uploadTarget: String? = nil) {
        self.queue = queue
        self.output = output
        redaction = DebugLogRedaction(redaction: Redaction(revealsSecrets: false, uploadTarget: uploadTarget))
        let libraries = CurlFeatures.libraries.map { "\($0.name)/\($0.version)" }
        write("* afcli \(AFInfo.version), \(libraries.joined(separator: " "))\n")
    }

    /// Shows an event. Called on the transport's thread.
    func show(_ event: TransferEvent) {
        guard event.kind == .information else { return }
        let line = event.bytes.prefix { $0 != UInt8(ascii: "\n") }
        write("* \(Sanitizer.line(redaction.apply(to: String(decoding: line, as: UTF8.self))))\n")
    }

    private func write(_ line: String) {
        queue.async { try? output.write(line) }
    }
}
