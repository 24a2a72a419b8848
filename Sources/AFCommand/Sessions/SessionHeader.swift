internal import AFHTTP
internal import AFJSON

/// A stored header field of a session.
struct SessionHeader: Equatable, Sendable {
    let header: HTTPHeader
    /// The origin that a secret was typed for; `nil` if the field may be sent to all origins, or the file has none.
    let origin: Origin?

    init(_ header: HTTPHeader, for origin: Origin?) {
        self.header = header
        self.origin = header.holdsSecret ? origin : nil
    }

    /// The field in HTTPie's layout, with the origin, which HTTPie ignores.
    var text: JSONText {
        .object([
            "name": .string(header.name), "origin": origin.map { .string($0.description) },
            "value": .string(header.value),
        ])
    }
}

extension Origin {
    /// Parses the origin of a session file; `nil` if the file has no origin.
    init?(_ text: JSONText?) {
        guard let origin = text?.string.flatMap({ try? HTTPURL(parsing: $0).origin }) else { return nil }
        self = origin
    }

    /// Whether data typed for this origin may be sent to another one: the same, or the same host over TLS.
    func isTrusted(at other: Origin) -> Bool {
        guard other != self else { return true }
        let usesStandardPorts = port == scheme.defaultPort && other.port == other.scheme.defaultPort
        return other.scheme == .https && other.host == host && (other.port == port || usesStandardPorts)
    }
}
