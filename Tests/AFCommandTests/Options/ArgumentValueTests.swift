import Testing

@testable import AFCommand

@Suite struct ArgumentValueTests {
    @Test(arguments: [("0", 0), ("1.5", 1.5), ("500ms", 0.5), ("30s", 30), ("2m", 120), ("1h", 3600), (".5", 0.5)])
    func `seconds are decimal, with or without a unit`(text: String, seconds: Double) throws {
        #expect(try Seconds(argument: text) == Seconds(seconds))
    }

    @Test(arguments: ["", "-1", "1e3", "nan", "inf", "0x10", "1.2.3", "s", "1 s", "٣", "300000h"])
    func `an invalid time is rejected`(text: String) {
        #expect(throws: UsageError.self) { try Seconds(argument: text) }
    }

    @Test(arguments: [
        ("0", 0), ("512", 512), ("1k", 1024), ("1.5M", 1_572_864), ("2G", 2_147_483_648), ("1t", 1 << 40),
    ])
    func `size units are powers of 1024`(text: String, bytes: Int64) throws {
        #expect(try ByteCount(argument: text) == ByteCount(bytes))
    }

    @Test(arguments: ["", "k", "-1", "1x", "1e9", "99999999999T"])
    func `an invalid size is rejected`(text: String) {
        #expect(throws: UsageError.self) { try ByteCount(argument: text) }
    }

    @Test func `a status list contains codes, ranges and classes`() throws {
        let list = try StatusList(argument: "200-299,304,4xx")
        #expect(list.ranges == [.init(200, to: 299), .init(304), .init(400, to: 499)])
        #expect(list.contains(250) && list.contains(304) && list.contains(404))
        #expect(!list.contains(300) && !list.contains(500))
    }

    @Test(arguments: ["", "200,", "20", "99", "2000", "299-200", "200-", "-299", "200-250-299", "0xx", "abc", "٣xx"])
    func `an invalid status list is rejected`(text: String) {
        #expect(throws: UsageError.self) { try StatusList(argument: text) }
    }

