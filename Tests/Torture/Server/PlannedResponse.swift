/// The planned response to a request: the version and the fault.
struct PlannedResponse: Sendable {
    /// How the end of the body is indicated.
    enum Framing: Sendable { case length, chunked, untilClose }

    /// A truncation of the body.
    struct Cut: Sendable {
        enum Manner: Sendable { case close, reset, stall }

        /// The number of body bytes to send. If that is the complete body and it is chunked, the last chunk is missing.
        var after: Int
        var by = Manner.close
    }

    /// The speed of the body.
    struct Pace: Sendable {
        var piece = 64 << 10
        /// The pause after each chunk, in microseconds.
        var pause: UInt32 = 0
    }

    /// The response to a range request.
    enum Ranges: Sendable {
        /// Correct (RFC 9110 §14).
        case honest
        /// The complete resource, with status 200.
        case ignored
        /// The range, regardless of `If-Range`.
        case unconditional
        /// A correctly labeled range with a start that is off by a number of bytes.
        case displaced(Int)
        /// A total that is wrong by a number of bytes.
        case otherTotal(Int)
        /// Only a number of bytes of the range, correctly labeled; servers may do that.
        case shorterRange(Int)
        /// The right range with a body that is shorter by a number of bytes.
        case shorterBody(Int)
        /// The right range with a body that is longer by a number of bytes.
        case longerBody(Int)
        case withoutContentRange
        /// Without the fields of the version: neither validators nor digests.
        case withoutValidators
        /// The range with status 200, with or without Content-Range.
        case disguised(hasRange: Bool)
        case multipart
        case encoded
        /// 416 with a size of the resource; `nil` for none.
        case refused(total: Int?)
    }

    var version: Version
    /// The URL of a redirect; overrides all other properties.
    var location: String?
    /// A status without a body; overrides all other properties.
    var bodilessStatus: String?
    var ranges = Ranges.honest
    var framing = Framing.length
    var cut: Cut?
    var pace = Pace()

    init(
        _ version: Version,
        ranges: Ranges = .honest,
        framing: Framing = .length,
        cut: Cut? = nil,
        pace: Pace = Pace()
    ) {
        self.version = version
        self.ranges = ranges
        self.framing = framing
        self.cut = cut
        self.pace = pace
    }

    static func redirect(to location: String) -> PlannedResponse {
        var response = PlannedResponse(Version(0, size: 0))
        response.location = location
        return response
    }

    static func bodiless(_ status: String) -> PlannedResponse {
        var response = PlannedResponse(Version(0, size: 0))
        response.bodilessStatus = status
        return response
    }

    /// Returns a response that breaks off after a number of body bytes.
    static func cut(_ version: Version, after count: Int, by manner: Cut.Manner = .close) -> PlannedResponse {
        PlannedResponse(version, cut: Cut(after: count, by: manner))
    }
}
