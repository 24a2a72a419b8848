internal import AFCore
internal import AFHTTP

/// Connections, proxies, trust and redirects.
extension CurlCommand {
    mutating func addNetwork() {
        switch session.httpVersion {
        case .automatic: break
        case .http1_0: add("--http1.0")
        case .http1_1: add("--http1.1")
        case .http2: add("--http2")
        case .http2PriorKnowledge: add("--http2-prior-knowledge")
        case .http3: add("--http3")
        }
        switch session.network.addressFamily {
        case .any: break
        case .ipv4: add("--ipv4")
        case .ipv6: add("--ipv6")
        }
        if let path = session.network.unixSocketPath, !session.network.isSocketAbstract { add("--unix-socket", path) }
        for rule in session.network.resolve { add("--resolve", rule) }
        for rule in session.network.connectTo { add("--connect-to", rule) }
        if let url = session.network.dohURL {
            add("--doh-url", redaction.revealsSecrets ? url : redaction.url(url))
        }
        if let interface = session.network.interface { add("--interface", interface) }
        if let rate = session.network.maximumReceiveRate { add("--limit-rate", "\(rate)") }
        addProxy()
        addTimeouts()
    }

    private mutating func addProxy() {
        let rules = session.proxies
        let isFollowing = session.redirects.isFollowing
        if isFollowing, rules.http != rules.https {
            warn("curl has one proxy for http and https: a redirect to the other scheme may take another route")
        }
        // Redirects may lead to a host that needs the proxy.
        let onward = url.scheme == .http ? rules.http : rules.https
        guard let proxy = rules.proxy(for: url) ?? (isFollowing ? onward : nil) else {
            let names = ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
            if plan.variables.isAnySet(names) { add("--no-proxy", "*") }
            return
        }
        add(proxy.isHTTP10 ? "--proxy-http1.0" : "--proxy", proxy.url)
        switch proxy.credentialKinds {
        case .basic: break
        case .digest: add("--proxy-digest")
        case .ntlm: add("--proxy-ntlm")
        case .negotiate: add("--proxy-negotiate")
        default:
            add("--proxy-anyauth")
            warn("curl lets the proxy choose any authentication scheme")
        }
        if case .file(let path)? = proxy.authorities { add("--proxy-cacert", path) }
        if let credential = proxy.credential {
            let user = credential.user
            add("--proxy-user", redaction.revealsSecrets ? "\(user):\(credential.password)" : user)
        }
        // Even if empty, so that the environment's list is not used. curl needs commas.
        add("--no-proxy", proxy.bypass.split { $0 == "," || $0.isWhitespace }.joined(separator: ","))
    }

    /// Adds the timeouts that differ from the tool's defaults; curl has none.
    private mutating func addTimeouts() {
        let timeouts = session.timeouts
        if let connect = timeouts.connect, connect != NetworkArguments.defaultConnectTimeout {
            add("--connect-timeout", Self.seconds(connect))
        }
        if let idle = timeouts.idle, idle != NetworkArguments.defaultTimeout {
            add("--speed-limit", "1")
            add("--timeout", "\(max(1, Int(min(idle, 1e9).rounded(.up))))")
        }
        if let total = plan.totalTime { add("--max-time", Self.seconds(total)) }
    }

    private static func seconds(_ value: Double) -> String {
        value == value.rounded() ? HumanUnits.decimal(value, places: 0) : HumanUnits.decimal(value, places: 3)
    }

    mutating func addRedirects() {
        let redirects = session.redirects
        guard redirects.isFollowing else { return }
        add("--follow")
        add("--max-redirects", "\(redirects.limit)")
        if redirects.trustsOtherOrigins { add("--location-trusted") }
        // Only http and https are followed, and a downgrade to http must be allowed explicitly.
        if url.scheme == .https, !redirects.allowsDowngrade {
            add("--proto-redir", "=https")
        } else {
            add("--proto-redir", "=http,https")
        }
        if redirects.preservedMethods.contains(.movedPermanently) { add("--post301") }
        if redirects.preservedMethods.contains(.found) { add("--post302") }
        if redirects.preservedMethods.contains(.seeOther) { add("--post303") }
        // curl stores cookies of redirects only with a cookie file, which is empty here.
        add("--cookie", "")
        if !redirects.headersOfFirstHost.isEmpty {
            let names = redirects.headersOfFirstHost.sorted().joined(separator: ", ")
            warn("curl sends the header fields of the configuration to other hosts, too: \(names)")
        }
        guard words.contains(where: { $0.long == "--request" }) else { return }
        let method = request.method.rawValue
        warn("curl keeps \(method) in redirects, without the body after 301, 302 and 303")
    }

    mutating func addTLS() {
        let tls = session.tls
        if !tls.verifiesChain { add("--insecure") }
        switch tls.authorities {
        case .system, .bundle: break
        case .file(let path): add("--cacert", path)
        case .directory(let path): add("--capath", path)
        }
        if let certificate = tls.clientCertificate {
            // curl expects the password after a colon.
            let path = certificate.certificatePath.split(separator: ":", omittingEmptySubsequences: false)
            add("--cert", path.joined(separator: "\\:"))
            if let key = certificate.keyPath { add("--cert-key", key) }
            if let password = certificate.keyPassword, redaction.revealsSecrets { add("--cert-key-pass", password) }
        }
        if let version = tls.minimumVersion { add("--tlsv\(version.number)") }
        if let version = tls.maximumVersion { add("--tls-max", version.number) }
        if let ciphers = tls.ciphers { add(ciphers.hasPrefix("TLS_") ? "--tls13-ciphers" : "--ciphers", ciphers) }
        if let path = tls.revocationList { add("--crlfile", path) }
        if let pin = tls.pinnedPublicKey { add("--pin", pin) }
    }
}

extension TLSOptions.Version {
    fileprivate var number: String {
        switch self {
        case .tls1_0: "1.0"
        case .tls1_1: "1.1"
        case .tls1_2: "1.2"
        case .tls1_3: "1.3"
        }
    }
}
