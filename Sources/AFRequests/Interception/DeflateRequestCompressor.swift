public import AFHTTP
public import FoundationEssentials

/// Compresses the bodies of requests with `deflate` if they are in memory (`URLRequest.httpBody`).
///
/// ``RequestCompressor`` supports other codings, ``CompressedUpload`` files and streams.
public struct DeflateRequestCompressor: RequestInterceptor {
    /// The behavior for a request that already has a `Content-Encoding`.
    public enum DuplicateHeaderBehavior: Hashable, Sendable {
        /// Fails the request with ``DuplicateHeaderError``.
        case error
        /// Compresses the body and replaces the field.
        case replace
        /// Sends the request unchanged.
        case skip
    }

    /// The error for a request that already has a `Content-Encoding`.
    public struct DuplicateHeaderError: Error, Hashable, Sendable, CustomStringConvertible {
        /// Creates the error.
        public init() {}

        /// The message: lower case, without full stop.
        public var description: String { "the request already has a Content-Encoding" }
    }

    /// The behavior for a request that already has a `Content-Encoding`.
    public let duplicateHeaderBehavior: DuplicateHeaderBehavior
    /// Whether to compress a body.
    public let shouldCompressBodyData: @Sendable (_ bodyData: Data) -> Bool

    /// Creates a compressor.
    ///
    /// - Parameter shouldCompressBodyData: Whether to compress a body; by default all are compressed.
    public init(
        duplicateHeaderBehavior: DuplicateHeaderBehavior = .error,
        shouldCompressBodyData: @escaping @Sendable (_ bodyData: Data) -> Bool = { _ in true }
    ) {
        self.duplicateHeaderBehavior = duplicateHeaderBehavior
        self.shouldCompressBodyData = shouldCompressBodyData
    }

    /// Compresses the body and sets `Content-Encoding`.
    public func adapt(
        _ urlRequest: URLRequest,
        for session: Session,
        completion: @escaping @Sendable (_ result: Result<URLRequest, any Error>) -> Void
    ) {
        let compressor = RequestCompressor(
            coding: .deflate,
            duplicateHeaderBehavior: duplicateHeaderBehavior,
            shouldCompressBodyData: shouldCompressBodyData
        )
        compressor.adapt(urlRequest, for: session, completion: completion)
    }
}

extension RequestInterceptor where Self == DeflateRequestCompressor {
    /// Compresses every body; one that is already encoded is an error.
    public static var deflateCompressor: DeflateRequestCompressor { DeflateRequestCompressor() }

    /// Returns a compressor of the bodies that the closure selects.
    public static func deflateCompressor(
        duplicateHeaderBehavior: DeflateRequestCompressor.DuplicateHeaderBehavior = .error,
        shouldCompressBodyData: @escaping @Sendable (_ bodyData: Data) -> Bool = { _ in true }
    ) -> DeflateRequestCompressor {
        DeflateRequestCompressor(
            duplicateHeaderBehavior: duplicateHeaderBehavior,
            shouldCompressBodyData: shouldCompressBodyData
        )
    }
}
