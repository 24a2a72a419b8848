import AFCore
import AFHTTP
import Testing

@testable import AFCommand

@Suite struct AuthenticationPlanTests {
    private func credential(_ user: String, _ password: String) -> URLCredential {
        URLCredential(user: user, password: password)
    }

    @Test func `basic is the default and is sent with the first request`() throws {
        let plan = try PlannedRequest("-a", "ada:a:b", "h")
        #expect(plan.login == .password(.basic, credential("ada", "a:b")))
        #expect(plan.headerLines[3] == "Authorization: Basic YWRhOmE6Yg==")
        #expect(try PlannedRequest("-u", "ada:", "h").login == .password(.basic, credential("ada", "")))
    }

    @Test func `digest waits for the challenge`() throws {
        let plan = try PlannedRequest("-A", "digest", "-a", "u:p", "h")
        #expect(plan.login == .password(.digest, credential("u", "p")))
        #expect(plan.headers["Authorization"] == nil)
    }

    @Test func `NTLM and Negotiate have no field known in advance, and the latter uses the existing ticket`() throws {
        let ntlm = try PlannedRequest("-A", "ntlm", "-a", "DOMAIN\\ada:p", "h")
        #expect(ntlm.login == .password(.ntlm, credential("DOMAIN\\ada", "p")))
        #expect(ntlm.login?.challengeCredential?.kind == .ntlm)
        #expect(ntlm.headers["Authorization"] == nil)
        #expect(try PlannedRequest("-A", "negotiate", "h").login == .password(.negotiate, credential("", "")))
        #expect(throws: AuthenticationPlan.needsAuth.hinting("add --auth USER")) {
            try PlannedRequest("-A", "ntlm", "h")
        }
    }

    @Test func `any of four schemes is selected by the challenge`() throws {
        let plan = try PlannedRequest("-A", "any", "-a", "u:p", "h")
        #expect(plan.login == .password(.any, credential("u", "p"), offered: [.basic, .digest, .ntlm, .negotiate]))
        #expect(plan.headers["Authorization"] == nil)
    }

    @Test func `a bearer token is sent unchanged`() throws {
        let plan = try PlannedRequest("-A", "bearer", "-a", "tok:en", "h")
        #expect(plan.login == .bearer("tok:en"))
        #expect(plan.headers["Authorization"] == "Bearer tok:en")
        #expect(throws: UsageError.self) { try PlannedRequest("-A", "bearer", "-a", "a\r\nX: y", "h") }
    }

    @Test func `the option has priority over the URL, and both over a typed header field`() throws {
        #expect(try PlannedRequest("http://u:p@h").login == .password(.basic, credential("u", "p")))
        #expect(try PlannedRequest("-A", "digest", "http://u:p@h").login == .password(.digest, credential("u", "p")))
        let plan = try PlannedRequest("-a", "x:y", "http://u:p@h", "Authorization:mine")
        #expect(plan.login == .password(.basic, credential("x", "y")))
        #expect(plan.headers.values(for: "Authorization") == ["Basic eDp5"])
        #expect(try PlannedRequest("http://h", "Authorization:mine").headers["Authorization"] == "mine")
    }

    @Test func `an authentication type without credentials is an error`() {
        #expect(throws: UsageError("requires --auth", argument: "--auth-type", hint: "add --auth USER")) {
            try PlannedRequest("-A", "basic", "h")
        }
        #expect(throws: UsageError.self) { try PlannedRequest("-A", "bearer", "http://u:p@h") }
    }

    @Test func `credentials are read from a file, a variable or a descriptor`() throws {
        let credentials = CredentialAccess.fixed(variables: ["T": "u:v"], descriptors: [3: "u:d\nrest"])
        let files = ["f": "u:f\r\n", "/home/ada/g": "u:g"]
        func password(_ source: String) throws -> String? {
            guard
                case .password(.basic, let credential, _) = try PlannedRequest(
                    "-a", source, "h", files: files, credentials: credentials
                )
                .login
            else { return nil }
            return credential.password
        }
        #expect(try password("@f") == "f")
        #expect(try password("@~/g") == "g")
        #expect(try password("env:T") == "v")
        #expect(try password("fd:3") == "d")
        let missing = #expect(throws: UsageError.self) { try password("env:NONE") }
        #expect(missing?.message == "--auth: the environment variable 'NONE' is not set")
        let unnamed = #expect(throws: UsageError.self) { try password("env:") }
        #expect(unnamed?.problem == "expected the name of a variable, as in env:TOKEN")
        let file = #expect(throws: FileProblem.self) { try password("@missing") }
        #expect(file?.message == "--auth: cannot read 'missing': no such file")
    }

    @Test func `a missing password is prompted for`() throws {
        let credentials = CredentialAccess.fixed { question, isSecret in
            switch (question, isSecret) {
            case ("password for ada@h:81 (for a token: Ctrl-C, -A bearer): ", true): "pw"
            case ("user for h:81: ", false): "ada"
            case ("token for h:81: ", true): "tok"
            default: throw UsageError("asked '\(question)'")
            }
        }
        #expect(
            try PlannedRequest("-a", "ada", "h:81", credentials: credentials).login
                == .password(.basic, credential("ada", "pw")))
        #expect(
            try PlannedRequest("-a", "-", "h:81", credentials: credentials).login
                == .password(.basic, credential("ada", "pw")))
        #expect(
            try PlannedRequest("-A", "bearer", "-a-", "h:81", credentials: credentials).login == .bearer("tok"))
    }

    @Test func `there is no prompt if standard input is ignored`() {
        let error = #expect(throws: UsageError.self) { try PlannedRequest("-I", "-a", "ada", "h") }
        #expect(error?.message == "--auth: cannot prompt for the password with --ignore-stdin")
    }
}
