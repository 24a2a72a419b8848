/// Why a transfer ended before its response was complete.
public struct TransferFailure: Error, Sendable {
    /// The kind of failure, stable enough to switch over. More kinds may come.
    public struct Kind: Hashable, Sendable {
        fileprivate enum Storage: String, Hashable, Sendable {
            case cancelled, shutDown, stopped, notCached
            case connectTimedOut, idleTimedOut, totalTimedOut
            case unresolvedHost, unresolvedProxy, cannotConnect, proxyRefused
            case secureConnectionFailed, untrustedCertificate, pinMismatch, trustRefused, unusableCertificate
            case truncated, connectionLost, malformedResponse, undecodableBody, headTooLarge, tooManyInterimResponses
            case decodingOverflow, bodyTooLarge, bodyNotRewindable, bodyUnreadable, unsupported, missingLibrary
            case invalidRequest, outOfResources, other
        }

        fileprivate let storage: Storage

        /// The caller cancelled it.
        public static let cancelled = Kind(storage: .cancelled)
        /// The transport was shut down.
        public static let shutDown = Kind(storage: .shutDown)
        /// The sink wanted no more.
        public static let stopped = Kind(storage: .stopped)
        /// Only the cache was to be asked, and it holds nothing that answers.
        public static let notCached = Kind(storage: .notCached)

        /// Looking up, connecting and shaking hands took longer than ``Timeouts/connect``.
        public static let connectTimedOut = Kind(storage: .connectTimedOut)
        /// No byte passed for ``Timeouts/idle``.
        public static let idleTimedOut = Kind(storage: .idleTimedOut)
        /// The whole took longer than ``Timeouts/total``.
        public static let totalTimedOut = Kind(storage: .totalTimedOut)

        /// The host name has no address.
        public static let unresolvedHost = Kind(storage: .unresolvedHost)
        /// The proxy's name has no address.
        public static let unresolvedProxy = Kind(storage: .unresolvedProxy)
        /// No address of the host accepts connections.
        public static let cannotConnect = Kind(storage: .cannotConnect)
        /// The proxy did not open the way to the server.
        public static let proxyRefused = Kind(storage: .proxyRefused)

        /// The TLS handshake failed.
        public static let secureConnectionFailed = Kind(storage: .secureConnectionFailed)
        /// The server's certificate is not trusted, not valid now, or names another host.
        public static let untrustedCertificate = Kind(storage: .untrustedCertificate)
        /// The server's key is none of ``TLSOptions/pinnedPublicKey``.
        public static let pinMismatch = Kind(storage: .pinMismatch)
        /// ``TLSOptions/evaluation`` refused the server; nothing was sent.
        public static let trustRefused = Kind(storage: .trustRefused)
        /// The certificate or key of this side, or the file of authorities, cannot be used.
        public static let unusableCertificate = Kind(storage: .unusableCertificate)

        /// The body ended before its announced length, its last chunk or the end of its `Content-Encoding`.
        public static let truncated = Kind(storage: .truncated)
        /// The connection was closed or reset while request or response were under way.
        public static let connectionLost = Kind(storage: .connectionLost)
        /// What came is not HTTP.
        public static let malformedResponse = Kind(storage: .malformedResponse)
        /// The body does not decode as its `Content-Encoding` says, or something follows what does.
        public static let undecodableBody = Kind(storage: .undecodableBody)
        /// The body decoded to more than ``TransferLimits/decodingRatio`` allows; or a piece of it, in a `Transfer-Encoding`,
        /// to more than libcurl keeps (64 MiB) while the sink was full.
        public static let decodingOverflow = Kind(storage: .decodingOverflow)
        /// A head exceeded ``TransferLimits/headBytes`` or ``TransferLimits/headLines``.
        public static let headTooLarge = Kind(storage: .headTooLarge)
        /// More than ``TransferLimits/interimResponses`` came before the answer.
        public static let tooManyInterimResponses = Kind(storage: .tooManyInterimResponses)
        /// The body exceeded ``TransferLimits/bodyBytes``.
        public static let bodyTooLarge = Kind(storage: .bodyTooLarge)

