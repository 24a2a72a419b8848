package import AFHTTP

/// The parts of an upload to S3 that lanes send.
extension MultipartMachine: ConcurrentUploadMachine {
    package var isDivided: Bool { true }
    package var isLost: Bool { resource == nil }
    package var awaitsLanes: Bool { knowsParts && next == nil && parts.areClaimed }

    package mutating func reserve() {
        let next = next
        guard knowsParts, next != own else { return }
        releaseOwn()
        if let next { parts.claim(next) }
        own = next
    }

    package mutating func claim() -> UploadClaim? {
        guard knowsParts, let index = parts.firstForLane else { return nil }
        parts.claim(index)
        return UploadClaim(index: index, generation: generation)
    }

    /// Whether a claim is one of the current upload.
    private func isCurrent(_ claim: UploadClaim) -> Bool { claim.generation == generation && resource != nil }

    package func undigested(of claim: UploadClaim) -> UndigestedRange? {
        guard isCurrent(claim), parts.isMissing(claim.index), let name = parts.missingDigest(of: claim.index) else {
            return nil
        }
        return UndigestedRange(range: parts.range(of: claim.index), algorithm: name)
    }

    package mutating func record(digest: [UInt8]?, of claim: UploadClaim) {
        if undigested(of: claim) != nil { parts.record(digest: digest, of: claim.index) }
    }

    package func exchange(of claim: UploadClaim) -> UploadExchange? {
        isCurrent(claim) && parts.isMissing(claim.index) ? exchange(ofPart: claim.index) : nil
    }

    package mutating func receive(
        _ response: HTTPURLResponse?,
        isSent: Bool,
        of claim: UploadClaim
    ) -> UploadLaneEnd {
        guard isCurrent(claim) else { return .unneeded }
        parts.release(claim.index)
        let status = response?.statusCode ?? 0
        if let response, 200..<300 ~= status, acknowledge(claim.index, response, isSent: isSent) {
            return .acknowledged
        }
        parts.leave(claim.index)
        if 200..<300 ~= status { rejections += 1 }
        // The server did not store the part, unless it says so or there is no response.
        if status < 300 || status == 404 { (isListed, isListStale, isUnreported) = (false, true, true) }
        return response == nil ? .interrupted : .rejected(status: status)
    }

    package mutating func release(_ claim: UploadClaim) {
        if isCurrent(claim) { parts.release(claim.index) }
    }
}
