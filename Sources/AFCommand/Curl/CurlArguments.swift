internal import AFCore

/// The values of curl's options, up to a `--next`.
struct CurlArguments: Sendable {
    /// The interpretation of a data argument.
    enum DataKind: String, Sendable {
        case data = "--data"
        case binary = "--data-binary"
        case raw = "--data-raw"
        case encoded = "--data-urlencode"
        case json = "--json"
    }

    enum Output: Equatable, Sendable {
        case file(String)
        /// The last component of the URL's path.
        case remoteName
        case standardOutput
    }

    var urls: [String] = [] { didSet { addRemoteNames() } }
    var outputs: [Output] = [] { didSet { addRemoteNames() } }
    var uploads: [String] = [] { didSet { addRemoteNames() } }
    /// Whether each URL has the output of `--remote-name` by default: `--remote-name-all` preceded it.
    private(set) var remoteNames: [Bool] = []

    var method: String?
    var isHead = false
    var isGet = false
    var headers: [String] = []
    var userAgent: String?
    var referer: String?
    /// The arguments of `--cookie`.
    var cookies: [String] = []
    var cookieJar: String?
    var omitsSessionCookies = false
    var timeCondition: String?
    var queries: [String] = []
    var etagFile: String?
    var savedTagFile: String?
    var isGlobOff = false
    var range: String?
    var refusesUserInfo = false
    /// The file that receives messages; `-` for standard output.
    var errorFile: String?
    var isCompressed = false
    var follows = false
    var trustsRedirects = false
    var maximumRedirects: String?
    var defaultScheme: String?
    var protocols: String?
    var redirectProtocols: String?

    var data: [(kind: DataKind, text: String)] = []
    var parts: [(text: String, isLiteral: Bool)] = []
    var usesFormEscape = false

    var outputDirectory: String?
    var allRemoteNames = false
    var usesHeaderName = false
    /// Whether a file with the name in the response is replaced.
    var clobbers = false
    var removesOnError = false
    var hidesTunnelHeads = false
    var offset: String?
    var includesHead = false
    var headFile: String?
    var isSilent = false
    var hidesProgress = false
    var writeOut: String?
    var isVerbose = false
    /// The log of the traffic; `nil` for none, or that of ``isVerbose``.
    var trace: CurlTrace.Choice?
    var tracesTime = false

    // Of the command, regardless of the group
    var failsEarly = false
    var runsInParallel = false
    /// Whether parallel transfers open connections instead of waiting for one that they can share.
    var connectsAtOnce = false
    var parallelLimit: Int?
    var rate: CurlRate?

    var sendsKeepAlive = true
    var keepAliveTime: Int?
    var resumesTLS = true
    /// The proxy, and the option that names it.
    var proxy: (url: String, option: String)?
    var proxyUser: String?
    /// The typed schemes of a proxy.
    private var proxyKinds: [ProxyAuthenticationKind] = []
    var acceptsAnyProxyKind = false
    var isProxyHTTP10 = false
    /// The digests of public keys, separated by semicolons, or a file with a key.
    var pin: String?
    var user: String?
    var offersBasic = false
    var offersDigest = false
    var offersNTLM = false
    var offersNegotiate = false
    var bearer: String?
    var aws: String?
    var requiresNetrc = false
    /// Whether the file of `--netrc-file` may be missing.
    var mayLackNetrc = false
    var readsNetrc: Bool { requiresNetrc || mayLackNetrc }
    var certificate: String?
    var keyPassword: String?
    var retries: String?
    var retriesRefused = false
    var retriesAll = false

    var failsQuietly = false
    var failsWithBody = false
    var showsErrors = false
    var speedLimit: String?
    var speedTime: String?
    /// The typed options that have no effect here.
    var ineffective: [String] = []
    var minimumTLS: String?
    var maximumTLS: String?
    /// Options with the same meaning here, in the order in which they were typed: some exclude each other, and the last
    /// one counts.
    private(set) var passedThrough: [CurlSetting] = []

    /// Whether the last output has the name of the URL. As in curl 8, only `--remote-name-all` can be undone for a URL.
    var endsWithRemoteName: Bool {
        get { outputs.last == .remoteName }
        set { if newValue || allRemoteNames { outputs.append(newValue ? .remoteName : .standardOutput) } }
    }

    /// Whether an error (400 and above) is a failure.
    var failsOnStatus: Bool { failsQuietly || failsWithBody }

    /// The error about a group without a URL.
    static func missingURL(isFirst: Bool) -> UsageError {
        UsageError(
            isFirst ? "no URL given" : "--next is followed by no URL", hint: "afcli curl [OPTION ...] URL"
        ).numbered(2)
    }

    /// The files that a transfer writes besides that of its body.
    var filesBesideBody: [String] { [headFile, savedTagFile, cookieJar].compactMap(\.self).filter { $0 != "-" } }

    /// Whether transfers with these options write files that are known before they are sent, and nothing else that
    /// depends on the end of the one before: a log in the order of time, cookies on standard output, a file of
    /// `%output{}`, or the hosts of `--hsts`, which the next transfer reads.
    var savesIndependently: Bool {
        let writesValues = writeOut.map { $0.hasPrefix("@") || $0.contains("%output") } ?? false
        return (remoteNames.contains(true) || !outputs.isEmpty) && !usesHeaderName && !isVerbose && trace == nil
            && !writesValues && cookieJar != "-" && setting("--hsts") == nil
    }

