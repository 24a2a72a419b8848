internal import AFCore

/// The options for connections and limits, as typed.
struct NetworkArguments: Equatable, Sendable {
    var timeout: Seconds?
    var connectTimeout: Seconds?
    var totalTimeout: Seconds?
    var proxies: [ProxyChoice] = []
    var noProxy: ProxyBypass?
    var proxyKinds: [ProxyAuthenticationKind] = []
    var proxyHeaders: [String] = []
    var tunnelsAll = false
    var isProxyHTTP10 = false
    var trustsAnyProxy = false
    var proxyAuthorities: String?
    var precedingProxy: String?
    var unixSocket: String?
    var abstractSocket: String?
    var resolve: [String] = []
    var connectTo: [String] = []
    var interface: String?
    var localPorts: LocalPorts?
    var resolver: String?
    var addressFamily = NetworkOptions.AddressFamily.any
    var version = HTTPVersion.automatic
    var rateLimit: ByteCount?
    var maximumHeaders: Int?
    var maximumHeadSize: ByteCount?
    var maximumInterims: Int?
    var keepsPathAsTyped = false
    var messages = MessageOptions()
    /// Whether encoded bodies are decoded.
    var decodesContent = true

    /// Whether connections use the same route as with other options.
    func hasSameRoute(as other: NetworkArguments) -> Bool {
        proxies == other.proxies && noProxy == other.noProxy && tunnelsAll == other.tunnelsAll
            && proxyHeaders == other.proxyHeaders && precedingProxy == other.precedingProxy
            && unixSocket == other.unixSocket && abstractSocket == other.abstractSocket
            && resolve == other.resolve && connectTo == other.connectTo && interface == other.interface
            && localPorts == other.localPorts && resolver == other.resolver
    }
}

extension OptionVariables<NetworkArguments> {
    /// The variables of proxies: `http_proxy` and `https_proxy` take precedence over `all_proxy`.
    ///
    /// In CGI programs `HTTP_PROXY` may come from a request's header and is not used. A variable is only parsed if a
    /// request may use the proxy.
    fileprivate static var proxies: Self {
        Self { variables in
            [ProxyChoice.TargetScheme.all, .http, .https].compactMap { scheme in
                guard let found = variables.inEitherCase("\(scheme)_proxy"),
                    found.name != "HTTP_PROXY" || variables["REQUEST_METHOD"] == nil
                else { return nil }
                let proxy = ProxyChoice(scheme: scheme, url: found.value, variable: found.name)
                return Setting(name: found.name, argument: "\(scheme):\(found.value)") { $0.proxies.append(proxy) }
            }
        }
    }

    fileprivate static var bypass: Self {
        Self { variables in
            variables.inEitherCase("no_proxy").map { found in
                let bypass = ProxyBypass(text: found.value, variable: found.name)
                return [Setting(name: found.name, argument: found.value) { $0.noProxy = bypass }]
            } ?? []
        }
    }
}

