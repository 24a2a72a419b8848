import Testing

@testable import AFJSON

@Suite struct ByteWordTests {
    @Test(arguments: UInt8.min...UInt8.max)
    func `a run of digits ends at the first byte that is not a digit`(byte: UInt8) {
        let digits = Array("12345678901234567".utf8)
        for index in digits.indices {
            var text = digits
            text[index] = byte
            let length = text.withUnsafeBufferPointer { text in
                text.baseAddress.map { $0.skippingDigits(to: $0 + text.count) - $0 }
            }
            #expect(length == (digits.contains(byte) ? digits.count : index))
        }
    }
}
