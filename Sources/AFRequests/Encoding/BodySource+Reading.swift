public import AFTransport
internal import Dispatch
internal import Glibc

extension BodySource {
    /// Reads the complete body on the caller's thread, waiting for streams.
    ///
    /// - Throws: `AFError.multipartEncodingFailed` if the body cannot be read completely, and errors of `consume`.
    public func forEachChunk(_ consume: (UnsafeRawBufferPointer) throws -> Void) throws {
        switch self {
        case .bytes(let bytes): try bytes.withUnsafeBytes(consume)
        case .parts(let sources): try sources.forEach { try $0.forEachChunk(consume) }
        case .file(let path, let range): try Self.readFile(path, range: range, consume)
        case .stream(let body as BoundaryCheckedBody, _): try body.forEachChunk(consume)
        case .stream(let stream, let length): try Self.read(stream, length, consume)
        }
    }

    private static let chunkSize = 64 * 1024

    private static func readFile(
        _ path: String,
        range: Range<Int64>?,
        _ consume: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        let file = uninterrupted { open(path, O_RDONLY | O_CLOEXEC) }
        guard file >= 0 else { throw unreadable(SystemError.last) }
        defer { close(file) }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: chunkSize, alignment: 16)
        defer { buffer.deallocate() }
        var offset = range?.lowerBound ?? 0
        let end = range?.upperBound ?? .max
        while offset < end {
            let rest = buffer[..<Int(min(Int64(chunkSize), end - offset))]
            let count = Descriptor(file).read(into: UnsafeMutableRawBufferPointer(rebasing: rest), at: offset)
            guard count >= 0 else { throw unreadable(SystemError.last) }
            if count == 0 { break }
            try consume(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            offset += Int64(count)
        }
        if let range, offset < range.upperBound { throw unexpected(offset - range.lowerBound, of: Int64(range.count)) }
    }

    private static func read(
        _ stream: any BodyStream,
        _ length: Int64?,
        _ consume: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: chunkSize, alignment: 16)
        defer { buffer.deallocate() }
        let readiness = DispatchSemaphore(value: 0)
        var position: Int64 = 0
        while true {
            let outcome: BodyRead
            do {
                outcome = try stream.read(into: buffer) { readiness.signal() }
            } catch {
                throw error.asAFError(or: unreadable(error))
            }
            switch outcome {
            case .bytes(let count):
                position += Int64(count)
                if let length, position > length { throw unexpected(position, of: length) }
                try consume(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            case .notYet: readiness.wait()
            case .end:
                if let length, position < length { throw unexpected(position, of: length) }
                return
            }
        }
    }

    private static func unexpected(_ count: Int64, of length: Int64) -> AFError {
        let error = AFError.UnexpectedInputStreamLength(
            bytesExpected: UInt64(clamping: length), bytesRead: UInt64(count))
        return unreadable(error)
    }

    private static func unreadable(_ error: any Error) -> AFError {
        .multipartEncodingFailed(reason: .inputStreamReadFailed(error: error))
    }
}
