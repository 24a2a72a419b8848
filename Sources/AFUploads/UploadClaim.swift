package import AFHTTP

/// A part of an upload that a lane sends: a request beside the upload's main request.
package struct UploadClaim: Hashable, Sendable {
    /// The index of the part.
    package let index: Int
    /// The number of the upload at the server: claims of a lost upload are invalid for the next one.
    package let generation: Int
}

/// The end of a lane's request.
package enum UploadLaneEnd: Hashable, Sendable {
    /// The server has the part.
    case acknowledged
    /// The server did not accept the part.
    case rejected(status: Int)
    /// It is not known whether the server has the part.
    case interrupted
    /// There was nothing to send.
    case unneeded
}

/// A state machine whose upload has parts that several requests send at once.
///
/// The main request has the methods of ``UploadStateMachine``. Lanes claim parts, and send each with one exchange. A lane
/// never decides about the upload: the main request sends the parts that lanes could not send, under its own rules.
package protocol ConcurrentUploadMachine: UploadStateMachine {
    /// The number of bytes in all parts that the server has acknowledged.
    var acknowledged: Int64 { get }
    /// Whether the upload is one in parts.
    var isDivided: Bool { get }
    /// Whether the parts of lanes are those of an upload that was lost.
    var isLost: Bool { get }
    /// Whether the main request has nothing to do until a lane has ended.
    var awaitsLanes: Bool { get }

    /// Claims a part for the main request, before its digest is computed.
    mutating func reserve()
    /// Claims a part for a lane; `nil` if no part is left, or before the server was asked for its parts.
    mutating func claim() -> UploadClaim?
    /// Returns the next digest that the exchange of a claim needs; `nil` if all are known.
    func undigested(of claim: UploadClaim) -> UndigestedRange?
    /// Records that digest; `nil` if it cannot be computed.
    mutating func record(digest: [UInt8]?, of claim: UploadClaim)
    /// Returns the exchange of a claim; `nil` if it is not needed.
    mutating func exchange(of claim: UploadClaim) -> UploadExchange?
    /// Receives the response to the exchange of a claim, and releases the claim.
    ///
    /// - Parameters:
    ///   - response: The response; `nil` if the exchange failed without a response.
    ///   - isSent: Whether all bytes of the exchange were sent.
    mutating func receive(_ response: HTTPURLResponse?, isSent: Bool, of claim: UploadClaim) -> UploadLaneEnd
    /// Releases a claim that was not used.
    mutating func release(_ claim: UploadClaim)
}

/// Bytes whose digest is needed.
package struct UndigestedRange: Hashable, Sendable {
    package let range: Range<Int64>
    /// OpenSSL's name of the algorithm, or `CRC32` or `CRC32C`.
    package let algorithm: String
}
