internal import AFHTTP
internal import Glibc

/// A digest of ranges of a file, updated as the ranges grow.
///
/// It detects changes by other programs. It is not cryptographic: a program that can write to the file can also write
/// to the record beside it. It processes 6 GB/s, SHA-256 1.6 GB/s.
struct RangesDigest {
    /// The complete blocks in the sum, ascending.
    private var blocks: [Range<Int64>] = []
    private var sum: UInt64 = 0
    private static let blockSize: Int64 = 64 << 10

    /// Returns the digest of ascending, separate ranges; `nil` if they cannot be read.
    ///
    /// Complete blocks of earlier ranges are not read again.
    ///
    /// - Parameter isCancelled: Called before each block; ends the reading.
    mutating func value(
        of ranges: [Range<Int64>],
        in file: Int32,
        unless isCancelled: () -> Bool = { false }
    ) -> String? {
        let newBlocks = ranges.compactMap(Self.blocks(in:))
        let isGrowth = blocks.allSatisfy { old in newBlocks.contains { $0.clamped(to: old) == old } }
        if !isGrowth { self = RangesDigest() }
        guard let rest = read(ranges, in: file, isCancelled) else {
            self = RangesDigest()
            return nil
        }
        blocks = newBlocks
        return String(sum ^ rest, radix: 16)
    }

    /// Returns the digest of the last block of ranges; `nil` if it cannot be read.
    static func lastValue(of ranges: [Range<Int64>], in file: Int32) -> String? {
        guard let end = ranges.last else { return "" }
        let last = max(end.lowerBound, end.upperBound - blockSize)..<end.upperBound
        return sum(of: last, in: file) { false }.map { String($0, radix: 16) }
    }

    /// Adds new blocks to the sum.
    ///
    /// - Returns: The sum of the bytes outside of complete blocks.
    private mutating func read(
        _ ranges: [Range<Int64>],
        in file: Int32,
        _ isCancelled: () -> Bool
    ) -> UInt64? {
        var rest: UInt64 = 0
        for range in ranges {
            let inner = Self.blocks(in: range) ?? range.upperBound..<range.upperBound
            for edge in [range.lowerBound..<inner.lowerBound, inner.upperBound..<range.upperBound] {
                guard let value = Self.sum(of: edge, in: file, isCancelled) else { return nil }
                rest ^= value
            }
            for gap in SegmentMap.gaps(between: blocks.filter(inner.overlaps), in: inner) {
                guard let value = Self.sum(of: gap, in: file, isCancelled) else { return nil }
                sum ^= value
            }
        }
        return rest
    }

    /// Returns the complete blocks of a range; `nil` if the range contains no complete block.
    private static func blocks(in range: Range<Int64>) -> Range<Int64>? {
        let start = (range.lowerBound + blockSize - 1) / blockSize * blockSize
        let end = range.upperBound / blockSize * blockSize
        return start < end ? start..<end : nil
    }

    /// Returns the exclusive or of the hashes of all blocks, clipped to the range: the sums of adjacent ranges that
    /// meet at a block boundary combine to the sum of both.
    private static func sum(of range: Range<Int64>, in file: Int32, _ isCancelled: () -> Bool) -> UInt64? {
        guard !range.isEmpty else { return 0 }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Int(blockSize), alignment: 16)
        defer { buffer.deallocate() }
        var (sum, position) = (UInt64(0), range.lowerBound)
        while position < range.upperBound {
            let end = min(range.upperBound, (position / blockSize + 1) * blockSize)
            let block = UnsafeMutableRawBufferPointer(rebasing: buffer[..<Int(end - position)])
            guard !isCancelled(), Descriptor(file).fill(block, at: position) else { return nil }
            sum ^= hash(UnsafeRawBufferPointer(block), at: position)
            position = end
        }
        return sum
    }

    /// Hashes a block in four lanes, so that multiplications do not wait for each other. Each step is a bijection of
    /// its lane: a single changed word always changes the result.
    private static func hash(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> UInt64 {
        let factor: UInt64 = 0x9E37_79B9_7F4A_7C15
        func mix(_ lane: UInt64, _ word: UInt64) -> UInt64 {
            let product = (lane ^ word) &* factor
            return product ^ (product >> 32)
        }
        var first = UInt64(bitPattern: offset) &+ factor
        var (second, third, fourth) = (first &+ factor, first &+ factor &* 2, first &+ factor &* 3)
        var index = 0
        while index + 32 <= bytes.count {
            first = mix(first, bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            second = mix(second, bytes.loadUnaligned(fromByteOffset: index + 8, as: UInt64.self))
            third = mix(third, bytes.loadUnaligned(fromByteOffset: index + 16, as: UInt64.self))
            fourth = mix(fourth, bytes.loadUnaligned(fromByteOffset: index + 24, as: UInt64.self))
            index += 32
        }
        for byte in bytes[index...] { first = mix(first, UInt64(byte)) }
        return [second, third, fourth, UInt64(bytes.count)].reduce(first, mix)
    }
}
