internal import AFHTTP

extension HTTPURLResponse {
    /// The value of a field; `nil` without the field, or if it is repeated with different values.
    func uniqueValue(for name: String) -> String? {
        let values = headers.values(for: name)
        return values.allSatisfy { $0 == values[0] } ? values.first : nil
    }

    /// The range that the body is of; `nil` without one, or with several.
    var contentRange: ContentRange? { uniqueValue(for: "Content-Range").flatMap { ContentRange(parsing: $0) } }

    /// Whether the range is all of the resource.
    var isWholeRange: Bool {
        guard let content = contentRange, let range = content.range, let total = content.total else { return false }
        return range.lowerBound == 0 && range.upperBound == total - 1
            && [-1, total].contains(expectedContentLength)
    }

    /// Whether a 200 has a range of bytes that is not the complete file. The field has no meaning in a 200 (RFC 9110 §14.4),
    /// but some servers send a part with it. Other units are ignored: APIs number the pages of lists with them.
    var isDisguisedPart: Bool {
        statusCode == 200 && !isWholeRange
            && headers.values(for: "Content-Range").contains { ContentRange(parsing: $0) != nil }
    }

    /// Whether the server may give a part of this body: not where it says that it does not, nor of decoded bytes.
    var mayHaveRanges: Bool {
        !isEncoded && value(forHTTPHeaderField: "Accept-Ranges")?.lowercased() != "none"
    }

    /// Whether the body is coded: its bytes on the disk are others then.
    var isEncoded: Bool { headers.listed("Content-Encoding").contains { $0 != "identity" } }

    /// Whether the server says that it gives parts of this body.
    var acceptsByteRanges: Bool {
        !isEncoded && headers.listed("Accept-Ranges").contains("bytes")
    }
}
