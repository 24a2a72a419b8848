import AFHTTP
import AFTransport
import FoundationEssentials
import Testing

@_spi(Requests) @testable import AFRequests

struct HopTests {
    private func hop(
        _ url: String = "https://a.test/folder/page?q",
        _ method: HTTPMethod = .get,
        headers: HTTPHeaders = [],
        body: BodySource? = nil
    ) throws -> Hop {
        var request = URLRequest(url: try url.asURL())
        request.method = method
        request.headers = headers
        return Hop(request: request, url: try HTTPURL(parsing: url), body: body)
    }

    private func response(_ status: Int, _ location: String?) -> HTTPURLResponse {
        HTTPURLResponse(url: nil, statusCode: status, headers: location.map { ["Location": $0] } ?? [])
    }

    private func followed(_ hop: Hop, _ status: Int, _ location: String, _ policy: RedirectPolicy = .init()) -> Hop? {
        try? continuation(hop, status, location, policy)?.get()
    }

    private func refusal(_ hop: Hop, _ status: Int, _ location: String, _ policy: RedirectPolicy = .init())
        -> RedirectFailure.Reason?
    {
        guard case .failure(let failure) = continuation(hop, status, location, policy) else { return nil }
        return failure.reason
    }

    /// Returns the next hop without a redirect handler; `nil` if the response is final.
    private func continuation(_ hop: Hop, _ status: Int, _ location: String, _ policy: RedirectPolicy)
        -> Result<Hop, RedirectFailure>?
    {
        switch hop.next(after: response(status, location), by: policy) {
        case .stay: nil
        case .refuse(let failure): .failure(failure)
        case .redirect(let redirection):
            Result { () throws(RedirectFailure) in
                try hop.following(redirection, with: redirection.request, by: policy)
            }
        }
    }

    // Method and body (RFC 9110 §15.4)

    @Test(arguments: [
        (301, HTTPMethod.post, HTTPMethod.get), (302, .post, .get), (303, .post, .get),
        (303, .put, .get), (303, .delete, .get), (303, .head, .head), (303, .get, .get),
        (301, .put, .put), (302, .delete, .delete), (302, .head, .head), (301, .get, .get),
        (307, .post, .post), (308, .post, .post), (307, .patch, .patch), (308, .put, .put), (307, .get, .get),
    ])
    func `the method changes as RFC 9110 requires`(status: Int, method: HTTPMethod, expected: HTTPMethod) throws {
        let hop = try hop("http://a.test/", method, headers: ["Content-Type": "a/b", "X": "1"], body: .bytes([1]))
        let next = try #require(followed(hop, status, "/there"))
        #expect(next.request.method == expected)
        let keepsBody = method == expected
        #expect((next.body != nil) == keepsBody)
        #expect((next.request.headers["Content-Type"] != nil) == keepsBody)
        #expect(next.request.headers["X"] == "1")
    }

    @Test func `a policy may preserve the method and the body`() throws {
        let policy = RedirectPolicy(preservedMethods: [.movedPermanently, .found, .seeOther])
        for status in [301, 302, 303] {
            let next = try #require(followed(hop("http://a.test/", .post, body: .bytes([1])), status, "/x", policy))
            #expect(next.request.method == .post)
            #expect(next.body != nil)
        }
    }

    @Test(arguments: [200, 300, 304, 305, 306, 404])
    func `other statuses are final, even with a Location`(status: Int) throws {
        #expect(try followed(hop(), status, "/x") == nil)
        #expect(try refusal(hop(), status, "ftp://x/") == nil)
    }

    @Test func `a redirect is final without a Location, or if the policy follows none`() throws {
        guard case .stay = try hop().next(after: response(302, nil), by: RedirectPolicy()) else {
            Issue.record("followed without a Location")
            return
        }
        #expect(try followed(hop(), 302, "/x", RedirectPolicy(isFollowing: false)) == nil)
    }

    // Redirect targets

    @Test(arguments: [
        ("/abs", "https://a.test/abs"), ("rel", "https://a.test/folder/rel"), ("../up", "https://a.test/up"),
        ("?only=query", "https://a.test/folder/page?only=query"), ("//b.test/x", "https://b.test/x"),
        ("https://B.Test:443/X", "https://b.test/X"), ("/sp ace", "https://a.test/sp%20ace"),
        ("#fragment", "https://a.test/folder/page?q"), (" /padded ", "https://a.test/padded"),
        ("https://user:secret@a.test/x", "https://a.test/x"),
    ])
    func `a Location is parsed as in browsers`(location: String, url: String) throws {
        #expect(try followed(hop(), 302, location)?.url.text == url)
    }

    @Test func `a Location that is not an http URL is rejected`() throws {
        #expect(try refusal(hop(), 302, "ftp://a.test/") == .unsupportedScheme("ftp"))
        #expect(try refusal(hop(), 302, "file:///etc/passwd") == .unsupportedScheme("file"))
        #expect(try refusal(hop(), 302, "javascript:alert(1)") == .unsupportedScheme("javascript"))
        #expect(try refusal(hop(), 302, "http://") == .invalidLocation("http://"))
        #expect(try refusal(hop(), 302, "https://a b/") != nil)
    }

    @Test func `a redirect from https to http is rejected unless it is allowed`() throws {
        #expect(try refusal(hop(), 302, "http://a.test/") == .downgrade)
        let next = try followed(hop(), 302, "http://a.test/", RedirectPolicy(allowsDowngrade: true))
        #expect(next?.carriesCredentials == false)
        #expect(try followed(hop("http://a.test/"), 302, "https://a.test/")?.carriesCredentials == false)
    }

