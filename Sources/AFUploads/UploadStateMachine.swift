package import AFHTTP

/// The state of an upload in one protocol: receives facts, returns the next exchange, and does no I/O.
package protocol UploadStateMachine: Sendable {
    /// The protocol; never ``UploadProtocol/automatic``.
    var dialect: UploadProtocol { get }
    /// The size of the file.
    var length: Int64 { get }
    /// The upload resource; `nil` if the server has not created it.
    var resource: HTTPURL? { get }
    /// The upload resources, unless they are recognized as secrets by their name.
    var secretResources: [HTTPURL] { get }
    /// The number of bytes at the start of the file that the server has acknowledged.
    var offset: Int64 { get }
    /// The time after which the server may remove the unfinished upload; `nil` if it is not known.
    var expiry: HTTPDate? { get }
    /// Whether sending the request again is idempotent.
    var isRepeatable: Bool { get }
    /// The state of a multipart upload for the record; `nil` for other protocols.
    var multipart: MultipartState? { get }
    /// The partial uploads for the record; `nil` for an upload without them.
    var concatenation: ConcatenationState? { get }
    /// The bytes of which the digest is needed before the next exchange; `nil` for none.
    var undigestedRange: Range<Int64>? { get }
    /// OpenSSL's name of the algorithm of that digest.
    var digestAlgorithm: String { get }

    /// Returns the events since the last call.
    mutating func takeEvents() -> [UploadEvent]
    /// Records that an exchange ended without a response.
    ///
    /// - Parameter isSent: Whether all bytes of the exchange were sent.
    mutating func interrupt(isSent: Bool)
    /// Lets the server verify the bytes, if the protocol does not do so always.
    ///
    /// - Parameter digest: The digest of the file, with an algorithm of digest fields.
    mutating func verify(_ digest: UploadDigest)
    /// Records the digest of ``undigestedRange``; `nil` if it cannot be computed.
    mutating func record(digest: [UInt8]?)
    /// Returns the next exchange.
    mutating func nextExchange() -> UploadExchange
    /// Receives an interim response of the server.
    ///
    /// - Returns: Whether the state has changed.
    mutating func receiveInterim(_ response: HTTPURLResponse) -> Bool
    /// Receives the final response to the latest exchange.
    ///
    /// - Parameters:
    ///   - body: The body; `nil` if it is too large.
    ///   - isSent: Whether all bytes of the exchange were sent.
    mutating func receive(
        _ response: HTTPURLResponse,
        body: [UInt8]?,
        isSent: Bool
    ) throws(UploadFailure) -> UploadOutcome
    /// Returns whether another exchange follows a response, of which only the header is known.
    func continues(after response: HTTPURLResponse, isSent: Bool) -> Bool
    /// Removes another upload of the file from the server first, as it can never be completed.
    mutating func remove(_ resource: HTTPURL, of dialect: UploadProtocol)
    /// Removes the upload from the server, as it can never be completed.
    ///
    /// - Parameter failure: The failure of the upload once it is removed.
    /// - Returns: Whether an exchange does that.
    mutating func abandon(with failure: UploadFailure) -> Bool
}

extension UploadStateMachine {
    package var secretResources: [HTTPURL] { resource.map { [$0] } ?? [] }
    package var multipart: MultipartState? { nil }
    package var concatenation: ConcatenationState? { nil }
    package var expiry: HTTPDate? { nil }
    package var undigestedRange: Range<Int64>? { nil }
    package mutating func interrupt() { interrupt(isSent: false) }
    package var digestAlgorithm: String { "MD5" }
    package mutating func verify(_ digest: UploadDigest) {}
    package mutating func receiveInterim(_ response: HTTPURLResponse) -> Bool { false }

    package func continues(after response: HTTPURLResponse, isSent: Bool) -> Bool {
        var next = self
        let outcome = try? next.receive(response, body: nil, isSent: isSent)
        return outcome != .complete && outcome != .response
    }
}
