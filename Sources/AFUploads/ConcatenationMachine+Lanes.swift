package import AFHTTP

/// The partial uploads that lanes send.
extension ConcatenationMachine: ConcurrentUploadMachine {
    package var isDivided: Bool { !partials.isEmpty }
    package var isLost: Bool { !removals.isEmpty }

    package mutating func claim() -> UploadClaim? {
        guard removals.isEmpty, let index = unclaimed else { return nil }
        partials[index].isClaimed = true
        return UploadClaim(index: index, generation: 0)
    }

    package func undigested(of claim: UploadClaim) -> UndigestedRange? {
        removals.isEmpty ? undigested(of: claim.index) : nil
    }

    package mutating func record(digest: [UInt8]?, of claim: UploadClaim) {
        partials[claim.index].machine.record(digest: digest)
    }

    package mutating func exchange(of claim: UploadClaim) -> UploadExchange? {
        removals.isEmpty && !partials[claim.index].isComplete ? partialExchange(claim.index) : nil
    }

    package mutating func receive(
        _ response: HTTPURLResponse?,
        isSent: Bool,
        of claim: UploadClaim
    ) -> UploadLaneEnd {
        release(claim)
        if let response, 200..<300 ~= response.statusCode,
            let outcome = try? receivePartial(claim.index, response, isSent: isSent), outcome == .next(after: 0)
        {
            return .acknowledged
        }
        // The main request asks for the offset first, waits for locks, and reports the failure if it meets it, too.
        partials[claim.index].machine.interrupt()
        partials[claim.index].isOffsetUnknown = true
        return response.map { .rejected(status: $0.statusCode) } ?? .interrupted
    }

    package mutating func release(_ claim: UploadClaim) { partials[claim.index].isClaimed = false }
}
