internal import AFHTTP
internal import Glibc

/// Addresses for a host, in libcurl's notation: `HOST:PORT:ADDRESS[,ADDRESS]`.
struct ResolveRule: Equatable, Sendable, ArgumentValue {
    let text: String

    init(argument: String) throws(UsageError) {
        let fields = argument.splitOutsideBrackets()
        // The text after the second colon is the addresses; IPv6 addresses may lack brackets.
        guard fields.count >= 3, !fields[0].isEmpty, fields[1].isPort, !fields[2...].allSatisfy(\.isEmpty) else {
            throw UsageError("expected HOST:PORT:ADDRESS[,ADDRESS], got '\(argument)'")
        }
        let addresses = argument[fields[2].startIndex...].split(separator: ",", omittingEmptySubsequences: false)
        if let name = addresses.first(where: { !$0.isAddress }) {
            throw UsageError(
                name.isEmpty ? "expected an address after the comma" : "'\(name)' is not an IP address",
                hint: "--connect-to takes another host name")
        }
        text = argument.withCanonicalAddress
    }
}

/// Another host and port to connect to, in libcurl's notation: `HOST:PORT:TO-HOST:TO-PORT`.
struct ConnectRule: Equatable, Sendable, ArgumentValue {
    let text: String

    init(argument: String) throws(UsageError) {
        let fields = argument.splitOutsideBrackets()
        guard fields.count == 4, [fields[1], fields[3]].allSatisfy({ $0.isEmpty || $0.isPort }) else {
            throw UsageError("expected HOST:PORT:TO-HOST:TO-PORT, got '\(argument)'")
        }
        text = argument.withCanonicalAddress
    }
}

extension String {
    /// The rule with an IPv6 address at its start in the form that libcurl compares with.
    fileprivate var withCanonicalAddress: String {
        guard hasPrefix("["), let end = firstIndex(of: "]"), let host = HTTPURL.canonicalHost(self[...end])
        else { return self }
        return host + self[index(after: end)...]
    }

    /// Returns the fields between colons, except those inside brackets (`[::1]`).
    fileprivate func splitOutsideBrackets() -> [Substring] {
        var fields: [Substring] = []
        var start = startIndex
        var isBracketed = false
        for index in indices {
            switch self[index] {
            case "[": isBracketed = true
            case "]": isBracketed = false
            case ":" where !isBracketed:
                fields.append(self[start..<index])
                start = self.index(after: index)
            default: break
            }
        }
        fields.append(self[start...])
        return fields
    }
}

extension Substring {
    /// Whether the text is an IPv4 or IPv6 address, with or without brackets.
    fileprivate var isAddress: Bool {
        var address = in_addr()
        let digits = hasPrefix("[") && hasSuffix("]") ? dropFirst().dropLast() : self
        return digits.isIPv6Address || inet_pton(AF_INET, String(self), &address) == 1
    }
}

/// An interface, an address or a host name to send from.
struct InterfaceName: Equatable, Sendable, ArgumentValue {
    /// The maximum length, that of a host name (RFC 1035 §2.3.4).
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

/// The URL of a DNS-over-HTTPS server (RFC 8484).
struct ResolverAddress: Equatable, Sendable, ArgumentValue {
    let text: String

    init(argument: String) throws(UsageError) {
        guard let url = try? HTTPURL(parsing: argument), url.scheme == .https, url.user == nil else {
            throw UsageError("expected an https URL, got '\(argument)'")
        }
        text = argument
    }
}

/// The path of a Unix socket, whose length is limited (`man 7 unix`).
struct SocketPath: Equatable, Sendable, ArgumentValue {
    static let longest = 107

    let text: String

    static var hint: ArgumentHint { .file }

    init(argument: String) throws(UsageError) {
        try Self.check(argument)
        text = argument
    }

    /// Returns the path with the home directory.
    func expanded(by files: FileAccess) throws(UsageError) -> String {
        let path = files.expanding(text)
        do throws(UsageError) {
            try Self.check(path)
        } catch {
            throw error.naming("--unix-socket")
        }
        return path
    }

    private static func check(_ path: String) throws(UsageError) {
        guard (1...longest).contains(path.utf8.count) else {
            throw UsageError("a socket's path has 1 to \(longest) bytes, this one \(path.utf8.count)")
        }
    }
}
