internal import AFHTTP

/// A header that a session keeps.
struct SessionHeader: Equatable, Sendable {
    let header: HTTPHeader
    /// That it was typed for, where it holds a secret; `nil` where it goes to everybody, or the file does not tell.
    let origin: Origin?

    init(_ header: HTTPHeader, for origin: Origin?) {
        self.header = header
        self.origin = header.holdsSecret ? origin : nil
    }

    /// In HTTPie's layout, and the origin, which HTTPie passes over.
    var text: JSONText {
        .object([
            "name": .string(header.name), "origin": origin.map { .string($0.description) },
            "value": .string(header.value),
        ])
    }
}

extension Origin {
    /// The origin that a session file names; `nil` for anything else.
    init?(_ text: JSONText?) {
        guard let origin = text?.string.flatMap({ try? HTTPURL(parsing: $0).origin }) else { return nil }
        self = origin
    }

    /// Whether what was typed for this origin may go to another one: to the same, and to the same host over TLS.
    func isTrusted(at other: Origin) -> Bool {
        guard other != self else { return true }
        let usesStandardPorts = port == scheme.defaultPort && other.port == other.scheme.defaultPort
        return other.scheme == .https && other.host == host && (other.port == port || usesStandardPorts)
    }
}
