internal import AFHTTP
internal import AFJSON
internal import FoundationEssentials

/// A cookie of a session file.
struct SessionCookie: Equatable, Sendable {
    let name: String
    let value: String
    /// The domain, with a leading dot if subdomains are included; `nil` for a cookie of the run's first host.
    let domain: String?
    let path: String
    /// The expiry in seconds since 1970; `nil` for a session cookie.
    let expires: Double?
    let isSecure: Bool
    /// The origin that the cookie was typed for; `nil` for a cookie that a server set, and if the file has no origin.
    let origin: Origin?
    /// The cookie as in the file, including unknown members. In the old layout the name is outside.
    private let text: JSONText

    /// Creates a cookie.
    ///
    /// - Parameter origin: The origin that the cookie was typed for; `nil` for a cookie of a server.
    init(_ cookie: HTTPCookie, typedFor origin: Origin? = nil) {
        name = cookie.name
        value = cookie.value
        domain = cookie.domain
        path = cookie.path
        expires = cookie.expiresDate?.timeIntervalSince1970
        isSecure = cookie.isSecure
        self.origin = origin
        text = .object([
            "domain": .string(cookie.domain), "expires": expires.map(JSONText.number) ?? .null, "name": .string(name),
            "path": .string(path),
            // HTTPie rejects unknown members, but accepts this one for non-standard attributes.
            "rest": origin.map { .object(["origin": .string($0.description)]) }, "secure": .flag(isSecure),
            "value": .string(value),
        ])
    }

    private init(_ text: JSONText, name: String?) throws(JSONFileProblem) {
        guard let name, let value = text["value"]?.string else {
            throw JSONFileProblem("a cookie has no name or no value")
        }
        self.name = name
        self.value = value
        domain = text["domain"]?.string.flatMap { $0.isEmpty ? nil : $0.lowercased() }
        path = text["path"]?.string ?? "/"
        expires = text["expires"]?.number
        isSecure = text["secure"].map { $0 != .null && $0 != .raw("false") } ?? false
        origin = Origin(text["rest"]?["origin"])
        self.text = text
        guard cookie(for: "host").netscapeLine != nil else {
            throw JSONFileProblem("the cookie '\(name)' cannot be sent")
        }
    }

    /// Returns the cookie for a run.
    ///
    /// - Parameter host: The run's first host, as cookies name it.
    func cookie(for host: String) -> HTTPCookie {
        var cookie = HTTPCookie(
            name: name,
            value: value,
            // Python's cookie jars append `.local` to names without a dot.
            domain: domain.map { $0 == "\(host).local" && !host.contains(".") ? host : $0 } ?? host,
            path: path,
            expiresDate: expires.map(Date.init(timeIntervalSince1970:)),
            isSecure: isSecure
        )
        cookie.isFromResponse = origin == nil
        return cookie
    }

    // Layouts

    static func all(in text: JSONText?) throws(JSONFileProblem) -> [SessionCookie] {
        guard let text, text != .null else { return [] }
        if let elements = text.elements {
            return try elements.map { (text) throws(JSONFileProblem) in
                try SessionCookie(text, name: text["name"]?.string)
            }
        }
        guard let members = text.members else {
            throw JSONFileProblem("'cookies' is a \(text.kind.rawValue) and not an array")
        }
        return try members.map { (member) throws(JSONFileProblem) in
            try SessionCookie(member.value, name: member.name)
        }
    }

    /// Returns the cookies as JSON.
    ///
    /// - Parameter asObject: Whether to use the old layout, which has one cookie per name.
    static func text(of cookies: [SessionCookie], asObject: Bool) -> JSONText {
        guard asObject, Set(cookies.map(\.name)).count == cookies.count else {
            return .array(cookies.map(\.inList))
        }
        return .object(cookies.map { JSONText.Member($0.name, $0.inObject) })
    }

    private var inList: JSONText {
        var text = text
        if text["name"] == nil { text["name"] = .string(name) }
        return text
    }

    private var inObject: JSONText {
        var text = text
        text["name"] = nil
        return text
    }
}
