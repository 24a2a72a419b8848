internal import Glibc

/// The variables of the environment. Each is looked up when asked for: creating a dictionary of all takes longer than sending
/// a small request.
struct Variables: Sendable {
    private let value: @Sendable (_ name: String) -> String?

    init(_ values: [String: String]) { value = { values[$0] } }

    private init(value: @escaping @Sendable (String) -> String?) { self.value = value }

    subscript(name: String) -> String? { value(name) }

    /// The environment of this process. getenv would take `A=b` for a name if there is `A=b=c`.
    static let process = Variables { name in
        name.utf8.contains(UInt8(ascii: "=")) ? nil : getenv(name).map { String(cString: $0) }
    }
}
