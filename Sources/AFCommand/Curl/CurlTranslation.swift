internal import AFHTTP
internal import AFTransport

/// An option of afcli with its argument.
struct CurlSetting: Equatable, Sendable {
    /// A spelling of the option, with dashes.
    let name: String
    /// The argument; `nil` for a flag.
    var value: String?
    /// The option of curl, for messages; `nil` if it has the same name, or none was typed.
    var spelling: String?
    /// Whether curl ignores it without an output file.
    var needsFile = false
}

/// A transfer of a curl command line, translated to options of afcli.
struct CurlTranslation {
    /// The options of afcli.
    var settings: [CurlSetting] = []
    /// The URL as typed, with its scheme.
    private(set) var url = ""
    /// The URL, read once; `nil` for an invalid one.
    private(set) var address: Address?
    /// The error of the URL, with which the transfer fails; `nil` for a valid one.
    private(set) var urlError: UsageError?
    /// The behavior for which afcli has no option.
    var behavior: CurlBehavior
    /// The typed and read header fields.
    var headers: [String] = []
    /// Sentences about options that have another effect, or none.
    var warnings: [String]

    /// The unknown variables of `--write-out`, which curl reports also with `--silent`.
    private(set) var unknownVariables: [String] = []

    /// The files that the translation reads.
    let files: FileAccess
    let isOnly: Bool
    /// Whether the response is written to a file.
    var writesFile = false
    /// Whether the request reads standard input.
    var readsInput = false
    /// Whether the request uploads a file.
    let isUpload: Bool
    /// The boundary of a body in memory that the typed `Content-Type` lacks; `nil` for none.
    var missingBoundary: String?

    /// Translates a transfer.
    ///
    /// - Parameters:
    ///   - index: The zero-based index of the URL in its group.
    ///   - upload: The file to upload; `nil` if no file is uploaded for this URL.
    ///   - isOnly: Whether it is the only transfer of its group: others need the same pipes again.
    ///   - encodesLikeCurl: Whether URLs and locations are percent-encoded as by curl.
    /// - Throws: ``UsageError`` with curl's option, ``FileProblem`` for an unreadable file.
    init(
        _ curl: CurlArguments,
        _ match: CurlGlob.Match,
        index: Int,
        upload: String?,
        isOnly: Bool,
        encodesLikeCurl: Bool = true,
        files: FileAccess,
        input: inout InputReader
    ) throws {
        self.files = files
        self.isOnly = isOnly
        isUpload = upload != nil
        behavior = CurlBehavior(
            // Some servers answer curl with plain text.
            userAgent: "curl/\(CurlFeatures.version)",
            limitsAttempts: true,
            retriesUntilEnd: true,
            followsAllRedirects: true,
            encodesLikeCurl: encodesLikeCurl,
            keepsHTTP10: true,
            liftsHeaderLimits: encodesLikeCurl,
            redirectSchemes: try Self.schemes(curl.protocols, option: "--proto")
                .filter(Self.schemes(curl.redirectProtocols, option: "--proto-redir").contains),
            saving: SavingRules(
                savesErrors: true,
                keepsForeignFile: true,
                followsLinks: true,
                numberSeparator: ".",
                decodesArchives: curl.isCompressed,
                directoryMode: SavingRules.modeOfCurl,
                removesPartialFile: curl.removesOnError),
            hidesTunnelHeads: curl.hidesTunnelHeads,
            hidesErrorBodies: curl.failsQuietly,
            reportsStatus: curl.failsOnStatus && (!curl.isSilent || curl.showsErrors),
            masksHeads: false,
            hidesWarnings: curl.isSilent
        )
        warnings = curl.ineffective
        var url = ""
        do throws(UsageError) {
            url = try Self.url(match.url, curl)
        } catch {
            urlError = error
        }
        try addBody(curl, &url, upload, &input)
        address = try? Address(encodesLikeCurl ? url.withEscapedPath : url)
        try addHeaders(curl, &input)
        try addCookies(curl, &input)
        try addLogin(curl, &url)
        try addNetwork(curl)
        try addOutput(curl, match, url, index)
        try addTemplate(curl, &input)
        for setting in curl.passedThrough where (writesFile || !setting.needsFile) && !isIgnored(setting, curl, url) {
            settings += try expanded(setting, &input)
        }
        if !readsInput, !asksForPassword(curl) { assign("--ignore-stdin") }
        self.url = encodesLikeCurl ? url.withEscapedPath : url
    }