    @Test func `retry conditions may mix statuses and failures`() throws {
        let conditions = try RetryConditions(argument: "connect,503,500-502,Timeout")
        #expect(conditions.statuses.ranges == [.init(503), .init(500, to: 502)])
        #expect(conditions.failures == [.connect, .timeout])
        let all = try RetryConditions(argument: "408,429,500,502-504,connect,reset,timeout,truncated")
        #expect(all == .default)
        let known = "lookup, connect, reset, timeout, truncated, expect, any"
        #expect(throws: UsageError("'dns' is neither a status nor one of \(known)")) {
            try RetryConditions(argument: "503,dns")
        }
    }

    @Test func `connect includes lookups, and any all failures but expectations`() throws {
        let connect = try RetryConditions(argument: "connect")
        #expect(connect.include(.lookup) && connect.include(.connect) && !connect.include(.any))
        #expect(try !RetryConditions(argument: "lookup").include(.connect))
        let any = try RetryConditions(argument: "any")
        #expect(RetryConditions.Failure.allCases.allSatisfy { any.include($0) == ($0 != .expect) })
    }

    @Test func `print letters may be empty`() throws {
        #expect(try MessageParts(argument: "") == [])
        #expect(try MessageParts(argument: "HBhbm").rawValue == 31)
    }

    @Test(arguments: [
        ("http:http://p:1", ProxyChoice(scheme: .http, url: "http://p:1")),
        ("https:socks5h://p:1", ProxyChoice(scheme: .https, url: "socks5h://p:1")),
        ("ALL:p:1", ProxyChoice(scheme: .all, url: "p:1")),
        ("http://p:1", ProxyChoice(scheme: .all, url: "http://p:1")),
        ("p:1", ProxyChoice(scheme: .all, url: "p:1")),
        ("", ProxyChoice(scheme: .all, url: "")),
    ])
    func `a proxy may name its scheme`(text: String, choice: ProxyChoice) throws {
        #expect(try ProxyChoice(argument: text) == choice)
    }

    @Test func `connection rules have their fields`() throws {
        _ = try ConnectionArgument.resolve("example.org:443:127.0.0.1,[::1]")
        _ = try ConnectionArgument.resolve("*:80:::1")
        _ = try ConnectionArgument.connectTo("::b:81")
        #expect(try ConnectionArgument.connectTo("[0:0::1]:80:[::2]:81") == "[::1]:80:[::2]:81")
        #expect(try ConnectionArgument.resolve("[0::1]:80:127.0.0.1") == "[::1]:80:127.0.0.1")
        for bad in ["", "host", "host:80", "host:x:127.0.0.1", "host:70000:1.2.3.4", "host:80:"] {
            #expect(throws: UsageError.self) { try ConnectionArgument.resolve(bad) }
        }
        for bad in ["", "a:80:b", "a:80:b:x", "a:80:b:81:c"] {
            #expect(throws: UsageError.self) { try ConnectionArgument.connectTo(bad) }
        }
    }

    @Test func `a pin is the digest of a key`() throws {
        _ = try TLSArguments.pin("sha256//47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=")
        for bad in ["", "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=", "sha256//AAAA", "sha1//AAAA", "sha256//?"] {
            #expect(throws: UsageError.self) { try TLSArguments.pin(bad) }
        }
    }

    @Test func `a byte range has a start, an end or both`() throws {
        for good in ["0-99", "100-", "-500", "0-0,10-20,-1"] {
            #expect(try ByteRanges.checked(good) == good)
        }
        for bad in ["", "-", "5", "9-5", "a-b", "0-9,", "0-9\r\nX: y", "0-99999999999999999999"] {
            #expect(throws: UsageError.self) { try ByteRanges.checked(bad) }
        }
    }

    @Test func `an invalid choice lists the valid ones`() throws {
        #expect(try OutputArguments.Pretty(argument: "Colors") == .colors)
        #expect(throws: UsageError("expected one of auto, always, never, got 'maybe'")) {
            try OutputArguments.Color(argument: "maybe")
        }
    }

    @Test func `verification is a choice or a path`() throws {
        #expect(try Verification(argument: "No") == .no)
        #expect(try Verification(argument: "TRUE") == .yes)
        #expect(try Verification(argument: "./ca.pem") == .authorities("./ca.pem"))
        #expect(throws: UsageError.self) { try Verification(argument: "") }
    }

    @Test(arguments: [
        ("user:pa:ss", CredentialSource.typed("user:pa:ss")), ("@file", .file("file")),
        ("env:TOKEN", .variable("TOKEN")),
        ("fd:3", .descriptor(3)), ("-", .prompt),
    ])
    func `the prefix of credentials selects their source`(text: String, source: CredentialSource) throws {
        #expect(try CredentialSource(argument: text) == source)
    }

    @Test(arguments: ["", "ada:a\nb", "\u{7F}", "fd:x"])
    func `invalid credentials are rejected`(text: String) {
        #expect(throws: UsageError.self) { try CredentialSource(argument: text) }
    }

    @Test func `format options are checked by type`() throws {
        #expect(try FormatOption(argument: "JSON.Sort_Keys:True") == .jsonSortKeys(true))
        for bad in ["json.indent:true", "json.indent:100", "json.format:1", "json.nope:1", "json.indent"] {
            #expect(throws: UsageError.self) { try FormatOption(argument: bad) }
        }
    }

    @Test(arguments: [
        ("", "", 0), ("a", "", 1), ("follow", "folow", 1), ("form", "from", 1), ("kitten", "sitting", 3),
    ])
    func `edit distance counts the changes`(first: String, second: String, distance: Int) {
        #expect(editDistance(first, second) == distance)
        #expect(editDistance(second, first) == distance)
    }
}
