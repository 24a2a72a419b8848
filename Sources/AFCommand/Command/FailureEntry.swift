internal import AFCore
internal import AFHTTP
internal import Glibc

extension Diagnosis {
    init(_ failure: TransferFailure, _ context: FailureContext?) {
        let entry = FailureEntry(failure, context)
        // Without a context, the message has no names.
        let sentence = context == nil ? nil : entry.sentence
        self.init(
            sentence ?? failure.detail.uncapitalized, hint: entry.hint, status: entry.status, curlCode: entry.curlCode)
    }
}

/// The message, the hint, the exit status and curl's number of a failed transfer.
struct FailureEntry {
    let failure: TransferFailure
    let context: FailureContext?
    /// The host and port; empty without a context.
    let host: String
    /// The URL of the proxy; empty for a direct connection.
    let proxy: String
    /// The message; `nil` if libcurl's is sufficient.
    var sentence: String?
    var hint: String?

    let status: ExitStatus
    /// curl's exit number if libcurl did not report the failure.
    var ownCurlCode: Int32

    var reason: TransferFailure.Reason? { failure.reason }
    /// The message of libcurl for the middle of a sentence.
    var detail: String { failure.detail.uncapitalized }

    /// curl's exit number.
    var curlCode: Int32 {
        if failure.curlCode == 56, context?.tunnelResponse?.statusCode ?? 0 >= 400 { return 22 }
        return failure.curlCode != 0 ? failure.curlCode : ownCurlCode
    }

    init(_ failure: TransferFailure, _ context: FailureContext?) {
        (self.failure, self.context) = (failure, context)
        (host, proxy) = (context?.host ?? "", context?.proxy ?? "")
        let row = Self.row(for: failure.kind)
        (status, ownCurlCode) = (row.status, row.curlCode)
        row.explain(&self)
    }

    /// A row of the table of failures.
    private struct Row {
        let status: ExitStatus
        let curlCode: Int32
        /// Sets the message and the hint.
        let explain: (inout FailureEntry) -> Void

        init(
            _ status: ExitStatus,
            curl curlCode: Int32 = 56,
            _ explain: @escaping (inout FailureEntry) -> Void = { _ in }
        ) {
            (self.status, self.curlCode, self.explain) = (status, curlCode, explain)
        }
    }

    /// The table of failures.
    private static func row(for kind: TransferFailure.Kind) -> Row {
        switch kind {
        case .connectTimedOut, .idleTimedOut, .totalTimedOut: Row(.timeout, curl: 28) { $0.explainTimeout() }
        case .unresolvedHost: Row(.unresolved, curl: 6) { $0.explainHost() }
        case .unresolvedProxy:
            Row(.unresolved, curl: 5) { entry in
                let first = entry.context?.precedingProxy
                entry.sentence = "could not resolve proxy '\(first ?? entry.proxy)'"
                entry.hint = first == nil ? proxyHint : "check --preproxy"
            }
        case .cannotConnect: Row(.unconnected, curl: 7) { $0.explainConnect() }
        case .proxyRefused: Row(.unconnected) { $0.explainProxy() }
        case .secureConnectionFailed: Row(.security, curl: 35) { $0.explainTLS() }
        case .untrustedCertificate: Row(.security, curl: 60) { $0.explainTLS() }
        case .pinMismatch: Row(.security, curl: 90) { $0.explainTLS() }
        case .trustRefused: Row(.security, curl: 60)
        case .unusableCertificate: Row(.file, curl: 58) { $0.explainTLS() }
        case .connectionLost: Row(.broken) { $0.explainLoss() }
        case .truncated: Row(.broken, curl: 18) { $0.explainTruncation() }
        case .malformedResponse: Row(.broken, curl: 8) { $0.explainResponse() }
        case .headTooLarge: Row(.broken) { $0.explainHeadLimit() }
        case .tooManyInterimResponses: Row(.broken) { $0.hint = "increase --max-interim" }
        case .bodyTooLarge: Row(.broken, curl: 63) { $0.explainBodyLimit() }
        case .undecodableBody: Row(.broken, curl: 61) { $0.hint = encodedHint }
        case .decodingOverflow:
            Row(.broken, curl: 23) { $0.hint = $0.reason == .decodingRatio ? "increase --max-ratio" : encodedHint }
        case .stopped: Row(.broken)
        case .bodyUnreadable:
            Row(.file, curl: 26) { $0.hint = $0.reason == .fileChanged ? FileProblem.sendCopy : nil }
        case .bodyNotRewindable: Row(.failure, curl: 65) { $0.hint = "put the body into a file: --raw @FILE" }
        case .unsupported: Row(.usage, curl: 4)
        case .missingLibrary:
            Row(.usage, curl: 4) {
                $0.hint = "install libgssapi-krb5-2 (Debian, Ubuntu), krb5-libs (Fedora, RHEL) or krb5 (openSUSE)"
            }
        case .invalidRequest: Row(.usage, curl: 43) { $0.hint = "--offline shows the request" }
        case .outOfResources:
            Row(.failure, curl: 27) {
                $0.hint = $0.failure.osErrorNumber == EMFILE ? "raise the limit: ulimit -n 1024" : nil
            }
        case .cancelled: Row(.interrupted)
        default: Row(.failure)
        }
    }

