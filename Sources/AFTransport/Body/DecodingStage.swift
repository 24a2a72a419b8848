/// One of a body's codings: its decompressor and a buffer of decoded bytes.
final class DecodingStage {
    /// The size of the buffer in bytes.
    static let size = 64 << 10

    let coding: DecodableCoding
    /// The decoded bytes, valid until the next call of `fill`.
    var ready = UnsafeRawBufferPointer(start: nil, count: 0)
    private let decompressor: any Decompressor
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
    private var mayHoldMore = false

    init(_ coding: DecodableCoding) throws(TransferFailure) {
        guard let decompressor = coding.makeDecompressor() else {
            throw TransferFailure(.other, "out of memory for decoding \(coding.rawValue)")
        }
        (self.coding, self.decompressor) = (coding, decompressor)
    }

    deinit { buffer.deallocate() }

    var isComplete: Bool { decompressor.isComplete }

    /// Decodes until there is output or all input is consumed.
    func fill(from input: inout UnsafeRawBufferPointer) throws(TransferFailure) {
        while ready.isEmpty, mayHoldMore || !input.isEmpty {
            let (taken, made) = try decompress(input)
            guard taken + made > 0 || input.isEmpty else { throw failure(.damage) }
            input = UnsafeRawBufferPointer(rebasing: input[taken...])
            ready = UnsafeRawBufferPointer(rebasing: buffer[..<made])
            mayHoldMore = made == buffer.count
        }
    }

    private func decompress(_ input: UnsafeRawBufferPointer) throws(TransferFailure) -> (taken: Int, made: Int) {
        do throws(CodingDefect) { return try decompressor.decompress(input, into: buffer) } catch {
            throw failure(error)
        }
    }

    private func failure(_ defect: CodingDefect) -> TransferFailure {
        switch defect {
        case .damage: TransferFailure(.undecodableBody, "the \(coding.rawValue) coding of the body is damaged")
        case .excess: TransferFailure(.undecodableBody, "bytes follow the end of the body's \(coding.rawValue) coding")
        }
    }
}
