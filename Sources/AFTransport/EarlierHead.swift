public import AFHTTP

/// A header received before the final response of a hop, and its request.
///
/// libcurl processes these responses itself: it delivers none of their bodies and no timings.
public struct EarlierHead: Hashable, Sendable {
    /// The kind; never ``TransferHead/Kind-swift.enum/final``.
    public let kind: TransferHead.Kind
    /// The header, parsed and raw.
    public let response: HTTPURLResponse
    /// The header of the request, as in ``TransactionMetrics/requestHead``; empty if that is.
    public let requestHead: [UInt8]

    /// Creates a header with its request.
    public init(kind: TransferHead.Kind, response: HTTPURLResponse, requestHead: [UInt8] = []) {
        self.kind = kind
        self.response = response
        self.requestHead = requestHead
    }
}
