internal import AFHTTP

/// A template of `--write-out` in curl's notation: text with `%{variables}`, `%header{name}`, `%output{FILE}`,
/// `%time{format}` and `\n`.
struct WriteOutTemplate: Equatable, Sendable {
    enum Part: Equatable, Sendable {
        case text(String)
        case variable(WriteOutVariable)
        /// The first field of this name in the final response, or all of them with a separator.
        case header(String, separator: String?)
        /// The current time in UTC, in a format of `strftime`.
        case time(String)
        /// A component of the typed or the effective URL.
        case component(URLComponent, ofEffective: Bool)
        case destination(Destination)
        /// The rest is written only if the run failed.
        case onFailure
    }

    enum Destination: Equatable, Sendable {
        case output, errors
        case file(String, appends: Bool)
    }

    enum URLComponent: String, CaseIterable, Sendable {
        case fragment, host, options, password, path, port, query, scheme, user
        case zone = "zoneid"
    }

    private(set) var parts: [Part] = []

    /// Parses a template.
    ///
    /// - Throws: ``UsageError`` for an unknown variable, or a missing closing brace.
    init(_ text: String) throws(UsageError) {
        var rest = text[...]
        var literal = ""
        while let character = rest.popFirst() {
            switch character {
            case "\\": literal.append(WriteOutTemplate.unescape(&rest))
            case "%" where rest.first == "%": literal.append(rest.removeFirst())
            case "%" where rest.hasPrefix("{"):
                add(&literal)
                parts.append(try WriteOutTemplate.part(named: WriteOutTemplate.braced(&rest)))
            case "%" where rest.hasPrefix("header{"):
                add(&literal)
                rest = rest.dropFirst("header".count)
                parts.append(WriteOutTemplate.header(try WriteOutTemplate.braced(&rest)))
            case "%" where rest.hasPrefix("output{"):
                add(&literal)
                rest = rest.dropFirst("output".count)
                parts.append(.destination(try WriteOutTemplate.file(WriteOutTemplate.braced(&rest))))
            case "%" where rest.hasPrefix("time{"):
                add(&literal)
                rest = rest.dropFirst("time".count)
                parts.append(.time(try WriteOutTemplate.braced(&rest)))
            case "%":
                // As in curl, the next character is text, too.
                literal += "%\(rest.popFirst().map(String.init) ?? "")"
            default: literal.append(character)
            }
        }
        add(&literal)
    }

    /// The files that it names, each once.
    var files: [String] {
        var files: [String] = []
        for case .destination(.file(let path, _)) in parts where !files.contains(path) { files.append(path) }
        return files
    }

    /// Whether the value of a variable is the certificates.
    var needsCertificates: Bool {
        parts.contains(.variable(.certificates)) || parts.contains(.variable(.certificateCount))
    }

    /// Returns the template without unknown variables, as curl, and their names. A variable without a closing brace is
    /// text.
    static func removingUnknownVariables(_ text: String) -> (template: String, unknown: [String]) {
        var (template, unknown, rest) = ("", [String](), text[...])
        let lastBrace = text.lastIndex(of: "}")
        while let sign = rest.popFirst() {
            let isVariable = sign == "%" && ["{", "header{", "output{", "time{"].contains(where: rest.hasPrefix)
            guard isVariable else {
                template.append(sign)
                if sign == "%" || sign == "\\", let next = rest.popFirst() { template.append(next) }
                continue
            }
            guard let lastBrace, lastBrace >= rest.startIndex, let end = rest.firstIndex(of: "}") else {
                template += "%%"
                continue
            }
            let name = String(rest[..<end].dropFirst())
            if rest.first == "{", (try? part(named: name)) == nil {
                // As in curl 7, names have any case.
                let isKnown = (try? part(named: name.lowercased())) != nil
                if isKnown { template += "%{\(name.lowercased())}" } else { unknown.append(name) }
            } else {
                template += "%\(rest[...end])"
            }
            rest = rest[end...].dropFirst()
        }
        return (template, unknown)
    }

    private mutating func add(_ literal: inout String) {
        if !literal.isEmpty { parts.append(.text(literal)) }
        literal = ""
    }

    /// Whether parts of it are written to files.
    var writesFiles: Bool {
        parts.contains { if case .destination(.file) = $0 { true } else { false } }
    }

    /// Consumes the character after a backslash. As in curl, an unknown one is text with its backslash, also a second
    /// backslash.
    private static func unescape(_ rest: inout Substring) -> String {
        let letters: [Character: String] = ["n": "\n", "r": "\r", "t": "\t"]
        guard let letter = rest.popFirst() else { return "\\" }
        return letters[letter] ?? "\\\(letter)"
    }

    private static func braced(_ rest: inout Substring) throws(UsageError) -> String {
        guard let end = rest.firstIndex(of: "}") else { throw UsageError("'%\(rest)' has no closing brace") }
        defer { rest = rest[rest.index(after: end)...] }
        return String(rest[..<end].dropFirst())
    }

