import Dispatch
import Foundation

/// The outside events that end the process.
struct Endings {
    private let signals = [SIGTERM, SIGINT].map { DispatchSource.makeSignalSource(signal: $0, queue: .global()) }

    func watchSignals() {
        for (number, source) in zip([SIGTERM, SIGINT], signals) {
            // Ignored for the process, so that only the source sees it and the exit status is 0.
            signal(number, SIG_IGN)
            source.setEventHandler { exit(0) }
            source.resume()
        }
    }

    /// Reads standard input, on a thread of its own because the read blocks, and ends the process at its end.
    func watchStandardInput() {
        Thread.detachNewThread {
            var byte: UInt8 = 0
            while read(STDIN_FILENO, &byte, 1) > 0 {}
            exit(0)
        }
    }
}
