public import AFHTTP

/// How a response relates to a recorded download.
extension DownloadRecord {
    /// Whether a complete response is of the recorded version: the same validators and the same length.
    public func describes(_ response: HTTPURLResponse) -> Bool {
        response.statusCode == 200 && response.coding == coding && validator != nil && length != nil
            && length == response.expectedContentLength && hasValidators(of: response) && isOfResource(response)
    }

    /// Whether the body of a 206 may be combined with the recorded bytes (RFC 9110 §15.3.7.3). Downloads, retries and
    /// segments all use this rule.
    ///
    /// The server may send less than the requested range: the next request is for what it left out.
    ///
    /// - Parameters:
    ///   - range: The requested range; `nil` for the rest that ``addRange(to:)`` requests.
    ///   - isVerified: Whether the complete file is compared with a checksum in any case.
    func isContinued(by response: HTTPURLResponse, in range: Range<Int64>? = nil, isVerified: Bool) -> Bool {
        guard response.statusCode == 206, Safety.requires("08-coded-rest", response.coding == coding),
            let content = response.contentRange, let sent = content.range, let total = content.total
        else { return false }
        let start = range?.lowerBound ?? resumeOffset
        let end = range?.upperBound ?? segments?.first?.lowerBound ?? total
        return Safety.requires("08-range-start", sent.lowerBound == start) && sent.upperBound < end
            && [-1, content.length].contains(response.expectedContentLength)
            && Safety.requires("08-total", total == length ?? total)
            && fileEnd <= total
            && Safety.requires("08-entity-tag", hasValidators(of: response)) && hasDigests(of: response)
            && Safety.requires(
                "23-origin",
                isVerified || isOfResource(response) || announcedChecksums.contains { $0.algorithm.isAvailable })
    }

    /// Returns the reason why a 200 cannot be the complete file; `nil` if nothing in its header contradicts that.
    func contradiction(in response: HTTPURLResponse) -> DownloadFailure.Reason? {
        hasEntityTag(of: response) && response.expectedContentLength >= 0
            ? contradiction(response.expectedContentLength) : nil
    }

    /// Returns the reason why a complete file with the recorded entity tag cannot have a length.
    func contradiction(_ received: Int64) -> DownloadFailure.Reason? {
        Safety.requires("23-contradictory-length", received == length ?? received && received >= fileEnd)
            ? nil : .contradictoryLength(recorded: length ?? fileEnd, received: received)
    }

    /// A difference between a 206 and the rest that ``addRange(to:)`` requests.
    package enum PartMismatch: Hashable, Sendable {
        /// Several ranges in one body (RFC 9110 §14.6).
        case severalRanges
        /// No valid `Content-Range`, or two different ones.
        case unknownRange
        /// Another start, or an end beyond the rest.
        case otherRange
        /// A complete file of another length.
        case otherTotal
        /// A complete file that is shorter than the bytes on disk.
        case shorterTotal
        /// A body of another length than the range.
        case otherLength
        /// Other validators, or other digests of the complete file.
        case otherVersion
        /// No validator.
        case unknownVersion
    }

    /// Returns the first difference that a header shows; `nil` if the header shows no difference.
    package func mismatch(of response: HTTPURLResponse) -> PartMismatch? {
        if response.mimeType == "multipart/byteranges" { return .severalRanges }
        guard let content = response.contentRange, let sent = content.range else { return .unknownRange }
        let name = entityTag != nil ? "ETag" : lastModified != nil ? "Last-Modified" : nil
        if let name, response.headers.value(for: name) == nil { return .unknownVersion }
        if !hasValidators(of: response) || !hasDigests(of: response) { return .otherVersion }
        guard let total = content.total else { return .unknownRange }
        if fileEnd > total { return .shorterTotal }
        if total != length ?? total { return .otherTotal }
        if sent.lowerBound != resumeOffset || sent.upperBound >= segments?.first?.lowerBound ?? total {
            return .otherRange
        }
        return [-1, content.length].contains(response.expectedContentLength) ? nil : .otherLength
    }