    /// Parses `NAME` or `NAME:all:SEPARATOR`.
    private static func header(_ text: String) -> Part {
        guard let (name, rest) = text.halves(around: ":"), rest.hasPrefix("all:") else {
            return .header(text, separator: nil)
        }
        var (separator, typed) = ("", rest.dropFirst("all:".count))
        while let character = typed.popFirst() {
            if character == "\\" { separator += unescape(&typed) } else { separator.append(character) }
        }
        return .header(String(name), separator: separator)
    }

    /// Parses `FILE` or `>>FILE`.
    private static func file(_ text: String) throws(UsageError) -> Destination {
        let appends = text.hasPrefix(">>")
        let path = appends ? String(text.dropFirst(2)) : text
        guard !path.isEmpty else { throw UsageError("'%output{\(text)}' has no file name") }
        return .file(path, appends: appends)
    }

    private static func component(_ name: String) -> Part? {
        guard let (url, part) = name.halves(around: "."), url == "url" || url == "urle",
            let component = URLComponent(rawValue: String(part))
        else { return nil }
        return .component(component, ofEffective: url == "urle")
    }

    private static func part(named name: String) throws(UsageError) -> Part {
        switch name {
        case "stdout": return .destination(.output)
        case "stderr": return .destination(.errors)
        case "onerror": return .onFailure
        default: break
        }
        if let variable = WriteOutVariable(rawValue: name) { return .variable(variable) }
        if let component = component(name) { return component }
        let nearest = nearestWord(to: name, in: WriteOutVariable.allCases.map(\.rawValue))
        let suggestion = nearest.map { "did you mean %{\($0)}?" }
        throw UsageError(
            "there is no variable '\(name)'",
            hint: suggestion ?? "afcli --help=write-out lists them"
        )
    }
}

/// A variable of the completed run; values of a single transfer are those of the last hop.
enum WriteOutVariable: String, CaseIterable, Sendable {
    case certificates = "certs"
    case connectionNumber = "conn_id"
    case contentType = "content_type"
    case errorMessage = "errormsg"
    case exitCode = "exitcode"
    case filename = "filename_effective"
    case ftpPath = "ftp_entry_path"
    case headerJSON = "header_json"
    case httpCode = "http_code"
    case tunnelCode = "http_connect"
    case httpVersion = "http_version"
    case json
    case localAddress = "local_ip"
    case localPort = "local_port"
    case method
    case certificateCount = "num_certs"
    case connectCount = "num_connects"
    case headerCount = "num_headers"
    case redirectCount = "num_redirects"
    case retryCount = "num_retries"
    case redirectURL = "redirect_url"
    case referer
    case proxyVerifyResult = "proxy_ssl_verify_result"
    case isProxyUsed = "proxy_used"
    case remoteAddress = "remote_ip"
    case remotePort = "remote_port"
    case responseCode = "response_code"
    case scheme
    case deliveredSize = "size_delivered"
    case downloadSize = "size_download"
    case headSize = "size_header"
    case requestSize = "size_request"
    case uploadSize = "size_upload"
    case downloadSpeed = "speed_download"
    case uploadSpeed = "speed_upload"
    case verifyResult = "ssl_verify_result"
    case secureConnectTime = "time_appconnect"
    case connectTime = "time_connect"
    case lookupTime = "time_namelookup"
    case sentTime = "time_posttransfer"
    case requestTime = "time_pretransfer"
    case queueTime = "time_queue"
    case redirectTime = "time_redirect"
    case firstByteTime = "time_starttransfer"
    case totalTime = "time_total"
    case earlyDataSize = "tls_earlydata"
    case url
    case effectiveURL = "url_effective"
    case urlNumber = "urlnum"
    case transferNumber = "xfer_id"
}

/// A template, or the file that contains it.
enum WriteOutSource: Equatable, Sendable, ArgumentValue {
    case template(WriteOutTemplate)
    case file(String)

    init(argument: String) throws(UsageError) {
        if argument.hasPrefix("@") {
            guard argument.count > 1 else { throw UsageError("has no file name") }
            guard argument != "@-" else {
                throw UsageError("cannot be read from standard input", hint: "name a file: @FILE")
            }
            self = .file(String(argument.dropFirst()))
        } else {
            self = .template(try WriteOutTemplate(argument))
        }
    }
}

extension WriteOutSource {
    /// Returns the template; `nil` if it is in a pipe, which can be read only once, or cannot be read.
    func template(_ files: FileAccess) -> WriteOutTemplate? {
        switch self {
        case .template(let template): return template
        case .file(let typed):
            let path = files.expanding(typed)
            guard FileStatus(path)?.isRegular == true, let text = try? files.text(path, .configuration) else {
                return nil
            }
            return try? WriteOutTemplate(text)
        }
    }
}
