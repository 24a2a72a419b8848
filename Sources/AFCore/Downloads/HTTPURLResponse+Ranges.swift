internal import AFHTTP

extension HTTPURLResponse {
    /// Returns the value of a field; `nil` if it is missing, or repeated with different values.
    func uniqueValue(for name: String) -> String? {
        let values = headers.values(for: name)
        return values.allSatisfy { $0.isSame(as: values[0]) } ? values.first : nil
    }

    /// The range of the body; `nil` if there is none, or several.
    var contentRange: ContentRange? { uniqueValue(for: "Content-Range").flatMap { ContentRange(parsing: $0) } }

    /// Whether the range covers the complete resource.
    var isCompleteRange: Bool {
        guard let content = contentRange, let range = content.range, let total = content.total else { return false }
        return range.lowerBound == 0 && range.upperBound == total - 1
            && [-1, total].contains(expectedContentLength)
    }

    /// Whether a 200 has a byte range that is not the complete file. The field has no meaning in a 200 (RFC 9110
    /// §14.4), but some servers send a part with it. Other units are ignored: APIs use them to number the pages of
    /// lists.
    var isDisguisedPart: Bool {
        statusCode == 200 && !isCompleteRange
            && headers.values(for: "Content-Range").contains { ContentRange(parsing: $0) != nil }
    }

    /// Whether the server may support ranges of this body: not if it denies that, and not of decoded bytes.
    var mayHaveRanges: Bool {
        !isEncoded && value(forHTTPHeaderField: "Accept-Ranges")?.lowercased() != "none"
    }

    /// Whether the body is encoded, so that the bytes on disk differ.
    var isEncoded: Bool { headers.listed("Content-Encoding").contains { $0 != "identity" } }

    /// Whether the server announces support for ranges.
    var acceptsByteRanges: Bool {
        !isEncoded && headers.listed("Accept-Ranges").contains("bytes")
    }
}