    /// Whether a response has the recorded strong entity tag, and with it the recorded bytes.
    func hasEntityTag(of response: HTTPURLResponse) -> Bool {
        entityTag != nil && response.coding == coding && isOfResource(response)
            && Self.agree(entityTag, response.headers.values(for: "ETag"))
    }

    /// Returns what a response to a request for the rest shows about the server's validators; `nil` for no fault.
    ///
    /// Faults are proven: a validator that is missing, ambiguous or of another resource or coding proves nothing.
    func validatorFault(
        in response: HTTPURLResponse,
        to request: URLRequest,
        after reason: DownloadFailure.Reason
    ) -> ValidatorFault? {
        guard let validator, request.headers["If-Range"]?.isSame(as: validator) == true, response.coding == coding,
            isOfResource(response)
        else { return nil }
        let unreliable = entityTag == nil ? ValidatorFault.unreliableLastModified : .unreliableEntityTag
        switch (reason, response.statusCode) {
        case (.differentBytes, 206): return hasValidators(of: response) ? unreliable : nil
        // The announced length: without one, the response may have been truncated.
        case (.contradictoryLength, 200): return contradiction(in: response) == nil ? nil : unreliable
        case (.wrongRange, 206): break
        default: return nil
        }
        let tags = response.headers.values(for: "ETag")
        let dates = response.headers.values(for: "Last-Modified")
        let isOtherDate = lastModified.map { old in !dates.isEmpty && !dates.contains { $0.isSame(as: old) } } ?? false
        if let entityTag {
            // A server that ignores only the mark of a weak tag does compare.
            let isOtherTag = !tags.isEmpty && !tags.contains { $0.weakTag.isSame(as: entityTag.weakTag) }
            if isOtherTag { return .ignoredIfRange }
            guard Self.agree(entityTag, tags) else { return nil }
        } else if isOtherDate {
            return .ignoredIfRange
        } else if !Self.agree(lastModified, dates) {
            return nil
        }
        if let length, let total = response.contentRange?.total, total != length { return unreliable }
        return isOtherDate ? .contradictoryValidators : nil
    }

    /// A response to `If-Range` need not repeat `Last-Modified` beside an entity tag (RFC 9110 §15.3.7).
    private func hasValidators(of response: HTTPURLResponse) -> Bool {
        Self.agree(entityTag, response.headers.values(for: "ETag"))
            && Safety.requires(
                "23-date-beside-tag",
                Self.agree(
                    lastModified, response.headers.values(for: "Last-Modified"), mayBeMissing: entityTag != nil))
    }

    private func hasDigests(of response: HTTPURLResponse) -> Bool {
        let announced = response.fileChecksums
        return announcedChecksums.allSatisfy { known in
            announced.allSatisfy { $0 == known || $0.algorithm != known.algorithm }
        }
    }

    /// Whether a 304 confirms the recorded file: none of its validators is another one. Entity tags are compared weakly,
    /// as `If-None-Match` is (RFC 9110 §13.1.2).
    func isConfirmed(by notModified: HTTPURLResponse) -> Bool {
        let headers = notModified.headers
        return isOfResource(notModified)
            && Safety.requires(
                "23-not-modified",
                headers.values(for: "ETag").allSatisfy { $0.weakTag.isSame(as: (entityTag ?? $0).weakTag) }
                    && headers.values(for: "Last-Modified").allSatisfy { $0.isSame(as: lastModified ?? $0) })
    }

    /// Whether the response is from the recorded resource. Equal validators of two resources prove nothing (RFC 9110
    /// §8.8.1).
    private func isOfResource(_ response: HTTPURLResponse) -> Bool {
        guard let finalResource, let resource = response.resource else { return true }
        return finalResource == resource || finalResource == Self.publicName(of: resource)
    }

    /// Whether all fields of a name have the recorded value; without one, whether they have the same value.
    private static func agree(_ recorded: String?, _ values: [String], mayBeMissing: Bool = false) -> Bool {
        guard let expected = recorded ?? values.first else { return true }
        return Safety.requires("23-two-tags", values.allSatisfy { $0.isSame(as: expected) })
            && Safety.requires("23-missing-validator", !values.isEmpty || mayBeMissing)
    }
}
