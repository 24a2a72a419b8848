internal import AFCore
internal import AFHTTP
internal import AFJSON

/// A member of `hosts` in the configuration file: the settings for requests to some hosts, or an alias of a URL.
struct HostSettings: Equatable, Sendable {
    /// The name of the member.
    let name: String
    /// The hosts; `nil` for an alias.
    private let pattern: HostPattern?
    /// The settings, which are validated when they apply: an error in those of another host must not fail a request.
    private let settings: JSONText

    /// Creates the settings; `nil` if the name is neither a host nor an alias.
    init?(name: String, _ settings: JSONText) {
        self.name = name
        self.settings = settings
        if let url = settings["url"], url != .null {
            let isAlias = name.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 == 0x2D || $0 == 0x5F }
            guard isAlias, !name.isEmpty else { return nil }
            pattern = nil
        } else {
            guard let pattern = HostPattern(name) else { return nil }
            self.pattern = pattern
        }
    }

    /// The name of an alias; `nil` for hosts.
    var alias: String? { pattern == nil ? name : nil }

    /// Whether the settings apply to requests to a URL.
    func matches(_ url: HTTPURL) -> Bool { pattern?.matches(url) ?? false }

    /// The order of settings that apply to the same URL: the later ones take precedence.
    static func < (first: Self, second: Self) -> Bool {
        (first.pattern?.specificity ?? .max) < (second.pattern?.specificity ?? .max)
    }

    /// Returns the typed URL with this alias expanded; `nil` if it does not start with the alias.
    func expanding(_ typed: String) throws(JSONFileProblem) -> String? {
        let end = typed.firstIndex { "/?#".contains($0) } ?? typed.endIndex
        guard pattern == nil, typed[..<end].lowercased() == name.lowercased() else { return nil }
        guard let text = settings["url"]?.string, let url = try? HTTPURL(parsing: text), url.query == nil,
            url.user == nil, !text.contains("#")
        else {
            throw JSONFileProblem("'url' must be an http or https URL without user information, query and fragment")
        }
        let rest = typed[end...]
        return (rest.hasPrefix("/") && text.hasSuffix("/") ? String(text.dropLast()) : text) + rest
    }

    /// Returns the options and the header fields, as sources of their own.
    ///
    /// - Parameter path: The path of the file.
    /// - Throws: ``JSONFileProblem`` for settings of the wrong type, ``UsageError`` for invalid options.
    func layers(path: String) throws -> [ParsedArguments] {
        guard settings.members != nil else { throw JSONFileProblem("the settings are not a JSON object") }
        let source = AssignmentSource.host(path: path, key: name, isOrigin: pattern?.isOfOrigin == true)
        let option = Invocation.options.option(named: "--header")
        let headers = try headers.compactMap { header in
            var assignment = option.map { option in
                Assignment(option, header.description, spelling: "headers", source) {
                    $0.request.headers.append(.init(edit: .add(header), precedingPositionals: 0))
                }
            }
            assignment?.isHostHeader = true
            return assignment
        }
        let words = try Configuration.options(settings["options"], "options")
        let options = try Configuration.parsed(words, from: source)
        return [options, ParsedArguments(assignments: headers)]
    }

    /// The names of unknown settings.
    var unknown: [String] {
        (settings.members ?? []).map { String($0.name.prefix(80)) }.filter { !Self.keys.contains($0) }
    }

    static let keys = ["headers", "options", "url"]

    /// Whether a field replaces the credentials of other sources.
    var hasAuthorization: Bool {
        (settings["headers"]?.members ?? []).contains { $0.name.isSameFieldName(as: "Authorization") }
    }

    private var headers: [HTTPHeader] {
        get throws {
            guard let headers = settings["headers"], headers != .null else { return [] }
            guard let members = headers.members else { throw JSONFileProblem("'headers' is not a JSON object") }
            return try members.map { member in
                guard let value = member.value.string else {
                    throw JSONFileProblem("the header '\(member.name)' is not a string")
                }
                guard case .add(let header) = try HeaderEdit.adding(name: member.name, value: value) else {
                    throw JSONFileProblem("the header '\(member.name)' is not valid")
                }
                return header
            }
        }
    }
}

/// The hosts of a member: `example.org`, or `*.example.org` for all names below it, optionally with a scheme or port.
private struct HostPattern: Equatable, Sendable {
    private let scheme: HTTPURL.Scheme?
    private let port: Int?
    /// The host, or the suffix of a wildcard.
    private let host: String
    private let isWildcard: Bool

    init?(_ text: String) {
        var rest = text[...]
        scheme = [HTTPURL.Scheme.https, .http].first { rest.lowercased().hasPrefix("\($0)://") }
        if let scheme { rest = rest.dropFirst("\(scheme)://".count) }
        isWildcard = rest.hasPrefix("*.")
        if isWildcard { rest = rest.dropFirst(2) }
        guard let url = try? HTTPURL(parsing: "http://\(rest)"), url.user == nil, url.target == "/",
            !rest.contains("/"), !url.host.contains("*"), !isWildcard || !url.hasAddressHost
        else { return nil }
        let end = rest.lastIndex(of: "]") ?? rest.startIndex
        port = rest[end...].contains(":") ? url.port : nil
        host = isWildcard ? ".\(url.host)" : url.host
    }

    /// Whether the settings are for one scheme or port.
    var isOfOrigin: Bool { scheme != nil || port != nil }

    func matches(_ url: HTTPURL) -> Bool {
        (scheme.map { $0 == url.scheme } ?? true) && (port.map { $0 == url.port } ?? true)
            && (isWildcard ? url.host.hasSuffix(host) : url.host == host)
    }

    /// The specificity: exact hosts, then longer wildcards; a port and then a scheme break ties.
    var specificity: Int {
        (isWildcard ? host.utf8.count : 1000) * 4 + (port == nil ? 0 : 2) + (scheme == nil ? 0 : 1)
    }
}
