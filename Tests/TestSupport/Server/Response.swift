extension LocalServer {
    /// A response of ``LocalServer``.
    ///
    /// ```swift
    /// LocalServer { request in
    ///     request.path == "/" ? .ok("hello").header("ETag", "\"1\"") : .status(404, "gone")
    /// }
    /// ```
    public struct Response: Sendable {
        enum Action: Sendable {
            case message
            case raw([UInt8])
            case silence
            case reset
        }

        enum Framing: Sendable {
            case length
            case chunked(size: Int)
            case untilClose
        }

        var action = Action.message
        var status = 200
        var reason: String?
        var fields: [RecordedRequest.Field] = []
        var body: [UInt8] = []
        var framing = Framing.length
        var trailers: [RecordedRequest.Field] = []
        var closes = false

        /// 200 with the text as `text/plain`.
        public static func ok(_ text: String = "") -> Response { status(200, text) }

        /// 200 with the bytes and no `Content-Type`.
        public static func bytes(_ body: [UInt8]) -> Response { Response(body: body) }

        /// 200 with the text as `application/json`.
        public static func json(_ text: String) -> Response {
            Response(body: Array(text.utf8)).header("Content-Type", "application/json")
        }

        /// The status with the text as `text/plain`.
        ///
        /// - Parameter reason: The usual phrase of the status if not given.
        public static func status(_ status: Int, _ text: String = "", reason: String? = nil) -> Response {
            let plain = Response(status: status, reason: reason, body: Array(text.utf8))
            return text.isEmpty ? plain : plain.header("Content-Type", "text/plain")
        }

        /// Sends the client elsewhere.
        public static func redirect(to location: String, status: Int = 302) -> Response {
            Response(status: status).header("Location", location)
        }

        /// Exactly this text; then the connection is closed, unless it says how long it is and should stay open.
        public static func raw(_ text: String, keepsOpen: Bool = false) -> Response {
            raw(Array(text.utf8), keepsOpen: keepsOpen)
        }

        /// Exactly these bytes; then the connection is closed, unless they say their length and it should stay open.
        public static func raw(_ bytes: [UInt8], keepsOpen: Bool = false) -> Response {
            Response(action: .raw(bytes), closes: !keepsOpen)
        }

        /// Not a byte: the connection is closed in order.
        public static let close = raw([])

        /// Not a byte: the connection is reset.
        public static let reset = Response(action: .reset)

        /// Not a byte, for as long as the client has patience.
        public static let silence = Response(action: .silence)

        /// Adds a field line after those that are there.
        public func header(_ name: String, _ value: String) -> Response {
            changing { $0.fields.append(RecordedRequest.Field(name, value)) }
        }

        /// Frames the body in chunks of a size instead of announcing its length.
        public func chunked(of size: Int = 1024) -> Response {
            changing { $0.framing = .chunked(size: size) }
        }

        /// Ends the body by closing the connection, as HTTP/1.0 did.
        public func endingWithClose() -> Response {
            changing {
                $0.framing = .untilClose
                $0.closes = true
            }
        }

        /// Adds a field line after the last chunk; to be used with ``chunked(of:)``.
        public func trailer(_ name: String, _ value: String) -> Response {
            changing { $0.trailers.append(RecordedRequest.Field(name, value)) }
        }

        /// Announces that the connection closes, and closes it.
        public func closing() -> Response {
            header("Connection", "close").changing { $0.closes = true }
        }

        private func changing(_ change: (inout Response) -> Void) -> Response {
            var copy = self
            change(&copy)
            return copy
        }
    }
}
