import TestSupport
import Testing

@testable import AFFormatting

@Suite struct ByteWordTests {
    @Test func `the index of the first matching byte is found`() {
        var numbers = SeededNumbers(seed: 1)
        for _ in 0..<20_000 {
            let bytes =
                (0..<8).map { _ in
                    [0x00, 0x1F, 0x20, 0x21, 0x22, 0x23, 0x7F, 0x80, 0xA2, 0xFF].randomElement(using: &numbers) ?? 0
                } as [UInt8]
            bytes.withUnsafeBufferPointer { buffer in
                guard let start = buffer.baseAddress else { return }
                let word = ByteWord(at: start)
                #expect(ByteWord.firstIndex(in: word.bytes(equalTo: 0x22)) == bytes.firstIndex(of: 0x22) ?? 8)
                #expect(ByteWord.firstIndex(in: word.bytes(below: 0x20)) == bytes.firstIndex { $0 < 0x20 } ?? 8)
                #expect(ByteWord.firstIndex(in: word.nonASCII) == bytes.firstIndex { $0 > 0x7F } ?? 8)
            }
        }
    }
}
