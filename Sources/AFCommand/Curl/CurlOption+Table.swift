internal import AFCore

/// The options of curl 8 that concern HTTP, besides those with the meaning of one of afcli: they stand on that.
extension CurlOption {
    static let own: [CurlOption] = request + bodies + output + connections + security + retries + others

    private static let request: [CurlOption] = [
        CurlOption("request", "X", .text { \.method }),
        CurlOption("head", "I", .flag { \.isHead }),
        CurlOption("get", "G", .flag { \.isGet }),
        CurlOption("header", "H", secrets: .header, .list { \.headers }),
        CurlOption("user-agent", "A", .text { \.userAgent }),
        CurlOption("referer", "e", secrets: .url, .text { \.referer }),
        CurlOption("cookie", "b", secrets: .cookies, .list { \.cookies }),
        CurlOption("cookie-jar", "c", .text { \.cookieJar }),
        CurlOption("range", "r", .text { \.range }),
        CurlOption("time-cond", "z", .text { \.timeCondition }),
        CurlOption("url", nil, secrets: .url, .list { \.urls }),
        CurlOption("url-query", nil, secrets: .body, .argument { (values, text) in values.queries.append(text) }),
        CurlOption("globoff", "g", .flag { \.isGlobOff }),
        CurlOption("compressed", nil, .flag { \.isCompressed }),
        CurlOption("location", "L", .flag { \.follows }),
        CurlOption(
            "location-trusted", nil,
            .setting {
                $0.follows = true; $0.trustsRedirects = true
            }),
        CurlOption("max-redirs", nil, .text { \.maximumRedirects }),
        CurlOption("etag-compare", nil, .text { \.etagFile }),
        CurlOption(
            "etag-save", nil, .unsupported(takesArgument: true, hint: "afcli --resume asks for new versions only")),
        CurlOption("request-target", nil, .unsupported(takesArgument: true)),
        CurlOption("junk-session-cookies", "j", .unsupported(takesArgument: false)),
        CurlOption("tr-encoding", nil, .unsupported(takesArgument: false)),
        CurlOption("raw", nil, .unsupported(takesArgument: false)),
        CurlOption("proto-default", nil, .text { \.defaultScheme }),
        CurlOption("proto", nil, .text { \.protocols }),
        CurlOption("proto-redir", nil, .text { \.redirectProtocols }),
        CurlOption("expect100-timeout", nil, .ignoredArgument),
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
        CurlOption("form-escape", nil, .unsupported(takesArgument: false)),
        CurlOption("upload-file", "T", .list { \.uploads }),
        CurlOption("crlf", nil, .unsupported(takesArgument: false)),
        CurlOption("use-ascii", "B", .ignored),
        CurlOption("append", "a", .ignored),
    ]

    private static let output: [CurlOption] = [
        CurlOption("output", "o", .argument { (values, text) in values.outputs.append(.file(text)) }),
        CurlOption("remote-name", "O", .setting { $0.outputs.append(.remoteName) }),
        CurlOption("remote-name-all", nil, .flag { \.allRemoteNames }),
        CurlOption("remote-header-name", "J", .flag { \.usesHeaderName }),
        CurlOption("output-dir", nil, .text { \.outputDirectory }),
        CurlOption("create-file-mode", nil, .unsupported(takesArgument: true)),
        CurlOption("clobber", nil, .ignored),
        CurlOption("remove-on-error", nil, .ignored),
        CurlOption("continue-at", "C", .text { \.offset }),
        CurlOption("include", "i", .flag { \.includesHead }),
        CurlOption("show-headers", nil, .flag { \.includesHead }),
        CurlOption("dump-header", "D", .text { \.headFile }),
        CurlOption("write-out", "w", .text { \.writeOut }),
        CurlOption("fail", "f", .flag { \.failsQuietly }),
        CurlOption("fail-with-body", nil, .ignored),
        CurlOption("fail-early", nil, .flag { \.failsEarly }),
        CurlOption("silent", "s", .flag { \.isSilent }),
        CurlOption("show-error", "S", .ignored),
        CurlOption("progress-bar", "#", .ignored),
        CurlOption("progress-meter", nil, .ignored),
        CurlOption("no-progress-meter", nil, .flag { \.hidesProgress }),
        CurlOption("styled-output", nil, .ignored),
        CurlOption("buffer", nil, .ignored),
        CurlOption("no-buffer", "N", .ignored),
        CurlOption("verbose", "v", .flag { \.isVerbose }),
        CurlOption("trace-time", nil, .ignored),
        CurlOption("trace-ids", nil, .ignored),
        CurlOption("trace-config", nil, .ignoredArgument),
        CurlOption("trace", nil, .unsupported(takesArgument: true, hint: "use -v")),
        CurlOption("trace-ascii", nil, .unsupported(takesArgument: true, hint: "use -v")),
        CurlOption("stderr", nil, .unsupported(takesArgument: true, hint: "use the shell: 2> FILE")),
        CurlOption("libcurl", nil, .unsupported(takesArgument: true)),
        CurlOption("xattr", nil, .ineffective(takesArgument: false)),
        CurlOption("suppress-connect-headers", nil, .ignored),
    ]

