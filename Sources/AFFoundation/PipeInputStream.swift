internal import Foundation

/// The reader's side of a pipe as one of Foundation's streams.
final class PipeInputStream: InputStream {
    private let pipe: BytePipe
    private var isOpen = false
    private var isClosed = false

    init(_ pipe: BytePipe) {
        self.pipe = pipe
        super.init(data: Data())
    }

    deinit { pipe.close() }

    override func open() { isOpen = true }

    override func close() {
        isClosed = true
        pipe.close()
    }

    override var streamStatus: Stream.Status {
        guard !isClosed else { return .closed }
        guard isOpen else { return .notOpen }
        return switch pipe.reachedEnding {
        case .whole: .atEnd
        case .failed: .error
        case .closed: .closed
        case nil: .open
        }
    }

    override var streamError: (any Error)? {
        if case .failed(let error) = pipe.reachedEnding { error } else { nil }
    }

    override var hasBytesAvailable: Bool { isOpen && !isClosed && pipe.isReady }

    override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength length: Int) -> Int {
        guard isOpen, !isClosed else { return -1 }
        return pipe.read(into: UnsafeMutableBufferPointer(start: buffer, count: length))
    }

    /// There is no buffer that could be lent.
    override func getBuffer(
        _ buffer: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>,
        length: UnsafeMutablePointer<Int>
    ) -> Bool { false }
}
