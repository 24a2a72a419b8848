/// The type of a frame (RFC 6455 §5.2).
enum WebSocketOpcode: UInt8 {
    case continuation = 0x0
    case text = 0x1
    case binary = 0x2
    case close = 0x8
    case ping = 0x9
    case pong = 0xA

    var isControl: Bool { rawValue & 0x8 != 0 }
}

/// The frames of a client.
enum WebSocketFrame {
    /// The largest payload of a control frame in bytes (RFC 6455 §5.5).
    static let maximumControlPayload = 125

    /// Returns an unfragmented frame.
    ///
    /// - Parameters:
    ///   - isCompressed: Whether the payload is compressed (RSV1, RFC 7692 §6).
    ///   - mask: The masking key, which must be unpredictable (RFC 6455 §5.3): that of a new random number.
    static func encode(
        _ opcode: WebSocketOpcode,
        isCompressed: Bool = false,
        _ payload: UnsafeRawBufferPointer,
        mask: UInt32 = .random(in: 0 ... .max)
    ) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 14 + payload.count) { frame, count in
            frame[0] = 0x80 | (isCompressed ? 0x40 : 0) | opcode.rawValue
            var end = 2
            func append(_ length: Int, bytes: Int) {
                for shift in stride(from: (bytes - 1) * 8, through: 0, by: -8) {
                    frame[end] = UInt8(truncatingIfNeeded: length >> shift)
                    end += 1
                }
            }
            switch payload.count {
            case ...125: frame[1] = 0x80 | UInt8(payload.count)
            case ...0xFFFF:
                frame[1] = 0x80 | 126
                append(payload.count, bytes: 2)
            default:
                frame[1] = 0x80 | 127
                append(payload.count, bytes: 8)
            }
            let body = UnsafeMutableRawBufferPointer(frame)
            body.storeBytes(of: mask, toByteOffset: end, as: UInt32.self)
            end += 4
            copy(payload, into: UnsafeMutableRawBufferPointer(rebasing: body[end...]), maskedWith: mask)
            count = end + payload.count
        }
    }

    /// Copies a payload, each byte combined with a byte of the mask by exclusive or.
    private static func copy(
        _ payload: UnsafeRawBufferPointer,
        into target: UnsafeMutableRawBufferPointer,
        maskedWith mask: UInt32
    ) {
        let wide = UInt64(mask) << 32 | UInt64(mask)
        var offset = 0
        while offset + 8 <= payload.count {
            let word = payload.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            target.storeBytes(of: word ^ wide, toByteOffset: offset, as: UInt64.self)
            offset += 8
        }
        withUnsafeBytes(of: mask) { mask in
            for index in offset..<payload.count { target[index] = payload[index] ^ mask[index & 3] }
        }
    }
}
