import AFCore
import Testing

@testable import AFCommand

@Suite struct ParserTests {
    private func parse(_ words: String...) throws -> Invocation { try Invocation(parsing: words) }

    @Test(arguments: [("--cookie", "Cookie:name=value"), ("--location", "--follow"), ("--head", "afcli head URL")])
    func `an error for curl's options names those of afcli`(typed: String, hint: String) {
        let error = #expect(throws: UsageError.self) { try Invocation(parsing: [typed, "x", "example.org"]) }
        #expect(error?.hint?.contains(hint) == true)
    }

    @Test func `options may be anywhere`() throws {
        let invocation = try parse("-v", "get", "--timeout", "3", "example.org", "a==1", "-f")
        #expect(invocation.positionals == ["get", "example.org", "a==1"])
        #expect(invocation.network.timeout == Seconds(3))
        #expect(invocation.output.verbosity == 1)
        #expect(invocation.request.bodyKind == .form)
    }

    @Test func `two dashes end the options`() throws {
        let invocation = try parse("-f", "--", "-v", "--timeout", "--")
        #expect(invocation.positionals == ["-v", "--timeout", "--"])
        #expect(invocation.output.verbosity == 0)
    }

    @Test func `a single dash is not an option`() throws {
        #expect(try parse("-").positionals == ["-"])
    }

    @Test(arguments: [
        ["-p", "hH"], ["-phH"], ["-p=hH"], ["--print", "hH"], ["--print=hH"], ["--prin=hH"], ["-vp", "hH"], ["-vp=hH"],
    ])
    func `an argument is separate, attached or joined with an equals sign`(words: [String]) throws {
        #expect(try Invocation(parsing: words).output.parts == [.responseHead, .requestHead])
    }

    @Test func `an argument may look like an option`() throws {
        let invocation = try parse("-o", "-", "--raw", "--follow")
        #expect(invocation.download.output == "-")
        #expect(invocation.request.raw == "--follow")
        #expect(!invocation.redirects.isFollowed)
    }

    @Test func `a joined argument may be empty or contain equals signs`() throws {
        #expect(try parse("--raw=").request.raw == "")
        #expect(try parse("--raw=a=b").request.raw == "a=b")
        #expect(try parse("-p=").output.parts == [])
        #expect(try parse("--raw=\u{301}x").request.raw == "\u{301}x")
    }

    @Test func `short options can be combined, and the last may take an argument`() throws {
        let invocation = try parse("-dco", "FILE", "-vvq")
        #expect(invocation.download.isDownload)
        #expect(invocation.download.resume == .safe)
        #expect(invocation.download.output == "FILE")
        #expect(invocation.output.verbosity == 2)
        #expect(invocation.output.level == .warnings)
        #expect(try parse("-dcoFILE").download.output == "FILE")
    }

    @Test func `an optional argument must be joined`() throws {
        #expect(try parse("--help=-d").other.help == .option("--download"))
        let separate = try parse("--help", "-d")
        #expect(separate.other.help == .overview)
        #expect(separate.download.isDownload)
    }

    @Test func `the last option of a group has priority`() throws {
        #expect(try parse("--json", "--multipart", "--form").request.bodyKind == .form)
        #expect(try parse("-h", "-b", "-p", "HB", "-m").output.parts == .metadata)
        #expect(try parse("--timeout=1", "--timeout=2").network.timeout == Seconds(2))
        #expect(try parse("-k", "--verify=yes").tls.verification == .yes)
        #expect(try parse("--check-status", "--no-check-status").validation.statusCheck == StatusCheck.none)
        #expect(try parse("--no-check-status", "--check-status").validation.statusCheck == .all)
        #expect(try parse("--session-read-only", "a", "--session", "b").sessions.session?.isReadOnly == false)
        #expect(try parse("--session", "a", "--session-read-only", "b").sessions.session?.isReadOnly == true)
    }

