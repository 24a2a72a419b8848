internal import AFHTTP
internal import Glibc

/// Checks of arguments about connections.
enum ConnectionArgument {
    /// Checks addresses for a host, in libcurl's notation: `HOST:PORT:ADDRESS[,ADDRESS]`.
    static func resolve(_ argument: String) throws(UsageError) -> String {
        let fields = argument.splitOutsideBrackets()
        // The opposite of an address: `-HOST:PORT`.
        if argument.hasPrefix("-"), fields.count == 2, fields[0].count > 1, fields[1].isPort {
            return "-\(try canonical(fields[0].dropFirst())):\(fields[1])"
        }
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
        // The sign is libcurl's: the address expires as a resolved one.
        let sign = fields[0].prefix { $0 == "+" }.prefix(1)
        return "\(sign)\(try canonical(fields[0].dropFirst(sign.count)))\(argument[fields[0].endIndex...])"
    }

    /// Checks another host and port to connect to, in libcurl's notation: `HOST:PORT:TO-HOST:TO-PORT`.
    static func connectTo(_ argument: String) throws(UsageError) -> String {
        let fields = argument.splitOutsideBrackets()
        guard fields.count == 4, [fields[1], fields[3]].allSatisfy({ $0.isEmpty || $0.isPort }) else {
            throw UsageError("expected HOST:PORT:TO-HOST:TO-PORT, got '\(argument)'")
        }
        return "\(try canonical(fields[0])):\(fields[1]):\(try canonical(fields[2])):\(fields[3])"
    }

    /// Returns the host of a rule as URLs spell it, with which libcurl compares it. `*` and other text that is none is
    /// unchanged.
    private static func canonical(_ host: Substring) throws(UsageError) -> String {
        if let canonical = HTTPURL.canonicalHost(host) { return canonical }
        guard host.allSatisfy(\.isASCII) else { throw UsageError("'\(host)' is not a host name or address") }
        return String(host)
    }

    /// Checks an interface, an address or a host name to send from, whose length is limited (RFC 1035 §2.3.4).
    static func interface(_ argument: String) throws(UsageError) -> String {
        guard (1...255).contains(argument.utf8.count), argument.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
            throw UsageError("expected an interface, an address or a host name, got '\(argument)'")
        }
        return argument
    }

    /// Checks the URL of the proxy before another one; without a scheme it is SOCKS4, as in curl.
    static func precedingProxy(_ argument: String) throws(UsageError) -> String {
        let url = argument.contains("://") ? argument : "socks4://\(argument)"
        let scheme = url.prefix { $0 != ":" }.lowercased()
        guard ProxySelection.socksSchemes.contains(scheme) else {
            throw UsageError("expected the URL of a SOCKS proxy, got the scheme '\(scheme)'").numbered(7)
        }
        guard let parsed = try? HTTPURL(parsing: "http" + url.dropFirst(scheme.count)), parsed.target == "/" else {
            throw UsageError("expected SCHEME://HOST:PORT").ofProxy
        }
        return url
    }

    /// Checks a header field for a proxy, in libcurl's notation: `Name: value`, `Name;` or `Name:`.
    static func proxyHeader(_ argument: String) throws(UsageError) -> String {
        let end = argument.firstIndex(ofAny: ":;") ?? argument.endIndex
        let value = argument[end...].dropFirst()
        let isComplete = argument[end...].first == ":" || argument[end...] == ";"
        guard isComplete, HTTPHeader(name: String(argument[..<end]), value: String(value)).isValid else {
            throw UsageError("expected a header field such as 'Name: value'")
        }
        return argument
    }

    /// Checks the target of a request line.
    static func requestTarget(_ argument: String) throws(UsageError) -> String {
        guard !argument.isEmpty, argument.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
            throw UsageError("expected a target without blanks, such as '*' or '/path', got '\(argument)'")
        }
        return argument
    }

    /// Checks the URL of a DNS-over-HTTPS server (RFC 8484).
    static func resolver(_ argument: String) throws(UsageError) -> String {
        guard let url = try? HTTPURL(parsing: argument), url.scheme == .https, url.user == nil else {
            throw UsageError("expected an https URL, got '\(argument)'")
        }
        return argument
    }

    /// Checks the path of a Unix socket, whose length is limited (`man 7 unix`).
    static func socket(_ path: String) throws(UsageError) -> String {
        guard (1...107).contains(path.utf8.count) else {
            throw UsageError("a socket's path has 1 to 107 bytes, this one \(path.utf8.count)")
        }
        return path
    }

    /// Returns the path of a Unix socket with the home directory.
    static func expandedSocket(_ path: String, by files: FileAccess) throws(UsageError) -> String {
        do throws(UsageError) {
            return try socket(files.expanding(path))
        } catch {
            throw error.naming("--unix-socket")
        }
    }
}

/// Local ports: `PORT` or `FIRST-LAST`.
struct LocalPorts: Equatable, Sendable, ArgumentValue {
    let range: ClosedRange<UInt16>

    init(argument: String) throws(UsageError) {
        let halves = argument.halves(around: "-")
        let (first, last) = halves.map { ($0.before, $0.after) } ?? (argument[...], argument[...])
        guard first.isDecimal, last.isDecimal, let start = UInt16(first), let end = UInt16(last), start > 0,
            start <= end
        else { throw UsageError("expected a port or a range such as 40000-40100, got '\(argument)'") }
        range = start...end
    }
}

extension String {
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
        return withoutBrackets.isIPv6Address || inet_pton(AF_INET, String(self), &address) == 1
    }
}