    /// Returns an option, or one for each line of the file of `--proxy-header`.
    private func expanded(_ setting: CurlSetting, _ input: inout InputReader) throws -> [CurlSetting] {
        guard setting.name == "--proxy-header", let value = setting.value, value.hasPrefix("@") else {
            return [setting]
        }
        let lines = try naming(setting.name) { try input.text(String(value.dropFirst()), .header) }
        return lines.split(whereSeparator: \.isNewline).map { CurlSetting(name: setting.name, value: String($0)) }
    }

    /// Whether curl ignores an option: a key without its certificate, an empty name of an HSTS file, with
    /// `--netrc-optional` a missing file, and the parameters of TLS without TLS.
    private func isIgnored(_ setting: CurlSetting, _ curl: CurlArguments, _ url: String) -> Bool {
        switch setting.name {
        case "--ciphers", "--tls13-ciphers", "--curves":
            !curl.follows && url.lowercased().hasPrefix("http:")
                && curl.proxy?.url.lowercased().hasPrefix("https:") != true
        case "--cert-key": curl.certificate == nil
        case "--hsts": setting.value?.isEmpty == true
        case "--netrc-file": lacksNetrc(curl)
        default: false
        }
    }

    /// Whether the file of `--netrc-file` has no name, or is missing and may be: no other file is read in its place.
    func lacksNetrc(_ curl: CurlArguments) -> Bool {
        guard let path = curl.setting("--netrc-file")?.value else { return false }
        return path.isEmpty || curl.mayLackNetrc && (try? files.describe(path)) == nil
    }

    /// Removes the user info, in whose place credentials of other options are used.
    mutating func removeUserInfo(_ url: inout String) {
        url = url.withoutUserInfo
        address = address?.withoutCredential ?? (try? Address(behavior.encodesLikeCurl ? url.withEscapedPath : url))
    }

    /// Adds an option of afcli.
    ///
    /// - Parameter spelling: The option of curl from which the argument is; `nil` if it has the same name, or if the
    ///   argument was not typed.
    mutating func assign(_ name: String, _ value: String? = nil, typedAs spelling: String? = nil) {
        settings.append(CurlSetting(name: name, value: value, spelling: spelling))
    }

    // URL

    private static func url(_ typed: String, _ curl: CurlArguments) throws(UsageError) -> String {
        let end = typed.firstIndex(ofAny: "/?#") ?? typed.endIndex
        let hasScheme = typed.firstRange(of: "://").map { $0.lowerBound < end } ?? false
        if !hasScheme { try Address.checkForScheme(in: typed[...]) }
        let url = hasScheme ? typed : "\(curl.defaultScheme ?? "http")://\(typed)"
        let scheme = url.prefix { $0 != ":" }.lowercased()
        guard scheme == "http" || scheme == "https" else {
            let isValid = !scheme.isEmpty && scheme.utf8.allSatisfy { $0.isUnreserved || $0 == UInt8(ascii: "+") }
            throw UsageError("the scheme is neither http nor https: '\(scheme)'").naming(typed)
                .numbered(isValid ? 1 : 3)
        }
        if curl.refusesUserInfo, (try? Address(url))?.credential != nil {
            throw UsageError("the URL has a user name", argument: "--disallow-username-in-url").numbered(67)
        }
        let allowed = try schemes(curl.protocols, option: "--proto")
        guard allowed.contains(where: { $0.rawValue == scheme }) else {
            throw UsageError("'\(curl.protocols ?? "")' excludes \(known: scheme)", argument: "--proto").numbered(1)
        }
        return url
    }

    /// Returns the schemes of curl's list of protocols: each word adds its scheme, `-` removes it, `=` allows it alone.
    private static func schemes(_ list: String?, option: String) throws(UsageError) -> [HTTPURL.Scheme] {
        let all = HTTPURL.Scheme.allCases
        guard let list else { return all }
        var allowed = all
        for word in list.split(separator: ",") {
            let sign = word.first.flatMap { "=+-".contains($0) ? $0 : nil }
            let name = (sign == nil ? word : word.dropFirst()).lowercased()
            guard name.first?.isLetter == true else {
                throw UsageError("expected a list such as =https or -http, got '\(list)'", argument: option)
            }
            let named = name == "all" ? all : all.filter { $0.rawValue == name }
            if sign == "=" { allowed = [] }
            allowed = all.filter { named.contains($0) ? sign != "-" : allowed.contains($0) }
        }
        return allowed
    }

