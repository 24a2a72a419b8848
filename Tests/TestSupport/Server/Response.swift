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

        /// Returns status 200 with the text as `text/plain`.
        public static func ok(_ text: String = "") -> Response { status(200, text) }

        /// Returns status 200 with the bytes and without `Content-Type`.
        public static func bytes(_ body: [UInt8]) -> Response { Response(body: body) }

        /// Returns status 200 with the text as `application/json`.
        public static func json(_ text: String) -> Response {
            Response(body: Array(text.utf8)).header("Content-Type", "application/json")
        }

        /// Returns a status with the text as `text/plain`.
        ///
        /// - Parameter reason: The reason phrase; `nil` for the usual one.
        public static func status(_ status: Int, _ text: String = "", reason: String? = nil) -> Response {
            let plain = Response(status: status, reason: reason, body: Array(text.utf8))
            return text.isEmpty ? plain : plain.header("Content-Type", "text/plain")
        }

        /// Returns a redirect.
        public static func redirect(to location: String, status: Int = 302) -> Response {
            Response(status: status).header("Location", location)
        }

        /// Returns exactly this text; the connection is then closed unless `keepsOpen` is `true`, which requires a
        /// length.
        public static func raw(_ text: String, keepsOpen: Bool = false) -> Response {
            raw(Array(text.utf8), keepsOpen: keepsOpen)
        }

        /// Returns exactly these bytes; the connection is then closed unless `keepsOpen` is `true`, which requires a
        /// length.
        public static func raw(_ bytes: [UInt8], keepsOpen: Bool = false) -> Response {
            Response(action: .raw(bytes), closes: !keepsOpen)
        }

        /// No bytes: the connection is closed normally.
        public static let close = raw([])

        /// No bytes: the connection is reset.
        public static let reset = Response(action: .reset)

        /// No bytes until the client closes the connection.
        public static let silence = Response(action: .silence)

        /// Appends a header field.
        public func header(_ name: String, _ value: String) -> Response {
            changing { $0.fields.append(RecordedRequest.Field(name, value)) }
        }

        /// Sends the body in chunks instead of with `Content-Length`.
        public func chunked(of size: Int = 1024) -> Response {
            changing { $0.framing = .chunked(size: size) }
        }

        /// Ends the body by closing the connection, as in HTTP/1.0.
        public func endingWithClose() -> Response {
            changing {
                $0.framing = .untilClose
                $0.closes = true
            }
        }

        /// Adds a trailer; requires ``chunked(of:)``.
        public func trailer(_ name: String, _ value: String) -> Response {
            changing { $0.trailers.append(RecordedRequest.Field(name, value)) }
        }

        /// Sends `Connection: close` and closes the connection.
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
