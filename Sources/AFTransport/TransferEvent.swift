/// Something that passed while a transfer ran, for verbose views.
public struct TransferEvent: Sendable {
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

    public let kind: Kind
    public let bytes: [UInt8]

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

    public init(
        _ kinds: Set<TransferEvent.Kind> = Set(TransferEvent.Kind.allCases),
        handle: @escaping @Sendable (TransferEvent) -> Void
    ) {
        self.kinds = kinds
        self.handle = handle
    }

    public static func == (left: TransferEventHandler, right: TransferEventHandler) -> Bool { left === right }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
