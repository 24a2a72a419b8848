internal import AFCore

/// The hosts that bypass the proxy.
struct ProxyBypass: Equatable, Sendable, ArgumentValue {
    /// The entries, separated by commas; as it is in a variable.
    let text: String
    /// The variable of the environment that sets it; `nil` if none does.
    let variable: String?

    init(text: String, variable: String) {
        (self.text, self.variable) = (text, variable)
    }

    /// Parses a list.
    ///
    /// - Throws: ``UsageError`` for an entry that matches no host.
    init(argument: String) throws(UsageError) {
        let entries = ProxyOptions.bypassEntries(of: argument)
        if let invalid = entries.first(where: { !$0.canMatch }) {
            throw UsageError("'\(invalid.text.shortened)' matches no host", hint: Self.hint(for: invalid.text))
        }
        text = entries.map(\.text).joined(separator: ",")
        variable = nil
    }

    /// Warnings about the entries of a variable that match no host.
    var warnings: [String] {
        guard let variable else { return [] }
        return ProxyOptions.bypassEntries(of: text).filter { !$0.canMatch }.map {
            "the entry '\($0.text.shortened)' of \(variable) matches no host: \(Self.hint(for: $0.text))"
        }
    }

    /// Returns the right notation for an entry that matches no host.
    private static func hint(for entry: String) -> String {
        if let slashes = entry.firstRange(of: "://") {
            let host = entry[slashes.upperBound...].prefix { $0 != "/" }
            return "write only the host\(canMatch(host) ? ": \(host)" : "")"
        }
        if entry.contains("*") {
            let name = entry.drop { $0 == "*" || $0 == "." }
            if canMatch(name) { return "'\(name)' includes its subdomains; '*' is a wildcard only alone" }
            return "a range of addresses is written as 10.0.0.0/8; '*' is a wildcard only alone"
        }
        return "write a host name, an address, or a range such as 10.0.0.0/8 or fd00::/8"
    }

    private static func canMatch(_ entry: Substring) -> Bool {
        let entries = ProxyOptions.bypassEntries(of: String(entry))
        return entries.count == 1 && entries[0].canMatch
    }
}
