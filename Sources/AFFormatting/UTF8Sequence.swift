/// The classification of bytes as UTF-8 (Unicode 16, table 3-7).
enum UTF8Sequence: Equatable {
    case scalar(UInt32, length: Int)
    /// An invalid sequence with the length of its longest valid prefix, at least one byte.
    case malformed(length: Int)
    /// The bytes are the start of a sequence.
    case incomplete

    /// Classifies bytes.
    ///
    /// - Parameter bytes: Bytes that start outside of ASCII; not empty.
    @inline(__always)
    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        let first = bytes[0]
        let length: Int
        var bounds: ClosedRange<UInt8> = 0x80...0xBF
        switch first {
        case 0xC2...0xDF: length = 2
        case 0xE0...0xEF:
            length = 3
            if first == 0xE0 { bounds = 0xA0...0xBF } else if first == 0xED { bounds = 0x80...0x9F }
        case 0xF0...0xF4:
            length = 4
            if first == 0xF0 { bounds = 0x90...0xBF } else if first == 0xF4 { bounds = 0x80...0x8F }
        default:
            self = .malformed(length: 1)
            return
        }
        var value = UInt32(first) & (0x7F >> UInt32(length))
        for index in 1..<length {
            guard index < bytes.count else {
                self = .incomplete
                return
            }
            guard bounds ~= bytes[index] else {
                self = .malformed(length: index)
                return
            }
            value = value << 6 | UInt32(bytes[index] & 0x3F)
            bounds = 0x80...0xBF
        }
        self = .scalar(value, length: length)
    }
}
