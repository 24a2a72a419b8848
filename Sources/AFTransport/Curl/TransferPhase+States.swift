internal import AFHTTP
internal import CNGHTTP2

/// The parts of the state.
extension TransferPhase {
    /// The connection of the current request.
    enum Connection: Equatable {
        /// A connection to the server is being established: headers are a proxy's.
        ///
        /// - Parameters:
        ///   - isTunneled: Whether a proxy has accepted CONNECT.
        ///   - isRepetition: Whether a request was started on an earlier connection.
        case opening(isTunneled: Bool, isRepetition: Bool)
        /// The connection to the server is established.
        case established
    }

    /// The unanswered attempts of the current request, which libcurl or the loop may repeat.
    struct Repetition {
        /// Whether the request was sent, and nothing of a response to it was received.
        var isUnanswered = false
        /// The number of streams that the server refused.
        private var refusals = 0
        /// The number of connections that ended without processing the request.
        private var goAways = 0

        /// libcurl's result for a connection that is closed without a response.
        static let gotNothing: Int32 = 52
        /// Each of several requests may be the one that a connection does not process any more.
        private static let maximumGoAways = 20

        var isRefusedTwice: Bool { refusals >= 2 }
        var mayFollow: Bool { !isRefusedTwice && goAways < Self.maximumGoAways }

        /// Records the code of a stream that the server has not processed.
        mutating func recordRefusal(_ code: UInt32) {
            if code == AF_UNPROCESSED { goAways += 1 } else { refusals += 1 }
        }
    }

    /// The bytes that follow the request header.
    enum Upload: Equatable {
        case nothing
        /// - Parameter length: The length in bytes; `nil` if it is unknown.
        case body(length: Int64?)
        /// A stream that is sent after the server has switched protocols (RFC 9110 §7.8).
        case upgrade(Upgrade)
    }

    enum Upgrade {
        /// The server has not responded.
        case requested
        /// The server has switched protocols: the stream is sent.
        case switched
        /// The server has refused, or has closed the connection: the stream is not read any more.
        case ended
    }

    /// The response to the current request.
    enum Response {
        /// No header was received, or only those before the final one.
        case awaited
        /// A header of which the next bytes show whether it is final or an intermediate one.
        case undecided(HTTPURLResponse)
        /// A 417 (Expectation Failed); the body is rewound, and the request is sent again.
        case refused(HTTPURLResponse)
        /// A challenge that another request answers. Of its body, `discarded` bytes were dropped.
        case challenged(next: Transfer, discarded: Int)
        case final(FinalResponse)
    }

    /// The final response, as far as it was received.
    struct FinalResponse {
        enum Body {
            /// No byte has arrived.
            case unread
            /// The bytes are delivered as received.
            case plain
            case coded(ContentDecoder)
        }

        var head: HTTPURLResponse
        var body = Body.unread
        /// The number of accepted body bytes, before decoding.
        var takenBytes: Int64 = 0
        /// The number of body bytes that ended the transfer.
        var rejectedBytes: Int64 = 0
        /// The number of body bytes that the sink accepted.
        var deliveredBytes: Int64 = 0
    }

    /// The reasons for which libcurl waits, each of which may begin and end at any time.
    struct Pauses {
        var isSuspended = false
        var isSinkFull = false
        /// The time in nanoseconds at which more of the body may be received, for its rate limit or so that other
        /// transfers proceed; `nil` if now.
        var throttledUntil: UInt64?
        /// Whether the request body has no bytes yet.
        var isBodyWaiting = false
    }
}
