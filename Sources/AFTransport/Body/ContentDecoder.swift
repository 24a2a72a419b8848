internal import AFHTTP

/// Takes the content codings off one body, piece by piece, in memory that does not grow with it.
///
/// libcurl could do that too, but takes a coding that was cut short for a whole one, knows only one member of gzip, and
/// hands on whatever a piece decodes to, were it gigabytes, before it listens again.
final class ContentDecoder {
    /// As many as libcurl allows.
    private static let maximumCount = 5

    /// In the order of taking off, which is the opposite of that in the head.
    private let stages: [DecodingStage]
    /// How much of the piece that is to be offered again has been taken.
    private var taken = 0

    /// `nil` where the body is not encoded.
    ///
    /// - Throws: ``TransferFailure/Kind/undecodableBody`` for an unknown coding, or too many.
    init?(_ headers: HTTPHeaders) throws(TransferFailure) {
        let names = headers.values(for: "Content-Encoding").flatMap(\.listedNames)
        guard names.count <= Self.maximumCount else {
            throw TransferFailure(.undecodableBody, "the body has more than \(Self.maximumCount) codings")
        }
        var stages: [DecodingStage] = []
        for name in names.reversed() where name != "identity" && name != "none" {
            guard let coding = DecodableCoding(name: name) else {
                throw TransferFailure(.undecodableBody, "the body's coding '\(name.prefix(40))' is unknown")
            }
            stages.append(try DecodingStage(coding))
        }
        guard !stages.isEmpty else { return nil }
        self.stages = stages
    }

    /// What is wrong where the body ends here; `nil` where it may.
    var failureAtEnd: TransferFailure? {
        stages.first { !$0.isComplete }.map {
            TransferFailure(.truncated, "the body is cut short inside its \($0.coding.rawValue) coding")
        }
    }

    /// Decodes a piece of the body.
    ///
    /// - Parameter deliver: Takes bounded pieces of what that makes; says `false` for one that it wants later.
    /// - Returns: Whether all was taken. If not, the piece is to be offered again, be it with more behind it.
    func decode(
        _ piece: UnsafeRawBufferPointer,
        deliver: (UnsafeRawBufferPointer) throws(TransferFailure) -> Bool
    ) throws(TransferFailure) -> Bool {
        var input = UnsafeRawBufferPointer(rebasing: piece.dropFirst(taken))
        let last = stages.count - 1
        while true {
            try fill(last, from: &input)
            guard !stages[last].ready.isEmpty else { break }
            guard try deliver(stages[last].ready) else {
                taken = piece.count - input.count
                return false
            }
            stages[last].ready = UnsafeRawBufferPointer(rebasing: stages[last].ready.prefix(0))
        }
        taken = 0
        return true
    }

    /// Makes something ready in the stage, unless the input does not suffice.
    private func fill(_ place: Int, from input: inout UnsafeRawBufferPointer) throws(TransferFailure) {
        let stage = stages[place]
        guard place > 0 else { return try stage.fill(from: &input) }
        let source = stages[place - 1]
        repeat {
            try stage.fill(from: &source.ready)
            guard stage.ready.isEmpty else { return }
            try fill(place - 1, from: &input)
        } while !source.ready.isEmpty
    }
}

extension String {
    /// What stands between commas, in lower case.
    fileprivate var listedNames: [String] {
        Array(utf8).split(separator: UInt8(ascii: ",")).map { String(decoding: $0.trimmed, as: UTF8.self).lowercased() }
            .filter { !$0.isEmpty }
    }
}
