internal import AFJSON
internal import Glibc

/// The end of the output while a chunk is formatted.
///
/// A local value, so that it stays in a register: in memory, each token would wait for the store of the previous one.
struct OutputCursor {
    private let buffer: UnsafeMutablePointer<OutputBuffer>
    /// The address of the next byte.
    private(set) var end: UnsafeMutablePointer<UInt8>
    private var limit: UnsafeMutablePointer<UInt8>

    /// Creates a cursor at the end of a buffer, whose other methods must not be called before ``commit()``.
    @inline(__always)
    init(_ buffer: UnsafeMutablePointer<OutputBuffer>) {
        self.buffer = buffer
        end = buffer.pointee.end
        limit = buffer.pointee.limit
    }

    /// Appends the bytes that were written to the buffer.
    @inline(__always)
    func commit() { buffer.pointee.commit(to: end) }

    /// Calls methods of the buffer.
    @inline(__always)
    mutating func append(_ write: (inout OutputBuffer) -> Void) {
        commit()
        write(&buffer.pointee)
        self = OutputCursor(buffer)
    }

    /// Returns the address for the next bytes: `count` of them may be written, and ``OutputBuffer/slack`` more
    /// overwritten.
    @inline(__always)
    mutating func reserve(_ count: Int) -> UnsafeMutablePointer<UInt8> {
        if limit - end < count { self = grown(by: count) }
        return end
    }

    /// Appends bytes that were written after ``reserve(_:)``.
    @inline(__always)
    mutating func advance(_ count: Int) { end += count }

    @inline(never)
    private func grown(by count: Int) -> OutputCursor {
        commit()
        _ = buffer.pointee.reserve(count)
        return OutputCursor(buffer)
    }

    @inline(__always)
    mutating func append(_ byte: UInt8) {
        reserve(1).pointee = byte
        end += 1
    }

    @inline(__always)
    mutating func append(_ scalar: Unicode.Scalar) { end += scalar.write(to: reserve(4)) }

    @inline(__always)
    mutating func append(_ piece: OutputPiece) {
        UnsafeMutableRawPointer(reserve(piece.count)).storeBytes(of: piece.bytes, as: SIMD4<UInt64>.self)
        end += piece.count
    }

    /// Appends a part of a chunk, reading complete blocks of the chunk.
    @inline(__always)
    mutating func append(
        _ start: UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>, before chunkEnd: UnsafePointer<UInt8>
    ) {
        let count = end - start
        let target = reserve(count)
        var copied = 0
        while copied < count, chunkEnd - start - copied >= ByteBlock.size {
            ByteBlock(at: start + copied).copy(to: target + copied)
            copied += ByteBlock.size
        }
        if copied < count { memcpy(target + copied, start + copied, count - copied) }
        self.end += count
    }
}
