internal import AFHTTP

/// The directives of a `Cache-Control` field, in a request or response (RFC 9111 §5.2).
struct CacheControl: Sendable {
    private struct Directive: Sendable {
        /// The name in lower case.
        let name: String
        let argument: String?
    }

    private let directives: [Directive]

    init(_ headers: HTTPHeaders) {
        directives = headers.values(for: "Cache-Control").flatMap { Self.directives(of: $0) }
    }

    var isEmpty: Bool { directives.isEmpty }

    func contains(_ name: String) -> Bool { directives.contains { $0.name == name } }

    /// Returns the seconds of a directive: the lowest of repeated ones, and zero if malformed (RFC 9111 §4.2.1).
    func seconds(_ name: String) -> Double? {
        directives.filter { $0.name == name }.map { DeltaSeconds($0.argument ?? "")?.value ?? 0 }.min()
    }

    /// The staleness that the request accepts; infinite if it has no number.
    var acceptedStaleness: Double? {
        let arguments = directives.filter { $0.name == "max-stale" }.map(\.argument)
        guard !arguments.isEmpty else { return nil }
        return arguments.map { $0.map { DeltaSeconds($0)?.value ?? 0 } ?? .infinity }.min()
    }

    private static func directives(of value: String) -> [Directive] {
        value.listElements.map { part in
            let pair = part.pair
            let name = String(decoding: pair?.name ?? part, as: UTF8.self).lowercased()
            return Directive(name: name, argument: pair?.value.unquoted)
        }
    }
}

/// A number of seconds in a cache field; one too large to represent counts as 2³¹ (RFC 9111 §1.2.2).
struct DeltaSeconds {
    let value: Double

    /// Returns `nil` for anything but digits.
    init?(_ text: String) {
        let digits = Array(text.utf8)[...].trimmed
        guard !digits.isEmpty, digits.allSatisfy(\.isASCIIDigit) else { return nil }
        value = min(Double(String(decoding: digits, as: UTF8.self)) ?? .infinity, 2_147_483_648)
    }
}