    private static let connections: [CurlOption] = [
        CurlOption("rate", nil, .ineffective(takesArgument: true)),
        CurlOption("speed-limit", "Y", .text { \.speedLimit }),
        CurlOption("speed-time", "y", .text { \.speedTime }),
        CurlOption("abstract-unix-socket", nil, .unsupported(takesArgument: true)),
        CurlOption("http1.0", "0", .unsupported(takesArgument: false, hint: "use --http1.1")),
        CurlOption("http0.9", nil, .unsupported(takesArgument: false)),
        CurlOption("proxy", "x", secrets: .url, .text { \.proxy }),
        CurlOption("proxy-user", "U", secrets: .all, .text { \.proxyUser }),
        CurlOption(
            "noproxy", nil,
            .argument { (values, text) in
                // curl ignores an entry that matches no host.
                let entries = ProxyOptions.bypassEntries(of: text)
                values.ineffective += entries.filter { !$0.canMatch }.map { "the entry '\($0.text)' of --noproxy" }
                values.set("--no-proxy", entries.filter(\.canMatch).map(\.text).joined(separator: ","))
            }),
        CurlOption("socks4", nil, secrets: .url, .argument { (values, text) in values.proxy = "socks4://\(text)" }),
        CurlOption("socks4a", nil, secrets: .url, .argument { (values, text) in values.proxy = "socks4a://\(text)" }),
        CurlOption("socks5", nil, secrets: .url, .argument { (values, text) in values.proxy = "socks5://\(text)" }),
        CurlOption(
            "socks5-hostname", nil, secrets: .url, .argument { (values, text) in values.proxy = "socks5h://\(text)" }),
        CurlOption("socks5-basic", nil, .ignored),
        CurlOption("proxy-basic", nil, .ignored),
        CurlOption("proxy-header", nil, .unsupported(takesArgument: true)),
        CurlOption("proxytunnel", "p", .unsupported(takesArgument: false)),
        CurlOption("preproxy", nil, .unsupported(takesArgument: true)),
        CurlOption("proxy1.0", nil, .unsupported(takesArgument: true)),
        CurlOption("proxy-digest", nil, .unsupported(takesArgument: false)),
        CurlOption("proxy-ntlm", nil, .unsupported(takesArgument: false)),
        CurlOption("proxy-negotiate", nil, .unsupported(takesArgument: false)),
        CurlOption("proxy-anyauth", nil, .unsupported(takesArgument: false)),
        CurlOption("proxy-insecure", nil, .unsupported(takesArgument: false)),
        CurlOption("proxy-cacert", nil, .unsupported(takesArgument: true)),
        CurlOption("proxy-cert", nil, .unsupported(takesArgument: true)),
        CurlOption("proxy-key", nil, .unsupported(takesArgument: true)),
        CurlOption("local-port", nil, .unsupported(takesArgument: true)),
        CurlOption("haproxy-protocol", nil, .unsupported(takesArgument: false)),
        CurlOption("alt-svc", nil, .ineffective(takesArgument: true)),
        CurlOption("keepalive", nil, .ignored),
        CurlOption("keepalive-time", nil, .ignoredArgument),
        CurlOption("keepalive-cnt", nil, .ineffective(takesArgument: true)),
        CurlOption("no-keepalive", nil, .ignored),
        CurlOption("tcp-nodelay", nil, .ignored),
        CurlOption("tcp-fastopen", nil, .ignored),
        CurlOption("happy-eyeballs-timeout-ms", nil, .ignoredArgument),
        CurlOption("parallel", "Z", .ignored),
        CurlOption("parallel-immediate", nil, .ignored),
        CurlOption("parallel-max", nil, .ignoredArgument),
    ]

