internal import AFCore

/// The options of curl 8 that concern HTTP, besides those with the meaning of one of afcli: they stand on that.
extension CurlOption {
    static let own: [CurlOption] =
        [request, bodies, output, connections, security, ignored, foreign, ineffective, unsupported, others].flatMap(
            \.self)

    private static let request: [CurlOption] = [
        CurlOption("request", "X", .text { \.method }),
        CurlOption("head", "I", .flag { \.isHead }),
        CurlOption("get", "G", .flag { \.isGet }),
        CurlOption("header", "H", secrets: .header, .list { \.headers }),
        CurlOption("user-agent", "A", .text { \.userAgent }),
        CurlOption("referer", "e", secrets: .url, .text { \.referer }),
        CurlOption("cookie", "b", secrets: .cookies, .list { \.cookies }),
        CurlOption("cookie-jar", "c", .text { \.cookieJar }),
        CurlOption("junk-session-cookies", "j", .flag { \.omitsSessionCookies }),
        CurlOption("range", "r", .text { \.range }),
        CurlOption("disallow-username-in-url", nil, .flag { \.refusesUserInfo }),
        CurlOption("time-cond", "z", .text { \.timeCondition }),
        CurlOption("url", nil, secrets: .url, .list { \.urls }),
        CurlOption("url-query", nil, secrets: .body, .argument { (values, text) in values.queries.append(text) }),
        CurlOption("globoff", "g", .flag { \.isGlobOff }),
        CurlOption("compressed", nil, .flag { \.isCompressed }),
        CurlOption("location", "L", .flag { \.follows }),
        CurlOption("follow", nil, .flag { \.follows }),
        CurlOption("location-trusted", nil, .setting { ($0.follows, $0.trustsRedirects) = ($1, $1) }),
        CurlOption("max-redirs", nil, .text { \.maximumRedirects }),
        CurlOption("etag-compare", nil, .text { \.etagFile }),
        CurlOption("etag-save", nil, .text { \.savedTagFile }),
        CurlOption("proto-default", nil, .text { \.defaultScheme }),
        CurlOption("proto", nil, .text { \.protocols }),
        CurlOption("proto-redir", nil, .text { \.redirectProtocols }),
    ]

    private static let bodies: [CurlOption] = [
        CurlOption("data", "d", secrets: .body, .argument { (values, text) in values.add(.data, text) }),
        CurlOption("data-ascii", nil, secrets: .body, .argument { (values, text) in values.add(.data, text) }),
        CurlOption("data-binary", nil, secrets: .body, .argument { (values, text) in values.add(.binary, text) }),
        CurlOption("data-raw", nil, secrets: .body, .argument { (values, text) in values.add(.raw, text) }),
        CurlOption("data-urlencode", nil, secrets: .body, .argument { (values, text) in values.add(.encoded, text) }),
        CurlOption("json", nil, secrets: .body, .argument { (values, text) in values.add(.json, text) }),
        CurlOption("form", "F", secrets: .part, .argument { (values, text) in values.parts.append((text, false)) }),
        CurlOption(
            "form-string", nil, secrets: .part, .argument { (values, text) in values.parts.append((text, true)) }),
        CurlOption("form-escape", nil, .flag { \.usesFormEscape }),
        CurlOption("upload-file", "T", .list { \.uploads }),
    ]