    @Test func `a redirect beyond the limit is rejected`() throws {
        var hop = try hop()
        let policy = RedirectPolicy(limit: 3)
        for _ in 0..<3 { hop = try #require(followed(hop, 302, "/again", policy)) }
        #expect(refusal(hop, 302, "/again", policy) == .tooMany(limit: 3))
    }

    // Forwarded fields

    static let secrets: HTTPHeaders = [
        "Authorization": "Bearer x", "Cookie": "a=b", "Proxy-Authorization": "x", "X-Api-Key": "x",
        "X-Auth-Token": "x", "Client-Secret": "x",
    ]

    @Test(arguments: ["https://b.test/", "https://a.test:8443/", "https://sub.a.test/", "https://a.test.b.test/"])
    func `secrets are not sent to another origin`(location: String) throws {
        var hop = try hop(headers: Self.secrets)
        hop.request.headers.append(name: "X-Plain", value: "1")
        hop.request.headers.append(name: "Host", value: "name.by.hand")
        hop.addHeaders(["X-Session-Token": "x", "User-Agent": "tool"])
        let next = try #require(followed(hop, 302, location))
        #expect(!next.carriesCredentials)
        let isSameHost = location.hasPrefix("https://a.test:")
        #expect(next.headers.map(\.name) == ["X-Plain"] + (isSameHost ? ["Host"] : []) + ["User-Agent"])
    }

    @Test func `secrets are sent to the same origin in any spelling of its URL`() throws {
        let hop = try hop(headers: Self.secrets)
        for location in ["/x", "https://a.test/x", "https://A.TEST:443/x"] {
            let next = try #require(followed(hop, 302, location))
            #expect(next.carriesCredentials)
            #expect(next.headers.count == Self.secrets.count)
        }
    }

    @Test func `dropped secrets are not sent again after a redirect back`() throws {
        let away = try #require(followed(hop(headers: Self.secrets), 302, "https://b.test/"))
        let back = try #require(followed(away, 302, "https://a.test/"))
        #expect(!back.carriesCredentials)
        #expect(back.headers.isEmpty)
    }

    @Test func `a policy may trust other origins, but the Host field is removed`() throws {
        var hop = try hop(headers: Self.secrets)
        hop.request.headers.append(name: "Host", value: "name.by.hand")
        let next = try #require(followed(hop, 302, "https://b.test/", RedirectPolicy(trustsOtherOrigins: true)))
        #expect(next.carriesCredentials)
        #expect(next.headers.count == Self.secrets.count)
        #expect(next.headers["Host"] == nil)
    }

    @Test func `credential and client certificate are dropped with the secrets`() throws {
        var configuration = SessionConfiguration()
        configuration.tls.clientCertificate = ClientCertificate(certificatePath: "/c.pem")
        let settings = TransferSettings(configuration)
        var hop = try hop()
        hop.credential = URLCredential(user: "u", password: "p")
        let first = try settings.transfer(for: hop)
        #expect(first.options.authentication?.credential.user == "u")
        #expect(first.options.tls.clientCertificate != nil)
        let next = try settings.transfer(for: #require(followed(hop, 302, "https://b.test/")))
        #expect(next.options.authentication == nil)
        #expect(next.options.tls.clientCertificate == nil)
    }

    // Changes by a handler

    /// Returns the next hop after a handler has changed a redirect to `location` to this URL and these headers.
    private func handled(_ hop: Hop, _ location: String, to url: String, _ headers: HTTPHeaders) throws -> Hop {
        let next = hop.next(after: response(302, location), by: RedirectPolicy())
        guard case .redirect(let redirection) = next else { throw NotARedirect() }
        var request = redirection.request
        request.url = try url.asURL()
        request.headers = headers
        return try hop.following(redirection, with: request, by: RedirectPolicy())
    }

    private struct NotARedirect: Error {}

    @Test(arguments: ["https://b.test/", "https://a.test:8443/", "https://user:pw@b.test/"])
    func `a handler cannot send secrets to another origin`(place: String) throws {
        let next = try handled(hop(headers: Self.secrets), "/same", to: place, Self.secrets)
        #expect(!next.carriesCredentials)
        #expect(next.headers.isEmpty)
        #expect(!next.url.text.contains("pw"))
        #expect(next.request.url?.absoluteString == next.url.text)
    }

    @Test func `a handler cannot add dropped secrets again after a redirect back`() throws {
        let away = try #require(followed(hop(headers: Self.secrets), 302, "https://b.test/"))
        let back = try handled(away, "/x", to: "https://a.test/", Self.secrets)
        #expect(!back.carriesCredentials)
        #expect(back.headers.isEmpty)
    }

    @Test func `secrets are sent if a handler changes the target to the same origin`() throws {
        let hop = try hop(headers: Self.secrets)
        let next = try handled(hop, "https://b.test/", to: "https://a.test/x", Self.secrets)
        #expect(next.carriesCredentials)
        #expect(next.headers.count == Self.secrets.count)
    }

    @Test func `a handler cannot redirect from https to http, but may change http to https`() throws {
        let failure = #expect(throws: RedirectFailure.self) { try handled(hop(), "/x", to: "http://a.test/x", []) }
        #expect(failure?.reason == .downgrade)
        let next = try handled(hop(), "http://a.test/x", to: "https://a.test/x", [])
        #expect(next.url.text == "https://a.test/x")
    }
}
