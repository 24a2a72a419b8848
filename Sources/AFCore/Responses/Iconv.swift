internal import FoundationEssentials
internal import Glibc

/// A conversion from a charset to UTF-8.
struct Iconv: ~Copyable {
    private let descriptor: iconv_t

    /// Returns `nil` if glibc, as installed, does not support the charset.
    init?(from name: String) {
        guard let descriptor = iconv_open("UTF-8", name), descriptor != iconv_t(bitPattern: -1) else { return nil }
        self.descriptor = descriptor
    }

    deinit { iconv_close(descriptor) }

    /// Returns the text; `nil` if the bytes are invalid or end within a character.
    consuming func convert(_ data: Data) -> String? {
        var input = [CChar](unsafeUninitializedCapacity: data.count) { buffer, count in
            count = data.copyBytes(to: UnsafeMutableRawBufferPointer(buffer).bindMemory(to: UInt8.self))
        }
        var output: [UInt8] = []
        let isText = input.withUnsafeMutableBufferPointer { bytes in
            var next = bytes.baseAddress
            var left = bytes.count
            // Some charsets end with a shift to their initial state, which a call without input writes.
            return drain(&next, &left, into: &output) && left == 0 && drain(nil, nil, into: &output)
        }
        return isText ? String(decoding: output, as: UTF8.self) : nil
    }

    private func drain(
        _ input: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
        _ inputLeft: UnsafeMutablePointer<Int>?,
        into output: inout [UInt8]
    ) -> Bool {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16 * 1024) { buffer in
            while true {
                var end = buffer.baseAddress
                var outputLeft = buffer.count
                let outcome = iconv(descriptor, input, inputLeft, &end, &outputLeft)
                let isFull = outcome == -1 && errno == E2BIG
                output.append(contentsOf: UnsafeRawBufferPointer(buffer).prefix(buffer.count - outputLeft))
                if !isFull { return outcome != -1 }
            }
        }
    }
}
