/// Something that passed while a transfer ran, for verbose views.
public struct TransferEvent: Sendable {
    /// What passed, and which way.
    public enum Kind: Hashable, Sendable, CaseIterable {
        /// libcurl's own remarks, a line of text.
        case remark
        /// A whole request head as sent. On HTTP/2 it is libcurl's rendering.
        case requestHead
        /// One line of a response head.
        case responseHeadLine
        case requestBody
        /// As it came, before decoding.
        case responseBody
        /// A piece of a redirect's body, decoded. Whoever follows the redirect gets to see it nowhere else.
        case redirectBody
    }

    /// What passed.
    public let kind: Kind
    /// Text for remarks and heads, line ends included; a piece of a body, as long as libcurl made it.
    public let bytes: [UInt8]

    /// An event; those of real transfers are the transport's to make.
    public init(kind: Kind, bytes: [UInt8]) {
        self.kind = kind
        self.bytes = bytes
    }
}

/// Who is told of what passes, and of what kinds of it. Each is equal to itself alone.
public final class TransferEventHandler: Hashable, Sendable {
    /// Nothing else is copied; bodies are large.
    public let kinds: Set<TransferEvent.Kind>
    /// Called on the transport's thread.
    public let handle: @Sendable (TransferEvent) -> Void

    /// A handler of events of these kinds, all of them if not given: bodies are copied for it then.
    public init(
        _ kinds: Set<TransferEvent.Kind> = Set(TransferEvent.Kind.allCases),
        handle: @escaping @Sendable (TransferEvent) -> Void
    ) {
        self.kinds = kinds
        self.handle = handle
    }

    /// Whether both are the same object.
    public static func == (left: TransferEventHandler, right: TransferEventHandler) -> Bool { left === right }
    /// By identity, as equality.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
