internal import AFHTTP

/// Decodes the content codings of a body chunk by chunk, in constant memory.
///
/// libcurl's own decoder accepts truncated bodies and supports a single gzip member only. It delivers the complete
/// decoded output of a chunk, possibly gigabytes, before the transfer can be paused.
final class ContentDecoder {
    /// libcurl's limit.
    private static let maximumCount = 5

    /// The codings in decoding order, the reverse of the header's.
    private let stages: [DecodingStage]
    /// The number of bytes consumed from a chunk that will be offered again.
    private var taken = 0

    /// Returns `nil` if the body has no coding that is decoded; see ``DecodableCoding/decoded(of:)``.
    ///
    /// - Throws: ``TransferFailure/Kind/undecodableBody`` for too many codings.
    init?(_ headers: HTTPHeaders) throws(TransferFailure) {
        let count = headers.listed("Content-Encoding").count
        guard Safety.requires("06-coding-chain", count <= Self.maximumCount) else {
            throw TransferFailure(.undecodableBody, "the body has more than \(Self.maximumCount) codings")
        }
        stages = try DecodableCoding.decoded(of: headers.contentCodings).map { (coding) throws(TransferFailure) in
            try DecodingStage(coding)
        }
        if stages.isEmpty { return nil }
    }

    /// The failure if the body ended now; `nil` if it would be complete.
    var failureAtEnd: TransferFailure? {
        stages.first { !$0.isComplete }.map {
            TransferFailure(.truncated, "the body is truncated within its \($0.coding.rawValue) coding")
        }
    }

    /// Decodes a chunk of the body.
    ///
    /// - Parameter deliver: Receives bounded chunks of decoded bytes; returns `false` to receive a chunk again later.
    /// - Returns: Whether the whole chunk was consumed. If not, it must be offered again, possibly with more bytes
    ///   appended.
    func decode(
        _ chunk: UnsafeRawBufferPointer,
        deliver: (UnsafeRawBufferPointer) throws(TransferFailure) -> Bool
    ) throws(TransferFailure) -> Bool {
        var input = UnsafeRawBufferPointer(rebasing: chunk.dropFirst(taken))
        let last = stages.count - 1
        while true {
            try fill(last, from: &input)
            guard !stages[last].ready.isEmpty else { break }
            guard try deliver(stages[last].ready) else {
                taken = chunk.count - input.count
                return false
            }
            stages[last].ready = UnsafeRawBufferPointer(rebasing: stages[last].ready.prefix(0))
        }
        taken = 0
        return true
    }

    /// Decodes until the stage has output, unless the input is insufficient.
    private func fill(_ index: Int, from input: inout UnsafeRawBufferPointer) throws(TransferFailure) {
        let stage = stages[index]
        guard index > 0 else { return try stage.fill(from: &input) }
        let source = stages[index - 1]
        repeat {
            try stage.fill(from: &source.ready)
            guard stage.ready.isEmpty else { return }
            try fill(index - 1, from: &input)
        } while !source.ready.isEmpty
    }
}
