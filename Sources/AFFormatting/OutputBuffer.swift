internal import Glibc

/// Collects output and passes it to a ``ByteOutput`` in large chunks.
///
/// Appending neither fails nor writes: formatters append freely and call ``drain()`` between chunks of input, which
/// limits memory; ``flush()`` is for waiting readers. Bytes that are not flushed are lost with the buffer.
package struct OutputBuffer: ~Copyable {
    /// The number of bytes from which ``drain()`` writes.
    static let drainSize = 64 * 1024
    /// The number of bytes after each reservation that may be overwritten, so that copies use complete blocks.
    static let slack = 32

    private let output: any ByteOutput
    private var storage: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    /// The number of unwritten bytes.
    package private(set) var count = 0

    package init(_ output: any ByteOutput) {
        self.output = output
        capacity = 4096
        storage = .allocate(capacity: capacity)
    }

    deinit {
        storage.deallocate()
    }

    @inline(__always)
    package mutating func append(_ byte: UInt8) {
        let end = reserve(1)
        end.pointee = byte
        count &+= 1
    }

    package mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard let base = bytes.baseAddress else { return }
        memcpy(reserve(bytes.count), base, bytes.count)
        count += bytes.count
    }

    @inline(__always)
    package mutating func append(_ text: StaticString) {
        append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    package mutating func append(_ text: some StringProtocol) {
        var text = String(text)
        text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
    }

    package mutating func append(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { append($0) }
    }

    /// Appends the UTF-8 form of a scalar.
    @inline(__always)
    package mutating func append(_ scalar: Unicode.Scalar) { commit(scalar.write(to: reserve(4))) }

    /// Returns the address for the next bytes: `count` of them may be written, and ``slack`` more overwritten.
    @inline(__always)
    package mutating func reserve(_ count: Int) -> UnsafeMutablePointer<UInt8> {
        if capacity &- self.count < count &+ Self.slack { grow(by: count) }
        return storage + self.count
    }

    /// The address of the next byte, and the last address up to which bytes may be written without ``reserve(_:)``.
    var end: UnsafeMutablePointer<UInt8> { storage + count }
    var limit: UnsafeMutablePointer<UInt8> { storage + (capacity - Self.slack) }

    /// Appends the bytes that were written up to an address.
    mutating func commit(to end: UnsafeMutablePointer<UInt8>) { count = end - storage }

    /// Appends the bytes that were written after ``reserve(_:)``.
    @inline(__always)
    package mutating func commit(_ count: Int) {
        self.count &+= count
    }

    /// Writes if enough bytes have been collected.
    @inline(__always)
    package mutating func drain() throws(OutputFailure) {
        if count >= Self.drainSize { try flush() }
    }

    /// Writes everything. After a failure the bytes are discarded: the output accepts no more.
    package mutating func flush() throws(OutputFailure) {
        guard count > 0 else { return }
        let waiting = UnsafeRawBufferPointer(start: storage, count: count)
        count = 0
        try output.write(waiting)
    }

    /// Appends and drains; a large chunk is written directly.
    package mutating func pass(_ bytes: UnsafeRawBufferPointer) throws(OutputFailure) {
        if count + bytes.count < Self.drainSize { return append(bytes) }
        try flush()
        try output.write(bytes)
    }

    @inline(never)
    private mutating func grow(by addition: Int) {
        capacity = max(capacity * 2, count + addition + Self.slack)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        larger.update(from: storage, count: count)
        storage.deallocate()
        storage = larger
    }
}

extension Unicode.Scalar {
    /// Writes the UTF-8 form; returns its length. Four bytes may be overwritten.
    @inline(__always)
    func write(to target: UnsafeMutablePointer<UInt8>) -> Int {
        func tail(_ shift: UInt32) -> UInt8 { 0x80 | UInt8(truncatingIfNeeded: value >> shift & 0x3F) }
        switch value {
        case 0..<0x80:
            target[0] = UInt8(truncatingIfNeeded: value)
            return 1
        case 0x80..<0x800:
            target[0] = 0xC0 | UInt8(truncatingIfNeeded: value >> 6)
            target[1] = tail(0)
            return 2
        case 0x800..<0x10000:
            target[0] = 0xE0 | UInt8(truncatingIfNeeded: value >> 12)
            target[1] = tail(6)
            target[2] = tail(0)
            return 3
        default:
            target[0] = 0xF0 | UInt8(truncatingIfNeeded: value >> 18)
            target[1] = tail(12)
            target[2] = tail(6)
            target[3] = tail(0)
            return 4
        }
    }
}
