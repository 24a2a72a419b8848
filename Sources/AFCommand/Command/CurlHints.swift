/// Hints for options that are typed as in curl or another tool.
enum CurlHints {
    /// Returns a hint for an option that does not exist here.
    ///
    /// - Parameter name: The name without dashes, or the letter.
    static func hint(for name: String) -> String? {
        let ofLetter = name.count == 1 ? CurlOption.all.find(letter: Character(name))?.name : nil
        if let hint = hints[name] ?? ofLetter.flatMap({ hints[$0] }) { return hint }
        let same = Invocation.options.all.first { option in
            option.relations.curl.contains { $0.name == name || $0.letter.map(String.init) == name }
        }
        if let same { return "use \(same.entry.name)\(same.entry.argument.map { " \($0.name)" } ?? "")" }
        // Options with the same prefix have the same equivalent.
        return families.first { name.hasPrefix($0.prefix) }?.hint
    }

    /// Returns a hint for a flag that is followed by the argument of curl's option of the same name; `nil` if the
    /// argument is valid here.
    ///
    /// - Parameters:
    ///   - name: The name without dashes, or the letter.
    ///   - words: The words after the flag.
    ///   - position: The position of the flag.
    static func hint(for name: String, before words: ArraySlice<String>, at position: FlagPosition) -> String? {
        guard let argument = words.first else { return nil }
        let isBeforeURL = position == .first
        // A word between the flag and a URL is curl's argument or a method.
        let standsBeforeURL = isBeforeURL && words.dropFirst().first?.isURL == true && !argument.isCommonMethod
        // After the URL, a word that is no item is curl's argument.
        let isStray = position == .afterURL && (try? RequestItem(argument)) == nil
        return switch name {
        case "d" where argument.isJSON: "-d is --download; for a body: --raw '\(argument.isObject ? "{...}" : "[...]")'"
        case "d" where argument.isQuery, "d" where isBeforeURL && argument.isAssignment:
            "-d is --download; for a form: afcli -f URL name=value"
        case "d" where isBeforeURL && argument.hasPrefix("@"):
            "-d is --download; for a body from a file: --raw @FILE"
        case "json" where argument.isJSON: "for a body: --raw '{...}', or items after the URL: name=value"
        case "form" where isBeforeURL && argument.isAssignment: "items follow the URL: afcli --form URL name=value"
        case "b" where argument.isCookies, "b" where isBeforeURL && argument.isAssignment,
            "b" where standsBeforeURL && !argument.isLetters, "b" where isStray:
            "-b is --body; for cookies: 'Cookie:name=value' after the URL, or --cookie-jar FILE"
        case "m" where argument.isNumber: "-m is --meta; for a time limit: --max-time \(argument)"
        case "x" where argument.hasPrefix("socks") && argument.firstRange(of: "://") != nil:
            "-x is --compress; for a proxy: --proxy \(argument.scheme)://..."
        case "x" where standsBeforeURL && !argument.isLetters, "x" where isStray,
            "x" where argument.isHostAndPort && (!isBeforeURL || words.dropFirst().first?.isNoItem == true):
            Positionals.proxyHint
        case "c" where standsBeforeURL, "c" where isStray,
            "c" where isBeforeURL && !argument.isLetters && words.dropFirst().first?.isNoItem == true:
            "-c is --resume; for cookies: --cookie-jar FILE"
        default: nil
        }
    }

    private static let head = "use --print=hb to show the header and the body"
    private static let newVersion = "use --resume with --output FILE, which downloads only a changed file"
    private static let saved = "use --download, or --output FILE"
    private static let isDefault = "omit it: it is the default"
    private static let expected = "omit it: it is the default; --no-check-status disables it"
    private static let isIgnored = "omit it: it is not needed here"
    private static let socks = "use --proxy with a socks4://, socks5:// or socks5h:// URL"
    private static let bearer = "use --auth-type bearer --auth TOKEN"

