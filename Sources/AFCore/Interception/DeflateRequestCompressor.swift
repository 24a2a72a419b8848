public import AFHTTP
public import FoundationEssentials

/// Compresses the bodies of requests with `deflate`, where they are in memory (`URLRequest.httpBody`).
///
/// ``RequestCompressor`` does the same in other ways, ``CompressedUpload`` with files and streams.
public struct DeflateRequestCompressor: RequestInterceptor {
    /// What happens to a request that says already how its body is encoded.
    public enum DuplicateHeaderBehavior: Hashable, Sendable {
        /// It fails with ``DuplicateHeaderError``.
        case error
        /// It is compressed, and says so instead.
        case replace
        /// It is sent as it is.
        case skip
    }

    /// A request with a `Content-Encoding` came to a compressor that takes none.
    public struct DuplicateHeaderError: Error, Hashable, Sendable, CustomStringConvertible {
        /// It knows no more than its type says.
        public init() {}

        /// A clause without capital and full stop.
        public var description: String { "the body of the request is encoded already" }
    }

    /// What happens to a request that says already how its body is encoded.
    public let duplicateHeaderBehavior: DuplicateHeaderBehavior
    /// Whether a body is worth it.
    public let shouldCompressBodyData: @Sendable (_ bodyData: Data) -> Bool

    /// - Parameter shouldCompressBodyData: Whether a body is worth it; all are unless it says otherwise.
    public init(
        duplicateHeaderBehavior: DuplicateHeaderBehavior = .error,
        shouldCompressBodyData: @escaping @Sendable (_ bodyData: Data) -> Bool = { _ in true }
    ) {
        self.duplicateHeaderBehavior = duplicateHeaderBehavior
        self.shouldCompressBodyData = shouldCompressBodyData
    }

    /// Compresses the body and says so in `Content-Encoding`.
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
    /// Compresses every body; one that is encoded already is an error.
    public static var deflateCompressor: DeflateRequestCompressor { DeflateRequestCompressor() }

    /// Compresses the bodies that the closure says are worth it.
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
