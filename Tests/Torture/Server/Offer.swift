/// The server's treatment of a request: the version and the fault.
struct Offer: Sendable {
    /// How the end of a body is told.
    enum Framing: Sendable { case length, chunked, untilClose }

    /// A body that does not come to its end.
    struct Cut: Sendable {
        enum Manner: Sendable { case close, reset, stall }

        /// So many bytes of the body are sent. All of them in chunks: what is missing then is the last, empty one.
        var after: Int
        var by = Manner.close
    }

    /// How fast a body goes out.
    struct Pace: Sendable {
        var piece = 64 << 10
        /// In microseconds, after each piece.
        var pause: UInt32 = 0
    }

    /// The response to a range request.
    enum Ranges: Sendable {
        /// As in RFC 9110 §14.
        case honest
        /// The whole, with 200.
        case ignored
        /// The range, regardless of `If-Range`.
        case unconditional
        /// A correctly labeled range with a start that is off by a number of bytes.
        case displaced(Int)
        /// The total is wrong by so much.
        case otherTotal(Int)
        /// Only the next bytes, as a server may, and says so.
        case shorterRange(Int)
        /// The range is right, the body shorter.
        case shorterBody(Int)
        /// The range is right, the body longer.
        case longerBody(Int)
        case withoutContentRange
        /// Without the fields of the version: neither validators nor digests.
        case withoutValidators
        /// The range with status 200, and with Content-Range if wanted.
        case disguised(hasRange: Bool)
        case multipart
        case encoded
        /// 416 with the size of the resource, if that is told at all.
        case refused(total: Int?)
    }

    var version: Version
    /// The URL of a redirect that takes the place of everything else.
    var location: String?
    /// A status without a body that takes the place of everything else.
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

    static func redirect(to location: String) -> Offer {
        var offer = Offer(Version(0, size: 0))
        offer.location = location
        return offer
    }

    static func bodiless(_ status: String) -> Offer {
        var offer = Offer(Version(0, size: 0))
        offer.bodilessStatus = status
        return offer
    }

    /// Returns an offer that breaks off after a number of body bytes.
    static func cut(_ version: Version, after count: Int, by manner: Cut.Manner = .close) -> Offer {
        Offer(version, cut: Cut(after: count, by: manner))
    }
}