    /// Whether the output of a URL may be a file that is synced, and not a device.
    func savesFile(of index: Int) -> Bool {
        guard index < outputs.count else { return remoteNames.indices.contains(index) && remoteNames[index] }
        return switch outputs[index] {
        case .standardOutput, .file("-"): false
        case .file(let path): !path.isWrittenDirectly
        case .remoteName: true
        }
    }

    /// Determines the default outputs of new URLs. As in curl, an output or upload is also the place of a URL.
    private mutating func addRemoteNames() {
        let count = max(urls.count, outputs.count, uploads.count)
        while remoteNames.count < count { remoteNames.append(allRemoteNames) }
    }

    mutating func add(_ kind: DataKind, _ text: String) { data.append((kind, text)) }

    /// Sets an option of afcli.
    mutating func set(_ name: String, _ value: String, typedAs spelling: String) {
        passedThrough.removeAll { $0.name == name }
        passedThrough.append(CurlSetting(name: name, value: value, spelling: spelling))
    }

    /// Removes the settings of an option.
    mutating func remove(_ option: OptionEntry) { passedThrough.removeAll { $0.name == option.name } }

    /// Replaces existing files.
    mutating func clobber() {
        clobbers = true
        passedThrough.removeAll { $0.name == "--no-clobber" }
    }

    /// Assigns an option of afcli.
    ///
    /// - Parameter isOn: `false` for `--no-OPTION`.
    mutating func assign(_ option: OptionEntry, _ spelling: CurlSpelling, _ argument: String, isOn: Bool) {
        if !spelling.isRepeatable { remove(option) }
        guard isOn, !spelling.hasZeroAsDefault || Double(argument) != 0 else { return }
        let typed = spelling.name.map { "--\($0)" } ?? option.name
        var setting = CurlSetting(name: option.name, spelling: typed, needsFile: spelling.needsFile)
        switch option.argument?.hint {
        case nil: break
        case .file?, .directory?: setting.value = argument.literalPath
        default: setting.value = argument
        }
        passedThrough.append(setting)
    }

    /// An option of afcli; `nil` if it was not typed.
    func setting(_ name: String) -> CurlSetting? { passedThrough.last { $0.name == name } }

    /// Whether a scheme of a proxy is typed.
    subscript(proxyKind kind: ProxyAuthenticationKind) -> Bool {
        get { proxyKinds.contains(kind) }
        set { proxyKinds = proxyKinds.filter { $0 != kind } + (newValue ? [kind] : []) }
    }

    /// The schemes among which a proxy's challenge selects; empty for Basic. As in curl, the strongest of several counts.
    var offeredProxyKinds: [ProxyAuthenticationKind] {
        let all = ProxyAuthenticationKind.allCases
        return acceptsAnyProxyKind ? all : Array(all.filter(proxyKinds.contains).suffix(1))
    }

    /// The number of arguments that are standard input.
    var inputUses: Int {
        let data = data.filter { kind, text in
            switch kind {
            case .raw: false
            case .encoded: text.isEncodedInput
            case .data, .binary, .json: text == "@-"
            }
        }
        let parts = parts.filter { !$0.isLiteral && ($0.text.halves(around: "=")?.after.isInputPart ?? false) }
        let files = headers.filter { $0 == "@-" } + cookies.filter { $0 == "-" } + queries.filter(\.isEncodedInput)
        let template = writeOut == "@-" ? 1 : 0
        return data.count + parts.count + files.count + template + uploads.count { $0 == "-" || $0 == "." }
    }

    /// The kind of authentication, and the schemes among which the server's challenge selects; `nil` for Basic.
    var login: (kind: AuthenticationKind, offered: AuthenticationOptions.Kinds)? {
        let offered: [(AuthenticationKind, AuthenticationOptions.Kinds)] = [
            (.basic, offersBasic ? .basic : []), (.digest, offersDigest ? .digest : []),
            (.ntlm, offersNTLM ? .ntlm : []), (.negotiate, offersNegotiate ? .negotiate : []),
        ].filter { !$0.1.isEmpty }
        guard let first = offered.first else { return nil }
        if offered.count > 1 { return (.any, offered.reduce(into: []) { $0.formUnion($1.1) }) }
        return first.0 == .basic ? nil : first
    }
}

extension String {
    /// The path for an option of afcli, which would replace `~/`.
    var literalPath: String { self == "~" || hasPrefix("~/") ? "./\(self)" : self }

    /// The parts of an argument of `--data-urlencode`; as in curl, an equals sign counts before an at sign.
    var encodedParts: (name: String, value: String, isFile: Bool) {
        if let (name, value) = halves(around: "=") { return (String(name), String(value), false) }
        if let (name, path) = halves(around: "@") { return (String(name), String(path), true) }
        return ("", self, false)
    }

    /// Whether an argument of `--data-urlencode` is standard input: `@-` or `name@-`.
    fileprivate var isEncodedInput: Bool {
        let parts = encodedParts
        return parts.isFile && parts.value == "-"
    }
}

extension Substring {
    /// Whether the value of a part is standard input.
    var isInputPart: Bool {
        guard let sign = first, sign == "@" || sign == "<" else { return false }
        let path = dropFirst().drop(while: \.isWhitespace).prefix { $0 != ";" }
        return path == "-" || path == "\"-\""
    }
}

extension CurlArguments {
    /// The files of `--cookie`.
    var cookieFiles: [String] {
        cookies.filter(\.namesCookieFile).map { $0.hasPrefix("@") ? String($0.dropFirst()) : $0 }.filter { !$0.isEmpty }
    }
}

extension String {
    /// Whether an argument of `--cookie` is a file, and not a cookie: it begins with an at sign, or has no equals sign.
    var namesCookieFile: Bool { hasPrefix("@") || !contains("=") }
}