    private static let output: [CurlOption] = [
        CurlOption("output", "o", .argument { (values, text) in values.outputs.append(.file(text)) }),
        CurlOption("remote-name", "O", .flag { \.endsWithRemoteName }),
        CurlOption("out-null", nil, .setting { (values, _) in values.outputs.append(.file("/dev/null")) }),
        CurlOption("remote-name-all", nil, .flag { \.allRemoteNames }),
        CurlOption("remote-header-name", "J", .flag { \.usesHeaderName }),
        CurlOption("output-dir", nil, .text { \.outputDirectory }),
        CurlOption("clobber", nil, .setting { (values, _) in values.clobber() }),
        CurlOption("remove-on-error", nil, .flag { \.removesOnError }),
        // It has no effect on files of HTTP.
        CurlOption("create-file-mode", nil, .argument { (_, _) in }),
        CurlOption("continue-at", "C", .text { \.offset }),
        CurlOption("include", "i", .flag { \.includesHead }),
        CurlOption("show-headers", nil, .flag { \.includesHead }),
        CurlOption("dump-header", "D", .text { \.headFile }),
        CurlOption("suppress-connect-headers", nil, .flag { \.hidesTunnelHeads }),
        CurlOption("write-out", "w", .text { \.writeOut }),
        CurlOption("fail", "f", .flag { \.failsQuietly }),
        CurlOption("fail-with-body", nil, .flag { \.failsWithBody }),
        CurlOption("show-error", "S", .flag { \.showsErrors }),
        CurlOption("fail-early", nil, .flag { \.failsEarly }),
        CurlOption("parallel", "Z", .flag { \.runsInParallel }),
        CurlOption("parallel-immediate", nil, .flag { \.connectsAtOnce }),
        CurlOption(
            "parallel-max", nil,
            .argument { (values, text) in
                // As in curl, another number means the default.
                values.parallelLimit = Int(text).flatMap { (1...300).contains($0) ? $0 : nil }
            }),
        CurlOption(
            "rate", nil, .argument { (values, text) throws(UsageError) in values.rate = try CurlRate(argument: text) }),
        CurlOption("silent", "s", .flag { \.isSilent }),
        CurlOption("no-progress-meter", nil, .flag { \.hidesProgress }),
        // The last of these counts.
        CurlOption("verbose", "v", .setting { ($0.isVerbose, $0.trace) = ($1, nil) }),
        CurlOption(
            "trace", nil,
            .argument { (values, text) in (values.isVerbose, values.trace) = (false, .file(text, .bytes)) }),
        CurlOption(
            "trace-ascii", nil,
            .argument { (values, text) in (values.isVerbose, values.trace) = (false, .file(text, .text)) }),
        CurlOption("trace-time", nil, .flag { \.tracesTime }),
        CurlOption("stderr", nil, .text { \.errorFile }),
    ]

    private static let connections: [CurlOption] = [
        CurlOption("keepalive", nil, .flag { \.sendsKeepAlive }),
        CurlOption("keepalive-time", nil, .argument { (values, text) in values.keepAliveTime = Int(text) }),
        CurlOption("sessionid", nil, .flag { \.resumesTLS }),
        CurlOption("speed-limit", "Y", .text { \.speedLimit }),
        CurlOption("speed-time", "y", .text { \.speedTime }),
        proxy("proxy", "x"),
        CurlOption("proxy-user", "U", secrets: .all, .text { \.proxyUser }),
        CurlOption("proxy-basic", nil, .flag { \.[proxyKind: .basic] }),
        CurlOption("proxy-digest", nil, .flag { \.[proxyKind: .digest] }),
        CurlOption("proxy-ntlm", nil, .flag { \.[proxyKind: .ntlm] }),
        CurlOption("proxy-negotiate", nil, .flag { \.[proxyKind: .negotiate] }),
        CurlOption("proxy-anyauth", nil, .flag { \.acceptsAnyProxyKind }),
        proxy("proxy1.0", isHTTP10: true),
        CurlOption(
            "proxy-capath", nil,
            .argument { (values, text) in
                values.set("--proxy-cacert", text.literalPath, typedAs: "--proxy-capath")
            }),
        CurlOption("pinnedpubkey", nil, .text { \.pin }),
        CurlOption(
            "noproxy", nil,
            .argument { (values, text) in
                // curl ignores an entry that matches no host.
                let known = ProxyOptions.bypassEntriesOfCurl(of: text)
                values.ineffective += ProxyOptions.bypassEntries(of: text).filter { !known.contains($0.text) }.map {
                    "the entry '\($0.text)' of --noproxy matches no host"
                }
                values.set("--no-proxy", known.joined(separator: ","), typedAs: "--noproxy")
            }),
        proxy("socks4", scheme: "socks4://"), proxy("socks4a", scheme: "socks4a://"),
        proxy("socks5", scheme: "socks5://"), proxy("socks5-hostname", scheme: "socks5h://"),
    ]

    private static func proxy(
        _ name: String, _ letter: Character? = nil, scheme: String = "", isHTTP10: Bool = false
    ) -> CurlOption {
        CurlOption(
            name, letter, secrets: .url,
            .argument { (values, text) in
                // A typed scheme counts.
                let isComplete = text.isEmpty || text.firstRange(of: "://") != nil
                values.proxy = (isComplete ? text : scheme + text, "--\(name)")
                if isHTTP10 { values.isProxyHTTP10 = true }
            })
    }

