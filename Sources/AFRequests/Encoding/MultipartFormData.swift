public import FoundationEssentials
internal import Synchronization

/// A multipart form of named parts, texts and files, for the body of an upload (RFC 7578).
///
/// Parts are read chunk by chunk while the body is sent: a body may be of any size. Names and file names are escaped as
/// in browsers, so that a name cannot end its header.
///
/// `append` does not throw: the first error is stored and thrown when the body is created.
public final class MultipartFormData: Sendable {
    /// The default limit in bytes up to which uploads encode forms with streams in memory.
    ///
    /// Other bodies of any length are sent from their sources.
    public static let encodingMemoryThreshold: UInt64 = 10_000_000

    /// The boundary between the parts.
    public let boundary: String
    /// Whether parts are searched for the boundary.
    private let checksParts: Bool
    private let state = Mutex(State())

    private struct State {
        var parts: [MultipartPart] = []
        var failure: AFError?
    }

    /// Creates a form without parts.
    ///
    /// - Parameters:
    ///   - fileManager: Exists for compatibility with Alamofire; files are read with system calls.
    ///   - boundary: The boundary, which must not occur in the parts; random by default.
    ///   - checksParts: Whether a part that contains the given boundary is an error: immediately if it is in memory,
    /// else before the boundary is sent. `false` only if the boundary is random.
    public init(fileManager: FileManager = .default, boundary: String? = nil, checksParts: Bool = true) {
        self.boundary = boundary ?? MultipartBoundary.random()
        self.checksParts = checksParts && boundary != nil
    }

    /// Whether a boundary has 1 to 70 of the characters that RFC 2046 §5.1.1 allows and does not end in a space.
    public static func isValid(boundary: String) -> Bool { MultipartBoundary.isValid(boundary) }

    /// The `Content-Type` of the request.
    public var contentType: String { "multipart/form-data; boundary=\(boundary.quotedUnlessToken)" }

    /// The sum of the lengths of the parts' bodies, without headers and boundaries; parts of unknown length count 0.
    ///
    /// A sum that overflows is `UInt64.max`.
    public var contentLength: UInt64 {
        state.withLock { state in
            state.parts.reduce(0) { sum, part in
                let (sum, isTooMuch) = sum.addingReportingOverflow(part.length ?? 0)
                return isTooMuch ? .max : sum
            }
        }
    }

    /// The length of the complete body; `nil` if a part's length is unknown or the sum exceeds `Int64.max`.
    public var encodedLength: Int64? {
        let parts = state.withLock { $0.parts }
        guard !parts.isEmpty else { return 0 }
        var length = Int64(MultipartBoundary.closing(boundary).count)
        for (index, part) in parts.enumerated() {
            let head = Int64(MultipartBoundary.opening(boundary, isFirst: index == 0).count + part.head.count)
            guard let body = part.length.flatMap(Int64.init(exactly:)), body <= Int64.max - length - head else {
                return nil
            }
            length += head + body
        }
        return length
    }

    /// Appends a part; all other methods use this one.
    func append(_ part: MultipartPart) {
        let invalid = part.headers.first { !$0.isValid }
        state.withLock { state in
            state.parts.append(part)
            if let invalid, state.failure == nil {
                state.failure = .multipartEncodingFailed(reason: .bodyPartHeaderInvalid(invalid))
            }
        }
    }

    /// Stores the failure, if it is the first.
    func fail(_ reason: AFError.MultipartEncodingFailureReason) {
        state.withLock { state in
            state.failure = state.failure ?? .multipartEncodingFailed(reason: reason)
        }
    }

    /// Returns the body for the transport: read while it is sent, in constant memory, of known length if every part's
    /// is known, and repeatable if every part is. A body without parts is empty.
    ///
    /// - Throws: The first error of the `append` calls, or an error if a part in memory contains the boundary.
    public func makeBody() throws -> BodySource {
        let (parts, failure) = state.withLock { ($0.parts, $0.failure) }
        if let failure { throw failure }
        guard MultipartBoundary.isValid(boundary) else {
            let header = HTTPHeader.contentType(contentType)
            throw AFError.multipartEncodingFailed(reason: .bodyPartHeaderInvalid(header))
        }
        guard !parts.isEmpty else { return .bytes([]) }
        let sources = try parts.enumerated().flatMap { index, part in
            let body = Safety.refuses("25-boundary", checksParts) ? try part.checkedBody(boundary) : part.body
            return [.bytes(MultipartBoundary.opening(boundary, isFirst: index == 0) + part.head), body]
        }
        return .parts(sources + [.bytes(MultipartBoundary.closing(boundary))])
    }
}