    private static let encodedHint = "--no-decode keeps the body as received"
    private static let connectHint = "check host and port, and that a server is listening"
    private static let proxyHint = "check --proxy and the variables http_proxy, https_proxy, all_proxy"

    private mutating func explainHost() {
        // libcurl reports the unknown name of a SOCKS proxy as that of a host.
        if proxy.hasPrefix("socks"), let end = failure.detail.firstRange(of: "host: "),
            case let name = failure.detail[end.upperBound...], proxy.contains("://\(name):")
        {
            (sentence, hint) = ("could not resolve proxy '\(name)'", Self.proxyHint)
            return
        }
        let name = host.withoutPort
        sentence = "could not resolve host '\(name)'"
        if ["http", "https"].contains(name.lowercased()) {
            hint = "a URL begins with \(name)://"
            return
        }
        let usesHTTPS = context?.session.network.dohURL != nil
        let alias = usesHTTPS ? nil : context?.nearestAlias
        hint =
            context?.hintAboutMethod ?? alias.map { "no alias has this name; did you mean '\($0)'?" }
            ?? "check \(usesHTTPS ? "--doh-url, that its certificate is trusted, and " : "")the spelling of the host"
    }

    private mutating func explainTimeout() {
        let timeouts = context?.session.timeouts
        let span = timeouts?.idle.map { " for \(HumanUnits.duration($0))" } ?? ""
        let wait = context?.plan.retry.wait
        let isWait = wait != nil && wait == (failure.kind == .connectTimedOut ? timeouts?.connect : timeouts?.idle)
        switch failure.kind {
        case .connectTimedOut:
            let limit = timeouts?.connect.map { "longer than \(HumanUnits.duration($0))" } ?? "too long"
            sentence = "connecting to \(host) took \(limit)"
            let isIdle = context?.plan.idleLimitsConnecting == true
            hint = isIdle ? "increase --timeout, or set --connect-timeout" : "increase --connect-timeout"
        case .idleTimedOut where reason == .silentBody:
            let source = context?.plan.request.body.sourceName ?? "the source of the body"
            sentence = "\(source) delivered no data\(span)"
            hint = "check the program that writes it, or increase --timeout; 0 waits without limit"
        case .idleTimedOut:
            sentence = "the transfer with \(host) made no progress\(span)"
            hint = "increase --timeout"
        default: hint = "increase --max-time"
        }
        if isWait, failure.kind == .connectTimedOut || failure.kind == .idleTimedOut { hint = "increase --wait" }
    }

