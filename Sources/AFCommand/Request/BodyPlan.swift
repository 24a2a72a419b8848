internal import AFHTTP

/// The planned body of a request: files are only referred to.
enum BodyPlan: Equatable, Sendable {
    case none
    case bytes([UInt8])
    /// A file, or a range of it.
    ///
    /// - Parameters:
    ///   - size: The size in bytes; `nil` if it is unknown.
    ///   - range: The bytes to send; `nil` for the complete file.
    case file(path: String, size: Int64?, range: Range<Int64>? = nil)
    /// A multipart body.
    ///
    /// - Parameter isTyped: Whether the user chose the boundary, so that a part may contain it.
    case multipart([PartPlan], boundary: String, isTyped: Bool = false)
    case standardInput(InputBody)
    /// A body that is compressed while it is sent. It is stored uncompressed, so that secrets in it can be recognized.
    ///
    /// - Parameter size: The compressed size in bytes; `nil` if it is unknown.
    indirect case compressed(BodyPlan, size: Int64?)
}

/// One part of a multipart body.
struct PartPlan: Equatable, Sendable {
    enum Content: Equatable, Sendable {
        case bytes([UInt8])
        case file(path: String, size: Int64?, range: Range<Int64>? = nil)
        case standardInput(InputBody)
    }

    let name: String
    let content: Content
    /// The file name sent to the server; `nil` for a part that is not a file.
    var fileName: String?
    var contentType: String?
    /// Additional header fields of the part, after its disposition and type.
    var headers: [HTTPHeader] = []

    var mediaType: MediaType? { contentType.flatMap(MediaType.init(parsing:)) }
}

extension BodyPlan {
    /// The hint for a part that contains the boundary.
    static let boundaryHint = "choose another boundary, or omit it: a random one does not occur in parts"

    /// The body before compression.
    var content: BodyPlan { if case .compressed(let body, _) = self { body.content } else { self } }

    /// The complete body; `nil` unless it is in memory.
    var bytes: [UInt8]? {
        switch self {
        case .bytes(let bytes): bytes
        case .standardInput(let input) where input.isComplete: input.prefix
        case .none, .file, .multipart, .standardInput, .compressed: nil
        }
    }

    /// The source of a body that is a file or standard input, for messages.
    var sourceName: String? {
        switch content {
        case .file(let path, _, _): "'\(path)'"
        case .standardInput: "standard input"
        case .none, .bytes, .multipart, .compressed: nil
        }
    }

    var isMultipart: Bool { if case .multipart = content { true } else { false } }

    /// Whether the body is large enough for a progress display.
    var isLarge: Bool { contents.contains(where: \.isLarge) }

    /// Whether a part of the body can be read only once.
    var isStreamed: Bool { contents.contains(where: \.isStreamed) }

    /// Whether the body can be sent again.
    var isRepeatable: Bool { contents.allSatisfy(\.isRepeatable) }

    /// Whether the body is a single stream.
    var isSingleStream: Bool {
        switch self {
        case .file(_, nil, _): true
        case .standardInput(let input): !input.isComplete
        case .compressed(let body, _): body.isSingleStream
        case .none, .bytes, .file, .multipart: false
        }
    }

    /// Whether each source of the body, in order, can be read only once.
    var streamedSources: [Bool] {
        guard case .multipart(let parts, _, _) = self, !parts.isEmpty else { return [isStreamed] }
        return parts.flatMap { [false, $0.content.isStreamed] } + [false]
    }

    private var contents: [PartPlan.Content] {
        switch self {
        case .none: []
        case .bytes(let bytes): [.bytes(bytes)]
        case .file(let path, let size, let range): [.file(path: path, size: size, range: range)]
        case .multipart(let parts, _, _): parts.map(\.content)
        case .standardInput(let input): [.standardInput(input)]
        case .compressed(let body, _): body.contents
        }
    }
}

extension PartPlan.Content {
    /// The path of the file; `nil` for other sources.
    var path: String? { if case .file(let path, _, _) = self { path } else { nil } }

    fileprivate var isRepeatable: Bool {
        if case .standardInput(let input) = self { input.isComplete || input.isRewindable } else { !isStreamed }
    }

    fileprivate var isLarge: Bool {
        switch self {
        case .bytes: false
        case .file(_, let size, _): size.map { $0 > 1 << 20 } ?? true
        case .standardInput(let input): !input.isComplete
        }
    }

    fileprivate var isStreamed: Bool {
        switch self {
        case .bytes: false
        case .file(_, let size, _): size == nil
        case .standardInput(let input): !input.isComplete
        }
    }
}
