import NIOCore

/// A file of any size without storage: every byte is derived from its offset and the seed.
struct SyntheticFile {
    let size: Int
    let seed: UInt64

    /// Strong: the same seed and size always mean the same bytes.
    var entityTag: String { "\"\(size)-\(seed)\"" }
    var lastModified: String { "Thu, 01 Jan 2026 00:00:00 GMT" }

    func bytes(in range: Range<Int>) -> ByteBuffer {
        let wordSize = MemoryLayout<UInt64>.size
        let firstWord = range.lowerBound / wordSize
        let lastWord = (range.upperBound + wordSize - 1) / wordSize
        var buffer = ByteBuffer()
        buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: (lastWord - firstWord) * wordSize) { target in
            for word in firstWord..<lastWord {
                let value = mixed(UInt64(word) &+ seed &* 0x9E37_79B9_7F4A_7C15).littleEndian
                target.storeBytes(of: value, toByteOffset: (word - firstWord) * wordSize, as: UInt64.self)
            }
            return (lastWord - firstWord) * wordSize
        }
        buffer.moveReaderIndex(forwardBy: range.lowerBound - firstWord * wordSize)
        return buffer.readSlice(length: range.count) ?? ByteBuffer()
    }

    /// The finishing steps of the splitmix64 generator: neighbouring inputs give unrelated outputs.
    private func mixed(_ input: UInt64) -> UInt64 {
        var bits = input &+ 0x9E37_79B9_7F4A_7C15
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }
}

/// A range of a `Range` field (RFC 9110 §14.2).
enum ByteRange {
    case whole
    case part(Range<Int>)
    case unsatisfiable

    /// Malformed ranges and sets of several are ignored, as the RFC allows.
    init(_ header: String?, of size: Int) {
        self = .whole
        guard let header, header.hasPrefix("bytes=") else { return }
        let ends = header.dropFirst("bytes=".count).split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2 else { return }
        switch (ends[0], ends[1]) {
        case ("", let suffix):
            guard let count = Int(suffix) else { return }
            self = count > 0 && size > 0 ? .part(max(0, size - count)..<size) : .unsatisfiable
        case (let first, let last):
            guard let start = Int(first), let end = last.isEmpty ? size - 1 : Int(last) else { return }
            guard last.isEmpty || start <= end else { return }
            self = start < size ? .part(start..<min(end, size - 1) + 1) : .unsatisfiable
        }
    }
}
