public import AFHTTP

/// Something that carries a request to a server and brings the response back.
///
/// ``CurlTransport`` is the real one; a scripted one stands in where no network is wanted.
public protocol Transport: AnyObject, Sendable {
    /// Begins a transfer. Returns at once; whatever happens is told to the sink, which is held until it has finished.
    ///
    /// - Returns: The means to cancel, pause and continue it.
    func start(_ transfer: Transfer, into sink: any TransferSink) -> any TransferControl

    /// The cookies that the transport keeps, in no particular order.
    func cookies() async -> [HTTPCookie]

    /// Adds cookies; one of the same name, domain and path is replaced.
    func setCookies(_ cookies: [HTTPCookie])

    /// Forgets every cookie that the transport keeps.
    func deleteAllCookies()

    /// Ends every transfer with ``TransferFailure/Kind/shutDown``, each exactly once, and takes no more.
    func shutdown()
}

/// Steers one transfer, from any thread. Every call on a finished transfer is ignored.
public protocol TransferControl: Sendable {
    /// Ends the transfer with ``TransferFailure/Kind/cancelled``.
    func cancel()
    /// Stops sending and receiving until ``resume()``. The idle time-out stands still meanwhile.
    func suspend()
    /// Goes on after ``suspend()``.
    func resume()
    /// Goes on after the sink answered ``Flow/pause``: the bytes that it did not take are offered again.
    func drain()
}

/// What is told about one transfer: in order, one call at a time, on the transport's thread.
///
/// The thread serves every transfer, so a sink never waits for anything.
public protocol TransferSink: AnyObject, Sendable {
    /// A head is complete. Exactly one is ``TransferHead/Kind/final``, unless the transfer fails before.
    func receive(_ head: TransferHead)

    /// Bytes of the final response's body, decoded where the transfer asked for that. They are gone on return.
    func receive(_ bytes: UnsafeRawBufferPointer) -> Flow

    /// So many bytes of the request body have been handed to the network so far.
    func didSend(_ bytes: Int64, of total: Int64?)

    /// The transfer is over: the last call.
    func finish(_ outcome: TransferOutcome)
}

extension TransferSink {
    /// Nothing happens by default.
    public func didSend(_ bytes: Int64, of total: Int64?) {}
}

/// What a sink wants after a piece of the body.
public enum Flow: Hashable, Sendable {
    case proceed
    /// The piece was not taken: offer it again after ``TransferControl/drain()``.
    case pause
    /// No more is wanted: the transfer ends with ``TransferFailure/Kind/stopped``.
    case stop
}

/// One head of a transfer. A single request may see several.
public struct TransferHead: Hashable, Sendable {
    /// What a head is to its request.
    public enum Kind: Hashable, Sendable {
        /// 100 to 199, before the real answer (RFC 9110 §15.2).
        case informational
        /// The answer of a proxy to CONNECT.
        case tunnel
        /// An answer that libcurl dealt with itself: a round of authentication, or a 417 to `Expect`.
        case intermediate
        /// The answer whose body follows.
        case final
    }

    /// Which of the request's heads it is.
    public let kind: Kind
    /// The head itself, with its fields and as it came.
    public let response: HTTPURLResponse

    /// A head to tell a sink of.
    public init(kind: Kind, response: HTTPURLResponse) {
        self.kind = kind
        self.response = response
    }
}

/// How a transfer ended.
public struct TransferOutcome: Sendable {
    /// `nil` when the response came whole.
    public let failure: TransferFailure?
    /// When everything happened and how much passed, as far as the transfer got.
    public let metrics: TransactionMetrics
    /// Fields that came after the body (RFC 9110 §6.5).
    public let trailers: HTTPHeaders

    /// An outcome to finish a sink with.
    public init(failure: TransferFailure?, metrics: TransactionMetrics, trailers: HTTPHeaders = HTTPHeaders()) {
        self.failure = failure
        self.metrics = metrics
        self.trailers = trailers
    }
}
