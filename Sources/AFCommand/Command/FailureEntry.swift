internal import AFCore
internal import Glibc

extension Diagnosis {
    init(_ failure: TransferFailure, _ context: FailureContext?) {
        let entry = FailureEntry(failure: failure, context: context)
        let (sentence, hint) = entry.text
        // Without a context, the message has no names.
        self.init((context == nil ? nil : sentence) ?? entry.detail, hint: hint, status: entry.status)
    }
}

/// An entry of the table of the failures of transfers.
struct FailureEntry {
    /// The message, unless libcurl's is sufficient, and the hint.
    typealias Text = (sentence: String?, hint: String?)

    let failure: TransferFailure
    let context: FailureContext?
    /// The host and port; empty without a context.
    var host: String { context?.host ?? "" }
    /// The URL of the proxy; empty for a direct connection.
    var proxy: String { context?.proxy ?? "" }
    var reason: TransferFailure.Reason? { failure.reason }
    /// The message of libcurl for the middle of a sentence.
    var detail: String { failure.detail.uncapitalized }

    var status: ExitStatus {
        switch failure.kind {
        case .connectTimedOut, .idleTimedOut, .totalTimedOut: .timeout
        case .unresolvedHost, .unresolvedProxy: .unresolved
        case .cannotConnect, .proxyRefused: .unconnected
        case .secureConnectionFailed, .untrustedCertificate, .pinMismatch, .trustRefused: .security
        case .truncated, .connectionLost, .headTooLarge, .bodyTooLarge, .malformedResponse, .undecodableBody,
            .decodingOverflow, .tooManyInterimResponses, .stopped:
            .broken
        case .unusableCertificate, .bodyUnreadable: .file
        case .unsupported, .missingLibrary, .invalidRequest: .usage
        case .cancelled: .interrupted
        default: .failure
        }
    }

    var text: Text {
        let (plan, timeouts) = (context?.plan, context?.session.timeouts)
        return switch failure.kind {
        case .connectTimedOut:
            (
                "connecting to \(host)\(within(timeouts?.connect))",
                plan?.idleLimitsConnecting == true
                    ? "increase --timeout, or set --connect-timeout" : "increase --connect-timeout"
            )
        case .idleTimedOut where reason == .silentBody:
            (
                "\(plan?.request.body.sourceName ?? "the source of the body") delivered no data"
                    + span(timeouts?.idle),
                "check the program that writes it, or increase --timeout; 0 waits without limit"
            )
        case .idleTimedOut:
            ("the transfer with \(host) made no progress\(span(timeouts?.idle))", "increase --timeout")
        case .totalTimedOut: (nil, "increase --max-time")
        case .unresolvedHost:
            (
                "could not resolve host '\(host.withoutPort)'",
                context?.session.network.dohURL == nil
                    ? "check the spelling of the host"
                    : "check --doh-url, that its certificate is trusted, and the spelling of the host"
            )
        case .unresolvedProxy: ("could not resolve proxy '\(proxy)'", Self.proxyHint)
        case .cannotConnect: cannotConnect
        case .proxyRefused: proxyRefused
        case .secureConnectionFailed: secureConnectionFailed
        case .untrustedCertificate: untrustedCertificate
        case .unusableCertificate: unusableCertificate
        case .pinMismatch:
            (
                "the public key of \(host) does not match --pin",
                "if the server's key has changed, set the new one with --pin"
            )
        case .connectionLost: connectionLost
        case .truncated: truncated
        case .malformedResponse: malformedResponse
        default: localText
        }
    }

    /// The text about limits and local causes.
    private var localText: Text {
        switch failure.kind {
        case .headTooLarge where reason == .headBytes: (nil, "increase --max-head-size")
        case .headTooLarge where reason == .headLines: (nil, "increase --max-headers")
        case .bodyTooLarge:
            (
                context?.session.limits.bodyBytes.map { "the body of \(host) is larger than \(HumanUnits.limit($0))" },
                "increase --max-filesize"
            )
        case .undecodableBody where context?.asksForIdentity == true:
            (nil, "--no-decode keeps the body as received")
        case .decodingOverflow where reason == .decodingRatio: (nil, "increase --max-ratio")
        case .undecodableBody, .decodingOverflow:
            (nil, "request an unencoded body: Accept-Encoding:identity")
        case .tooManyInterimResponses: (nil, "increase --max-interim")
        case .bodyUnreadable where reason == .fileChanged: (nil, FileProblem.sendCopy)
        case .bodyUnreadable: (nil, context?.sendsStream == true ? nil : "check the files of the body")
        case .bodyNotRewindable: (nil, "put the body into a file: --raw @FILE")
        case .missingLibrary:
            (nil, "install libgssapi-krb5-2 (Debian, Ubuntu), krb5-libs (Fedora, RHEL) or krb5 (openSUSE)")
        case .invalidRequest: (nil, "--offline shows the request")
        case .outOfResources where failure.osErrorNumber == EMFILE: (nil, "raise the limit: ulimit -n 1024")
        // No option changes libcurl's own limits.
        default: (nil, nil)
        }
    }

