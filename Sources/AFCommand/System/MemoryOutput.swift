import Synchronization

/// Keeps what was written.
final class MemoryOutput: ByteOutput {
    private let pieces = Mutex<[[UInt8]]>([])

    /// Everything written so far.
    var bytes: [UInt8] { pieces.withLock { Array($0.joined()) } }

    /// Everything written so far as text; what is not UTF-8 is replaced.
    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// How many writes there were: shows when something was flushed.
    var writeCount: Int { pieces.withLock({ $0.count }) }

    func write(_ bytes: UnsafeRawBufferPointer) {
        pieces.withLock { $0.append(Array(bytes)) }
    }
}