    private static let hints = [
        "continue-at": "use --resume with --output FILE", "include": head, "show-headers": head,
        "etag-save": newVersion, "etag-compare": newVersion,
        "get": "use query items: afcli get URL name==value",
        "url-query": "use a query item after the URL: name==value",
        "remote-name": saved, "remote-name-all": saved, "remote-header-name": saved,
        "K": "curl's configuration files are not read; --config FILE reads one of afcli",
        "proxy-user": "put the credentials into the URL: --proxy http://USER:PASSWORD@HOST:PORT",
        "Z": "use --input FILE with --parallel NUMBER", "referer": "use an item after the URL: Referer:URL",
        "globoff": isIgnored, "show-error": isIgnored, "no-progress-meter": "use --progress never",
        "progress-bar": "use --progress always", "preproxy": socks,
        "netrc": "~/.netrc is read by default; --netrc-file names another file",
        "netrc-optional": "~/.netrc is read by default; --netrc-file names another file",
        "time-cond": "use an item after the URL: If-Modified-Since:DATE",
        "anyauth": "use --auth-type any", "basic": "use --auth USER:PASSWORD", "digest": "use --auth-type digest",
        "ntlm": "use --auth-type ntlm", "negotiate": "use --auth-type negotiate",
        "aws-sigv4": "use --auth-type aws-sigv4", "bearer": bearer, "oauth2-bearer": bearer,
        "compressed": "compressed responses are the default; 'Accept-Encoding:' after the URL disables them",
        "cookie": "use an item after the URL: 'Cookie:name=value'",
        "fail": expected, "fail-early": isDefault, "fail-with-body": expected,
        "head": "use the method: afcli head URL",
        "location-trusted": "use --follow --trust-redirects",
        "request": "use --method, or write the method before the URL",
        "retry-all-errors": "use --retry-on any and --retry-unsafe", "retry-connrefused": isDefault,
        "silent": "omit it: the progress is shown for downloads only", "url": "write the URL without an option",
        "user-agent": "use an item after the URL: User-Agent:NAME",
        "data-binary": "use --raw @FILE", "data-urlencode": "use --form with items: name=value",
        "http2.0": "use --http2",
        // Names of wget and of other tools.
        "content-disposition": "use --download", "no-check-certificate": "use --insecure",
        "output-document": "use --output FILE", "post-data": "use --raw TEXT", "post-file": "use --raw @FILE",
        "spider": "use the method: afcli head URL", "tries": "use --retry NUMBER",
        "dry-run": "use --offline", "jq": "use --filter PATH", "query": "use --filter PATH",
    ]

    private static let families: [(prefix: String, hint: String)] = [
        ("data", "use items such as name=value, or --raw TEXT"), ("socks", socks), ("trace", "use --debug"),
    ]
}

extension String {
    fileprivate var isObject: Bool { hasPrefix("{") }
    /// Whether the word looks like JSON and cannot be an item.
    fileprivate var isJSON: Bool {
        let isArray = hasPrefix("[") && hasSuffix("]") && utf8.firstIndex(of: UInt8(ascii: "=")) == nil
        return isObject || isArray && !dropFirst().dropLast().isIPv6Address
    }
    /// `name=value`, and not the query of a URL.
    fileprivate var isAssignment: Bool {
        halves(around: "=").map { !$0.before.isEmpty && $0.before.firstIndex(ofAny: "/?:@") == nil } ?? false
    }
    /// `a=1&b=2`
    fileprivate var isQuery: Bool {
        isAssignment && (halves(around: "&").map { $0.after.firstIndex(ofAny: "=") != nil } ?? false)
    }
    /// `a=1; b=2`
    fileprivate var isCookies: Bool {
        isAssignment && (halves(around: ";").map { $0.after.firstIndex(ofAny: "=") != nil } ?? false)
    }
    /// `proxy.example:3128`, and not a header field.
    fileprivate var isHostAndPort: Bool {
        guard let (host, port) = halves(around: ":"), port.isDecimal else { return false }
        return host == "localhost" || host.firstIndex(ofAny: ".") != nil
    }
    fileprivate var isURL: Bool {
        hasPrefix("http://") || hasPrefix("https://") || hasPrefix(":") && dropFirst().first?.isNumber == true
    }
    /// Whether the word after another positional argument must be the URL.
    fileprivate var isNoItem: Bool { !hasPrefix("-") && (try? RequestItem(self)) == nil }
    fileprivate var isLetters: Bool { unicodeScalars.allSatisfy { $0.isASCII && $0.properties.isAlphabetic } }
    fileprivate var isCommonMethod: Bool { ["get", "head", "post", "put", "patch", "delete"].contains(lowercased()) }
    fileprivate var isNumber: Bool { Double(self) != nil && allSatisfy { "0123456789.".contains($0) } }
    fileprivate var scheme: Substring { prefix { $0 != ":" } }
}
