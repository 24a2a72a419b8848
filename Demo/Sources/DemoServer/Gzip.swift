/// The bytes as a gzip member (RFC 1952) of stored deflate blocks: nothing is smaller, but every decoder takes it and
/// no compression library is needed.
func gzipped(_ bytes: [UInt8]) -> [UInt8] {
    let blockLimit = 65_535
    var member: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]
    var start = 0
    repeat {
        let block = bytes[start..<min(start + blockLimit, bytes.count)]
        start = block.endIndex
        member.append(start == bytes.count ? 1 : 0)
        member += littleEndian(UInt16(block.count)) + littleEndian(~UInt16(block.count)) + block
    } while start < bytes.count
    return member + littleEndian(checksum(bytes)) + littleEndian(UInt32(truncatingIfNeeded: bytes.count))
}

/// CRC-32 as gzip uses it.
private func checksum(_ bytes: [UInt8]) -> UInt32 {
    var register = UInt32.max
    for byte in bytes {
        register ^= UInt32(byte)
        for _ in 0..<8 {
            register = (register >> 1) ^ (register & 1 == 0 ? 0 : 0xEDB8_8320)
        }
    }
    return ~register
}

private func littleEndian<Integer: FixedWidthInteger>(_ integer: Integer) -> [UInt8] {
    withUnsafeBytes(of: integer.littleEndian) { Array($0) }
}
