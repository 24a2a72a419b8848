import AFHTTP
import Testing

struct AuthenticationChallengeTests {
    /// Returns the scheme and the realm of each challenge.
    private func read(_ value: String) -> [[String?]] {
        AuthenticationChallenge.challenges(in: value).map { [$0.scheme, $0.realm] }
    }

    @Test(
        arguments: [
            (#"Basic realm="a""#, [["Basic", "a"]]),
            (#"basic REALM=a"#, [["basic", "a"]]),
            (#"Basic realm="a \"b\" \\, c", charset="UTF-8""#, [["Basic", #"a "b" \, c"#]]),
            (#"Digest nonce="x", realm = "r", qop="auth, auth-int""#, [["Digest", "r"]]),
            (#"Negotiate, NTLM"#, [["Negotiate", nil], ["NTLM", nil]]),
            (#"NTLM TlRMTVNTUAACAAAA=="#, [["NTLM", nil]]),
            (
                #"Newauth realm="apps", type=1, title="Login to \"apps\"", Basic realm="simple""#,
                [["Newauth", "apps"], ["Basic", "simple"]]
            ),
            (#"Basic, realm="a", realm="b""#, [["Basic", "a"]]),
            (#"Basic realm="unclosed"#, [["Basic", "unclosed"]]),
            (#"Digest realm="a"; nonce=n; qop="auth""#, [["Digest", "a"]]), (#""Basic realm""#, []),
            (#"realm="nobody's""#, []), ("", []), (",, =", []), (#"Basic realm="""#, [["Basic", ""]]),
        ] as [(String, [[String?]])])
    func `challenges are parsed with their scheme and realm, even if malformed`(value: String, expected: [[String?]]) {
        #expect(read(value) == expected)
    }

    @Test func `a response has the challenges of all its header fields`() {
        var headers = HTTPHeaders()
        headers.append(name: "WWW-Authenticate", value: #"Digest realm="d""#)
        headers.append(name: "Www-Authenticate", value: #"basic realm="b", Bearer"#)
        let response = HTTPURLResponse(url: nil, statusCode: 401, headers: headers)
        #expect(response.authenticationChallenges.map(\.method) == [.digest, .basic, nil])
        #expect(response.authenticationChallenges.map(\.realm) == ["d", "b", nil])
    }
}
