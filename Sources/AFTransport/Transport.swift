public import AFHTTP

/// A type that sends requests to servers and receives responses.
///
/// ``CurlTransport`` is the implementation; tests may use a scripted one without a network.
public protocol Transport: AnyObject, Sendable {
    /// Starts a transfer and returns immediately. The sink receives all results, and is retained until the transfer has
    /// finished.
    ///
    /// - Returns: A control to cancel, suspend and resume the transfer.
    func start(_ transfer: Transfer, into sink: any TransferSink) -> any TransferControl

    /// Returns the stored cookies, in no particular order.
    func cookies() async -> [HTTPCookie]

    /// Adds cookies; a cookie with the same name, domain and path is replaced.
    func setCookies(_ cookies: [HTTPCookie])

    /// Deletes all stored cookies.
    func deleteAllCookies()

    /// Ends every transfer with ``TransferFailure/Kind/shutDown``, each exactly once, and accepts no more.
    func shutdown()
}

/// Controls one transfer, from any thread. Calls on a finished transfer have no effect.
public protocol TransferControl: Sendable {
    /// Ends the transfer with ``TransferFailure/Kind/cancelled``.
    func cancel()
    /// Stops sending and receiving until ``resume()``. The idle timeout is paused as well.
    func suspend()
    /// Continues after ``suspend()``.
    func resume()
    /// Continues after the sink returned ``Flow/pause``: the bytes it did not accept are offered again.
    func drain()
    /// Calls ``cancel()`` after a number of seconds, unless the transfer has ended by then.
    ///
    /// - Returns: `false`, the default, if the transport has no timers: the caller then needs one.
    func cancel(after seconds: Double) -> Bool
}

extension TransferControl {
    /// Returns `false`.
    public func cancel(after seconds: Double) -> Bool { false }
}

/// The receiver of one transfer's results: called in order, one call at a time, on a thread of the transport.
///
/// The thread serves every transfer, so a sink must never block.
public protocol TransferSink: AnyObject, Sendable {
    /// Receives a complete header. Exactly one is ``TransferHead/Kind/final``, unless the transfer fails before.
    func receive(_ head: TransferHead)

    /// Returns whether the content coding of the final response's body is decoded, if the options permit that; `nil` if it
    /// is not known yet: the body then waits for ``TransferControl/drain()``.
    ///
    /// Called before the first byte of an encoded body.
    func decodesBody(of response: HTTPURLResponse) -> Bool?

    /// Receives bytes of the final response's body, decoded if requested. The buffer is valid only during the call.
    func receive(_ bytes: UnsafeRawBufferPointer) -> Flow

    /// Receives bytes of the final response's body as they were before their `Content-Encoding` was decoded, after the
    /// decoded bytes. The buffer is valid only during the call.
    func receiveEncoded(_ bytes: UnsafeRawBufferPointer)

    /// Receives the number of request body bytes that were passed to the network so far.
    func didSend(_ bytes: Int64, of total: Int64?)

    /// Receives the outcome; the last call.
    func finish(_ outcome: TransferOutcome)
}

extension TransferSink {
    /// Returns `true` by default.
    public func decodesBody(of response: HTTPURLResponse) -> Bool? { true }

    /// Does nothing by default.
    public func receiveEncoded(_ bytes: UnsafeRawBufferPointer) {}

    /// Does nothing by default.
    public func didSend(_ bytes: Int64, of total: Int64?) {}
}

/// A sink's response to a chunk of the body.
public enum Flow: Hashable, Sendable {
    case proceed
    /// The chunk was not accepted: offer it again after ``TransferControl/drain()``.
    case pause
    /// No more bytes are wanted: the transfer ends with ``TransferFailure/Kind/stopped``.
    case stop
}

/// A header of a transfer. A single request may receive several.
public struct TransferHead: Hashable, Sendable {
    /// The role of a header.
    public enum Kind: Hashable, Sendable {
        /// An interim response with a status from 100 to 199 (RFC 9110 §15.2).
        case informational
        /// A proxy's response to CONNECT.
        case tunnel
        /// A response that libcurl handled itself: an authentication round, or a 417 to `Expect`.
        case intermediate
        /// The final response, followed by its body.
        case final
    }

    /// The role of the header.
    public let kind: Kind
    /// The header, parsed and raw.
    public let response: HTTPURLResponse

    /// Creates a header for a sink.
    public init(kind: Kind, response: HTTPURLResponse) {
        self.kind = kind
        self.response = response
    }
}

/// The outcome of a transfer.
public struct TransferOutcome: Sendable {
    /// The failure; `nil` if the response is complete.
    public var failure: TransferFailure? { storage.failure }
    /// The timings and sizes, as far as the transfer progressed.
    public var metrics: TransactionMetrics { storage.metrics }
    /// The trailer fields, received after the body (RFC 9110 §6.5).
    public var trailers: HTTPHeaders { storage.metrics.trailers }

    /// One reference, as metrics are large and the outcome is copied several times.
    private let storage: Storage

    private final class Storage: Sendable {
        let failure: TransferFailure?
        let metrics: TransactionMetrics

        init(_ failure: TransferFailure?, _ metrics: TransactionMetrics) {
            self.failure = failure
            self.metrics = metrics
        }
    }

    /// Creates an outcome for a sink.
    ///
    /// - Parameter metrics: The timings and sizes, and the trailer fields.
    public init(failure: TransferFailure?, metrics: TransactionMetrics) { storage = Storage(failure, metrics) }
}
