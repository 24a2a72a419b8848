internal import AFCore

/// Shows what libcurl remarks on, line by line behind a star, as `--debug` asks.
struct RemarkView: Sendable {
    private let queue: CallbackQueue
    private let output: any ByteOutput

    /// - Parameter queue: Where the lines are written, so that they stand in order with what else is shown.
    init(_ queue: CallbackQueue, _ output: any ByteOutput) {
        self.queue = queue
        self.output = output
        let libraries = CurlFeatures.libraries.map { "\($0.name)/\($0.version)" }
        write("* afcli \(AFInfo.version), \(libraries.joined(separator: " "))\n")
    }

    /// On the transport's thread.
    func note(_ event: TransferEvent) {
        guard event.kind == .remark else { return }
        let line = event.bytes.prefix { $0 != UInt8(ascii: "\n") }
        write("* \(Sanitizer.line(RemarkRedaction.apply(to: String(decoding: line, as: UTF8.self))))\n")
    }

    private func write(_ line: String) {
        queue.async {
            var line = line
            line.withUTF8 { try? output.write(UnsafeRawBufferPointer($0)) }
        }
    }
}
