import Testing

@testable import AFFormatting

@Suite struct OutputBufferTests {
    @Test func `appended data is written once, in order, when flushed`() throws {
        let output = MemoryOutput()
        var buffer = OutputBuffer(output)
        buffer.append(UInt8(ascii: "a"))
        buffer.append("bc" as StaticString)
        buffer.append("dé")
        buffer.append([UInt8(ascii: "f")])
        buffer.append("😀" as Unicode.Scalar)
        #expect(output.bytes.isEmpty)
        try buffer.flush()
        try buffer.flush()
        #expect(output.text == "abcdéf😀")
    }

    @Test func `Unicode scalars of every length are encoded as UTF-8`() throws {
        let output = MemoryOutput()
        var buffer = OutputBuffer(output)
        let text = "a\u{7F}\u{80}\u{7FF}\u{800}\u{FFFF}\u{10000}\u{10FFFF}"
        for scalar in text.unicodeScalars { buffer.append(scalar) }
        try buffer.flush()
        #expect(output.bytes == Array(text.utf8))
    }

    @Test func `drain writes only when the buffer has reached its threshold`() throws {
        let output = MemoryOutput()
        var buffer = OutputBuffer(output)
        let piece = [UInt8](repeating: 7, count: OutputBuffer.drainSize - 1)
        buffer.append(piece)
        try buffer.drain()
        #expect(output.bytes.isEmpty)
        buffer.append(8)
        try buffer.drain()
        #expect(output.bytes == piece + [8])
    }

    @Test func `the buffer grows with the appended data`() throws {
        let output = MemoryOutput()
        var buffer = OutputBuffer(output)
        let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        buffer.append(bytes)
        buffer.append(bytes)
        try buffer.flush()
        #expect(output.bytes == bytes + bytes)
    }

    @Test func `passed bytes are written in order with buffered bytes`() throws {
        let output = MemoryOutput()
        var buffer = OutputBuffer(output)
        let large = [UInt8](repeating: 1, count: OutputBuffer.drainSize)
        buffer.append([0])
        try large.withUnsafeBytes { try buffer.pass($0) }
        try [2 as UInt8].withUnsafeBytes { try buffer.pass($0) }
        try buffer.flush()
        #expect(output.bytes == [0] + large + [2])
    }
}
