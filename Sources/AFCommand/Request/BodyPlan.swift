internal import AFHTTP

/// The body of a request, decided but not yet sent: files are only named.
enum BodyPlan: Equatable, Sendable {
    case none
    case bytes([UInt8])
    /// - Parameter size: In bytes; `nil` where only reading tells.
    case file(path: String, size: Int64?)
    /// - Parameter isTyped: Whether the boundary is the user's, so that a part may hold it.
    case multipart([PartPlan], boundary: String, isTyped: Bool = false)
    case standardInput(InputBody)
    /// A body that is compressed when it is sent; kept as it is, as nobody could tell secrets in the other.
    ///
    /// - Parameter size: In bytes once it is compressed; `nil` where only sending it tells.
    indirect case compressed(BodyPlan, size: Int64?)
}

/// One part of a multipart body.
struct PartPlan: Equatable, Sendable {
    enum Content: Equatable, Sendable {
        case bytes([UInt8])
        case file(path: String, size: Int64?)
        case standardInput(InputBody)
    }

    let name: String
    let content: Content
    /// Told to the server; `nil` for a part that is no file.
    var fileName: String?
    var contentType: String?
    /// Sent with the part, after its disposition and type.
    var headers: [HTTPHeader] = []

    var mediaType: MediaType? { contentType.flatMap(MediaType.init(parsing:)) }
}

extension BodyPlan {
    /// What to do about a part that contains the boundary.
    static let boundaryHint = "choose another boundary, or leave it out: a random one occurs in no part"

    /// The body before it is compressed.
    var content: BodyPlan { if case .compressed(let body, _) = self { body.content } else { self } }

    /// The complete body; `nil` unless it is in memory.
    var bytes: [UInt8]? {
        switch self {
        case .bytes(let bytes): bytes
        case .standardInput(let input) where input.isComplete: input.prefix
        case .none, .file, .multipart, .standardInput, .compressed: nil
        }
    }

    var isMultipart: Bool { if case .multipart = content { true } else { false } }

    /// Whether sending the body may take long enough to tell how far it is.
    var isLarge: Bool { contents.contains(where: \.isLarge) }

    /// Whether a part of the body can be read only once.
    var isStreamed: Bool { contents.contains(where: \.isStreamed) }

    /// Whether the body is a single stream, whose end is that of the body.
    var isOneStream: Bool {
        switch self {
        case .file(_, nil): true
        case .standardInput(let input): !input.isComplete
        case .compressed(let body, _): body.isOneStream
        case .none, .bytes, .file, .multipart: false
        }
    }

    /// For each source of the body, in order, whether it can be read only once.
    var streamedSources: [Bool] {
        guard case .multipart(let parts, _, _) = self, !parts.isEmpty else { return [isStreamed] }
        return parts.flatMap { [false, $0.content.isStreamed] } + [false]
    }

    private var contents: [PartPlan.Content] {
        switch self {
        case .none: []
        case .bytes(let bytes): [.bytes(bytes)]
        case .file(let path, let size): [.file(path: path, size: size)]
        case .multipart(let parts, _, _): parts.map(\.content)
        case .standardInput(let input): [.standardInput(input)]
        case .compressed(let body, _): body.contents
        }
    }
}

extension PartPlan.Content {
    fileprivate var isLarge: Bool {
        switch self {
        case .bytes: false
        case .file(_, let size): size.map { $0 > 1 << 20 } ?? true
        case .standardInput(let input): !input.isComplete
        }
    }

    fileprivate var isStreamed: Bool {
        switch self {
        case .bytes: false
        case .file(_, let size): size == nil
        case .standardInput(let input): !input.isComplete
        }
    }
}
