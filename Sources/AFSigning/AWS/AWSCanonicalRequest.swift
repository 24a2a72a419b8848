internal import AFCore
internal import AFHTTP
internal import AFTransport

/// The canonical form of a request, which both ends hash (AWS Signature Version 4).
struct AWSCanonicalRequest: Sendable {
    /// The canonical form of the URL's path.
    enum PathSpelling: Sendable {
        /// Encoded as sent: in S3 paths are names, so that dots and repeated slashes are significant.
        case asIs
        /// Without dot segments and repeated slashes, and encoded twice.
        case normalized
    }

    let text: String
    /// The names of the signed fields, as listed in the signature.
    let signedNames: String

    /// Creates the canonical form.
    ///
    /// - Parameter payloadHash: The body's digest, or the constant that replaces it.
    init(_ request: URLRequest, to url: HTTPURL, path spelling: PathSpelling, payloadHash: String) {
        let fields = Self.fields(request.headers, host: request.headers.value(for: "Host") ?? url.authority)
        signedNames = fields.map(\.name).joined(separator: ";")
        var lines = [request.httpMethod ?? "GET", Self.path(url.path, spelling), Self.query(url.query ?? "")]
        lines += fields.map { "\($0.name):\($0.value)" }
        lines += ["", signedNames, payloadHash]
        text = lines.joined(separator: "\n")
    }

    var digest: SHA256Digest { SHA256Digest(of: text.octets) }

    // Fields

    /// Returns the fields sorted by name; repeated ones are joined.
    private static func fields(_ headers: HTTPHeaders, host: String) -> [(name: String, value: String)] {
        var values: [String: [String]] = ["host": [folded(host)]]
        for header in headers {
            let name = header.name.lowercased()
            guard name != "host", !unsignedNames.contains(name) else { continue }
            values[name, default: []].append(folded(header.value))
        }
        return values.sorted { $0.key < $1.key }.map { ($0.key, $0.value.joined(separator: ",")) }
    }

    /// Fields that proxies, libcurl or another authentication may change.
    private static let unsignedNames: Set<String> = [
        "accept", "accept-encoding", "authorization", "cache-control", "connection", "content-length", "cookie",
        "expect", "forwarded", "keep-alive", "pragma", "proxy-authorization", "te", "trailer", "transfer-encoding",
        "upgrade", "user-agent", "via", "x-amzn-trace-id", "x-forwarded-for",
    ]

    /// Returns the value trimmed and with runs of spaces reduced to one.
    private static func folded(_ value: String) -> String {
        value.unicodeScalars.split { $0 == " " || $0 == "\t" }.map { String($0) }.joined(separator: " ")
    }

    // Path and query

    private static func path(_ path: String, _ spelling: PathSpelling) -> String {
        switch spelling {
        case .asIs:
            path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
                .map { Self.encoded(Self.decoded($0)) }.joined(separator: "/")
        case .normalized: encodedPath(Self.withoutDotSegments(path))
        }
    }

    private static func encodedPath(_ path: String) -> String {
        path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map { encoded(Array($0)) }.joined(separator: "/")
    }

    private static func withoutDotSegments(_ path: String) -> String {
        var segments: [Substring] = []
        for segment in path.split(separator: "/") {
            switch segment {
            case ".": break
            case "..": _ = segments.popLast()
            default: segments.append(segment)
            }
        }
        let isDirectory = path.hasSuffix("/") || path.hasSuffix("/.") || path.hasSuffix("/..")
        return "/" + segments.joined(separator: "/") + (isDirectory && !segments.isEmpty ? "/" : "")
    }

    /// Returns the query sorted by name, then by value, both in canonical encoding.
    private static func query(_ query: String) -> String {
        let pairs = query.utf8.split(separator: UInt8(ascii: "&")).map { pair in
            let name = pair.prefix { $0 != UInt8(ascii: "=") }
            let value = pair[name.endIndex...].dropFirst()
            return (encoded(decoded(name)), encoded(decoded(value)))
        }
        return pairs.sorted { $0 < $1 }.map { "\($0.0)=\($0.1)" }.joined(separator: "&")
    }

    /// Percent-encodes everything but letters, digits and `-._~`.
    private static func encoded(_ bytes: [UInt8]) -> String {
        bytes.percentEncoded { byte, _ in !byte.isUnreserved }
    }

    /// Decodes percent-encoding; malformed escapes stay.
    private static func decoded(_ text: some Collection<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = Array(text)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2, let high = rest.first?.hexadecimalValue,
                let low = rest.dropFirst().first?.hexadecimalValue
            {
                rest = rest.dropFirst(2)
                bytes.append(high << 4 | low)
            } else {
                bytes.append(byte)
            }
        }
        return bytes
    }
}

extension HTTPURL {
    /// The value of `Host`.
    fileprivate var authority: String { String(origin.description.dropFirst(scheme.rawValue.count + 3)) }
}
