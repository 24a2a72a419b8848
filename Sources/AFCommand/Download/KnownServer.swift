internal import AFCore
internal import AFHTTP

/// A server with known faults of its validators.
///
/// The name is shown only after its behavior has proven a fault. Servers that are also reverse proxies are not listed:
/// the fault may be another server's.
struct KnownServer: Sendable {
    /// The first product in its `Server` field (RFC 9110 §10.2.4), in lower case.
    let product: String
    /// The name for messages.
    let name: String
    /// The reason why its entity tags are not reliable.
    var tagReason: String?

    static let all = [
        KnownServer(product: "cherrypy", name: "CherryPy"),
        KnownServer(
            product: "tornadoserver",
            name: "Tornado",
            tagReason: "Tornado keeps the ETag of a changed file until it is restarted"
        ),
        KnownServer(product: "twistedweb", name: "Twisted"),
    ]

    /// Finds the server of a response; `nil` if it is unknown.
    init?(of response: HTTPURLResponse) {
        let product = response.value(forHTTPHeaderField: "Server")?.prefix { $0 != "/" && $0 != " " }.lowercased()
        guard let known = Self.all.first(where: { $0.product == product }) else { return nil }
        self = known
    }

    private init(product: String, name: String, tagReason: String? = nil) {
        (self.product, self.name, self.tagReason) = (product, name, tagReason)
    }
}

extension ValidatorFault {
    /// Returns the reason for a restart.
    ///
    /// - Parameter server: The server, if it is known.
    func reason(of server: KnownServer?) -> String {
        switch self {
        case .ignoredIfRange:
            "the server has another version (\(server?.name ?? "this server") ignores If-Range)"
        case .unreliableEntityTag:
            "the file has changed under the same ETag (\(server?.name ?? "the server")'s ETag is not reliable)"
        case .unreliableLastModified:
            "the file has changed under the same date (\(server?.name ?? "the server")'s Last-Modified is not reliable)"
        case .contradictoryValidators: "Last-Modified has changed, but the ETag has not"
        }
    }

    /// Returns the advice about changes that the comparison of the end does not detect; `nil` if there can be none.
    func advice(about server: KnownServer?) -> String? {
        let advice = "--checksum verifies the complete file"
        return switch self {
        case .ignoredIfRange: nil
        case .unreliableEntityTag, .contradictoryValidators: server?.tagReason.map { "\($0); \(advice)" } ?? advice
        case .unreliableLastModified: advice
        }
    }
}
