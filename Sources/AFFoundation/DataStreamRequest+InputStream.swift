public import AFCore
public import Foundation

extension DataStreamRequest {
    /// Returns the body as one of Foundation's streams, for reading on any one thread but the main one. Resumes the
    /// request.
    ///
    /// Reading waits for the server, and an unread stream applies back-pressure
    /// (``DataStreamRequest/asByteStream(bufferSize:)``). The stream ends with the body; after a failure, `read`
    /// returns −1 and `streamError` is the request's `AFError`. Closing or releasing the stream before its end cancels
    /// the request.
    ///
    /// - Parameter bufferSize: The maximum number of unread bytes.
    public func asInputStream(bufferSize: Int = 1024) -> InputStream? {
        ResponseInputStream(asByteStream(bufferSize: bufferSize))
    }
}

/// A response body as one of Foundation's streams.
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

    /// Returns `false`: there is no buffer to lend.
    override func getBuffer(
        _ buffer: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>,
        length: UnsafeMutablePointer<Int>
    ) -> Bool { false }
}