    private static let security: [CurlOption] = [
        CurlOption("user", "u", secrets: .all, .text { \.user }),
        CurlOption("basic", nil, .flag { \.offersBasic }),
        CurlOption("digest", nil, .flag { \.offersDigest }),
        CurlOption("ntlm", nil, .flag { \.offersNTLM }),
        CurlOption("negotiate", nil, .flag { \.offersNegotiate }),
        CurlOption("anyauth", nil, .unsupported(takesArgument: false, hint: "name the method: --basic or --digest")),
        CurlOption("oauth2-bearer", nil, secrets: .all, .text { \.bearer }),
        CurlOption("aws-sigv4", nil, .text { \.amazon }),
        CurlOption("netrc", "n", .flag { \.readsNetrc }),
        CurlOption("netrc-optional", nil, .flag { \.readsNetrc }),
        CurlOption("delegation", nil, .ignoredArgument),
        CurlOption("service-name", nil, .unsupported(takesArgument: true)),
        CurlOption("disallow-username-in-url", nil, .unsupported(takesArgument: false)),
        CurlOption("ca-native", nil, .ignored),
        CurlOption("cert", "E", secrets: .certificate, .text { \.certificate }),
        CurlOption("cert-type", nil, .argument { (_, text) throws(UsageError) in try requirePEM(text) }),
        CurlOption("key-type", nil, .argument { (_, text) throws(UsageError) in try requirePEM(text) }),
        CurlOption("pass", nil, secrets: .all, .text { \.keyPassword }),
        CurlOption("tls13-ciphers", nil, .unsupported(takesArgument: true)),
        CurlOption("curves", nil, .unsupported(takesArgument: true)),
        CurlOption("crlfile", nil, .unsupported(takesArgument: true)),
        CurlOption("cert-status", nil, .unsupported(takesArgument: false)),
        // TLS 1.2 is the minimum in this mode, regardless of the version that is named.
        CurlOption("tlsv1", "1", .setting { $0.minimumTLS = nil }),
        CurlOption("tlsv1.0", nil, .setting { $0.minimumTLS = nil }),
        CurlOption("tlsv1.1", nil, .setting { $0.minimumTLS = nil }),
        CurlOption("tlsv1.2", nil, .setting { $0.minimumTLS = nil }),
        CurlOption("tlsv1.3", nil, .setting { $0.minimumTLS = "1.3" }),
        CurlOption(
            "tls-max", nil,
            .argument { (values, text) throws(UsageError) in
                guard ["1.2", "1.3", "default"].contains(text) else {
                    throw UsageError("expected 1.2 or 1.3, got '\(text)'")
                }
                values.maximumTLS = text == "1.2" ? text : nil
            }),
        CurlOption("ssl", nil, .ignored),
        CurlOption("ssl-reqd", nil, .ignored),
        CurlOption("ssl-no-revoke", nil, .ignored),
        CurlOption("ssl-revoke-best-effort", nil, .ignored),
        CurlOption("ssl-allow-beast", nil, .ignored),
        CurlOption("sessionid", nil, .ignored),
        CurlOption("no-sessionid", nil, .ignored),
        CurlOption("alpn", nil, .ignored),
        CurlOption("no-npn", nil, .ignored),
        CurlOption("false-start", nil, .ignored),
    ]

    private static let retries: [CurlOption] = [
        CurlOption("retry", nil, .text { \.retries }),
        CurlOption("retry-connrefused", nil, .flag { \.retriesRefused }),
        CurlOption("retry-all-errors", nil, .flag { \.retriesAll }),
    ]

    /// The parser handles the first four, and the options of afcli, itself.
    private static let others: [CurlOption] = [
        CurlOption("next", ":", .ignored),
        CurlOption("config", "K", .ignoredArgument),
        CurlOption("disable", "q", .ignored),
        CurlOption("variable", nil, secrets: .part, .ignoredArgument),
        CurlOption("version", "V", .unsupported(takesArgument: false, hint: "use afcli --version")),
        CurlOption("help", "h", .unsupported(takesArgument: false, hint: "see COMING FROM CURL in man afcli")),
        CurlOption("manual", "M", .unsupported(takesArgument: false, hint: "use man afcli")),
        CurlOption("offline", nil, .ignored),
        CurlOption("show-command", nil, .ignored),
    ]

    /// The options of afcli, which may be anywhere.
    static let ofAfcli = ["--offline", "--show-command"]

    private static func requirePEM(_ type: String) throws(UsageError) {
        guard type.uppercased() == "PEM" else { throw UsageError("is not supported by afcli, except for PEM") }
    }
}

extension ArgumentSecrets {
    /// Cookies. An argument without an equals sign is the name of a file.
    fileprivate static let cookies = Self { $0.contains("=") ? [0..<$0.utf8.count] : [] }

    /// The password of a certificate.
    fileprivate static let certificate = Self { argument in
        CurlTransfer.certificate(argument).password.map { [argument.end($0)] } ?? []
    }
}
