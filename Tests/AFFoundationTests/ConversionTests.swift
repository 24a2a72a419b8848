import AFCore
import AFFoundation
import AFHTTP
import Foundation
import FoundationNetworking
import TestSupport
import Testing

private typealias FoundationURLRequest = FoundationNetworking.URLRequest
private typealias FoundationHTTPURLResponse = FoundationNetworking.HTTPURLResponse
private typealias FoundationURLCredential = FoundationNetworking.URLCredential
private typealias FoundationCachedURLResponse = FoundationNetworking.CachedURLResponse
private typealias FoundationHTTPCookie = FoundationNetworking.HTTPCookie

@Suite(.timeLimit(.minutes(5))) struct ConversionTests {
    private let session = Session()

    @Test func `a request is converted to Foundation and back`() throws {
        var request = AFHTTP.URLRequest(url: try #require(URL(string: "http://example.test/a?b=c")))
        request.httpMethod = "PUT"
        request.headers = ["Accept": "text/plain", "X-Number": "1"]
        request.httpBody = Data("body".utf8)
        request.timeoutInterval = 7
        request.cachePolicy = .returnCacheDataDontLoad
        request.httpShouldHandleCookies = false
        let foundation = try #require(FoundationURLRequest(request))
        #expect(foundation.value(forHTTPHeaderField: "accept") == "text/plain")
        #expect(foundation.timeoutInterval == 7)
        #expect(foundation.cachePolicy == .returnCacheDataDontLoad)
        #expect(AFHTTP.URLRequest(foundation) == request)
    }

    @Test func `a request without a timeout has none after conversion`() throws {
        let request = AFHTTP.URLRequest(url: try #require(URL(string: "http://example.test/")))
        let foundation = try #require(FoundationURLRequest(request))
        #expect(foundation.timeoutInterval == 60)
        #expect(AFHTTP.URLRequest(foundation)?.timeout == nil)
    }

    @Test(arguments: [("Cookie", "a=1; b=2"), ("Accept", "a=1, b=2")])
    func `repeated fields become one in Foundation`(name: String, joined: String) throws {
        var request = AFHTTP.URLRequest(url: try #require(URL(string: "http://example.test/")))
        request.addValue("a=1", forHTTPHeaderField: name)
        request.addValue("b=2", forHTTPHeaderField: name)
        let foundation = try #require(FoundationURLRequest(request))
        #expect(foundation.value(forHTTPHeaderField: name) == joined)
    }

    @Test(arguments: [
        AFHTTP.URLRequest.CachePolicy.useProtocolCachePolicy, .reloadIgnoringLocalCacheData, .returnCacheDataElseLoad,
        .returnCacheDataDontLoad, .reloadRevalidatingCacheData,
    ])
    func `a cache policy keeps its meaning`(policy: AFHTTP.URLRequest.CachePolicy) {
        #expect(AFHTTP.URLRequest.CachePolicy(NSURLRequest.CachePolicy(policy)) == policy)
    }

    @Test func `a request without a URL is not converted`() throws {
        var request = AFHTTP.URLRequest(url: try #require(URL(string: "http://example.test/")))
        request.url = nil
        #expect(FoundationURLRequest(request) == nil)
    }

    @Test func `Foundation's request is sent unchanged`() async throws {
        try await withServer {
            .ok("\($0.method) \($0.target) \($0["X-Name"] ?? "") \($0.text)")
        } _: { server in
            var request = FoundationURLRequest(url: try #require(URL(string: server.url("/there"))))
            request.httpMethod = "PATCH"
            request.setValue("value", forHTTPHeaderField: "X-Name")
            request.httpBody = Data("body".utf8)
            let text = try await session.request(request).serializingString().value
            #expect(text == "PATCH /there value body")
        }
    }

    @Test func `Foundation's request with a body stream is an error, not a request without a body`()
        async throws
    {
        try await withServer { _ in
            .ok("done")
        } _: { server in
            var request = FoundationURLRequest(url: try #require(URL(string: server.url())))
            request.httpMethod = "POST"
            request.httpBodyStream = InputStream(data: Data("body".utf8))
            let error = await session.request(request).serializingData().response.error
            #expect(error?.underlyingError as? UnsendableRequest == .bodyIsStream)
            #expect(server.requests.isEmpty)
        }
    }

    @Test func `a response becomes Foundation's`() async throws {
        try await withServer { _ in
            .status(206, "text").header("X-Two", "a").header("X-Two", "b").header("ETag", "\"1\"")
        } _: { server in
            let response = await session.request(server.url("/x")).serializingData().response.response
            let head = try #require(response)
            let foundation = try #require(FoundationHTTPURLResponse(head))
            #expect(foundation.statusCode == 206)
            #expect(foundation.url?.absoluteString == server.url("/x"))
            #expect(foundation.value(forHTTPHeaderField: "x-two") == "a, b")
            #expect(foundation.mimeType == "text/plain")
            let back = AFHTTP.HTTPURLResponse(foundation)
            #expect(back.statusCode == 206)
            #expect(back.url == head.url)
            #expect(back.headers["etag"] == "\"1\"")
        }
    }

    @Test func `a credential keeps user, password and persistence`() throws {
        let credential = AFHTTP.URLCredential(user: "ada", password: "secret", persistence: .none)
        let foundation = FoundationURLCredential(credential)
        #expect(foundation.user == "ada")
        #expect(foundation.password == "secret")
        #expect(foundation.persistence == .none)
        #expect(AFHTTP.URLCredential(foundation) == credential)
        let permanent = FoundationURLCredential(user: "u", password: "p", persistence: .permanent)
        #expect(AFHTTP.URLCredential(permanent)?.persistence == .forSession)
    }

    @Test(arguments: [true, false]) func `a cookie is converted to Foundation and back`(flags: Bool) throws {
        let cookie = AFHTTP.HTTPCookie(
            name: "n",
            value: "v",
            domain: ".example.test",
            path: "/p",
            expiresDate: flags ? Date(timeIntervalSince1970: 4_000_000_000) : nil,
            isSecure: flags,
            isHTTPOnly: flags
        )
        let foundation = try #require(FoundationHTTPCookie(cookie))
        #expect(AFHTTP.HTTPCookie(foundation) == cookie)
    }

    @Test func `a cached response is converted to Foundation and back`() throws {
        let url = try #require(URL(string: "http://example.test/"))
        let head = AFHTTP.HTTPURLResponse(url: url, statusCode: 200, headers: ["ETag": "1"])
        let cached = AFHTTP.CachedURLResponse(
            response: head, data: Data("x".utf8), userInfo: ["a": 1], storagePolicy: .allowedInMemoryOnly)
        let foundation = try #require(FoundationCachedURLResponse(cached))
        #expect(foundation.data == cached.data)
        #expect(foundation.storagePolicy == .allowedInMemoryOnly)
        #expect(foundation.userInfo?["a"] as? Int == 1)
        let back = AFHTTP.CachedURLResponse(foundation)
        // Foundation changes the spelling of the names.
        #expect(back?.response.headers.map(\.name) == ["Etag"])
        #expect(back?.response.headers["ETag"] == "1")
        #expect(back?.data == cached.data)
        #expect(back?.storagePolicy == .allowedInMemoryOnly)
    }

    @Test(arguments: [
        (TransferFailure.Kind.idleTimedOut, URLError.Code.timedOut), (.unresolvedHost, .cannotFindHost),
        (.cannotConnect, .cannotConnectToHost), (.untrustedCertificate, .serverCertificateUntrusted),
        (.truncated, .networkConnectionLost), (.other, .unknown),
    ])
    func `a failure has a code of URLError`(kind: TransferFailure.Kind, code: URLError.Code) {
        let failure = TransferFailure(kind, "what happened")
        let error = AFError.sessionTaskFailed(error: failure).urlError
        #expect(error?.code == code)
        #expect(error?.userInfo[NSUnderlyingErrorKey] as? TransferFailure == failure)
        #expect(AFError.explicitlyCancelled.urlError == nil)
        #expect(URLError(failure).transferFailure == failure)
    }

    @Test func `an unreachable network is URLError's notConnectedToInternet`() {
        let failure = TransferFailure(.cannotConnect, "no way", osErrorNumber: ENETUNREACH)
        #expect(URLError(failure).code == .notConnectedToInternet)
        #expect(URLError(.notConnectedToInternet).transferFailure?.osErrorNumber == ENETUNREACH)
        #expect(URLError(.userAuthenticationRequired).transferFailure == nil)
    }

    @Test func `a bridged session reports Foundation's types, another session the core's`() async throws {
        let transport = ScriptedTransport { exchange in
            if exchange.transfer.url.text.hasSuffix("/json") {
                exchange.respond(200, body: "[1,null]")
            } else {
                exchange.finish(TransferFailure(.idleTimedOut, "nothing came"))
            }
        }
        let bridged = Session(bridgedToFoundation: .default, transport: transport)
        let plain = Session(transport: transport)
        let url = "http://scripted.test/"
        let error = try #require(await bridged.request(url).serializingData().response.error)
        #expect((error.underlyingError as? URLError)?.code == .timedOut)
        #expect((error.underlyingError as? URLError)?.failingURL?.absoluteString == url)
        let other = await plain.request(url).serializingData().response.error
        #expect((other?.underlyingError as? TransferFailure)?.kind == .idleTimedOut)
        let values = try await bridged.request("\(url)json").serializingJSON().value as? [Any]
        #expect(values?.first is NSNumber && values?.last is NSNull)
        let swift = try await plain.request("\(url)json").serializingJSON().value as? [any Sendable]
        #expect(swift?.first is Int && swift?.last is JSONNull)
    }
}
