/// The reason why a transfer ended before its response was complete.
public struct TransferFailure: Error, Sendable {
    /// The kind of failure, stable enough to switch over. More kinds may be added.
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

        /// The caller canceled the transfer.
        public static let cancelled = Kind(storage: .cancelled)
        /// The transport was shut down.
        public static let shutDown = Kind(storage: .shutDown)
        /// The sink stopped the transfer.
        public static let stopped = Kind(storage: .stopped)
        /// The cache policy forbids network access, and the cache has no usable response.
        public static let notCached = Kind(storage: .notCached)

        /// Name lookup, connection and handshakes took longer than ``Timeouts/connect``.
        public static let connectTimedOut = Kind(storage: .connectTimedOut)
        /// No byte was transferred for ``Timeouts/idle``.
        public static let idleTimedOut = Kind(storage: .idleTimedOut)
        /// The transfer took longer than ``Timeouts/total``.
        public static let totalTimedOut = Kind(storage: .totalTimedOut)

        /// The host name could not be resolved.
        public static let unresolvedHost = Kind(storage: .unresolvedHost)
        /// The proxy's name could not be resolved.
        public static let unresolvedProxy = Kind(storage: .unresolvedProxy)
        /// No address of the host accepts connections.
        public static let cannotConnect = Kind(storage: .cannotConnect)
        /// The proxy did not establish a connection to the server.
        public static let proxyRefused = Kind(storage: .proxyRefused)

        /// The TLS handshake failed.
        public static let secureConnectionFailed = Kind(storage: .secureConnectionFailed)
        /// The server's certificate is not trusted, not currently valid, or for another host.
        public static let untrustedCertificate = Kind(storage: .untrustedCertificate)
        /// The server's key is not among ``TLSOptions/pinnedPublicKey``.
        public static let pinMismatch = Kind(storage: .pinMismatch)
        /// ``TLSOptions/evaluation`` rejected the server; nothing was sent.
        public static let trustRefused = Kind(storage: .trustRefused)
        /// The client certificate, its key or the file of authorities cannot be used.
        public static let unusableCertificate = Kind(storage: .unusableCertificate)

        /// The body ended before its announced length, its last chunk or the end of its `Content-Encoding`.
        public static let truncated = Kind(storage: .truncated)
        /// The connection was closed or reset during the request or response.
        public static let connectionLost = Kind(storage: .connectionLost)
        /// The response is not HTTP.
        public static let malformedResponse = Kind(storage: .malformedResponse)
        /// The body cannot be decoded according to its `Content-Encoding`, or bytes follow the coded data.
        public static let undecodableBody = Kind(storage: .undecodableBody)
        /// The decoded body exceeded ``TransferLimits/decodingRatio``; or a chunk of it, decoded from a
        /// `Transfer-Encoding`, exceeded libcurl's buffer (64 MiB) while the sink was full.
        public static let decodingOverflow = Kind(storage: .decodingOverflow)
        /// A header exceeded ``TransferLimits/headBytes`` or ``TransferLimits/headLines``.
        public static let headTooLarge = Kind(storage: .headTooLarge)
        /// The number of interim responses exceeded ``TransferLimits/interimResponses``.
        public static let tooManyInterimResponses = Kind(storage: .tooManyInterimResponses)
        /// The body exceeded ``TransferLimits/bodyBytes``.
        public static let bodyTooLarge = Kind(storage: .bodyTooLarge)

        /// The request body must be sent again and cannot be rewound.
        public static let bodyNotRewindable = Kind(storage: .bodyNotRewindable)
        /// The request body could not be read completely.
        public static let bodyUnreadable = Kind(storage: .bodyUnreadable)
        /// The libcurl in use lacks a feature that the transfer needs.
        public static let unsupported = Kind(storage: .unsupported)
        /// A library that the transfer needs is not installed.
        public static let missingLibrary = Kind(storage: .missingLibrary)
        /// A method, a header field or an option is invalid.
        public static let invalidRequest = Kind(storage: .invalidRequest)
        /// The system refused a descriptor, a thread or memory; ``TransferFailure/osErrorNumber`` has the reason.
        public static let outOfResources = Kind(storage: .outOfResources)
        /// Any other failure; see ``TransferFailure/curlCode``.
        public static let other = Kind(storage: .other)

