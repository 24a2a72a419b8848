public import AFCore
public import AFTransport
public import Foundation
internal import Glibc

/// Converts the failures of transfers to `URLError`s, and those of destinations to `CocoaError`s, for code that checks
/// Foundation's codes.
///
/// ```swift
/// var configuration = SessionConfiguration.default
/// configuration.transferErrorConverter = URLErrorConverter()
/// ```
public struct URLErrorConverter: TransferErrorConverter {
    /// Creates a converter; all are equal.
    public init() {}

    /// Returns a `URLError` with the nearest code and the URL as `failingURL`, or a `CocoaError` with the nearest code,
    /// and the failure itself in `userInfo`.
    public func error(for failure: any Error, at url: URL?) -> any Error {
        switch failure {
        case let failure as TransferFailure: URLError(failure, at: url)
        case let failure as RedirectFailure: URLError(failure, at: url)
        case let failure as DownloadFailure: CocoaError(failure)
        default: failure
        }
    }
}

extension CocoaError {
    /// Creates the nearest `CocoaError` to a download that could not be saved.
    ///
    /// The failure itself is in `userInfo` under `NSUnderlyingErrorKey`.
    public init(_ failure: DownloadFailure) {
        let code: Code =
            switch failure.reason {
            case .destinationExists, .destinationIsDirectory: .fileWriteFileExists
            case .system(ENOENT): .fileNoSuchFile
            case .system(EACCES), .system(EPERM): .fileWriteNoPermission
            case .system(EROFS): .fileWriteVolumeReadOnly
            case .system(ENOSPC), .system(EDQUOT): .fileWriteOutOfSpace
            case .system(ENAMETOOLONG): .fileWriteInvalidFileName
            default: .fileWriteUnknown
            }
        self.init(
            code,
            userInfo: [
                NSUnderlyingErrorKey: failure, NSLocalizedDescriptionKey: failure.description,
                NSFilePathErrorKey: failure.path,
            ]
        )
    }
}

extension URLError {
    /// Creates the nearest `URLError` to a failure of the transport.
    ///
    /// The failure itself is in `userInfo` under `NSUnderlyingErrorKey`.
    ///
    /// - Parameter url: The `failingURL`.
    public init(_ failure: TransferFailure, at url: URL? = nil) {
        let isOffline = failure.kind == .cannotConnect && failure.osErrorNumber == ENETUNREACH
        let code = isOffline ? .notConnectedToInternet : Code(failure.kind)
        self.init(code, failure, failure.detail, at: url)
    }

    /// Creates the nearest `URLError` to a redirect that was not followed.
    ///
    /// The failure itself is in `userInfo` under `NSUnderlyingErrorKey`.
    ///
    /// - Parameter url: The `failingURL`.
    public init(_ failure: RedirectFailure, at url: URL? = nil) {
        let code: Code =
            switch failure.reason {
            case .tooMany: .httpTooManyRedirects
            case .downgrade: .appTransportSecurityRequiresSecureConnection
            case .unsupportedScheme, .excludedScheme: .unsupportedURL
            case .invalidLocation, .otherHost: .redirectToNonExistentLocation
            case .bodyNotRewindable: .requestBodyStreamExhausted
            }
        self.init(code, failure, failure.description, at: url)
    }

    private init(_ code: Code, _ failure: any Error, _ description: String, at url: URL?) {
        var userInfo: [String: Any] = [NSUnderlyingErrorKey: failure, NSLocalizedDescriptionKey: description]
        userInfo[NSURLErrorFailingURLErrorKey] = url
        self.init(code, userInfo: userInfo)
    }
}

extension URLError: TransferFailureConvertible {
    /// The transport failure that caused the error, else the nearest one to its code; `nil` for codes of other causes.
    public var transferFailure: TransferFailure? {
        if let failure = userInfo[NSUnderlyingErrorKey] as? TransferFailure { return failure }
        guard let kind = TransferFailure.Kind(code) else { return nil }
        let number = code == .notConnectedToInternet ? ENETUNREACH : nil
        return TransferFailure(kind, localizedDescription, osErrorNumber: number, underlyingError: self)
    }
}

extension URLError: ResumableError {
    /// The resume data for `Session.download(resumingWith:)`; `nil` if the download cannot be resumed.
    public var resumeData: Data? { (userInfo[NSUnderlyingErrorKey] as? TransferFailure)?.resumeData }
}

extension AFError {
    /// The nearest `URLError`; `nil` unless the transport failed.
    public var urlError: URLError? {
        (underlyingError as? URLError) ?? (underlyingError as? TransferFailure).map { URLError($0) }
    }
}

extension URLError.Code {
    fileprivate init(_ kind: TransferFailure.Kind) {
        self =
            switch kind {
            case .cancelled, .shutDown, .stopped: .cancelled
            case .notCached: .resourceUnavailable
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
            case .unsupported, .missingLibrary: .unsupportedURL
            case .invalidRequest: .badURL
            default: .unknown
            }
    }
}

extension TransferFailure.Kind {
    /// Converts the code, so that Alamofire's retryable codes are retryable here, too.
    fileprivate init?(_ code: URLError.Code) {
        switch code {
        case .cancelled: self = .cancelled
        case .resourceUnavailable: self = .notCached
        case .timedOut: self = .idleTimedOut
        case .cannotFindHost, .dnsLookupFailed: self = .unresolvedHost
        case .cannotConnectToHost, .notConnectedToInternet, .cannotLoadFromNetwork, .dataNotAllowed, .callIsActive,
            .internationalRoamingOff, .backgroundSessionInUseByAnotherProcess, .backgroundSessionWasDisconnected:
            self = .cannotConnect
        case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateNotYetValid:
            self = .secureConnectionFailed
        case .serverCertificateUntrusted, .serverCertificateHasUnknownRoot: self = .untrustedCertificate
        case .clientCertificateRejected, .clientCertificateRequired: self = .unusableCertificate
        case .networkConnectionLost: self = .connectionLost
        case .badServerResponse, .downloadDecodingFailedMidStream, .downloadDecodingFailedToComplete:
            self = .malformedResponse
        case .cannotDecodeContentData, .cannotDecodeRawData: self = .undecodableBody
        case .dataLengthExceedsMaximum: self = .bodyTooLarge
        case .requestBodyStreamExhausted: self = .bodyNotRewindable
        case .unsupportedURL: self = .unsupported
        case .badURL: self = .invalidRequest
        default: return nil
        }
    }
}