extension NetworkArguments {
    /// The options that set these values, in the order of the help.
    @OptionList<Self> static var options: [Option<Self>] {
        Option(
            "--timeout",
            summary: "Maximum time without progress (default: 60 s)",
            details: """
                Every byte restarts the timer: a slow transfer does not time out, a stalled one does. Also limits the \
                wait for another process to open a FIFO. Zero disables the timeout.
                """,
            curl: [.translated("speed-time", "y"), .translated("speed-limit", "Y")],
            effect: .argument("SECONDS", sets: \.timeout)
        )

        Option(
            "--connect-timeout",
            summary: "Maximum time for connecting (default: 30 s)",
            curl: [.same],
            effect: .argument("SECONDS", sets: \.connectTimeout)
        )

        Option(
            "--max-time",
            summary: "Maximum time for the complete run",
            details: """
                Includes redirects, retries and all local waits: for a FIFO, a pipe, a prompt or the lock of a \
                session; and searching the body. With --input and --repeat it applies to each request.
                """,
            curl: [.letter("m")],
            effect: .argument("SECONDS", sets: \.totalTimeout)
        )

        Option(
            "--proxy",
            summary: "Use a proxy: [http:|https:|all:]URL",
            details: """
                `http:`, `https:` or `all:` before the URL limits the proxy to requests of this scheme; the default \
                is `all:`. May be repeated. Overrides `http_proxy`, `https_proxy` and `all_proxy`; an empty URL \
                disables the proxy.
                """,
            secrets: .proxy,
            variables: .proxies,
            effect: .argument("[SCHEME:]URL", appendsTo: \.proxies)
        )

        Option(
            "--no-proxy",
            summary: "Hosts that bypass the proxy: host,.domain,*",
            details: """
                Names, which include their subdomains, addresses, and ranges such as `10.0.0.0/8` or `fd00::/8`, each \
                with or without a port, separated by commas or blanks; `*` matches all hosts. Another entry, such as \
                `*.example.org`, is an error. The variable `no_proxy` is the default; such an entry in it is a warning.
                """,
            curl: [.translated("noproxy")],
            variables: .bypass,
            effect: .argument("HOSTS", sets: \.noProxy)
        )

        Option(
            "--proxy-auth-type",
            summary: "How a proxy gets its credentials (default: basic)",
            details: """
                One of `basic`, `digest`, `ntlm` and `negotiate`, or several, separated by commas, of which the proxy's \
                challenge selects one. The credentials are those of the proxy's URL.
                """,
            isRare: true,
            effect: .list(
                "KINDS", hint: .choice(ProxyAuthenticationKind.allCases.map(\.rawValue)), appendsTo: \.proxyKinds)
        )

        Option(
            "--proxy-header",
            summary: "Header field for the proxy alone: Name: value",
            details: "`Name;` has no value, and `Name:` omits the field. May be repeated.",
            isRare: true,
            curl: [CurlSpelling(isRepeatable: true)],
            isCopiedToCurl: true,
            secrets: .header,
            effect: .argument("HEADER", parsing: ConnectionArgument.proxyHeader, appendsTo: \.proxyHeaders)
        )

        Option(
            "--proxy-tunnel",
            summary: "Use a tunnel through the proxy for http, too",
            isRare: true,
            curl: [CurlSpelling(name: "proxytunnel", letter: "p")],
            isCopiedToCurl: true,
            effect: .flag(\.tunnelsAll, sets: true)
        )

        Option(
            "--proxy-http1.0",
            summary: "Open tunnels with HTTP/1.0",
            isRare: true,
            curl: [.translated("proxy1.0")],
            effect: .flag(\.isProxyHTTP10, sets: true)
        )

        Option(
            "--proxy-insecure",
            summary: "Accept any certificate of a proxy over TLS",
            isRare: true,
            curl: [.same],
            isCopiedToCurl: true,
            effect: .flag(\.trustsAnyProxy, sets: true)
        )

        Option(
            "--proxy-cacert",
            summary: "CA certificates for a proxy over TLS (PEM)",
            details: "The default is that of the server.",
            isRare: true,
            repetition: .error,
            curl: [.same],
            effect: .argument("FILE", hint: .file, sets: \.proxyAuthorities)
        )

        Option(
            "--preproxy",
            summary: "SOCKS proxy through which --proxy is reached",
            details: "The schemes are `socks4`, `socks4a`, `socks5` and `socks5h`.",
            isRare: true,
            curl: [.same],
            isCopiedToCurl: true,
            secrets: .url,
            effect: .argument("URL", parsing: ConnectionArgument.precedingProxy, sets: \.precedingProxy)
        )

        Option(
            "--unix-socket",
            summary: "Connect to this Unix socket instead of the host",
            repetition: .error,
            curl: [.same],
            effect: .argument("FILE", hint: .file, parsing: ConnectionArgument.socket, sets: \.unixSocket)
        )

        Option(
            "--abstract-unix-socket",
            summary: "Connect to this abstract Unix socket",
            isRare: true,
            curl: [.same],
            isCopiedToCurl: true,
            effect: .argument("NAME", parsing: ConnectionArgument.socket, sets: \.abstractSocket)
        )

        Option(
            "--resolve",
            summary: "Address of a host: HOST:PORT:ADDRESS[,ADDRESS]",
            details: "`*` matches any host. May be repeated.",
            curl: [CurlSpelling(isRepeatable: true)],
            effect: .argument("RULE", parsing: ConnectionArgument.resolve, appendsTo: \.resolve)
        )

        Option(
            "--connect-to",
            summary: "Connect elsewhere: HOST:PORT:TO-HOST:TO-PORT",
            details:
                "An empty HOST or PORT matches any; an empty TO-HOST or TO-PORT is unchanged. May be repeated.",
            curl: [CurlSpelling(isRepeatable: true)],
            isFirstDecisive: true,
            effect: .argument("RULE", parsing: ConnectionArgument.connectTo, appendsTo: \.connectTo)
        )

        Option(
            "--doh-url",
            summary: "Resolve names with this DNS-over-HTTPS server",
            details: """
                Replaces the system's resolver, which then only resolves the name of the DNS server. Its certificate \
                is verified with the options of the request.
                """,
            isRare: true,
            curl: [.same],
            secrets: .url,
            effect: .argument("URL", parsing: ConnectionArgument.resolver, sets: \.resolver)
        )

        Option(
            "--interface",
            summary: "Local interface, address or host name to bind to",
            curl: [.same],
            effect: .argument("NAME", parsing: ConnectionArgument.interface, sets: \.interface)
        )

        Option(
            "--local-port",
            summary: "Local port to send from, or a range: FIRST-LAST",
            isRare: true,
            curl: [CurlSpelling(hasZeroAsDefault: true)],
            isCopiedToCurl: true,
            effect: .argument("PORTS", sets: \.localPorts)
        )

        Option(
            "-4", "--ipv4",
            summary: "Use IPv4 only",
            curl: [.letter("4")],
            effect: .flag(\.addressFamily, sets: .ipv4)
        )

        Option(
            "-6", "--ipv6",
            summary: "Use IPv6 only",
            curl: [.letter("6")],
            effect: .flag(\.addressFamily, sets: .ipv6)
        )

        Option(
            "--http0.9",
            summary: "Accept responses without a header (HTTP/0.9)",
            isRare: true,
            curl: [.same],
            isCopiedToCurl: true,
            effect: .flag(\.messages.acceptsHTTP09, sets: true)
        )

        Option(
            "--http1.0",
            summary: "Use HTTP/1.0",
            isRare: true,
            curl: [.letter("0")],
            effect: .flag(\.version, sets: .http1_0)
        )

        Option(
            "--http1.1",
            summary: "Use HTTP/1.1",
            curl: [.same, .named("no-alpn")],
            effect: .flag(\.version, sets: .http1_1)
        )

        Option(
            "--http2",
            summary: "Use HTTP/2 if the server supports it",
            details: "The default over TLS.",
            isRare: true,
            curl: [.same],
            effect: .flag(\.version, sets: .http2)
        )

        Option(
            "--http2-prior-knowledge",
            summary: "Use HTTP/2 without negotiation, even without TLS",
            curl: [.same],
            effect: .flag(\.version, sets: .http2PriorKnowledge)
        )

        Option(
            "--http3",
            summary: "Use HTTP/3 if libcurl supports it",
            isRare: true,
            condition: { CurlFeatures.hasHTTP3 },
            curl: [.same, .named("http3-only")],
            effect: .flag(\.version, sets: .http3)
        )

        Option(
            "--limit-rate",
            summary: "Maximum transfer rate per second: 500k, 2M",
            curl: [.same],
            effect: .argument("BYTES", sets: \.rateLimit)
        )

        Option(
            "--max-headers",
            summary: "Maximum number of header lines (default: 1000)",
            details: "Zero disables the limit. All headers of a response together have at most 5000 lines.",
            isRare: true,
            effect: .argument("NUMBER", sets: \.maximumHeaders)
        )

        Option(
            "--max-head-size",
            summary: "Maximum size of a response header (default: 256k)",
            details: "Zero disables the limit. libcurl rejects headers above 300 KiB and header lines above 100 KiB.",
            isRare: true,
            effect: .argument("BYTES", sets: \.maximumHeadSize)
        )

        Option(
            "--max-interim",
            summary: "Maximum number of 1xx responses (default: 20)",
            details: "Zero disables the limit.",
            isRare: true,
            effect: .argument("NUMBER", sets: \.maximumInterims)
        )
    }
}

extension NetworkArguments {
    /// The defaults in seconds, also in the summaries: those are string literals, as they are created at each start.
    static let defaultTimeout = 60.0
    static let defaultConnectTimeout = 30.0

    /// The seconds without progress after which a transfer fails; `nil` for no limit.
    var idleLimit: Double? { (timeout ?? Seconds(Self.defaultTimeout)).limit }

    /// Whether `--timeout` limits connecting, as it is shorter than the default for that.
    var idleLimitsConnecting: Bool {
        connectTimeout == nil && idleLimit.map { $0 < Self.defaultConnectTimeout } == true
    }
}

extension WaitLimits {
    /// Sets the limits of the command line.
    func apply(_ network: NetworkArguments) { set(total: network.totalTimeout?.limit, idle: network.idleLimit) }
}
