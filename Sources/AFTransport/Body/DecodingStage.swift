/// One of a body's codings: what takes it off, and what has been made of it and not been taken on yet.
final class DecodingStage {
    /// The most bytes that are ready at a time.
    static let size = 64 << 10

    let coding: DecodableCoding
    /// Valid until the stage is filled again.
    var ready = UnsafeRawBufferPointer(start: nil, count: 0)
    private let decompressor: any Decompressor
    private let room = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
    private var mayHoldMore = false

    init(_ coding: DecodableCoding) throws(TransferFailure) {
        guard let decompressor = coding.makeDecompressor() else {
            throw TransferFailure(.other, "there is no memory to decode \(coding.rawValue) with")
        }
        (self.coding, self.decompressor) = (coding, decompressor)
    }

    deinit { room.deallocate() }

    var isComplete: Bool { decompressor.isComplete }

    /// Decodes until something is ready, or all of the input is taken.
    func fill(from input: inout UnsafeRawBufferPointer) throws(TransferFailure) {
        while ready.isEmpty, mayHoldMore || !input.isEmpty {
            let (taken, made) = try decompress(input)
            guard taken + made > 0 || input.isEmpty else { throw failure(.damage) }
            input = UnsafeRawBufferPointer(rebasing: input[taken...])
            ready = UnsafeRawBufferPointer(rebasing: room[..<made])
            mayHoldMore = made == room.count
        }
    }

    private func decompress(_ input: UnsafeRawBufferPointer) throws(TransferFailure) -> (taken: Int, made: Int) {
        do throws(CodingDefect) { return try decompressor.decompress(input, into: room) } catch { throw failure(error) }
    }

    private func failure(_ defect: CodingDefect) -> TransferFailure {
        switch defect {
        case .damage: TransferFailure(.undecodableBody, "the \(coding.rawValue) coding of the body is damaged")
        case .excess: TransferFailure(.undecodableBody, "bytes follow the end of the body's \(coding.rawValue) coding")
        }
    }
}