    // Network

    private mutating func addNetwork(_ curl: CurlArguments) throws {
        behavior.keepAliveTime = curl.sendsKeepAlive ? curl.keepAliveTime.flatMap { $0 > 0 ? $0 : nil } ?? 60 : nil
        behavior.resumesTLS = curl.resumesTLS
        if curl.follows {
            let limit = curl.maximumRedirects.map { $0 == "-1" ? "1000000" : $0 } ?? "50"
            assign("--follow")
            assign("--max-redirects", limit, typedAs: "--max-redirs")
            if curl.trustsRedirects { assign("--trust-redirects") }
        }
        if curl.speedLimit != nil || curl.speedTime != nil {
            let time = curl.speedTime ?? "30"
            assign("--timeout", time, typedAs: "--speed-time")
            if let limit = curl.speedLimit, limit != "1" {
                warnings.append("--speed-limit: a transfer ends after \(time) s without any data, not below a speed")
            }
        }
        if let proxy = curl.proxy, !isUnused(proxy.url, curl) {
            do throws(UsageError) {
                assign("--proxy", try Self.proxy(proxy.url, user: curl.proxyUser), typedAs: proxy.option)
            } catch {
                throw error.naming(proxy.option).ofProxy
            }
        } else if let user = curl.proxyUser {
            let (name, password) = user.halves(around: ":") ?? (user[...], "")
            behavior.proxyCredential = URLCredential(user: String(name), password: String(password))
        }
        let kinds = curl.offeredProxyKinds.map(\.rawValue)
        if !kinds.isEmpty { assign("--proxy-auth-type", kinds.joined(separator: ",")) }
        if curl.isProxyHTTP10 { assign("--proxy-http1.0") }
        try addTLS(curl)
        if let retries = curl.retries {
            let isFailing = curl.retriesAll && curl.failsOnStatus
            let statuses = isFailing ? "400-599" : "408,429,500,502,503,504"
            let failures = curl.retriesAll ? "any" : curl.retriesRefused ? "timeout,connect" : "timeout,lookup"
            assign("--retry", retries)
            assign("--retry-on", "\(statuses),\(failures)")
            assign("--retry-unsafe")
        }
        assign("--check-status", "errors")
    }

    /// Whether no request uses the proxy, as `--noproxy` bypasses it: curl does not read its URL.
    private func isUnused(_ proxy: String, _ curl: CurlArguments) -> Bool {
        guard !proxy.isEmpty, let list = curl.setting("--no-proxy")?.value, let url = address?.url else {
            return false
        }
        return ProxySelection.isUnused(bypass: list, for: url, mayLeaveOrigin: curl.follows)
    }

    private mutating func addTLS(_ curl: CurlArguments) throws(UsageError) {
        switch (curl.minimumTLS, curl.maximumTLS) {
        case ("1.3", let most?):
            throw UsageError("\(known: most) excludes TLS 1.3, the minimum of --tlsv1.3", argument: "--tls-max")
                .numbered(35)
        case ("1.3", _): assign("--ssl", "tls1.3")
        case (_, "1.0"): assign("--ssl", "tls1")
        case (_, let most?): assign("--ssl", "tls\(most)")
        default: break
        }
        if let pin = curl.pin {
            if pin.hasPrefix("sha256//") {
                var failure: UsageError?
                var pins: [String] = []
                for pin in pin.split(separator: ";") {
                    do throws(UsageError) { pins.append(try TLSArguments.pin(String(pin))) } catch { failure = error }
                }
                // As in curl, an invalid one among others is not compared.
                if pins.isEmpty, let failure { throw failure.naming("--pinnedpubkey").numbered(90) }
                for pin in pins { assign("--pin", pin, typedAs: "--pinnedpubkey") }
            } else {
                behavior.pinnedKeyFile = pin
            }
        }
        if let certificate = curl.certificate {
            assign("--cert", Self.certificate(certificate).path.literalPath)
        }
        if let password = curl.keyPassword ?? curl.certificate.flatMap({ Self.certificate($0).password }) {
            let option = curl.keyPassword == nil ? "--cert" : "--pass"
            assign("--cert-key-pass", CredentialSource.argument(literal: password), typedAs: option)
        }
    }

