import AFHTTP
import Testing

struct SecretHeaderTests {
    @Test(arguments: [
        "Authorization", "proxy-authorization", "Cookie", "SET-COOKIE", "X-Api-Key", "apikey", "X-Auth-Token",
        "Client-Secret", "Ocp-Apim-Subscription-Key", "X-Functions-Key", "x-auth-key", "X-Session-Id", "X-SessionId",
        "X-Session", "XSession", "Key", "X-OTP", "DPoP", "Authentication", "X-Authentication", "X-Auth",
    ])
    func `header fields with secrets are redacted`(name: String) {
        let header = HTTPHeader(name: name, value: "v")
        #expect(header.holdsSecret)
        #expect(header.redactedDescription == "\(name): •••")
    }

    @Test(arguments: [
        "Accept", "WWW-Authenticate", "X-Token-Count", "Cookie-Policy", "Idempotency-Key", "Sec-WebSocket-Key",
        "Access-Control-Allow-Credentials", "Authentication-Info", "X-Author",
    ])
    func `other header fields are not redacted`(name: String) {
        #expect(HTTPHeader(name: name, value: "v").redactedDescription == "\(name): v")
    }
}
