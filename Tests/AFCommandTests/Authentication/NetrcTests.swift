import AFHTTP
import Testing

@testable import AFCommand

/// The contents of a netrc file, by curl's rules.
@Suite struct NetrcTests {
    private func login(_ text: String, _ host: String = "h", user: String? = nil) throws -> String? {
        try Netrc(parsing: text).login(for: [host], user: user).map { "\($0.user):\($0.password)" }
    }

    @Test func `bytes that are not UTF-8 are kept, and concern their own entry`() throws {
        let bytes: [UInt8] = Array("# caf".utf8) + [0xE9] + Array("\nmachine h login ada password p".utf8) + [0xE9]
        let login = try Netrc(parsing: bytes).login(for: ["h"], user: nil)
        #expect(login?.user == "ada" && login?.password.octets == [UInt8(ascii: "p"), 0xE9])
    }

    @Test(arguments: [
        ("machine h login ada password secret", "ada:secret"),
        ("machine h\n\tlogin ada\r\n\tpassword secret\n", "ada:secret"),
        ("machine other login x password y machine h login ada password secret", "ada:secret"),
        ("MACHINE H LOGIN ada PASSWORD secret", "ada:secret"),
        ("machine h password secret login ada", "ada:secret"),
        ("machine h login ada", "ada:"), ("machine h login x machine h login ada password secret", "ada:secret"),
        ("machine h login ada account login password secret", "ada:secret"),
        ("default login anonymous password guest", "anonymous:guest"),
        ("machine h login ada password secret default login x password y", "ada:secret"),
        ("default login x password y machine h login ada password secret", "x:y"),
        ("# machine h login x password y\nmachine h login ada password secret # the one", "ada:secret"),
        ("machine h login ada password a#b", "ada:a#b"),
        (#"machine h login "ada l" password "a \"b\" \\ \t\n\r #c""#, "ada l:a \"b\" \\ \t\n\r #c"),
        (#"machine h login ada password a"b"#, #"ada:a"b"#),
        ("macdef init\nmachine h login x password y\n\nmachine h login ada password secret", "ada:secret"),
        ("macdef init\r\nput h\r\n\r\nmachine h login ada password secret", "ada:secret"),
        ("machine h login ada password \"\"", "ada:"),
        ("machine h.example login x password y", nil), ("machine example login x password y", nil),
        ("machine h port 8080 login ada password secret", "ada:secret"),
        ("machine h", nil), ("machine h password y", ":y"), ("", nil),
    ])
    func `the entry of a host, or else the default, has its credentials`(text: String, expected: String?) throws {
        #expect(try login(text) == expected)
    }

    @Test(arguments: [
        ("machine h login ada password 1 machine h login bob password 2", "bob:2"),
        ("machine h login Bob password 1", nil), ("machine h password any", "bob:any"),
        ("machine h login ada password 1 default login bob password 3", "bob:3"),
        ("machine h login bob machine h login bob password 4", "bob:4"), ("machine h", nil),
        ("machine h login bob", "bob:"),
    ])
    func `a named user does not get another user's password`(text: String, expected: String?) throws {
        #expect(try login(text, user: "bob") == expected)
    }

    @Test func `an unclosed quote is an error with its line`() {
        #expect(throws: Netrc.SyntaxError.unclosedQuote(line: 2)) {
            try Netrc(parsing: "machine h\nlogin \"ada\npassword x")
        }
        #expect(throws: Netrc.SyntaxError.unclosedQuote(line: 1)) { try Netrc(parsing: #"machine "h\"#) }
    }

    @Test(
        arguments: [
            ("this is no netrc file", .unknownWord(line: 1, keyword: nil)),
            ("machine h\nlogin ada passwrd x", .unknownWord(line: 2, keyword: "password")),
            ("machine a login x password y\n\nmachne h login ada", .unknownWord(line: 3, keyword: "machine")),
            ("machine h login ada password two words", .unknownWord(line: 1, keyword: nil)),
            ("machine h\nlogin", .missingValue(line: 2, keyword: "login")),
            ("machine h login ada password\n\n", .missingValue(line: 1, keyword: "password")),
            ("machine", .missingValue(line: 1, keyword: "machine")),
            ("\nlogin x password y", .noEntry(line: 2, keyword: "login")),
        ] as [(String, Netrc.SyntaxError)])
    func `a syntax error is reported with its line`(text: String, error: Netrc.SyntaxError) {
        #expect(throws: error) { try Netrc(parsing: text) }
    }

    @Test func `a file with only comments is valid`() throws {
        #expect(try Netrc(parsing: "# nothing yet\n\n").entries.isEmpty)
    }

    @Test func `a host is found by its typed and its converted name`() throws {
        let netrc = try Netrc(parsing: "machine bücher.example login ada password 1")
        #expect(netrc.login(for: ["bücher.example", "xn--bcher-kva.example"], user: nil)?.user == "ada")
    }
}

extension Netrc {
    init(parsing text: String) throws(SyntaxError) { try self.init(parsing: Array(text.utf8)) }
}