    private static let connectHint = "check host and port, and that a server is listening"
    private static let proxyHint = "check --proxy and the variables http_proxy, https_proxy, all_proxy"

    var cannotConnect: Text {
        guard let context else { return (nil, Self.connectHint) }
        let network = context.session.network
        if reason == .interface {
            let hint = "check --interface; the command 'ip address' lists the names and addresses"
            return ("could not bind to '\(network.interface ?? "")'", hint)
        }
        let isDirect = context.proxy == nil && network.unixSocketPath == nil
        // The system needs the zone of an address of fe80::/10 (RFC 4007 §6), which the URL does not have.
        if failure.osErrorNumber == EINVAL, isDirect, !host.contains("%"),
            ["[fe8", "[fe9", "[fea", "[feb"].contains(where: { host.lowercased().hasPrefix($0) })
        {
            return (
                "could not connect to \(host): a link-local address needs an interface",
                "add it to the host, such as in [fe80::1%eth0]; the command 'ip address' lists the names"
            )
        }
        let cause = failure.osErrorNumber.map(systemMessage) ?? excludedFamily(network)
        let isOfProxy = context.proxy != nil && network.unixSocketPath == nil
        let target = isOfProxy ? "the proxy '\(proxy)'" : host
        let hint =
            if network.interface != nil {
                "check host and port, and that --interface reaches them"
            } else if network.unixSocketPath != nil {
                "check --unix-socket, and that a server listens there"
            } else {
                isOfProxy ? Self.proxyHint : Self.connectHint
            }
        return ("could not connect to \(target)\(cause.map { ": \($0)" } ?? "")", hint)
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

    var proxyRefused: Text {
        let requirement = context?.proxyRequirement
        let unreached = "the proxy '\(proxy)' could not connect to \(host): \(failure.detail)"
        let refused = "the proxy '\(proxy)' refused the connection to \(host): \(detail.withoutFullStop)"
        return switch reason {
        case .proxyAuthentication:
            (
                "the proxy '\(proxy)' \(requirement?.problem ?? "")\(proxy.hasPrefix("socks") ? "" : " (407)")",
                requirement?.hint(scheme: proxy.hasPrefix("socks5") ? "socks5h" : "http")
            )
        case .targetUnreachable: (unreached, Self.connectHint)
        case .addressType where proxy.hasPrefix("socks4"):
            (unreached, "use socks5:// if the proxy supports it; --no-proxy HOST bypasses it")
        case .addressType: (unreached, "--no-proxy HOST bypasses the proxy")
        case .tunnelRefused:
            (refused, "the proxy must allow CONNECT to this host and port; --no-proxy HOST bypasses it")
        default: (refused, "check --proxy and its credentials")
        }
    }

    private func within(_ limit: Double?) -> String {
        limit.map { " took longer than \(HumanUnits.duration($0))" } ?? " took too long"
    }

    private func span(_ limit: Double?) -> String { limit.map { " for \(HumanUnits.duration($0))" } ?? "" }
}

extension String {
    /// The text for the middle of a sentence; names such as `OpenSSL` stay unchanged.
    var uncapitalized: String {
        let word = prefix { $0 != " " }
        guard let first, first.isUppercase, word.count > 1, word.dropFirst().allSatisfy(\.isLowercase) else {
            return self
        }
        return first.lowercased() + dropFirst()
    }

    fileprivate var withoutFullStop: String { hasSuffix(".") ? String(dropLast()) : self }

    fileprivate var withoutPort: String { lastIndex(of: ":").map { String(self[..<$0]) } ?? self }
}
