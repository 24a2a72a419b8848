internal import AFCore

/// The options for connections and limits, as typed.
struct NetworkArguments: OptionValues {
    var timeout: Seconds?
    var connectTimeout: Seconds?
    var totalTimeout: Seconds?
    var proxies: [ProxyChoice] = []
    /// The hosts that bypass the proxy, separated by commas.
    var noProxy: String?
    var unixSocket: SocketPath?
    var resolve: [ResolveRule] = []
    var connectTo: [ConnectRule] = []
    var interface: InterfaceName?
    var resolver: ResolverAddress?
    var addressFamily = NetworkOptions.AddressFamily.any
    var version = HTTPVersion.automatic
    var rateLimit: ByteCount?
    var maximumHeaders: Int?
    var maximumHeadSize: ByteCount?
    var maximumInterims: Int?
    var keepsPathAsTyped = false
    /// The file of hosts that require TLS.
    var hstsFile: String?
}

extension NetworkArguments {
    /// The options that set these values, in the order of the help.
    @OptionList<Self> static var options: [Option<Self>] {
        Option(
            "--timeout",
            summary: "Give up after SECONDS without progress (60)",
            details: """
                The clock starts again with every byte: a slow transfer is not a timeout, a stalled one is. It also \
                limits the wait for another process to open a FIFO. Zero waits for ever.
                """,
            effect: .argument("SECONDS", sets: \.timeout)
        )

        Option(
            "--connect-timeout",
            summary: "Give up connecting after SECONDS (30)",
            effect: .argument("SECONDS", sets: \.connectTimeout)
        )

        Option(
            "--max-time",
            summary: "Give up SECONDS after the start, whatever happens",
            details: """
                Redirects and retries count, and so does every local wait: for a FIFO, a pipe, an answer on the \
                terminal or the lock of a session.
                """,
            effect: .argument("SECONDS", sets: \.totalTimeout)
        )

        Option(
            "--proxy",
            summary: "Go through a proxy: [http:|https:|all:]URL",
            details: """
                Before the URL stands the scheme of the requests that it is for; without one it is for all of them. \
                May be repeated. Replaces what `http_proxy`, `https_proxy` and `all_proxy` say; an empty URL means no \
                proxy.
                """,
            effect: .argument("[SCHEME:]URL", appendsTo: \.proxies)
        )

        Option(
            "--no-proxy",
            summary: "Reach these hosts directly: host,.domain,*",
            effect: .text("HOSTS", sets: \.noProxy)
        )

        Option(
            "--unix-socket",
            summary: "Connect to this socket file instead of the host",
            effect: .argument("FILE", sets: \.unixSocket)
        )

        Option(
            "--resolve",
            summary: "Use this address: HOST:PORT:ADDRESS[,ADDRESS]",
            details: "`*` stands for any host. May be repeated.",
            effect: .argument("RULE", appendsTo: \.resolve)
        )

        Option(
            "--connect-to",
            summary: "Connect elsewhere: HOST:PORT:TO-HOST:TO-PORT",
            details:
                "An empty HOST or PORT stands for any, an empty TO-HOST or TO-PORT for no change. May be repeated.",
            effect: .argument("RULE", appendsTo: \.connectTo)
        )

        Option(
            "--doh-url",
            summary: "Ask this server for addresses, over HTTPS",
            details: """
                In place of the system's resolver, which is asked for that server's own address alone. Its certificate \
                is checked as the other server's is.
                """,
            effect: .argument("URL", sets: \.resolver)
        )

        Option(
            "--interface",
            summary: "Send from this interface, address or host name",
            effect: .argument("NAME", sets: \.interface)
        )

        Option(
            "-4", "--ipv4",
            summary: "Use IPv4 only",
            effect: .flag(\.addressFamily, sets: .ipv4)
        )

        Option(
            "-6", "--ipv6",
            summary: "Use IPv6 only",
            effect: .flag(\.addressFamily, sets: .ipv6)
        )

        Option(
            "--http1.1",
            summary: "Speak HTTP/1.1",
            effect: .flag(\.version, sets: .http1_1)
        )

        Option(
            "--http2",
            summary: "Speak HTTP/2 where the server can",
            details: "The default over TLS.",
            effect: .flag(\.version, sets: .http2)
        )

        Option(
            "--http2-prior-knowledge",
            summary: "Speak HTTP/2 at once, in clear too",
            effect: .flag(\.version, sets: .http2PriorKnowledge)
        )

        Option(
            "--http3",
            summary: "Speak HTTP/3, where libcurl knows it",
            effect: .flag(\.version, sets: .http3)
        )

        Option(
            "--limit-rate",
            summary: "Move at most BYTES a second: 500k, 2M",
            effect: .argument("BYTES", sets: \.rateLimit)
        )

        Option(
            "--max-headers",
            summary: "Refuse responses with more header lines (1000)",
            details: "Zero lifts the limit.",
            effect: .argument("NUMBER", sets: \.maximumHeaders)
        )

        Option(
            "--max-head-size",
            summary: "Refuse responses with longer heads (256k)",
            details: "Zero lifts the limit. libcurl takes no head above 300 KiB and no line of one above 100 KiB.",
            effect: .argument("BYTES", sets: \.maximumHeadSize)
        )

        Option(
            "--max-interim",
            summary: "Refuse more responses 1xx before the answer (20)",
            details: "Zero lifts the limit.",
            effect: .argument("NUMBER", sets: \.maximumInterims)
        )

        Option(
            "--path-as-is",
            summary: "Leave /../ and /./ in the URL's path",
            effect: .flag(\.keepsPathAsTyped, sets: true)
        )

        Option(
            "--hsts",
            summary: "Remember in FILE which hosts want TLS, and use it",
            details: """
                Hosts say so by `Strict-Transport-Security`; `http://` then means `https://` for them. The format is \
                curl's. A session remembers by itself.
                """,
            effect: .argument("FILE", hint: .file, sets: \.hstsFile)
        )
    }
}

extension NetworkArguments {
    /// The seconds without progress after which a transfer fails; `nil` for no limit.
    var idleLimit: Double? { (timeout ?? Seconds(60)).limit }
}

extension WaitLimits {
    /// Sets the limits of the command line.
    func apply(_ network: NetworkArguments) { set(total: network.totalTimeout?.limit, idle: network.idleLimit) }
}
