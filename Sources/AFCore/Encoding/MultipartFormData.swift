public import FoundationEssentials
internal import Synchronization

/// A form of named parts, texts and files, for the body of an upload (RFC 7578).
///
/// Nothing is read before the body is sent, and what is sent is read piece by piece: a body may be of any size.
/// Names and file names are escaped the way browsers do, so that no name can end its header early.
///
/// `append` never throws: the first thing that goes wrong is kept and thrown when the body is made.
public final class MultipartFormData: Sendable {
    /// The body length in bytes up to which uploads put forms with streams together in memory, unless they are told another.
    ///
    /// Other bodies of any length are sent from where they are.
    public static let encodingMemoryThreshold: UInt64 = 10_000_000

    /// What stands between the parts.
    public let boundary: String
    /// Whether the boundary is looked for in the parts.
    private let checksParts: Bool
    private let contents = Mutex(Contents())

    private struct Contents {
        var parts: [MultipartPart] = []
        var failure: AFError?
    }

    /// A form without parts.
    ///
    /// - Parameters:
    ///   - fileManager: Here for code that names it; files are read by the system's own calls.
    ///   - boundary: What stands between the parts and must not stand in them; random unless given.
    ///   - checksParts: Whether a part that holds the given boundary is an error: at once if it is in memory, else when it
    ///     is sent, before the boundary goes out. `false` only if the boundary is random.
    public init(fileManager: FileManager = .default, boundary: String? = nil, checksParts: Bool = true) {
        self.boundary = boundary ?? MultipartBoundary.random()
        self.checksParts = checksParts && boundary != nil
    }

    /// Whether a boundary has 1 to 70 of the characters that RFC 2046 §5.1.1 allows, and no space at its end.
    public static func isValid(boundary: String) -> Bool { MultipartBoundary.isValid(boundary) }

    /// What the request's `Content-Type` has to be.
    public var contentType: String { "multipart/form-data; boundary=\(boundary.quotedUnlessToken)" }

    /// The sum of the lengths of the parts' bodies, without headers and boundaries; parts of unknown length count 0.
    ///
    /// A sum that is too large is `UInt64.max`.
    public var contentLength: UInt64 {
        contents.withLock { contents in
            contents.parts.reduce(0) { sum, part in
                let (sum, isTooMuch) = sum.addingReportingOverflow(part.length ?? 0)
                return isTooMuch ? .max : sum
            }
        }
    }

    /// The length of the whole body; `nil` while a part's length is unknown, and where it is above `Int64.max`.
    public var encodedLength: Int64? {
        let parts = contents.withLock { $0.parts }
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

    /// Appends a part; whoever makes parts of another kind appends them through this.
    func append(_ part: MultipartPart) {
        let invalid = part.headers.first { !$0.isValid }
        contents.withLock { contents in
            contents.parts.append(part)
            if let invalid, contents.failure == nil {
                contents.failure = .multipartEncodingFailed(reason: .bodyPartHeaderInvalid(invalid))
            }
        }
    }

    /// Keeps the failure, if it is the first.
    func fail(_ reason: AFError.MultipartEncodingFailureReason) {
        contents.withLock { contents in
            contents.failure = contents.failure ?? .multipartEncodingFailed(reason: reason)
        }
    }

    /// The body as the transport takes it: read while it is sent, in flat memory, of known length where every part's
    /// is known, and sent again where every part can be. A body without parts is empty.
    ///
    /// - Throws: The first error of the `append` calls, or that a part in memory holds the boundary.
    public func makeBody() throws -> BodySource {
        let (parts, failure) = contents.withLock { ($0.parts, $0.failure) }
        if let failure { throw failure }
        guard MultipartBoundary.isValid(boundary) else {
            let header = HTTPHeader.contentType(contentType)
            throw AFError.multipartEncodingFailed(reason: .bodyPartHeaderInvalid(header))
        }
        guard !parts.isEmpty else { return .bytes([]) }
        let sources = try parts.enumerated().flatMap { index, part in
            let body = checksParts ? try part.checkedBody(boundary) : part.body
            return [.bytes(MultipartBoundary.opening(boundary, isFirst: index == 0) + part.head), body]
        }
        return .parts(sources + [.bytes(MultipartBoundary.closing(boundary))])
    }
}
