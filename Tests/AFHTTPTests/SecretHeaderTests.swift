import AFHTTP
import Testing

struct SecretHeaderTests {
    @Test(arguments: [
        "Authorization", "proxy-authorization", "Cookie", "SET-COOKIE", "X-Api-Key", "apikey", "X-Auth-Token",
        "Client-Secret",
    ])
    func `these hold secrets`(name: String) {
        let header = HTTPHeader(name: name, value: "v")
        #expect(header.holdsSecret)
        #expect(header.redactedDescription == "\(name): •••")
    }

    @Test(arguments: ["Accept", "WWW-Authenticate", "X-Token-Count", "Cookie-Policy"])
    func `these do not`(name: String) {
        #expect(HTTPHeader(name: name, value: "v").redactedDescription == "\(name): v")
    }
}
