/// The options of curl that have no effect here, and those that are errors.
extension CurlOption {
    /// Options without an effect on requests of HTTP and their output.
    static let ignored =
        options(
            """
            progress-bar/# progress-meter styled-output buffer no-buffer/N trace-ids socks5-basic tcp-nodelay \
            tcp-fastopen ca-native proxy-ca-native ssl-no-revoke ssl-revoke-best-effort ssl-allow-beast \
            proxy-ssl-allow-beast ssl-auto-client-cert proxy-ssl-auto-client-cert alpn no-npn false-start \
            proxy-tlsv1 mptcp proxy-http2 tls-earlydata
            """, .ignored(takesArgument: false))
        + options(
            """
            expect100-timeout trace-config keepalive-cnt happy-eyeballs-timeout-ms \
            egd-file random-file ip-tos vlan-priority
            """, .ignored(takesArgument: true))

    /// Options of FTP, SSH, mail and other protocols, which curl ignores for HTTP.
    static let foreign =
        options(
            """
            use-ascii/B append/a list-only/l disable-eprt disable-epsv eprt epsv ftp-create-dirs ftp-pasv ftp-pret \
            ftp-skip-pasv-ip ftp-ssl-ccc ftp-ssl-control mail-rcpt-allowfails sasl-ir tftp-no-options compressed-ssh \
            ssl ssl-reqd ftp-ssl ftp-ssl-reqd
            """, .foreign(takesArgument: false))
        + options(
            """
            ftp-account ftp-alternative-to-user ftp-method ftp-port/P ftp-ssl-ccc-mode hostpubmd5 hostpubsha256 \
            ipfs-gateway krb login-options mail-auth mail-from mail-rcpt pubkey quote/Q sasl-authzid telnet-option/t \
            tftp-blksize upload-flags
            """, .foreign(takesArgument: true))

    /// Options without an effect here, which are reported.
    static let ineffective = reasonsForNoEffect.flatMap { names, takesArgument, reason in
        options(names, .ineffective(takesArgument: takesArgument, reason: reason))
    }

    private static let reasonsForNoEffect: [(names: String, takesArgument: Bool, reason: String)] = [
        ("alt-svc", true, "connections go to the host and port of the URL"),
        ("ssl-sessions", true, "TLS sessions are not stored in files"),
        ("delegation", true, "Kerberos credentials are never delegated"),
        ("xattr", false, "the attribute user.afcli has the URL"),
        ("sslv2/2 sslv3/3", false, "TLS 1.2 is the minimum"),
    ]

    /// Options that are errors.
    static let unsupported =
        [
            CurlOption(
                "engine", nil,
                .unsupported(takesArgument: true, reason: "OpenSSL 3 has no engines by default", number: 53)),
            CurlOption("proxy-pass", nil, secrets: .all, .unsupported(takesArgument: true, reason: noProxyTLS)),
            CurlOption("tlspassword", nil, secrets: .all, .unsupported(takesArgument: true, reason: noSRP)),
            CurlOption("proxy-tlspassword", nil, secrets: .all, .unsupported(takesArgument: true, reason: noSRP)),
        ]
        + reasonsForRefusal.flatMap { names, takesArgument, reason in
            options(names, .unsupported(takesArgument: takesArgument, reason: reason))
        }

    private static let reasonsForRefusal: [(names: String, takesArgument: Bool, reason: String)] = [
        ("libcurl", true, "afcli generates no C code"),
        ("crlf", false, "curl sends more bytes than Content-Length announces"),
        ("metalink", false, "curl removed it in 7.78"),
        ("ntlm-wb", false, "curl removed it in 8.8; use --ntlm"),
        ("doh-insecure doh-cert-status", false, "the DNS server is verified with the options of the request"),
        ("socks5-gssapi socks5-gssapi-nec", false, "Kerberos is supported for servers and HTTP proxies"),
        (
            "service-name proxy-service-name socks5-gssapi-service", true,
            "the name of the Kerberos service is HTTP"
        ),
        ("dump-ca-embed", false, "afcli has no embedded certificates"),
        (
            "dns-interface dns-ipv4-addr dns-ipv6-addr dns-servers", true,
            "libcurl needs c-ares for it; --doh-url names a DNS server"
        ),
        ("ech sigalgs haproxy-clientip", true, "libcurl 7.88 does not have it"),
        ("tlsauthtype tlsuser proxy-tlsauthtype proxy-tlsuser", true, noSRP),
        (
            """
            proxy-cert proxy-key proxy-cert-type proxy-key-type proxy-ciphers proxy-tls13-ciphers proxy-crlfile \
            proxy-pinnedpubkey
            """, true, noProxyTLS
        ),
    ]

    private static let noProxyTLS = "a proxy over TLS is verified, without a certificate of the client"
    private static let noSRP = "TLS-SRP is obsolete; TLS 1.3 does not have it"

    /// Returns options: names, each with its letter after a slash if it has one.
    private static func options(_ names: String, _ effect: Effect) -> [CurlOption] {
        names.split(separator: " ").map { word in
            let halves = word.halves(around: "/")
            return CurlOption(String(halves?.before ?? word), halves?.after.first, effect)
        }
    }
}
