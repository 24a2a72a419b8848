import AFCore
import FoundationEssentials
import TestSupport
import Testing

/// The code in the guides compiles and works as described.
@Suite(.timeLimit(.minutes(5))) struct GuideTests {
    @Test func `every line of code in the guides is in a compiled test`() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let catalogue = folder.appending(path: "../../../Sources/AFCore/AFCore.docc")
        let names = try FileManager.default.contentsOfDirectory(atPath: catalogue.path).filter { $0.hasSuffix(".md") }
        let compiled = Set(try lines(of: folder.appending(path: "GuideCode.swift")))
        var count = 0
        for name in names.sorted() {
            for line in code(in: try lines(of: catalogue.appending(path: name))) {
                count += 1
                #expect(compiled.contains(line) || compiled.contains(line + ","), "\(name): \(line)")
            }
        }
        #expect(count > 60)
    }

    private func lines(of url: URL) throws -> [String] {
        try String(contentsOf: url, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
            .map { String($0.drop(while: { $0 == " " })) }
    }

    /// The lines between the fences of Swift code.
    private func code(in lines: [String]) -> [String] {
        var isCode = false
        return lines.filter { line in
            guard line.hasPrefix("```") else { return isCode && !line.isEmpty }
            isCode = line == "```swift"
            return false
        }
    }

    @Test func `parameters are encoded in the URL or the body`() async throws {
        let transport = ScriptedTransport { $0.respond(200, body: "x") }
        let session = Session(transport: transport)
        for request in GuideCode.parameters(session, GuideCode.Person(name: "Ada")) {
            _ = try await request.serializingData().value
        }
        let (search, people) = (transport.exchanges[0].transfer, transport.exchanges[1].transfer)
        #expect(search.url.text == "https://example.org/search?page=2&q=two%20words")
        #expect(people.method == .post)
        #expect(people.headers["Content-Type"] == "application/json")
    }

    @Test func `a form is sent as multipart`() async throws {
        let folder = try ScratchFolder()
        let photo = try folder.write("pixels", to: "photo.jpg")
        let transport = ScriptedTransport { $0.respond(200, body: "x") }
        let session = Session(transport: transport)
        _ = try await GuideCode.form(session, URL(filePath: photo)).serializingData().value
        #expect(transport.exchanges[0].transfer.headers["Content-Type"]?.hasPrefix("multipart/form-data;") == true)
    }

    @Test func `a custom session has its own settings`() {
        let session = GuideCode.ownSession()
        #expect(session.configuration.timeouts.total == 30)
        #expect(session.configuration.headers["Accept-Language"] == "da")
        #expect(session.interceptor is RetryPolicy)
        #expect((GuideCode.retryingSession().interceptor as? RetryPolicy)?.retryLimit == 3)
    }

    @Test func `a private server is trusted by its pin`() async throws {
        let identity = try await TestCertificates.shared.selfSigned
        let bytes = try Data(contentsOf: URL(filePath: identity.certificate))
        let session = GuideCode.localSession(Certificate.certificates(in: Array(bytes)))
        let nginx = try await NginxServer(identity: identity)
        let response = await session.request(nginx.secureURL("/sink")).serializingString().response
        #expect(response.response?.statusCode == 200)
    }

    @Test func `requests carry a token, and credentials are stored`() async throws {
        let transport = ScriptedTransport { $0.respond(200, body: "x") }
        let interceptor = GuideCode.sessionWithToken(AccessToken(text: "t")).interceptor
        let session = Session(transport: transport, interceptor: interceptor)
        _ = try await GuideCode.login(session, "https://example.org/", password: "secret").serializingData().value
        let transfer = transport.exchanges[0].transfer
        #expect(transfer.headers["Authorization"] == "Bearer t")
        #expect(transfer.options.authentication?.credential.user == "ada")
    }

    @Test func `a monitor is one of the session's monitors`() {
        #expect(GuideCode.watchedSession().eventMonitor?.monitors.contains { $0 is SlowRequests } == true)
    }

    @Test func `streams are read to their end`() async throws {
        let transport = ScriptedTransport { $0.respond(200, body: "text") }
        let session = Session(transport: transport)
        await GuideCode.streamedText(session)
        GuideCode.streamedData(session)
        try await eventually("both were sent") { transport.exchanges.count == 2 }
    }

    @Test func `lines and events are read to their end`() async throws {
        let transport = ScriptedTransport { exchange in
            guard exchange.transfer.headers["Last-Event-ID"] == nil else { return exchange.respond(204) }
            let body = "retry: 1\nid: 1\nevent: price\ndata: {\"amount\":3}\n\n"
            exchange.respond(200, headers: ["Content-Type": "text/event-stream"], body: body)
        }
        let session = Session(transport: transport)
        try await GuideCode.lines(session)
        try await GuideCode.events(session)
        #expect(transport.exchanges.count == 3)
    }

    @Test func `trust is a setting of the session`() async throws {
        let certificate = URL(filePath: try await TestCertificates.shared.server.certificate)
        let manager = try GuideCode.trustingSession(certificate).serverTrustManager
        #expect(manager?.evaluators["api.example.org"] is PublicKeysTrustEvaluator)
        #expect(manager?.evaluators["*.example.org"] is DefaultTrustEvaluator)
        let authorities = GuideCode.sessionWithAuthority().configuration.tls.authorities
        #expect(authorities == .file("/etc/company/authority.pem"))
    }

    @Test func `credentials are sent with the request`() async throws {
        let endpoint = TokenEndpoint(client: "reports:s")
        let server = try LocalServer { request in
            switch request.path {
            case "/token": endpoint.answer(request)
            case "/basic" where request["Authorization"] == nil: .status(401).header("WWW-Authenticate", "Basic")
            default: .ok(request["Authorization"] ?? "none")
            }
        }
        let session = Session()
        let basic = GuideCode.login(session, server.url("/basic"), password: "p")
        #expect(try await basic.serializingString().value == "Basic YWRhOnA=")
        let tokens = GuideCode.sessionWithTokens(try HTTPURL(parsing: server.url("/token")), "s")
        #expect(try await tokens.request(server.url()).serializingString().value == "Bearer token-1")
        let signing = GuideCode.signingSession("AKID", "s")
        let signature = try await signing.request(server.url()).serializingString().value
        #expect(signature.hasPrefix("AWS4-HMAC-SHA256 Credential=AKID/"))
    }

    @Test func `the cause of a failure can be determined`() async throws {
        let port = try RefusingPort()
        #expect(try await GuideCode.failure(Session(), port.url()))
    }

    @Test func `one retry sends the request once more`() async throws {
        let transport = ScriptedTransport { $0.finish(TransferFailure(.connectionLost, "gone")) }
        let session = Session(transport: transport, interceptor: OnceMore())
        _ = await session.request("http://example.org").serializingData().response
        #expect(transport.exchanges.count == 2)
    }

    @Test func `a download has the name that the server suggested`() async throws {
        let folder = try ScratchFolder()
        let session = Session(
            transport: ScriptedTransport {
                $0.respond(200, headers: ["Content-Disposition": "attachment; filename=debian.iso"], body: "bytes")
            })
        let destination = GuideCode.destination(in: URL(filePath: folder.path).appending(path: "new"))
        let file = try await GuideCode.download(session, to: destination)
        #expect(file.lastPathComponent == "debian.iso")
        #expect(try String(contentsOf: file, encoding: .utf8) == "bytes")
    }

    @Test func `a cached response handler prevents storing fresh account data`() async throws {
        let folder = try ScratchFolder()
        let server = try LocalServer { _ in .ok(#"{"number":1}"#).header("Cache-Control", "max-age=60") }
        let session = GuideCode.cachingSession(URL(filePath: folder.file("cache")))
        for _ in 0..<2 { #expect(try await GuideCode.uncachedAccount(session, server.url()) == .init(number: 1)) }
        #expect(server.requests.count == 2)
        for _ in 0..<2 { _ = try await session.request(server.url("/kept")).serializingData().value }
        #expect(server.requests.count == 3)
    }

    @Test func `a canned transport answers without a network`() async throws {
        #expect(try await GuideCode.testedSession() == "hello")
    }
}
