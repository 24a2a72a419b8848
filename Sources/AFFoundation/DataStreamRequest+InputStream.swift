public import AFCore
public import Foundation

extension DataStreamRequest {
    /// The body as one of Foundation's streams, to be read on any one thread but the main one. Resumes the request.
    ///
    /// Reading waits for the server, and the server for whoever reads (``DataStreamRequest/asByteStream(bufferSize:)``).
    /// The stream ends where the body does; after a failure, `read` gives −1 and `streamError` is the request's `AFError`.
    /// Closing the stream, or letting go of it, before its end cancels the request.
    ///
    /// - Parameter bufferSize: Bytes that may wait to be read.
    public func asInputStream(bufferSize: Int = 1024) -> InputStream? {
        ResponseInputStream(asByteStream(bufferSize: bufferSize))
    }
}

/// A response's body as one of Foundation's streams.
private final class ResponseInputStream: InputStream {
    private let bytes: ByteStream
    private var status = Stream.Status.notOpen
    private var failure: (any Error)?

    init(_ bytes: ByteStream) {
        self.bytes = bytes
        super.init(data: Data())
    }

    override func open() {
        if status == .notOpen { status = .open }
    }

    override func close() {
        status = .closed
        bytes.close()
    }

    override var streamStatus: Stream.Status { status }
    override var streamError: (any Error)? { failure }
    override var hasBytesAvailable: Bool { status == .open && bytes.hasBytesAvailable }

    override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength length: Int) -> Int {
        guard status == .open else { return status == .atEnd ? 0 : -1 }
        do {
            let count = try bytes.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: length))
            if count == 0, length > 0 { status = .atEnd }
            return count
        } catch {
            (status, failure) = (.error, error)
            return -1
        }
    }

    /// There is no buffer that could be lent.
    override func getBuffer(
        _ buffer: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>,
        length: UnsafeMutablePointer<Int>
    ) -> Bool { false }
}
