internal import AFHTTP

/// The body of a request, decided but not yet sent: files are only named.
enum BodyPlan: Equatable, Sendable {
    case none
    case bytes([UInt8])
    /// - Parameter size: In bytes; `nil` where only reading tells.
    case file(path: String, size: Int64?)
    case multipart([PartPlan], boundary: String)
    /// Descriptor 0 from its position to its end.
    case standardInput(size: Int64?)
}

/// One part of a multipart body.
struct PartPlan: Equatable, Sendable {
    enum Content: Equatable, Sendable {
        case bytes([UInt8])
        case file(path: String, size: Int64?)
        case standardInput(size: Int64?)
    }

    let name: String
    let content: Content
    /// Told to the server; `nil` for a part that is no file.
    var fileName: String?
    var contentType: String?
    /// Sent with the part, after its disposition and type.
    var headers: [HTTPHeader] = []
}
