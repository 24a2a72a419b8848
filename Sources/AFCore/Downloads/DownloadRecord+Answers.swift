public import AFHTTP

/// What a server's answer is to a record.
extension DownloadRecord {
    /// Whether a whole response brings this very version: by the same strong validator, and the same length.
    public func describes(_ response: HTTPURLResponse) -> Bool {
        let offered = DownloadRecord(url: url, partialPath: partialPath, response: response)
        return validator != nil && length != nil && offered.length == length
            && offered.entityTag == entityTag && offered.lastModified == lastModified
    }

    /// Whether a 206 is the rest of this file.
    func isContinued(by response: HTTPURLResponse) -> Bool {
        guard response.statusCode == 206, !response.isEncoded,
            let content = response.contentRange, content.range?.lowerBound == resumeOffset
        else { return false }
        if let segment = segments?.first, content.range?.upperBound != segment.lowerBound - 1 { return false }
        // Without any length, a part of the rest would be taken for all of it.
        guard let known = length ?? content.total, content.total ?? known == known else { return false }
        // What has more bytes than the whole is not its beginning.
        if let total = content.total, completedBytes > total { return false }
        if let entityTag, let tag = response.value(forHTTPHeaderField: "ETag"), tag != entityTag { return false }
        if let lastModified, let date = response.value(forHTTPHeaderField: "Last-Modified"), date != lastModified {
            return false
        }
        return true
    }

    /// Whether a response is a range of this version: a splice of two would be worse than none, so nothing may be missing.
    func hasPart(_ range: Range<Int64>, in response: HTTPURLResponse) -> Bool {
        guard response.statusCode == 206, !response.isEncoded, let length,
            let content = response.contentRange, content.total == length,
            content.range == range.lowerBound...(range.upperBound - 1)
        else { return false }
        if let entityTag { return response.value(forHTTPHeaderField: "ETag") == entityTag }
        return lastModified != nil && response.value(forHTTPHeaderField: "Last-Modified") == lastModified
    }
}
