internal import AFHTTP
internal import AFJSON

/// The contents of a session file, in HTTPie's current or older layouts.
///
/// Unknown members are preserved, and an older layout is kept as long as it can represent the contents.
struct SessionFile: Equatable, Sendable {
    /// Stored credentials, in the format of the options.
    struct Authentication: Equatable, Sendable {
        /// The value of `--auth-type`.
        let kind: String
        /// The value of `--auth`: `USER:PASSWORD` or a token.
        let credential: String
        /// The origin that they were typed for; `nil` if the file has none.
        var origin: Origin?
    }

    /// The members as in the file.
    var root: JSONText
    private(set) var storedHeaders: [SessionHeader]
    private(set) var login: Authentication?
    private(set) var cookies: [SessionCookie]

    /// Creates an empty session.
    init() {
        root = .object([
            "__meta__": .object([
                "about": .string("HTTPie session file"), "help": .string("https://httpie.io/docs#sessions"),
                // The version of the layout.
                "httpie": .string("3.2.4"),
            ]),
            "auth": .object(["password": .null, "type": .null, "username": .null]),
            "cookies": .array([]),
            "headers": .array([]),
        ])
        storedHeaders = []
        cookies = []
    }

    /// Parses a session file.
    ///
    /// - Parameter content: The contents of the file; `nil` for a new one.
    /// - Throws: ``JSONFileProblem``
    init(_ content: [UInt8]?) throws(JSONFileProblem) {
        self.init()
        guard let content else { return }
        root = try JSONText(file: content).opened
        guard root.members != nil else { throw JSONFileProblem("the file is not a JSON object") }
        storedHeaders = try Self.headers(root["headers"])
        login = try Self.login(root["auth"])
        cookies = try SessionCookie.all(in: root["cookies"])
    }

    /// The contents with all members that HTTPie writes.
    var content: [UInt8] {
        var root = root
        for (name, value) in [("auth", Self.noLogin), ("cookies", .array([])), ("headers", .array([]))]
        where root[name] == nil {
            root[name] = value
        }
        return root.fileContent
    }

    /// HTTPie's value of `auth` without credentials.
    private static let noLogin = JSONText.object(["password": .null, "type": .null, "username": .null])

    var headers: [HTTPHeader] { storedHeaders.map(\.header) }

    // Changes

    /// Stores header fields, replacing those with the same name.
    ///
    /// - Parameter origin: The origin that they were typed for.
    mutating func store(_ new: [HTTPHeader], for origin: Origin? = nil) {
        guard !new.isEmpty else { return }
        let names = Set(new.map { $0.name.lowercased() })
        storedHeaders.removeAll { names.contains($0.header.name.lowercased()) }
        storedHeaders += new.map { SessionHeader($0, for: origin) }
        writeHeaders()
    }

    mutating func removeAuthorization() {
        guard headers.contains(where: { $0.name.isSameFieldName(as: "Authorization") }) else { return }
        storedHeaders.removeAll { $0.header.name.isSameFieldName(as: "Authorization") }
        writeHeaders()
    }

    mutating func store(_ login: Authentication?) {
        guard login != self.login else { return }
        self.login = login
        root["auth"] = login?.text ?? Self.noLogin
    }

    mutating func store(_ cookies: [SessionCookie]) {
        guard cookies != self.cookies else { return }
        self.cookies = cookies
        root["cookies"] = SessionCookie.text(of: cookies, asObject: root["cookies"]?.members != nil)
    }

    // Layouts

    private static func headers(_ text: JSONText?) throws(JSONFileProblem) -> [SessionHeader] {
        var headers: [SessionHeader] = []
        func add(_ name: String?, _ value: JSONText?, origin: JSONText? = nil) throws(JSONFileProblem) {
            guard let name, let value else { throw JSONFileProblem("a header has no name or no value") }
            // A field without a value was removed from a request once.
            guard value != .null else { return }
            guard let text = value.string, HTTPHeader(name: name, value: text).isValid else {
                throw JSONFileProblem("the header '\(name)' cannot be sent")
            }
            headers.append(SessionHeader(HTTPHeader(name: name, value: text), for: Origin(origin)))
        }
        if let elements = text?.elements {
            for element in elements { try add(element["name"]?.string, element["value"], origin: element["origin"]) }
        } else if let members = text?.members {
            for member in members { try add(member.name, member.value) }
        } else if let text, text != .null {
            throw JSONFileProblem("'headers' is a \(text.kind.rawValue) and not an array")
        }
        return headers
    }

    private mutating func writeHeaders() {
        let names = Set(headers.map { $0.name.lowercased() })
        // The old layout has one value per name.
        guard root["headers"]?.members != nil, names.count == headers.count else {
            root["headers"] = .array(storedHeaders.map(\.text))
            return
        }
        root["headers"] = .object(headers.map { JSONText.Member($0.name, .string($0.value)) })
    }

    private static func login(_ text: JSONText?) throws(JSONFileProblem) -> Authentication? {
        guard let text, text != .null else { return nil }
        guard text.members != nil else { throw JSONFileProblem("'auth' is a \(text.kind.rawValue) and not an object") }
        func string(_ name: String) throws(JSONFileProblem) -> String? {
            guard let value = text[name], value != .null else { return nil }
            if let string = value.string { return string }
            throw JSONFileProblem("'auth.\(name)' is a \(value.kind.rawValue) and not a string")
        }
        guard let kind = try string("type") else { return nil }
        if let credential = try string("raw_auth") {
            return Authentication(kind: kind, credential: credential, origin: Origin(text["origin"]))
        }
        guard let user = try string("username") else { return nil }
        return Authentication(kind: kind, credential: "\(user):\(try string("password") ?? "")")
    }
}

extension SessionFile.Authentication {
    fileprivate var text: JSONText {
        .object([
            "origin": origin.map { .string($0.description) }, "raw_auth": .string(credential), "type": .string(kind),
        ])
    }
}
