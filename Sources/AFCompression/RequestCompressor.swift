public import AFHTTP
public import AFRequests
public import FoundationEssentials

/// Compresses the bodies of requests if they are in memory (`URLRequest.httpBody`).
///
/// Servers must support that; few do unless configured to. Bodies of uploads are unchanged: use
/// ``CompressedUpload`` for those.
public struct RequestCompressor: RequestInterceptor {
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

    /// The coding.
    public let coding: ContentCoding
    /// The behavior for a request that already has a `Content-Encoding`.
    public let duplicateHeaderBehavior: DuplicateHeaderBehavior
    /// Whether to compress a body.
    public let shouldCompressBodyData: @Sendable (_ bodyData: Data) -> Bool

    /// Creates a compressor.
    ///
    /// - Parameters:
    ///   - coding: The coding; by default `deflate`, as in Alamofire.
    ///   - shouldCompressBodyData: Whether to compress a body; by default all are compressed.
    public init(
        coding: ContentCoding = .deflate,
        duplicateHeaderBehavior: DuplicateHeaderBehavior = .error,
        shouldCompressBodyData: @escaping @Sendable (_ bodyData: Data) -> Bool = { _ in true }
    ) {
        self.coding = coding
        self.duplicateHeaderBehavior = duplicateHeaderBehavior
        self.shouldCompressBodyData = shouldCompressBodyData
    }

    /// Compresses the body and sets `Content-Encoding`.
    public func adapt(
        _ urlRequest: URLRequest,
        for session: Session,
        completion: @escaping @Sendable (_ result: Result<URLRequest, any Error>) -> Void
    ) {
        completion(Result { try compress(urlRequest) })
    }

    private func compress(_ request: URLRequest) throws -> URLRequest {
        guard let body = request.httpBody, shouldCompressBodyData(body) else { return request }
        if request.headers["Content-Encoding"] != nil {
            switch duplicateHeaderBehavior {
            case .error: throw DuplicateHeaderError()
            case .replace: break
            case .skip: return request
            }
        }
        var request = request
        request.httpBody = try coding.compress(body)
        request.headers.update(.contentEncoding(coding.rawValue))
        // The length of the uncompressed body.
        request.headers.remove(name: "Content-Length")
        return request
    }
}

/// Alamofire's name: a ``RequestCompressor`` whose coding is `deflate` unless another one is chosen.
public typealias DeflateRequestCompressor = RequestCompressor

extension RequestInterceptor where Self == RequestCompressor {
    /// Compresses every body with `deflate`; one that is already encoded is an error.
    public static var deflateCompressor: RequestCompressor { RequestCompressor() }

    /// Returns a compressor with `deflate` of the bodies that the closure selects.
    public static func deflateCompressor(
        duplicateHeaderBehavior: RequestCompressor.DuplicateHeaderBehavior = .error,
        shouldCompressBodyData: @escaping @Sendable (_ bodyData: Data) -> Bool = { _ in true }
    ) -> RequestCompressor {
        compressor(
            .deflate, duplicateHeaderBehavior: duplicateHeaderBehavior, shouldCompressBodyData: shouldCompressBodyData)
    }

    /// A compressor with gzip.
    public static var gzipCompressor: RequestCompressor { RequestCompressor(coding: .gzip) }

    /// A compressor with Zstandard.
    public static var zstdCompressor: RequestCompressor { RequestCompressor(coding: .zstd) }

    /// Returns a compressor with a coding.
    public static func compressor(
        _ coding: ContentCoding,
        duplicateHeaderBehavior: RequestCompressor.DuplicateHeaderBehavior = .error,
        shouldCompressBodyData: @escaping @Sendable (_ bodyData: Data) -> Bool = { _ in true }
    ) -> RequestCompressor {
        RequestCompressor(
            coding: coding,
            duplicateHeaderBehavior: duplicateHeaderBehavior,
            shouldCompressBodyData: shouldCompressBodyData
        )
    }
}