        /// Whether a timeout expired.
        public var isTimeout: Bool {
            self == .connectTimedOut || self == .idleTimedOut || self == .totalTimedOut
        }

        /// The name for reports, such as `idleTimedOut`.
        public var name: String { storage.rawValue }
    }

    /// The specific cause of a failure, for kinds with several causes. More may be added.
    public struct Reason: Hashable, Sendable {
        fileprivate enum Storage: String, Hashable, Sendable {
            case headBytes, headLines, decodingRatio, fileChanged, responseLost, cipherList
            case hostMismatch, expired, notYetValid, certificateRequired, certificateRejected, privateKey,
                revocationList
            case notHTTP, notTLS, tlsInstead, chunkedCoding, transferCoding, proxyAuthentication, streamReset,
                streamRefused,
                protocolError
            case silentBody, authorities, tunnelRefused, targetUnreachable, addressType, interface
            case tlsDisagreement, handshakeClosed, noHTTP2, http2Instead, http2HeadBytes
        }

        fileprivate let storage: Storage

        /// For ``Kind/headTooLarge``: ``TransferLimits/headBytes``. Without a reason, libcurl's own limit was exceeded.
        public static let headBytes = Reason(storage: .headBytes)
        /// For ``Kind/headTooLarge``: ``TransferLimits/headLines``.
        public static let headLines = Reason(storage: .headLines)
        /// For ``Kind/decodingOverflow``: ``TransferLimits/decodingRatio``. Without a reason, libcurl's own limit was
        /// exceeded.
        public static let decodingRatio = Reason(storage: .decodingRatio)
        /// For ``Kind/bodyUnreadable``: the file changed its length while it was sent.
        public static let fileChanged = Reason(storage: .fileChanged)
        /// For ``Kind/connectionLost``: the server responded over HTTP/2 before it had the complete body, and libcurl
        /// dropped the response.
        public static let responseLost = Reason(storage: .responseLost)
        /// For ``Kind/cannotConnect``: ``NetworkOptions/interface`` cannot be used.
        public static let interface = Reason(storage: .interface)
        /// For ``Kind/secureConnectionFailed``: OpenSSL supports none of the configured ciphers.
        public static let cipherList = Reason(storage: .cipherList)
        /// For ``Kind/untrustedCertificate``: the certificate is for another host. For ``Kind/secureConnectionFailed``: the
        /// server has no certificate for the host.
        public static let hostMismatch = Reason(storage: .hostMismatch)
        /// For ``Kind/untrustedCertificate``: the certificate, or one of its issuers, has expired.
        public static let expired = Reason(storage: .expired)
        /// For ``Kind/untrustedCertificate``: the certificate, or one of its issuers, is not yet valid.
        public static let notYetValid = Reason(storage: .notYetValid)
        /// For ``Kind/secureConnectionFailed``: the port does not use TLS.
        public static let notTLS = Reason(storage: .notTLS)
        /// For ``Kind/secureConnectionFailed``: the server uses TLS, but sent an alert, or chose a version that is not
        /// enabled.
        public static let tlsDisagreement = Reason(storage: .tlsDisagreement)
        /// For ``Kind/secureConnectionFailed``: the server closed the connection during the handshake.
        public static let handshakeClosed = Reason(storage: .handshakeClosed)
        /// For ``Kind/secureConnectionFailed``: the server requires a client certificate.
        public static let certificateRequired = Reason(storage: .certificateRequired)
        /// For ``Kind/secureConnectionFailed``: the server rejected the client certificate.
        public static let certificateRejected = Reason(storage: .certificateRejected)
        /// For ``Kind/unusableCertificate``: the private key of the client certificate, or its password.
        public static let privateKey = Reason(storage: .privateKey)
        /// For ``Kind/unusableCertificate``: the file of revoked certificates (`CURLE_SSL_CRL_BADFILE`).
        public static let revocationList = Reason(storage: .revocationList)
        /// For ``Kind/malformedResponse``: the port does not use HTTP.
        public static let notHTTP = Reason(storage: .notHTTP)
        /// For ``Kind/malformedResponse``: the server uses TLS on this port.
        public static let tlsInstead = Reason(storage: .tlsInstead)
        /// For ``Kind/malformedResponse``: the server supports only HTTP/2 on this port.
        public static let http2Instead = Reason(storage: .http2Instead)
        /// For ``Kind/malformedResponse`` and ``Kind/connectionLost``: HTTP/2 was used without negotiation, and no frame of
        /// it was received.
        public static let noHTTP2 = Reason(storage: .noHTTP2)
        /// For ``Kind/headTooLarge``: libcurl's own limit over HTTP/2.
        public static let http2HeadBytes = Reason(storage: .http2HeadBytes)
        /// For ``Kind/malformedResponse``: the server broke the rules of HTTP/2 (RFC 9113).
        public static let protocolError = Reason(storage: .protocolError)
        /// For ``Kind/malformedResponse``: the response has a transfer coding that was not requested.
        public static let transferCoding = Reason(storage: .transferCoding)
        /// For ``Kind/malformedResponse``: the chunks of the body are malformed.
        public static let chunkedCoding = Reason(storage: .chunkedCoding)
        /// For ``Kind/proxyRefused``: the proxy responded to CONNECT with 407, or a SOCKS proxy rejected the credentials.
        public static let proxyAuthentication = Reason(storage: .proxyAuthentication)
        /// For ``Kind/proxyRefused``: the proxy responded to CONNECT with another unsuccessful status, or the rules of a
        /// SOCKS proxy exclude the server.
        public static let tunnelRefused = Reason(storage: .tunnelRefused)
        /// For ``Kind/proxyRefused``: the proxy could not connect to the server, according to the reply of SOCKS or to the
        /// status 404, 502, 503 or 504 for CONNECT.
        public static let targetUnreachable = Reason(storage: .targetUnreachable)
        /// For ``Kind/proxyRefused``: the SOCKS proxy, or SOCKS 4 itself, does not support the server's type of address.
        public static let addressType = Reason(storage: .addressType)
        /// For ``Kind/idleTimedOut``: the ``BodyStream`` of the request body delivered no bytes.
        public static let silentBody = Reason(storage: .silentBody)
        /// For ``Kind/unusableCertificate``: the file of authorities.
        public static let authorities = Reason(storage: .authorities)
        /// For ``Kind/connectionLost``: the server reset the HTTP/2 stream and its repetition, without processing the
        /// request (RFC 9113 §8.7).
        public static let streamRefused = Reason(storage: .streamRefused)
        /// For ``Kind/connectionLost``: the server reset the HTTP/2 stream.
        public static let streamReset = Reason(storage: .streamReset)

        /// The name for reports, such as `headLines`.
        public var name: String { storage.rawValue }
    }

    /// The kind of failure, for programs; ``detail`` is for people.
    public let kind: Kind
    /// The specific cause; `nil` if only the kind is known.
    public let reason: Reason?
    /// libcurl's result code, for bug reports; zero if libcurl did not report the failure.
    public let curlCode: Int32
    /// The message: lower case, without full stop.
    public let detail: String
    /// The error number of the operating system, if it caused the failure.
    public let osErrorNumber: Int32?
    /// The error of the caller's callback that ended the transfer; for ``Kind/trustRefused``, the evaluation's error.
    public let underlyingError: (any Error)?
    /// Whether ``Kind/secureConnectionFailed`` or ``Kind/untrustedCertificate`` is of the connection to the proxy, not to
    /// the server; `false` for other kinds.
    public package(set) var isOfProxy = false
    /// Data of the layer above for resuming; opaque to this module.
    package var resumption: [UInt8]?

    /// Creates a failure; the defaults are for one that neither libcurl nor the system reported.
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
    /// Underlying errors are not compared: not every error is equatable, and ``detail`` has their message.
    public static func == (left: TransferFailure, right: TransferFailure) -> Bool {
        left.kind == right.kind && left.reason == right.reason && left.curlCode == right.curlCode
            && left.detail == right.detail && left.osErrorNumber == right.osErrorNumber
            && left.isOfProxy == right.isOfProxy
            && left.resumption == right.resumption
    }

    /// Hashes the kind, the code and the message.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        hasher.combine(curlCode)
        hasher.combine(detail)
    }
}

extension TransferFailure: CustomStringConvertible {
    /// The text of the failure; see ``detail``.
    public var description: String { detail }
}