    /// Returns the proxy with its credentials.
    private static func proxy(_ typed: String, user: String?) throws(UsageError) -> String {
        guard !typed.isEmpty else { return "" }
        let halves = typed.firstRange(of: "://")
        let scheme = halves.map { String(typed[..<$0.lowerBound]) } ?? "http"
        var host = halves.map { typed[$0.upperBound...] } ?? typed[...]
        // `https:http://h` would be a proxy for https alone in afcli's own notation.
        guard scheme.lowercased().isProxyScheme else { throw UsageError.unsupportedProxy(scheme) }
        if halves == nil { try Address.checkForScheme(in: host) }
        // As in curl, the user info of the URL takes precedence.
        let authority = host.prefix { $0 != "/" }
        let hasUserInfo = authority.firstIndex(ofAny: "@") != nil
        // curl ignores the path of a SOCKS proxy, except for that of a Unix socket.
        let name = authority.split(separator: "@", omittingEmptySubsequences: false).last?.prefix { $0 != ":" }
        if scheme.lowercased().hasPrefix("socks"), name?.lowercased() != "localhost" { host = authority }
        if let port = authority.split(separator: "@").last?.halves(around: ":")?.after, !authority.contains("["),
            !port.isEmpty
        {
            guard port.isDecimal else { throw UsageError("invalid port '\(port)'") }
            // For curl, port 0 is one to which no connection is possible.
            if port.allSatisfy({ $0 == "0" }) { throw UsageError("no proxy has port \(port)").numbered(7) }
        }
        guard let user, !hasUserInfo else { return "\(scheme)://\(host)" }
        let (login, password) = user.halves(around: ":") ?? (user[...], "")
        let credentials = [login, password].map { Array($0.utf8).percentEncoded { byte, _ in !byte.isUnreserved } }
        return "\(scheme)://\(credentials[0]):\(credentials[1])@\(host)"
    }

    /// Splits `FILE:PASSWORD`; `\:` is a colon in the path.
    static func certificate(_ typed: String) -> (path: String, password: String?) {
        var path = ""
        var rest = typed[...]
        while let character = rest.popFirst() {
            if character == "\\", rest.first == ":" || rest.first == "\\" {
                path.append(rest.removeFirst())
            } else if character == ":" {
                return (path, String(rest))
            } else {
                path.append(character)
            }
        }
        return (path, nil)
    }

    // Output

    /// Adds the template of `--write-out`.
    private mutating func addTemplate(_ curl: CurlArguments, _ input: inout InputReader) throws {
        guard let (template, unknown) = try Self.template(curl, &input) else { return }
        unknownVariables = unknown
        // A template that starts with @ would be a path.
        assign("--write-out", template.hasPrefix("@") ? "%{stdout}\(template)" : template)
    }

    /// Returns the template of `--write-out` and its unknown variables; `nil` without the option.
    static func template(
        _ curl: CurlArguments, _ input: inout InputReader
    ) throws -> (text: String, unknown: [String])? {
        guard var text = curl.writeOut else { return nil }
        if text.hasPrefix("@") {
            let path = String(text.dropFirst())
            text = try naming("--write-out") {
                // curl removes line breaks and zeros from the file.
                try input.text(path, .configuration).filter { $0 != "\n" && $0 != "\r" && $0 != "\r\n" && $0 != "\0" }
            }
        }
        let (template, unknown) = WriteOutTemplate.removingUnknownVariables(text)
        return (template, unknown)
    }
}

extension String {
    /// The URL with lower-case escapes of the bytes beyond ASCII after its host, as curl sends it.
    fileprivate var withEscapedPath: String {
        let start = firstRange(of: "://").map(\.upperBound) ?? startIndex
        guard let path = self[start...].firstIndex(ofAny: "/?#"), self[path...].utf8.contains(where: { $0 >= 0x80 })
        else { return self }
        return self[..<path]
            + self[path...].octets.percentEncoded(uppercase: false) { byte, _ in byte >= 0x80 }
    }
}
