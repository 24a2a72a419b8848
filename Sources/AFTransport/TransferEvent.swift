/// An event of a running transfer, for verbose output.
public struct TransferEvent: Sendable {
    /// The type of event and its direction.
    public enum Kind: Hashable, Sendable, CaseIterable {
        /// libcurl's own messages, one line of text.
        case information
        /// A complete request header as sent. Over HTTP/2 it is libcurl's rendering.
        case requestHead
        /// One line of a response header or of trailers.
        case responseHeadLine
        case requestBody
        /// A chunk as received, before decoding.
        case responseBody
        /// A chunk of a redirect's body, decoded. It is not delivered elsewhere if the redirect is followed.
        case redirectBody
        /// The certificates of a TLS handshake or a reused connection, before they are verified: one after the other in
        /// DER, leaf first. Only with ``TLSOptions/readsCertificates``.
        case certificates
    }

    /// The type of event.
    public let kind: Kind
    /// The text of messages and headers, including line endings; or a chunk of a body, as libcurl delivered it.
    public let bytes: [UInt8]
    /// The number of the transfer, unique within its transport, as concurrent transfers report to the same handler;
    /// `nil` if the event is of a response that was already received.
    public let transferNumber: UInt?
    /// The URL of the server, or of the proxy, that sent ``Kind-swift.enum/certificates``; `nil` for other events.
    public let url: String?
    /// Whether a proxy sent a line of ``Kind-swift.enum/responseHeadLine``, in response to CONNECT.
    public let isOfTunnel: Bool

    /// Creates an event; transports create the events of real transfers.
    public init(
        kind: Kind,
        bytes: [UInt8],
        transferNumber: UInt? = nil,
        url: String? = nil,
        isOfTunnel: Bool = false
    ) {
        self.kind = kind
        self.bytes = bytes
        self.transferNumber = transferNumber
        self.url = url
        self.isOfTunnel = isOfTunnel
    }
}

/// A handler for the events of some kinds. Compared by identity.
public final class TransferEventHandler: Hashable, Sendable {
    /// The observed kinds. Nothing else is copied, as bodies are large.
    public let kinds: Set<TransferEvent.Kind>
    /// The closure, called on a thread of the transport: concurrently if it has several.
    public let handle: @Sendable (TransferEvent) -> Void

    /// Creates a handler for events of some kinds; by default all of them, so that bodies are copied.
    public init(
        _ kinds: Set<TransferEvent.Kind> = Set(TransferEvent.Kind.allCases),
        handle: @escaping @Sendable (TransferEvent) -> Void
    ) {
        self.kinds = kinds
        self.handle = handle
    }

    /// Whether both are the same object.
    public static func == (left: TransferEventHandler, right: TransferEventHandler) -> Bool { left === right }
    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
