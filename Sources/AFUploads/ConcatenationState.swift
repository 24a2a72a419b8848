package import AFHTTP

/// The state of an upload to a server of tus in partial uploads that a record contains.
package struct ConcatenationState: Codable, Hashable, Sendable {
    package struct Partial: Codable, Hashable, Sendable {
        package var length: Int64
        /// The number of bytes that the server has acknowledged.
        package var acknowledged: Int64
        /// The URL of the upload resource; `nil` if it is not created yet.
        package var resource: String?
    }

    /// The partial uploads in the order of their bytes.
    package var partials: [Partial]
    /// The URL of the concatenation; `nil` if the server was not asked for it yet.
    package var final: String?

    /// The maximum number of partial uploads.
    static let maximumCount = 32

    package init(_ partials: [Partial], final: String? = nil) { (self.partials, self.final) = (partials, final) }

    /// The upload resources.
    package var resources: [HTTPURL] {
        (partials.map(\.resource) + [final]).compactMap(\.self).compactMap { try? HTTPURL(parsing: $0) }
    }

    /// Whether it can be the state of an upload of this length.
    func isPossible(_ length: Int64) -> Bool {
        var rest = length
        for partial in partials {
            guard partial.length > 0, partial.length <= rest, 0...partial.length ~= partial.acknowledged else {
                return false
            }
            rest -= partial.length
        }
        let urls = (partials.map(\.resource) + [final]).count { $0 != nil }
        return rest == 0 && 2...Self.maximumCount ~= partials.count && urls == resources.count
    }
}
