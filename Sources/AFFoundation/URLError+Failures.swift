public import AFCore
public import AFTransport
public import Foundation

extension URLError {
    /// The nearest that Foundation has to a failure of the transport, for code that decides by Foundation's codes.
    ///
    /// The failure itself is in `userInfo` under `NSUnderlyingErrorKey`.
    public init(_ failure: TransferFailure) {
        let userInfo: [String: Any] = [NSUnderlyingErrorKey: failure, NSLocalizedDescriptionKey: failure.detail]
        self.init(Code(failure.kind), userInfo: userInfo)
    }
}

extension AFError {
    /// The nearest that Foundation has to what went wrong below; `nil` where the transport did not fail.
    public var urlError: URLError? {
        (underlyingError as? URLError) ?? (underlyingError as? TransferFailure).map(URLError.init)
    }
}

extension URLError.Code {
    fileprivate init(_ kind: TransferFailure.Kind) {
        self =
            switch kind {
            case .cancelled, .shutDown, .stopped: .cancelled
            case .connectTimedOut, .idleTimedOut, .totalTimedOut: .timedOut
            case .unresolvedHost, .unresolvedProxy: .cannotFindHost
            case .cannotConnect, .proxyRefused: .cannotConnectToHost
            case .secureConnectionFailed, .unusableCertificate: .secureConnectionFailed
            case .untrustedCertificate, .pinMismatch, .trustRefused: .serverCertificateUntrusted
            case .truncated, .connectionLost: .networkConnectionLost
            case .malformedResponse, .headTooLarge, .tooManyInterimResponses: .badServerResponse
            case .undecodableBody, .decodingOverflow: .cannotDecodeContentData
            case .bodyTooLarge: .dataLengthExceedsMaximum
            case .bodyNotRewindable, .bodyUnreadable: .requestBodyStreamExhausted
            case .unsupported: .unsupportedURL
            case .invalidRequest: .badURL
            default: .unknown
            }
    }
}
