import AFHTTP
import Testing

@testable import AFTransport

/// Answers to challenges of digest authentication, with the values of RFC 7616 §3.9.1 and of its erratum 4897.
struct DigestChallengeTests {
    private func challenge(_ field: String) throws -> AuthenticationChallenge {
        try #require(AuthenticationChallenge.challenges(in: field).first)
    }

    private let nonce = "nonce=\"7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v\""
    private let salt = "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ"

    @Test(arguments: [
        ("MD5", "8ca523f5e9506fed4657c9700eebdbec"),
        ("SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
    ])
    func `the response is the one in RFC 7616`(algorithm: String, response: String) throws {
        let field = "Digest realm=\"http-auth@example.org\", qop=\"auth, auth-int\", algorithm=\(algorithm), \(nonce)"
        let answer = try #require(DigestChallenge(try challenge(field), hasBody: true)).authorization(
            URLCredential(user: "Mufasa", password: "Circle of Life"), method: .get, target: "/dir/index.html",
            salt: salt)
        #expect(answer.contains("response=\"\(response)\""), "\(answer)")
        #expect(answer.contains("qop=auth,") && answer.contains("algorithm=\(algorithm)"))
    }

    @Test func `a realm that is not UTF-8 is digested as it was received`() throws {
        let field = String(octets: Array("Digest realm=\"caf".utf8) + [0xE9] + Array("\", nonce=\"n\"".utf8))
        let answer = try #require(DigestChallenge(try challenge(field), hasBody: false)).authorization(
            URLCredential(user: "u", password: "p"), method: .get, target: "/", salt: salt)
        #expect(answer.contains("response=\"2c4b022adab1768a5d63d2c55d953cd9\""), "\(answer)")
    }

    @Test func `SHA-512-256 is computed under its own name`() throws {
        let nonce = "5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK"
        let field = """
            Digest realm="api@example.org", qop="auth", algorithm=SHA-512-256, nonce="\(nonce)", userhash=true
            """
        let answer = try #require(DigestChallenge(try challenge(field), hasBody: false)).authorization(
            URLCredential(user: "J\u{E4}s\u{F8}n Doe", password: "Secret, or not?"), method: .get, target: "/doe.json",
            salt: "NTg6RKcb9boFIAS3KrFK9BGeh+iDa/sm6jUMp2wds69v")
        #expect(answer.contains("3798d4131c277846293534c3edc11bd8a5e4cdcbff78b05db9d95eeb1cec68a5"), "\(answer)")
        #expect(answer.contains("793263caabb707a56211940d90411ea4a575adeccb7e360aeb624ed06ece9b0b"), "\(answer)")
    }

    @Test(arguments: [
        "Digest realm=\"r\", algorithm=SHA3-256, qop=auth, nonce=\"n\"", "Digest realm=\"r\", qop=\"auth\"",
        "Digest realm=\"r\", algorithm=MD5-sess, nonce=\"n\"", "Digest realm=\"r\", qop=auth-int, nonce=\"n\"",
        "Digest realm=\"r\", qop=other, nonce=\"n\"",
    ])
    func `a challenge that cannot be answered is none`(field: String) throws {
        #expect(DigestChallenge(try challenge(field), hasBody: true) == nil)
    }
}
