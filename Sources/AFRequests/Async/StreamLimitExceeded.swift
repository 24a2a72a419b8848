/// The error of a line or an event that is longer than its reader allows.
public struct StreamLimitExceeded: Error, Hashable, Sendable {
    /// The kind of value that is too long.
    public enum Unit: Hashable, Sendable {
        /// A line of a body.
        case line
        /// The data of a server-sent event.
        case event
    }

    /// The kind of value that is too long.
    public let unit: Unit
    /// The maximum size in bytes.
    public let limit: Int

    /// Creates an error.
    public init(unit: Unit, limit: Int) {
        self.unit = unit
        self.limit = limit
    }

    var asAFError: AFError { .responseSerializationFailed(reason: .customSerializationFailed(error: self)) }
}

extension StreamLimitExceeded: CustomStringConvertible {
    /// A description with the limit.
    public var description: String { "a \(unit == .line ? "line" : "server-sent event") exceeds \(limit) bytes" }
}
