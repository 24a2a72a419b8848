internal import AFHurl
internal import AFTransport

/// The options of requests, which have the meaning of curl's.
extension FileRunOption {
    static let request = [
        FileRunOption(
            .header, .request, "Add a header field", letter: "H", argument: "NAME:VALUE", secrets: .header),
        FileRunOption(.noHeader, .request, "Send no header field of this name", argument: "NAME"),
        FileRunOption("user-agent", .request, "Value of User-Agent", letter: "A", argument: "NAME") {
            $0.words += ["--user-agent", $1]
        },
        FileRunOption(
            .user, .request, "Credentials for basic authentication", letter: "u", argument: "USER:PASSWORD",
            secrets: .all),
        FileRunOption(.digest, .request, "Authenticate with Digest"),
        FileRunOption(.ntlm, .request, "Authenticate with NTLM"),
        FileRunOption(.negotiate, .request, "Authenticate with Negotiate"),
        FileRunOption(.awsSigV4, .request, "Sign with AWS Signature Version 4", argument: "PROVIDER"),
        FileRunOption(.netrc, .request, "Read credentials from ~/.netrc", letter: "n"),
        FileRunOption(.netrcFile, .request, "Read credentials from a netrc file", argument: "FILE"),
        FileRunOption(.netrcOptional, .request, "Read ~/.netrc if it exists"),
        FileRunOption(.location, .request, "Follow redirects", letter: "L"),
        FileRunOption(.locationTrusted, .request, "Follow redirects, with credentials to other hosts"),
        FileRunOption(.maxRedirs, .request, "Maximum number of redirects (50); -1 for no limit", argument: "N"),
        FileRunOption(.pathAsIs, .request, "Keep . and .. in the path"),
        FileRunOption(.compressed, .request, "Request a compressed body, and decode the output"),
        FileRunOption("max-filesize", .request, "Maximum size of a body", argument: "BYTES") {
            $0.words += ["--max-filesize", $1]
        },
    ]

    static let network = [
        FileRunOption(.http10, .network, "Use HTTP/1.0", letter: "0"), FileRunOption(.http11, .network, "Use HTTP/1.1"),
        FileRunOption(.http2, .network, "Use HTTP/2"),
        FileRunOption(.http3, .network, "Use HTTP/3", condition: { CurlFeatures.hasHTTP3 }),
        FileRunOption("http2-prior-knowledge", .network, "Use HTTP/2 without an upgrade") { arguments, _ in
            arguments.words.append("--http2-prior-knowledge")
        },
        FileRunOption(.ipv4, .network, "Use IPv4 addresses", letter: "4"),
        FileRunOption(.ipv6, .network, "Use IPv6 addresses", letter: "6"),
        FileRunOption(.connectTimeout, .network, "Maximum time to connect", argument: "SECONDS"),
        FileRunOption(.maxTime, .network, "Maximum time of a request", letter: "m", argument: "SECONDS"),
        FileRunOption(.limitRate, .network, "Maximum rate in bytes per second", argument: "BYTES"),
        FileRunOption(.resolve, .network, "Address of a host", argument: "HOST:PORT:ADDRESS"),
        FileRunOption(.connectTo, .network, "Connect to another host", argument: "HOST:PORT:HOST:PORT"),
        FileRunOption(.unixSocket, .network, "Connect through a Unix socket", argument: "PATH"),
        FileRunOption(.proxy, .network, "Use a proxy", letter: "x", argument: "URL", secrets: .url),
        FileRunOption(
            "proxy-header", .network, "Add a header field for the proxy", argument: "NAME:VALUE", isList: true,
            secrets: .header
        ) {
            $0.words += ["--proxy-header", $1]
        },
        FileRunOption("no-proxy", .network, "Hosts without proxy", argument: "HOSTS") {
            $0.words += ["--noproxy", $1]
        },
        FileRunOption("noproxy", .network, "Hosts without proxy", argument: "HOSTS", alias: "no-proxy") {
            $0.words += ["--noproxy", $1]
        },
    ]

    static let security = [
        FileRunOption(.insecure, .security, "Accept any certificate of the server", letter: "k"),
        FileRunOption(.cacert, .security, "Certificates of trusted authorities", argument: "FILE"),
        FileRunOption(
            .cert, .security, "Client certificate", letter: "E", argument: "FILE[:PASSWORD]", secrets: .certificate),
        FileRunOption(.key, .security, "Private key of the client certificate", argument: "FILE"),
        FileRunOption(.pinnedPubKey, .security, "Public keys that the server may have", argument: "HASHES"),
        FileRunOption("tls-min", .security, "Minimum version of TLS: 1.0, 1.1, 1.2 or 1.3", argument: "VERSION") {
            (arguments, text) throws(UsageError) in
            arguments.words.append("--tlsv\(try FileRunArguments.tlsVersion(text))")
        },
        FileRunOption("tls-max", .security, "Maximum version of TLS", argument: "VERSION") {
            (arguments, text) throws(UsageError) in
            arguments.words += ["--tls-max", try FileRunArguments.tlsVersion(text)]
        },
        FileRunOption("ssl-no-revoke", .security, "Accepted; has an effect on Windows only") { _, _ in },
    ]

    static let other = [
        FileRunOption("help", .other, "Show this help", letter: "h") { arguments, _ in arguments.showsHelp = true },
        FileRunOption("version", .other, "Show the version", letter: "V") { arguments, _ in
            arguments.showsVersion = true
        },
    ]
}
