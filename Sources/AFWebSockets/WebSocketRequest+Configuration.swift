public import FoundationEssentials

extension WebSocketRequest {
    /// The options of a connection.
    public struct Configuration: Sendable {
        /// The default options.
        public static var `default`: Self { Self() }

        /// Returns the default options with a subprotocol.
        public static func `protocol`(_ protocol: String) -> Self { Self(protocol: `protocol`) }
        /// Returns the default options with a limit on messages, in bytes.
        public static func maximumMessageSize(_ maximumMessageSize: Int) -> Self {
            Self(maximumMessageSize: maximumMessageSize)
        }
        /// Returns the default options with automatic pings.
        public static func pingInterval(_ pingInterval: TimeInterval) -> Self { Self(pingInterval: pingInterval) }

        /// The subprotocols to offer, separated by commas (`Sec-WebSocket-Protocol`); `nil` for none.
        public let `protocol`: String?
        /// The limit on a received message in bytes, after decompression. A larger one closes the connection with
        /// ``WebSocketCloseCode/messageTooBig``.
        public let maximumMessageSize: Int
        /// The seconds between automatic pings; `nil` for none. The request fails if nothing was received after a ping
        /// when the next one is due.
        public let pingInterval: TimeInterval?
        /// Whether to offer compression (permessage-deflate, RFC 7692). Do not combine secrets with untrusted
        /// input in one compressed message: its length reveals whether they are similar.
        public let offersCompression: Bool

        /// Creates options; by default messages are limited to 1 MiB, and compression is offered.
        public init(
            protocol: String? = nil,
            maximumMessageSize: Int = 1_048_576,
            pingInterval: TimeInterval? = nil,
            offersCompression: Bool = true
        ) {
            self.protocol = `protocol`
            self.maximumMessageSize = maximumMessageSize
            self.pingInterval = pingInterval
            self.offersCompression = offersCompression
        }
    }

    /// The result of a ping.
    public enum PingResponse: Sendable {
        /// The server's response.
        public struct Pong: Sendable {
            /// The time at which the ping was enqueued.
            public let start: Date
            /// The time at which the pong was received.
            public let end: Date
            /// The seconds between them.
            public var latency: TimeInterval { end.timeIntervalSince(start) }
        }

        /// The server responded.
        case pong(Pong)
        /// The connection ended before the response.
        case error(any Error)
        /// The connection is not open.
        case unsent
    }
}