    private mutating func explainConnect() {
        hint = Self.connectHint
        guard let context else { return }
        let network = context.session.network
        if reason == .interface {
            guard let interface = network.interface else {
                let ports = network.localPorts.map {
                    $0.count == 1 ? "port \($0.lowerBound)" : "ports \($0.lowerBound)-\($0.upperBound)"
                }
                sentence = "could not bind to the local \(ports ?? "port")"
                hint =
                    failure.osErrorNumber == EACCES
                    ? "ports below 1024 need privileges: set others with --local-port"
                    : "another program may use it: set others with --local-port"
                return
            }
            sentence = "could not bind to '\(interface)'"
            hint = "check --interface; the command 'ip address' lists the names and addresses"
            return
        }
        let usesSocket = network.unixSocketPath != nil
        let usesProxy = context.proxy != nil && !usesSocket
        // The system needs the zone of an address of fe80::/10 (RFC 4007 §6), which the URL does not have.
        if failure.osErrorNumber == EINVAL, !usesSocket, !usesProxy, !host.contains("%"),
            ["[fe8", "[fe9", "[fea", "[feb"].contains(where: { host.lowercased().hasPrefix($0) })
        {
            sentence = "could not connect to \(host): a link-local address needs an interface"
            hint = "add it to the host, such as in [fe80::1%eth0]; the command 'ip address' lists the names"
            return
        }
        let cause = failure.osErrorNumber.map(systemMessage) ?? excludedFamily(network)
        // libcurl connects to the first of two proxies.
        let first = context.precedingProxy
        let peer = usesProxy ? "the proxy '\(first ?? proxy)'" : host
        sentence = "could not connect to \(peer)\(cause.map { ": \($0)" } ?? "")"
        if usesProxy { hint = first == nil ? Self.proxyHint : "check --preproxy, and that a proxy listens there" }
        if usesSocket {
            hint = "check --\(network.isSocketAbstract ? "abstract-" : "")unix-socket, and that a server listens there"
        }
        if network.interface != nil { hint = "check host and port, and that --interface reaches them" }
    }

    /// Returns the reason for an address that an option excludes.
    private func excludedFamily(_ network: NetworkOptions) -> String? {
        switch (network.addressFamily, host.hasPrefix("[")) {
        case (.ipv4, true): "--ipv4 excludes IPv6 addresses"
        case (.ipv6, false) where host.withoutPort.utf8.allSatisfy { $0 == 0x2E || 0x30...0x39 ~= $0 }:
            "--ipv6 excludes IPv4 addresses"
        default: nil
        }
    }

    private mutating func explainProxy() {
        switch reason {
        case .proxyAuthentication:
            let requirement = context?.proxyRequirement
            sentence = "the proxy '\(proxy)' \(requirement?.problem ?? "")\(proxy.hasPrefix("socks") ? "" : " (407)")"
            hint = requirement?.hint(scheme: proxy.hasPrefix("socks5") ? "socks5h" : "http")
        case .targetUnreachable, .addressType:
            sentence = "the proxy '\(proxy)' could not connect to \(host): \(failure.detail)"
            let other = proxy.hasPrefix("socks4") ? "use socks5:// if the proxy supports it; " : ""
            let bypass = "--no-proxy HOST bypasses \(other.isEmpty ? "the proxy" : "it")"
            hint = reason == .targetUnreachable ? Self.connectHint : other + bypass
        default:
            sentence = "the proxy '\(proxy)' refused the connection to \(host): \(detail.withoutFullStop)"
            hint = "check --proxy and its credentials"
            if reason == .tunnelRefused {
                hint = "the proxy must allow CONNECT to this host and port; --no-proxy HOST bypasses it"
            }
        }
    }

    private mutating func explainHeadLimit() {
        switch reason {
        case .headBytes: hint = "increase --max-head-size"
        case .headLines: hint = "increase --max-headers"
        case .http2HeadBytes: hint = "--http1.1 allows a longer one"
        // No option changes libcurl's own limits.
        default: break
        }
    }

    private mutating func explainBodyLimit() {
        let limit = context?.session.limits.bodyBytes
        sentence = limit.map { "the body of \(host) is larger than \(HumanUnits.limit($0))" }
        hint = "increase --max-filesize"
    }
}

extension String {
    /// The text for the middle of a sentence; names such as `OpenSSL` stay unchanged.
    fileprivate var uncapitalized: String {
        let word = prefix { $0 != " " }
        guard let first, first.isUppercase, word.count > 1, word.dropFirst().allSatisfy(\.isLowercase) else {
            return self
        }
        return first.lowercased() + dropFirst()
    }

    fileprivate var withoutFullStop: String { hasSuffix(".") ? String(dropLast()) : self }
}
