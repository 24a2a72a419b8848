public import AFHTTP
public import FoundationEssentials

/// Compresses the bodies of requests, where they are in memory (`URLRequest.httpBody`).
///
/// Servers must know how to undo that; few do unless they are told to. Bodies of uploads are left as they are:
/// ``CompressedUpload`` is for those.
public struct RequestCompressor: RequestInterceptor {
    /// What happens to a request that says already how its body is encoded.
    public typealias DuplicateHeaderBehavior = DeflateRequestCompressor.DuplicateHeaderBehavior

    /// How bodies are compressed.
    public let coding: ContentCoding
    /// What happens to a request that says already how its body is encoded.
    public let duplicateHeaderBehavior: DuplicateHeaderBehavior
    /// Whether a body is worth it.
    public let shouldCompressBodyData: @Sendable (_ bodyData: Data) -> Bool

    /// - Parameter shouldCompressBodyData: Whether a body is worth it; all are unless it says otherwise.
    public init(
        coding: ContentCoding,
        duplicateHeaderBehavior: DuplicateHeaderBehavior = .error,
        shouldCompressBodyData: @escaping @Sendable (_ bodyData: Data) -> Bool = { _ in true }
    ) {
        self.coding = coding
        self.duplicateHeaderBehavior = duplicateHeaderBehavior
        self.shouldCompressBodyData = shouldCompressBodyData
    }

    /// Compresses the body and says so in `Content-Encoding`.
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
            case .error: throw DeflateRequestCompressor.DuplicateHeaderError()
            case .replace: break
            case .skip: return request
            }
        }
        var request = request
        request.httpBody = try coding.compress(body)
        request.headers.update(.contentEncoding(coding.rawValue))
        // That of the body as it was before.
        request.headers.remove(name: "Content-Length")
        return request
    }
}

extension RequestInterceptor where Self == RequestCompressor {
    /// Compresses with gzip.
    public static var gzipCompressor: RequestCompressor { RequestCompressor(coding: .gzip) }

    /// Compresses with Zstandard.
    public static var zstdCompressor: RequestCompressor { RequestCompressor(coding: .zstd) }

    /// Compresses in the given way.
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