    @Test func `lists keep all in order`() throws {
        #expect(
            try parse("--sorted", "--format-options=json.indent:2", "--unsorted").output.format == [
                .headersSort(true), .jsonSortKeys(true), .jsonIndent(2), .headersSort(false), .jsonSortKeys(false),
            ])
        #expect(try parse("--no-sorted").output.format == [.headersSort(false), .jsonSortKeys(false)])
        #expect(try parse("--proxy=http:a:1", "--proxy=b:2").network.proxies.count == 2)
    }

    @Test func `a negation cancels its option and its group at any position`() throws {
        #expect(try parse("--no-follow", "-L").hasDefaults)
        #expect(try parse("-vv", "--no-verbose", "-v").hasDefaults)
        #expect(try parse("--form", "--no-json").hasDefaults)
        #expect(throws: UsageError("takes no value", argument: "--no-follow")) { try parse("--no-follow=1") }
    }

    @Test func `an assignment has the place of its argument`() {
        let words = ["-vaada:s3cret", "get", "h", "--proxy=p:1", "-H", "A: b", "-o=f"]
        let places = Invocation.parsed(words).assignments.dropFirst().map(\.position)
        #expect(
            places == [
                ArgumentPosition(word: 0, offset: 3), ArgumentPosition(word: 3, offset: 8),
                ArgumentPosition(word: 5, offset: 0), ArgumentPosition(word: 6, offset: 3),
            ])
        #expect(Invocation.parsed(words).words == [.init(text: "get", index: 1), .init(text: "h", index: 2)])
    }

    @Test func `assignments of later sources follow, and cancel those that they negate`() {
        var assignments = Assignments()
        let source = AssignmentSource.configuration(path: "f", key: "default_options")
        assignments.add(Invocation.parsed(["--form", "--connect-to=a:1:b:1", "--no-clobber"], from: source))
        assignments.add(Invocation.parsed(["--connect-to=c:1:d:1", "--skip-existing", "h"]))
        let invocation = Invocation(assignments)
        #expect(invocation.network.connectTo == ["c:1:d:1", "a:1:b:1"])
        #expect(invocation.download.skipsExisting && !invocation.download.keepsExisting)
        #expect(invocation.isConfigured("--form") && !invocation.isConfigured("--skip-existing"))
        #expect(invocation.redirects.scope == .anywhere)
        assignments.add(Invocation.parsed(["--no-json"]))
        #expect(assignments.last("--form") == nil)
    }

    @Test func `settings of a host for the connection restrict redirects beside typed ones`() {
        var assignments = Assignments()
        let source = AssignmentSource.host(path: "f", key: "h", isOrigin: true)
        assignments.add(Invocation.parsed(["--connect-to=a:1:b:1"], from: source))
        assignments.add(Invocation.parsed(["--connect-to=c:1:d:1", "h"]))
        #expect(Invocation(assignments).redirects.scope == .origin)
    }

    @Test func `--no-proxy takes hosts and does not cancel --proxy`() throws {
        let invocation = try parse("--proxy=http://p:1", "--no-proxy", "localhost,.test")
        #expect(invocation.network.proxies == [ProxyChoice(scheme: .all, url: "http://p:1")])
        #expect(invocation.network.noProxy?.text == "localhost,.test")
    }

    @Test(arguments: [
        ("--mult", "multipart"), ("--max-h=1", nil), ("--no-check-s", "no-check"), ("--no-sor", "unsorted"),
        ("--no-trust", "undone"),
    ])
    func `a long option may be abbreviated if that is unambiguous`(word: String, meaning: String?) throws {
        guard let meaning else {
            let error = #expect(throws: UsageError.self) { try parse(word) }
            #expect(error?.message == "--max-h: ambiguous option: --max-headers, --max-head-size")
            return
        }
        let invocation = try parse(word)
        switch meaning {
        case "multipart": #expect(invocation.request.bodyKind == .multipart)
        case "no-check": #expect(invocation.validation.statusCheck == StatusCheck.none)
        case "unsorted": #expect(invocation.output.format == [.headersSort(false), .jsonSortKeys(false)])
        default: #expect(invocation.hasDefaults)
        }
    }

    @Test(arguments: [
        ("--folow", "did you mean --follow?"), ("--tiemout=3", "did you mean --timeout?"),
        ("-timeout", "did you mean --timeout?"),
        ("--frobnicate", "afcli --help=all shows all options"), ("-W", "afcli --help=all shows all options"),
        ("--compressed", "compressed responses are the default; 'Accept-Encoding:' after the URL disables them"),
        ("--bearer", "use --auth-type bearer --auth TOKEN"), ("--remote-name", "use --download, or --output FILE"),
        ("--data", "use items such as name=value, or --raw TEXT"),
        ("--data-raw=x", "use items such as name=value, or --raw TEXT"),
        ("--request", "use --method, or write the method before the URL"), ("--tlsv1.2", "use --ssl VERSION"),
        ("--include", "use --print=hb to show the header and the body"),
        ("--get", "use query items: afcli get URL name==value"),
        ("--netrc", "~/.netrc is read by default; --netrc-file names another file"), ("--location", "use --follow"),
        ("-O", "use --download, or --output FILE"), ("-LO", "use --download, or --output FILE"),
        ("-i", "use --print=hb to show the header and the body"), ("-V", "use --version"),
        ("-G", "use query items: afcli get URL name==value"),
        ("-e", "use an item after the URL: Referer:URL"), ("-r", "use --range RANGES"), ("-N", "use --stream"),
        ("--no-buffer", "use --stream"),
        ("-C", "use --resume with --output FILE"), ("-J", "use --download, or --output FILE"),
        ("-1", "use --ssl VERSION"),
        ("-U", "put the credentials into the URL: --proxy http://USER:PASSWORD@HOST:PORT"), ("-E", "use --cert FILE"),
        ("-g", "omit it: it is not needed here"), ("-#", "use --progress always"), ("-Y", "use --timeout SECONDS"),
        ("-z", "use an item after the URL: If-Modified-Since:DATE"), ("--speed-limit", "use --timeout SECONDS"),
        ("--tls-max", "use --ssl VERSION"), ("--user", "use --auth CREDENTIAL"), ("--pinnedpubkey", "use --pin PIN"),
        ("-K", "curl's configuration files are not read; --config FILE reads one of afcli"),
        ("-n", "~/.netrc is read by default; --netrc-file names another file"),
        ("--http2.0", "use --http2"), ("--tries=3", "use --retry NUMBER"), ("--output-document=f", "use --output FILE"),
        ("--no-check-certificate", "use --insecure"), ("--content-disposition", "use --download"),
        ("--post-data=a", "use --raw TEXT"), ("--spider", "use the method: afcli head URL"),
        ("--jq=.a", "use --filter PATH"), ("--query=a", "use --filter PATH"), ("--dry-run", "use --offline"),
    ])
    func `an unknown option suggests the nearest`(word: String, hint: String) throws {
        let error = #expect(throws: UsageError.self) { try parse(word) }
        #expect(error?.problem == "unknown option")
        #expect(error?.hint == hint)
    }

    @Test(arguments: [
        (["-d", "{\"a\":1}", "h"], "-d", "-d is --download; for a body: --raw '{...}'"),
        (["h", "-d", "[1]"], "-d", "-d is --download; for a body: --raw '[...]'"),
        (["-d", "a=1", "h"], "-d", "-d is --download; for a form: afcli -f URL name=value"),
        (["h", "-Ld", "a=1&b=2"], "-d", "-d is --download; for a form: afcli -f URL name=value"),
        (["--json", "{}", "h"], "--json", "for a body: --raw '{...}', or items after the URL: name=value"),
        (["--form", "a=b", "h"], "--form", "items follow the URL: afcli --form URL name=value"),
        (
            ["-b", "a=b", "h"], "-b",
            "-b is --body; for cookies: 'Cookie:name=value' after the URL, or --cookie-jar FILE"
        ),
        (
            ["h", "-b", "a=b; c=d"], "-b",
            "-b is --body; for cookies: 'Cookie:name=value' after the URL, or --cookie-jar FILE"
        ),
        (["-m", "5", "h"], "-m", "-m is --meta; for a time limit: --max-time 5"),
        (["-x", "socks5://h:1", "h"], "-x", "-x is --compress; for a proxy: --proxy socks5://..."),
        (["-x", "h:3128", "http://a"], "-x", "-x is --compress; for a proxy: --proxy http://HOST:PORT"),
        (["-x", "http://h:3128", "https://a"], "-x", "-x is --compress; for a proxy: --proxy http://HOST:PORT"),
        (
            ["-b", "cookies.txt", "https://a"], "-b",
            "-b is --body; for cookies: 'Cookie:name=value' after the URL, or --cookie-jar FILE"
        ),
        (["-d", "@f", "http://a"], "-d", "-d is --download; for a body from a file: --raw @FILE"),
        (["h.example", "-x", "p.example:3128"], "-x", "-x is --compress; for a proxy: --proxy http://HOST:PORT"),
        (["get", "h", "-x", "localhost:8080"], "-x", "-x is --compress; for a proxy: --proxy http://HOST:PORT"),
        (
            ["http://a", "-b", "cookies.txt"], "-b",
            "-b is --body; for cookies: 'Cookie:name=value' after the URL, or --cookie-jar FILE"
        ),
    ])
    func `a flag followed by the argument it has in curl has a hint`(words: [String], flag: String, hint: String) {
        let error = #expect(throws: UsageError.self) { try Invocation(parsing: words) }
        #expect(error == UsageError("takes no value", argument: flag, hint: hint))
    }

    @Test(arguments: [["-c", "jar", "http://a"], ["http://a", "-c", "jar"]])
    func `an option with an optional argument followed by that of curl has a hint`(words: [String]) {
        let error = #expect(throws: UsageError.self) { try Invocation(parsing: words) }
        let hint = "-c is --resume; for cookies: --cookie-jar FILE"
        #expect(error == UsageError("takes a value only after =", argument: "-c", hint: hint))
    }

    @Test(arguments: [
        ["h", "-d", "a=1"], ["-d", "h", "a=b&c"], ["-d", "http://h/?a=b&c=d"], ["-b", "h", "a=b"], ["-m", "5.example"],
        ["-x", "http://h", "a=b"], ["-f", "h", "a=b"], ["-d", "[::1]"], ["--json", "[::1]"],
        ["-x", "socks.example"], ["h", "-x", "socks=wool"], ["-m", "0x7f000001"], ["-b", "--color=never", "h"],
        ["h", "--json", "a:={}"], ["h", "-b", "a=b"],
        ["-x", "get", "http://h"], ["-x", "PROPFIND", "http://h"], ["-c", "POST", "http://h"], ["-b", "h", "a:=1"],
        ["h", "-d", "@f"], ["get", "-b", "example.org"], ["h.example", "-x", "X-A:5"], ["get", "-c", "h.example"],
    ])
    func `a flag followed by a valid argument has no hint`(words: [String]) throws {
        #expect(try Invocation(parsing: words).positionals == words.filter { !$0.hasPrefix("-") })
    }

    @Test(arguments: ["--re", "--no", "--a"])
    func `an ambiguous abbreviation names its options, also with a secret argument`(word: String) {
        let error = #expect(throws: UsageError.self) { try parse(word) }
        let message = error?.withoutSecrets.message ?? ""
        #expect(message.hasPrefix("\(word): ambiguous option: --"))
        #expect(!message.contains("...") && !message.contains("--no-no-"), "\(message)")
    }

    @Test func `an unknown option is named without its value`() {
        let unknown = UsageError("unknown option", argument: "--no-such", hint: "afcli --help=all shows all options")
        #expect(throws: unknown) { try parse("--no-such") }
        let error = #expect(throws: UsageError.self) { try parse("--secrettoken=hunter2") }
        #expect(error?.message == "--secrettoken: unknown option")
    }

    @Test(arguments: ["--doh-url", "--resolve"])
    func `an invalid value is shown without its user info`(option: String) {
        let error = #expect(throws: UsageError.self) { try parse("\(option)=https://ada:s3cret@h") }
        #expect(error?.withoutSecrets.message.hasSuffix(", got '...'") == true)
    }

    @Test func `an invalid value is reported with the option as typed`() {
        let error = #expect(throws: UsageError.self) { try parse("--timeout=soon") }
        #expect(error?.message == "--timeout: expected a duration such as 1.5, 200ms or 2m, got 'soon'")
        #expect(throws: UsageError("unknown letter 'z': use H, B, h, b or m", argument: "-p")) { try parse("-pz") }
    }

    @Test func `an unknown authentication type suggests the nearest, or the User-Agent field`() {
        let wrong = #expect(throws: UsageError.self) { try parse("-A", "Bearr") }
        #expect(wrong?.hint == "did you mean bearer?")
        let agent = #expect(throws: UsageError.self) { try parse("-A", "Mozilla/5.0", "example.org") }
        #expect(agent?.hint == "curl's -A is an item after the URL: User-Agent:NAME")
    }

    @Test func `raw arguments must be UTF-8`() throws {
        #expect(try Invocation.decoded([Array("get".utf8), Array("ö.example".utf8)]) == ["get", "ö.example"])
        let error = #expect(throws: UsageError.self) { try Invocation.decoded([Array("get".utf8), [0x61, 0xFF]]) }
        #expect(error?.message == "argument 2 is not UTF-8")
    }

    @Test(arguments: ["-a s3cret\n", "--refresh-token s3cret\n", "-as3cret\n", "curl --oauth2-bearer s3cret\n"])
    func `the value of an argument that is not UTF-8 is not shown`(line: String) {
        let words = line.split(separator: " ").map { word in word.utf8.map { $0 == 10 ? 0xFF : $0 } }
        let error = #expect(throws: UsageError.self) { try Invocation.decoded(words) }
        #expect(error?.message == "argument \(words.count) is not UTF-8")
        let joined = Array("--auth=ada:s3cret".utf8) + [0xFF]
        let named = #expect(throws: UsageError.self) { try Invocation.decoded([joined]) }
        #expect(named?.message == "--auth: argument 1 is not UTF-8")
    }

    @Test func `a part stores the number of items before it`() throws {
        let invocation = try parse("post", ":/", "a=1", "-F", "b=2", "c=3", "--form-string=d=@4")
        #expect(
            invocation.request.parts == [
                .init(text: "b=2", isLiteral: false, precedingPositionals: 3),
                .init(text: "d=@4", isLiteral: true, precedingPositionals: 4),
            ])
    }

    @Test func `help is general or about one option`() throws {
        #expect(try parse("--help").other.help == .overview)
        #expect(try parse("--help=--retry-on").other.help == .option("--retry-on"))
        #expect(try parse("--help=L").other.help == .option("--follow"))
        #expect(try parse("help", "--retry").helpTopic == .option("--retry"))
        #expect(try parse("help", "-L").helpTopic == .option("--follow"))
        let unknown = UsageError(
            "unknown help topic 'nonsense'", argument: "--help",
            hint: "afcli --help=all shows all options, and man afcli the manual")
        #expect(throws: unknown) { try parse("--help=nonsense") }
    }
}
