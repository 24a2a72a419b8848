import AFHTTP
import Testing

@testable import AFCommand

/// The selection of the netrc file.
@Suite struct NetrcFileTests {
    private let home = ["/home/ada/.netrc": "machine h login ada password home"]

    private func plan(
        _ words: String...,
        files: [String: String]? = nil,
        variables: [String: String] = [:]
    ) throws -> AuthenticationPlan? {
        try PlannedRequest(
            Invocation(parsing: words),
            files: files ?? home,
            credentials: .fixed(variables: variables)
        ).login
    }

    private func basic(_ user: String, _ password: String) -> AuthenticationPlan {
        .password(.basic, URLCredential(user: user, password: password))
    }

    @Test func `the file in the home directory is used for the host with any port`() throws {
        #expect(try plan("h:8080/x") == basic("ada", "home"))
        #expect(try plan("https://H/") == basic("ada", "home"))
        #expect(try plan("other") == nil)
        #expect(try plan("h.example") == nil)
        #expect(try plan("h", files: [:]) == nil)
    }

    @Test func `an IPv6 host has no brackets in it`() throws {
        #expect(
            try plan("[::1]:80/", files: ["/home/ada/.netrc": "machine ::1 login a password b"]) == basic("a", "b"))
        #expect(
            try plan("[0:0::1]", files: ["/home/ada/.netrc": "machine 0::1 login a password b"]) == basic("a", "b"))
    }

    @Test func `another file is named by the option, else by the environment`() throws {
        let files = home.merging([
            "mine": "machine h login m password option", "env": "machine h login e password env",
            "/home/ada/x": "machine h login x password expanded",
        ]) { $1 }
        let env = ["NETRC": "env"]
        #expect(try plan("--netrc-file", "mine", "h", files: files, variables: env) == basic("m", "option"))
        #expect(try plan("--netrc-file", "~/x", "h", files: files) == basic("x", "expanded"))
        #expect(try plan("h", files: files, variables: env) == basic("e", "env"))
        #expect(try plan("h", files: files, variables: ["NETRC": ""]) == basic("ada", "home"))
        #expect(try plan("h", files: files, variables: ["NETRC": "missing"]) == nil)
    }

    @Test func `typed values take precedence`() throws {
        #expect(try plan("--ignore-netrc", "h") == nil)
        #expect(try plan("-a", "x:y", "h") == basic("x", "y"))
        #expect(try plan("http://x:y@h") == basic("x", "y"))
        #expect(try plan("http://x:@h") == basic("x", ""))
        #expect(try plan("h/", "Authorization:mine") == nil)
        #expect(try plan("h", "-H", "Authorization: mine") == nil)
        #expect(try plan("h/", "Authorization:") == nil)
        #expect(try plan("-A", "bearer", "-a", "t", "h") == .bearer("t"))
        #expect(throws: AuthenticationPlan.needsAuth.hinting("add --auth TOKEN")) { try plan("-A", "bearer", "h") }
    }

    @Test func `a password without a user belongs to an empty user, unless another entry has both`() throws {
        let alone = try Netrc(parsing: "machine h password p")
        #expect(alone.login(for: ["h"], user: nil) == URLCredential(user: "", password: "p"))
        let both = try Netrc(parsing: "machine h password p machine h login u password q")
        #expect(both.login(for: ["h"], user: nil) == URLCredential(user: "u", password: "q"))
        #expect(alone.login(for: ["h"], user: "v") == URLCredential(user: "v", password: "p"))
    }

    @Test func `a user in the URL gets only that user's password`() throws {
        let files = ["/home/ada/.netrc": "machine h login ada password 1\nmachine h login bob password 2"]
        #expect(try plan("http://bob@h", files: files) == basic("bob", "2"))
        #expect(try plan("http://eve@h", files: files) == basic("eve", ""))
    }

    @Test func `digest, NTLM and basic use credentials of the file if they are selected`() throws {
        let credential = URLCredential(user: "ada", password: "home")
        #expect(try plan("-A", "digest", "h") == .password(.digest, credential))
        #expect(try plan("-A", "ntlm", "h") == .password(.ntlm, credential))
        #expect(try plan("-A", "basic", "h/", "Authorization:mine") == .password(.basic, credential))
        #expect(throws: AuthenticationPlan.needsAuth.hinting("add --auth USER")) {
            try plan("-A", "basic", "--ignore-netrc", "h")
        }
    }

    @Test func `a named file must exist and be valid`() throws {
        let missing = #expect(throws: FileProblem.self) { try plan("--netrc-file", "none", "h") }
        #expect(missing?.message == "--netrc-file: cannot read 'none': no such file")
        let broken = #expect(throws: FileProblem.self) {
            try plan("--netrc-file", "n", "h", files: ["n": "machine \"h"])
        }
        #expect(broken?.message.contains("unclosed quote in line 1") == true)
        for (text, problem) in [
            ("machine h login u\npasswrd x", "line 2 has a misspelled 'password'"),
            ("machine h login u password two words", "line 1 has a word that is neither a keyword nor a value"),
            ("machine h login", "'login' in line 1 has no value"),
            ("login u", "'login' in line 1 has no 'machine' before it"),
        ] {
            let error = #expect(throws: FileProblem.self) { try plan("--netrc-file", "n", "h", files: ["n": text]) }
            #expect(error?.message == "--netrc-file: 'n' is malformed: \(problem)")
        }
    }

    @Test func `an invalid default file is ignored with a warning`() throws {
        let plan = try PlannedRequest("h", files: ["/home/ada/.netrc": "machine \"h"])
        #expect(plan.login == nil)
        #expect(
            plan.warnings == [
                "the netrc file is not used: '/home/ada/.netrc' is malformed: "
                    + "unclosed quote in line 1"
            ])
        #expect(try PlannedRequest("h", files: [:]).warnings.isEmpty)
    }
}