        /// The request body had to be sent again and cannot be.
        public static let bodyNotRewindable = Kind(storage: .bodyNotRewindable)
        /// The request body could not be read to its end.
        public static let bodyUnreadable = Kind(storage: .bodyUnreadable)
        /// The libcurl in use was built without what the transfer needs.
        public static let unsupported = Kind(storage: .unsupported)
        /// A library that the transfer needs is not installed.
        public static let missingLibrary = Kind(storage: .missingLibrary)
        /// A method, a header or an option that must not be sent.
        public static let invalidRequest = Kind(storage: .invalidRequest)
        /// The system refused a descriptor, a thread or memory; ``TransferFailure/osErrorNumber`` is its reason.
        public static let outOfResources = Kind(storage: .outOfResources)
        /// No kind of its own; read ``TransferFailure/curlCode``.
        public static let other = Kind(storage: .other)

        /// Whether a deadline passed, whichever.
        public var isTimeout: Bool {
            self == .connectTimedOut || self == .idleTimedOut || self == .totalTimedOut
        }

        /// A word for reports, such as `idleTimedOut`.
        public var name: String { storage.rawValue }
    }

    /// The specific cause of a failure, for kinds with several causes. More may come.
    public struct Reason: Hashable, Sendable {
        fileprivate enum Storage: String, Hashable, Sendable {
            case headBytes, headLines, decodingRatio, fileChanged, responseLost, cipherList
            case hostMismatch, expired, notYetValid
        }

        fileprivate let storage: Storage

        /// Of ``Kind/headTooLarge``: ``TransferLimits/headBytes``. Without a reason it is libcurl's own limit.
        public static let headBytes = Reason(storage: .headBytes)
        /// Of ``Kind/headTooLarge``: ``TransferLimits/headLines``.
        public static let headLines = Reason(storage: .headLines)
        /// Of ``Kind/decodingOverflow``: ``TransferLimits/decodingRatio``. Without a reason it is libcurl's own limit.
        public static let decodingRatio = Reason(storage: .decodingRatio)
        /// Of ``Kind/bodyUnreadable``: the file became shorter or longer while it was sent.
        public static let fileChanged = Reason(storage: .fileChanged)
        /// Of ``Kind/connectionLost``: the server responded over HTTP/2 before it had the whole body, and libcurl dropped the
        /// response.
        public static let responseLost = Reason(storage: .responseLost)
        /// Of ``Kind/secureConnectionFailed``: the list of ciphers names none that OpenSSL has.
        public static let cipherList = Reason(storage: .cipherList)
        /// Of ``Kind/untrustedCertificate``: the certificate is for another host.
        public static let hostMismatch = Reason(storage: .hostMismatch)
        /// Of ``Kind/untrustedCertificate``: the certificate, or one that it depends on, has expired.
        public static let expired = Reason(storage: .expired)
        /// Of ``Kind/untrustedCertificate``: the certificate, or one that it depends on, is not yet valid.
        public static let notYetValid = Reason(storage: .notYetValid)

        /// A word for reports, such as `headLines`.
        public var name: String { storage.rawValue }
    }

    /// What went wrong, for programs; ``detail`` tells people.
    public let kind: Kind
    /// The specific cause; `nil` if only the kind is known.
    public let reason: Reason?
    /// libcurl's own number, for bug reports; zero where the failure is not libcurl's.
    public let curlCode: Int32
    /// A sentence without capital and full stop.
    public let detail: String
    /// The error number of the operating system, where one stands behind it.
    public let osErrorNumber: Int32?
    /// What the caller's own code threw, where that ended the transfer; of a ``Kind/trustRefused``, the verdict.
    public let underlyingError: (any Error)?
    /// What the layer above adds to go on later; nothing in this module knows what it means.
    package var resumption: [UInt8]?

    /// A failure; the defaults are those of one that neither libcurl nor the system reported.
    public init(
        _ kind: Kind,
        _ detail: String,
        reason: Reason? = nil,
        curlCode: Int32 = 0,
        osErrorNumber: Int32? = nil,
        underlyingError: (any Error)? = nil
    ) {
        self.kind = kind
        self.reason = reason
        self.curlCode = curlCode
        self.detail = detail
        self.osErrorNumber = osErrorNumber
        self.underlyingError = underlyingError
    }
}

extension TransferFailure: Hashable {
    /// Underlying errors are not compared: not every error can be, and ``detail`` tells what they say.
    public static func == (left: TransferFailure, right: TransferFailure) -> Bool {
        left.kind == right.kind && left.reason == right.reason && left.curlCode == right.curlCode
            && left.detail == right.detail && left.osErrorNumber == right.osErrorNumber
            && left.resumption == right.resumption
    }

    /// By kind, number and detail, some of what equality compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        hasher.combine(curlCode)
        hasher.combine(detail)
    }
}

extension TransferFailure: CustomStringConvertible {
    /// The ``detail``.
    public var description: String { detail }
}
