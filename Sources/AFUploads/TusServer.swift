internal import AFHTTP

/// The capabilities of a server of tus, from the response to OPTIONS.
struct TusServer: Hashable, Sendable {
    /// Whether an upload can be created with its first bytes.
    let createsWithBytes: Bool
    /// The maximum size of an upload; `nil` if there is no limit, or it is not known.
    let maximumSize: Int64?

    /// A server that has said nothing.
    static let unknown = TusServer(createsWithBytes: false, maximumSize: nil)

    private init(createsWithBytes: Bool, maximumSize: Int64?) {
        (self.createsWithBytes, self.maximumSize) = (createsWithBytes, maximumSize)
    }

    /// Reads the fields of a response; ``unknown`` if it is not one of tus 1.0.0.
    init(_ response: HTTPURLResponse) {
        guard 200..<300 ~= response.statusCode, response.offersTus else {
            self = .unknown
            return
        }
        let extensions = response.headers.values(for: "Tus-Extension").flatMap { $0.split(separator: ",") }
        createsWithBytes = extensions.contains { $0.filter { $0 != " " } == "creation-with-upload" }
        maximumSize = response.count("Tus-Max-Size")
    }
}
