public import AFHTTP

/// A head that came on the way to the answer of a hop, and the request that it came for.
///
/// libcurl deals with these by itself: it hands on none of their bodies, and times none of them apart.
public struct EarlierHead: Hashable, Sendable {
    /// Never ``TransferHead/Kind-swift.enum/final``.
    public let kind: TransferHead.Kind
    /// The head itself, with its fields and as it came.
    public let response: HTTPURLResponse
    /// As ``TransactionMetrics/requestHead``, and empty where that is.
    public let requestHead: [UInt8]

    /// A head, and what it came for.
    public init(kind: TransferHead.Kind, response: HTTPURLResponse, requestHead: [UInt8] = []) {
        self.kind = kind
        self.response = response
        self.requestHead = requestHead
    }
}
