internal import AFHTTP
internal import AFTransport

extension HTTPURLResponse {
    /// Returns the value of a field; `nil` if it is missing, or repeated with different values.
    func uniqueValue(for name: String) -> String? {
        let values = headers.values(for: name)
        let areSame = Safety.requires("23-two-ranges", values.allSatisfy { $0.isSame(as: values[0]) })
        return areSame ? values.first : nil
    }

    /// The range of the body; `nil` if `Content-Range` is missing, invalid or contradictory.
    var contentRange: ContentRange? { uniqueValue(for: "Content-Range").flatMap { ContentRange(parsing: $0) } }

    /// Returns why a 206 is not what a request with this `Range` field asked for; `nil` if it is. Several ranges and
    /// other units cannot be judged.
    ///
    /// - Parameter decodingContent: Whether content codings are decoded: a range counts the bytes of the coded body
    ///   (RFC 9110 §14).
    package func failure(ofRange requested: String, decodingContent: Bool) -> DownloadFailure.Reason? {
        if decodingContent, !DecodableCoding.decoded(of: headers.contentCodings).isEmpty { return .codedRange }
        guard let range = RequestedRange(parsing: requested) else { return nil }
        guard let content = contentRange, range.isMet(by: content),
            expectedContentLength == -1 || expectedContentLength == content.length
        else { return .wrongRange }
        return nil
    }

    /// Whether the range may be the cause of the response, so that a request for the complete resource is worth an attempt.
    ///
    /// Servers respond with 304 (WEBrick) or 412 to an `If-Range` that they take for another condition, and with 400 or
    /// 204 to ranges that they do not support.
    ///
    /// - Parameter isConditional: Whether the request has a condition of its own, which a 304 meets.
    package func mayRefuseRange(isConditional: Bool) -> Bool {
        switch statusCode {
        case 204, 400, 412, 416: true
        case 304: !isConditional
        default: false
        }
    }

    /// The number of bytes in the range of a 206; `nil` for any other response.
    var partLength: Int64? { statusCode == 206 ? contentRange?.length : nil }

    /// The announced number of body bytes, that of a 206 by its range; −1 if it is unknown. A length that chunks contradict
    /// is an error of the download, as it may show an attack (RFC 9112 §6.3).
    package var announcedBodyLength: Int64 {
        partLength ?? bodyFields.length ?? -1
    }

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

    /// Whether the server may support ranges: not if it denies that.
    var mayHaveRanges: Bool { value(forHTTPHeaderField: "Accept-Ranges")?.lowercased() != "none" }

    /// Whether the server announces support for ranges.
    var acceptsByteRanges: Bool { headers.listed("Accept-Ranges").contains("bytes") }

    /// The content codings, separated by commas; `nil` if the body is not coded.
    var coding: String? {
        let codings = headers.contentCodings
        return codings.isEmpty ? nil : codings.joined(separator: ",")
    }
}