    private static let security: [CurlOption] = [
        CurlOption("user", "u", secrets: .all, .text { \.user }),
        CurlOption("basic", nil, .flag { \.offersBasic }),
        CurlOption("digest", nil, .flag { \.offersDigest }),
        CurlOption("ntlm", nil, .flag { \.offersNTLM }),
        CurlOption("negotiate", nil, .flag { \.offersNegotiate }),
        CurlOption(
            "anyauth", nil,
            .setting {
                // As in curl, its negation has no effect.
                guard $1 else { return }
                ($0.offersBasic, $0.offersDigest, $0.offersNTLM, $0.offersNegotiate) = (true, true, true, true)
            }),
        CurlOption("oauth2-bearer", nil, secrets: .all, .text { \.bearer }),
        CurlOption("aws-sigv4", nil, .text { \.aws }),
        CurlOption("netrc", "n", .flag { \.requiresNetrc }),
        CurlOption("netrc-optional", nil, .flag { \.mayLackNetrc }),
        CurlOption("cert", "E", secrets: .certificate, .text { \.certificate }),
        CurlOption("cert-type", nil, .argument { (_, text) throws(UsageError) in try requirePEM(text) }),
        CurlOption("key-type", nil, .argument { (_, text) throws(UsageError) in try requirePEM(text) }),
        CurlOption("pass", nil, secrets: .all, .text { \.keyPassword }),
        // TLS 1.2 is the minimum in this mode, regardless of the version that is named.
        CurlOption("tlsv1", "1", .setting { (values, _) in values.minimumTLS = nil }),
        CurlOption("tlsv1.0", nil, .setting { (values, _) in values.minimumTLS = nil }),
        CurlOption("tlsv1.1", nil, .setting { (values, _) in values.minimumTLS = nil }),
        CurlOption("tlsv1.2", nil, .setting { (values, _) in values.minimumTLS = nil }),
        CurlOption("tlsv1.3", nil, .setting { (values, _) in values.minimumTLS = "1.3" }),
        CurlOption(
            "tls-max", nil,
            .argument { (values, text) throws(UsageError) in
                guard ["1.0", "1.1", "1.2", "1.3", "default"].contains(text) else {
                    throw UsageError("expected 1.0, 1.1, 1.2, 1.3 or default, got '\(text)'")
                }
                values.maximumTLS = text == "1.3" || text == "default" ? nil : text
            }),
        CurlOption("retry", nil, .text { \.retries }),
        CurlOption("retry-connrefused", nil, .flag { \.retriesRefused }),
        CurlOption("retry-all-errors", nil, .flag { \.retriesAll }),
    ]

    /// The parser handles the first four, and the options of afcli, itself.
    private static let others: [CurlOption] =
        [
            CurlOption("next", ":", .ignored(takesArgument: false)),
            CurlOption("config", "K", .ignored(takesArgument: true)),
            CurlOption("disable", "q", .ignored(takesArgument: false)),
            CurlOption("variable", nil, secrets: .part, .ignored(takesArgument: true)),
            CurlOption("version", "V", .unsupported(takesArgument: false, reason: "it must be the first option")),
            CurlOption("help", "h", .unsupported(takesArgument: false, reason: "it must be the first option")),
            CurlOption("manual", "M", .unsupported(takesArgument: false, reason: "use man afcli")),
        ]
        + ofAfcli.map { CurlOption(String($0.dropFirst(2)), nil, .ignored(takesArgument: false)) }

    /// The options that the parser handles itself.
    static let handledByParser = ["next", "config", "disable", "variable"]

    /// The options of afcli, which may be anywhere.
    static let ofAfcli = ["--offline", "--show-command", "--show-command-long", "--show-secrets"]

    private static func requirePEM(_ type: String) throws(UsageError) {
        guard type.uppercased() == "PEM" else {
            throw UsageError("is not supported by afcli, except for PEM", hint: "convert it with openssl")
        }
    }
}

extension ArgumentSecrets {
    /// Cookies. An argument without an equals sign is the name of a file.
    fileprivate static let cookies = Self { $0.contains("=") ? [0..<$0.utf8.count] : [] }

    /// The password of a certificate.
    static let certificate = Self { argument in
        CurlTranslation.certificate(argument).password.map { [argument.end($0)] } ?? []
    }
}
