import AFCore
import AFHTTP
import Testing

@testable import AFCommand

@Suite struct AuthenticationPlanTests {
    private func credential(_ user: String, _ password: String) -> URLCredential {
        URLCredential(user: user, password: password)
    }

    @Test func `basic is the default and is sent at once`() throws {
        let plan = try RequestPlan("-a", "ada:a:b", "h")
        #expect(plan.authentication == .basic(credential("ada", "a:b")))
        #expect(plan.headerLines[3] == "Authorization: Basic YWRhOmE6Yg==")
        #expect(try RequestPlan("-u", "ada:", "h").authentication == .basic(credential("ada", "")))
    }

    @Test func `digest waits for the server`() throws {
        let plan = try RequestPlan("-A", "digest", "-a", "u:p", "h")
        #expect(plan.authentication == .digest(credential("u", "p")))
        #expect(plan.headers["Authorization"] == nil)
    }

    @Test func `NTLM and Negotiate wait for the server, the latter with the ticket that is there`() throws {
        let ntlm = try RequestPlan("-A", "ntlm", "-a", "DOMAIN\\ada:p", "h")
        #expect(ntlm.authentication == .ntlm(credential("DOMAIN\\ada", "p")))
        #expect(ntlm.authentication?.answer?.kind == .ntlm)
        #expect(ntlm.headers["Authorization"] == nil)
        #expect(try RequestPlan("-A", "negotiate", "h").authentication == .negotiate(credential("", "")))
        #expect(throws: AuthenticationPlan.needsAuth) { try RequestPlan("-A", "ntlm", "h") }
    }

    @Test func `a bearer token is sent as it is`() throws {
        let plan = try RequestPlan("-A", "bearer", "-a", "tok:en", "h")
        #expect(plan.authentication == .bearer("tok:en"))
        #expect(plan.headers["Authorization"] == "Bearer tok:en")
        #expect(throws: UsageError.self) { try RequestPlan("-A", "bearer", "-a", "a\r\nX: y", "h") }
    }

    @Test func `the option goes before the URL and both before a typed header`() throws {
        #expect(try RequestPlan("http://u:p@h").authentication == .basic(credential("u", "p")))
        #expect(try RequestPlan("-A", "digest", "http://u:p@h").authentication == .digest(credential("u", "p")))
        let plan = try RequestPlan("-a", "x:y", "http://u:p@h", "Authorization:mine")
        #expect(plan.authentication == .basic(credential("x", "y")))
        #expect(plan.headers.values(for: "Authorization") == ["Basic eDp5"])
        #expect(try RequestPlan("http://h", "Authorization:mine").headers["Authorization"] == "mine")
    }

    @Test func `a kind without a credential is an error`() {
        #expect(throws: UsageError("needs --auth", argument: "--auth-type")) { try RequestPlan("-A", "basic", "h") }
        #expect(throws: UsageError.self) { try RequestPlan("-A", "bearer", "http://u:p@h") }
    }

    @Test func `a credential comes from a file, a variable or a descriptor`() throws {
        let credentials = CredentialAccess.fixed(variables: ["T": "u:v"], descriptors: [3: "u:d\nrest"])
        let files = ["f": "u:f\r\n", "/home/ada/g": "u:g"]
        func password(_ source: String) throws -> String? {
            guard
                case .basic(let credential) = try RequestPlan("-a", source, "h", files: files, credentials: credentials)
                    .authentication
            else { return nil }
            return credential.password
        }
        #expect(try password("@f") == "f")
        #expect(try password("@~/g") == "g")
        #expect(try password("env:T") == "v")
        #expect(try password("fd:3") == "d")
        let missing = #expect(throws: UsageError.self) { try password("env:NONE") }
        #expect(missing?.message == "--auth: the variable NONE is not set")
        let file = #expect(throws: FileProblem.self) { try password("@missing") }
        #expect(file?.message == "--auth: cannot read 'missing': no such file")
    }

    @Test func `what is missing is asked for`() throws {
        let credentials = CredentialAccess.fixed { question, isSecret in
            switch (question, isSecret) {
            case ("password for ada@h:81: ", true): "pw"
            case ("user for h:81: ", false): "ada"
            case ("token for h:81: ", true): "tok"
            default: throw UsageError("asked '\(question)'")
            }
        }
        #expect(
            try RequestPlan("-a", "ada", "h:81", credentials: credentials).authentication
                == .basic(credential("ada", "pw")))
        #expect(
            try RequestPlan("-a", "-", "h:81", credentials: credentials).authentication
                == .basic(credential("ada", "pw")))
        #expect(
            try RequestPlan("-A", "bearer", "-a-", "h:81", credentials: credentials).authentication == .bearer("tok"))
    }

    @Test func `nobody is asked where standard input is ignored`() {
        let error = #expect(throws: UsageError.self) { try RequestPlan("-I", "-a", "ada", "h") }
        #expect(error?.message == "--auth: cannot ask for a password with --ignore-stdin")
    }
}
