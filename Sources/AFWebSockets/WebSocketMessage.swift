public import FoundationEssentials

/// A message of a WebSocket connection (RFC 6455 §5.6).
///
/// Replaces `URLSessionWebSocketTask.Message`, with the same cases.
public enum WebSocketMessage: Hashable, Sendable {
    /// A binary message.
    case data(Data)
    /// A text message.
    case string(String)

    /// The number of bytes; a text is sent as UTF-8.
    public var count: Int {
        switch self {
        case .data(let data): data.count
        case .string(let text): text.utf8.count
        }
    }
}

/// The reason for closing a WebSocket connection (RFC 6455 §7.4), named as in `URLSessionWebSocketTask.CloseCode`.
public struct WebSocketCloseCode: RawRepresentable, Hashable, Sendable {
    /// The code; applications use 3000 to 4999.
    public let rawValue: Int

    /// Creates a code from its number.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// No code was determined.
    public static let invalid = Self(rawValue: 0)
    /// The purpose of the connection is fulfilled.
    public static let normalClosure = Self(rawValue: 1000)
    /// The peer shuts down, or the user left the page.
    public static let goingAway = Self(rawValue: 1001)
    /// The peer violated the protocol.
    public static let protocolError = Self(rawValue: 1002)
    /// The peer sent a type of message that is not accepted.
    public static let unsupportedData = Self(rawValue: 1003)
    /// The Close frame had no code. Never sent.
    public static let noStatusReceived = Self(rawValue: 1005)
    /// The connection ended without a Close frame. Never sent.
    public static let abnormalClosure = Self(rawValue: 1006)
    /// A text message was not UTF-8, or a message could not be decompressed.
    public static let invalidFramePayloadData = Self(rawValue: 1007)
    /// A message violated the receiver's policy.
    public static let policyViolation = Self(rawValue: 1008)
    /// A message was larger than the receiver accepts.
    public static let messageTooBig = Self(rawValue: 1009)
    /// The server did not accept an extension that the client requires.
    public static let mandatoryExtensionMissing = Self(rawValue: 1010)
    /// The server met an unexpected condition.
    public static let internalServerError = Self(rawValue: 1011)
    /// The TLS handshake failed. Never sent.
    public static let tlsHandshakeFailure = Self(rawValue: 1015)

    /// Whether a Close frame may contain the code (RFC 6455 §7.4.2, and 1012 to 1014 of IANA's registry).
    var isSendable: Bool {
        switch rawValue {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }
}

/// The failure of a WebSocket connection. In `AFError.sessionTaskFailed(error:)`.
///
/// A response with another status than 101 is an `AFError.responseValidationFailed` instead, as for other requests.
public struct WebSocketError: Error, Hashable, Sendable {
    /// The kind of failure. More kinds may be added.
    public struct Kind: Hashable, Sendable {
        fileprivate let name: String

        /// The server's 101 violates RFC 6455 §4.1 or RFC 7692 §7.1.
        public static let invalidHandshake = Kind(name: "invalidHandshake")
        /// The request cannot be a handshake: its method is not GET.
        public static let invalidRequest = Kind(name: "invalidRequest")
        /// The server violated the protocol (RFC 6455 §5), and the connection was closed with
        /// ``WebSocketError/closeCode``.
        public static let protocolViolation = Kind(name: "protocolViolation")
        /// The server sent a message above ``WebSocketRequest/Configuration/maximumMessageSize``.
        public static let messageTooBig = Kind(name: "messageTooBig")
        /// The connection ended without a Close frame.
        public static let noCloseFrame = Kind(name: "noCloseFrame")
        /// The server sent a Close frame before the last frame of a message.
        public static let incompleteMessage = Kind(name: "incompleteMessage")
        /// No byte was sent or received for the idle timeout after ``WebSocketRequest/close(sending:reason:)``.
        public static let closeTimedOut = Kind(name: "closeTimedOut")
        /// Nothing was received after a ping of ``WebSocketRequest/Configuration/pingInterval``.
        public static let pingTimedOut = Kind(name: "pingTimedOut")
        /// The connection was closed before the message was sent.
        public static let closed = Kind(name: "closed")
    }

    /// The kind of failure.
    public let kind: Kind
    /// The code of the Close frame that was sent because of the failure; `nil` for none.
    public let closeCode: WebSocketCloseCode?
    /// The message: lower case, without full stop.
    public let detail: String

    init(_ kind: Kind, _ detail: String, closeCode: WebSocketCloseCode? = nil) {
        self.kind = kind
        self.closeCode = closeCode
        self.detail = detail
    }

    /// Whether both have the same kind and code.
    public static func == (left: Self, right: Self) -> Bool {
        left.kind == right.kind && left.closeCode == right.closeCode
    }

    /// Hashes the kind.
    public func hash(into hasher: inout Hasher) { hasher.combine(kind) }

    /// A violation of RFC 6455.
    static func violation(_ detail: String, _ code: WebSocketCloseCode = .protocolError) -> Self {
        Self(.protocolViolation, detail, closeCode: code)
    }
}

extension WebSocketError: CustomStringConvertible {
    /// The ``detail``.
    public var description: String { detail }
}

extension WebSocketError: LocalizedError {
    /// The ``detail``.
    public var errorDescription: String? { detail }
}
