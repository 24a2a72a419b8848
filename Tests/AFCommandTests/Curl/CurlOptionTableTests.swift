import TestSupport
import Testing

@testable import AFCommand
@testable import afcli_docs

/// The table of curl's options.
struct CurlOptionTableTests {
    /// The options of curl 8.14.
    private static let names = """
        abstract-unix-socket alt-svc anyauth append aws-sigv4 basic ca-native cacert capath cert cert-status \
        cert-type ciphers compressed compressed-ssh config connect-timeout connect-to continue-at cookie cookie-jar \
        create-dirs create-file-mode crlf crlfile curves data data-ascii data-binary data-raw data-urlencode \
        delegation digest disable disable-eprt disable-epsv disallow-username-in-url dns-interface dns-ipv4-addr \
        dns-ipv6-addr dns-servers doh-cert-status doh-insecure doh-url dump-ca-embed dump-header ech egd-file engine \
        etag-compare etag-save expect100-timeout fail fail-early fail-with-body false-start form form-escape \
        form-string ftp-account ftp-alternative-to-user ftp-create-dirs ftp-method ftp-pasv ftp-port ftp-pret \
        ftp-skip-pasv-ip ftp-ssl-ccc ftp-ssl-ccc-mode ftp-ssl-control get globoff happy-eyeballs-timeout-ms \
        haproxy-clientip haproxy-protocol head header help hostpubmd5 hostpubsha256 hsts http0.9 http1.0 http1.1 \
        http2 http2-prior-knowledge http3 http3-only ignore-content-length insecure interface ip-tos ipfs-gateway \
        ipv4 ipv6 json junk-session-cookies keepalive-cnt keepalive-time key key-type krb libcurl limit-rate \
        list-only local-port location location-trusted login-options mail-auth mail-from mail-rcpt \
        mail-rcpt-allowfails manual max-filesize max-redirs max-time metalink mptcp negotiate netrc netrc-file \
        netrc-optional next no-alpn no-buffer no-clobber no-keepalive no-npn no-progress-meter no-sessionid noproxy \
        ntlm ntlm-wb oauth2-bearer output output-dir parallel parallel-immediate parallel-max pass path-as-is \
        pinnedpubkey post301 post302 post303 preproxy progress-bar proto proto-default proto-redir proxy \
        proxy-anyauth proxy-basic proxy-ca-native proxy-cacert proxy-capath proxy-cert proxy-cert-type proxy-ciphers \
        proxy-crlfile proxy-digest proxy-header proxy-http2 proxy-insecure proxy-key proxy-key-type proxy-negotiate \
        proxy-ntlm proxy-pass proxy-pinnedpubkey proxy-service-name proxy-ssl-allow-beast proxy-ssl-auto-client-cert \
        proxy-tls13-ciphers proxy-tlsauthtype proxy-tlspassword proxy-tlsuser proxy-tlsv1 proxy-user proxy1.0 \
        proxytunnel pubkey quote random-file range rate raw referer remote-header-name remote-name remote-name-all \
        remote-time remove-on-error request request-target resolve retry retry-all-errors retry-connrefused \
        retry-delay retry-max-time sasl-authzid sasl-ir service-name show-error show-headers sigalgs silent \
        skip-existing socks4 socks4a socks5 socks5-basic socks5-gssapi socks5-gssapi-nec socks5-gssapi-service \
        socks5-hostname speed-limit speed-time ssl ssl-allow-beast ssl-auto-client-cert ssl-no-revoke ssl-reqd \
        ssl-revoke-best-effort ssl-sessions sslv2 sslv3 stderr styled-output suppress-connect-headers tcp-fastopen \
        tcp-nodelay telnet-option tftp-blksize tftp-no-options time-cond tls-earlydata tls-max tls13-ciphers \
        tlsauthtype tlspassword tlsuser tlsv1 tlsv1.0 tlsv1.1 tlsv1.2 tlsv1.3 tr-encoding trace trace-ascii \
        trace-config trace-ids trace-time unix-socket upload-file upload-flags url url-query use-ascii user \
        user-agent variable verbose version vlan-priority write-out xattr
        """.split(separator: " ").map(String.init)

    private let rows = Dictionary(grouping: CurlOptionTable.rows, by: \.name)

    @Test func `the table has each option once`() {
        #expect(rows.values.allSatisfy { $0.count == 1 }, "\(rows.filter { $1.count > 1 }.keys)")
        let letters = Dictionary(grouping: CurlOptionTable.rows.filter { $0.letter != nil }, by: \.letter)
        #expect(letters.values.allSatisfy { $0.count == 1 }, "\(letters.filter { $1.count > 1 })")
    }

    @Test func `the table has the options of curl 8.14`() {
        let missing = Self.names.filter { rows[$0] == nil }
        #expect(missing.isEmpty, "\(missing)")
    }

    @Test func `the table has the options of the installed curl, with their letters and arguments`() async throws {
        let help = try await Program("/usr/bin/curl", ["--help", "all"]).run().text
        var count = 0
        for line in help.split(separator: "\n") {
            var words = line.split(separator: " ").map(String.init)[...]
            var letter: Character?
            if let first = words.first, first.hasPrefix("-"), first.hasSuffix(",") {
                letter = first.dropFirst().first
                words.removeFirst()
            }
            guard let name = words.popFirst(), name.hasPrefix("--") else { continue }
            count += 1
            let row = try #require(rows[String(name.dropFirst(2))]?.first, "\(line)")
            // curl 8 lists --include by its other name.
            #expect(row.letter == letter || row.name == "show-headers", "\(line)")
            let hasArgument = words.first.map { $0.hasPrefix("<") || $0.hasPrefix("[") } ?? false
            // --help has an optional argument.
            #expect(row.takesArgument == hasArgument || row.name == "help", "\(line)")
        }
        #expect(count > 200)
    }

    @Test func `other treatments than the same have a reason`() {
        for row in CurlOptionTable.rows {
            #expect(row.reason.isEmpty == (row.treatment == .same), "\(row.name)")
            #expect(!row.reason.contains("|") && !row.reason.hasSuffix("."), "\(row.name)")
        }
        #expect(Set(CurlDifference.all.map(\.subject)).count == CurlDifference.all.count)
        for name in CurlDifference.all.flatMap(\.options) { #expect(rows[name] != nil, "\(name)") }
    }

    @Test func `the document in the repository is that of the table`() {
        #expect(Repository.text(of: "Documentation/curl.md") == CurlPage.text, "this renews it: make generated")
    }

    @Test func `refused options and those without effect say why`() async throws {
        for row in CurlOptionTable.rows where row.treatment == .refused {
            let run = await runTool(["curl", "--\(row.name)"] + (row.takesArgument ? ["x"] : []) + ["http://h/"])
            #expect(run.status == (row.name == "engine" ? 53 : 2), "\(row.name): \(run.errors)")
            #expect(
                run.messages == ["curl: (\(run.status)) --\(row.name): is not supported by afcli", "  \(row.reason)"],
                "\(run.errors)")
        }
        for row in CurlOptionTable.rows where row.treatment == .ineffective {
            let words = ["--\(row.name)"] + (row.takesArgument ? ["x"] : [])
            let run = await runTool(["curl", "--offline"] + words + ["http://h/"])
            #expect(run.status == 0)
            #expect(run.messages == ["Warning: --\(row.name) has no effect: \(row.reason)"], "\(run.errors)")
        }
    }
}
