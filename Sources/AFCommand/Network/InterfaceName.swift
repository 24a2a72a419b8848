/// An interface, an address or a host name to send from.
struct InterfaceName: Equatable, Sendable, ArgumentValue {
    /// That of a host name (RFC 1035 §2.3.4).
    static let longest = 255

    let text: String

    init(argument: String) throws(UsageError) {
        guard (1...Self.longest).contains(argument.utf8.count), argument.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F })
        else {
            throw UsageError("expected an interface, an address or a host name, got '\(argument)'")
        }
        text = argument
    }
}
