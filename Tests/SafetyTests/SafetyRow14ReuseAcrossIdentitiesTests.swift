import AFCore
import AFTransport
import TestSupport
import Testing

@Suite("Safety 14: reuse across identities", .timeLimit(.minutes(5)))
struct SafetyRow14ReuseAcrossIdentitiesTests {
    /// Its connections could be shared by all sessions.
    let transport = CurlTransport()

    private func session(
        _ root: String,
        _ manager: ServerTrustManager? = nil,
        change: (inout SessionConfiguration) -> Void = { _ in }
    ) -> Session {
        var configuration = SessionConfiguration()
        configuration.tls.authorities = .file(root)
        change(&configuration)
        return Session(configuration: configuration, transport: transport, serverTrustManager: manager)
    }

    /// Returns the number of the connection and its identity.
    static let telling = "location / { return 200 \"$connection $ssl_client_s_dn\"; }"

    private func answer(_ session: Session, _ url: String) async throws -> [Substring] {
        try await session.request(url).validate().serializingString().value
            .split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    }

    @Test(arguments: [HTTPVersion.http1_1, .automatic])
    func `a connection is reused only with the same client certificate`(version: HTTPVersion) async throws {
        let certificates = try await TestCertificates.shared
        func shows(_ identity: TestCertificates.Identity?) -> Session {
            session(certificates.root) { configuration in
                configuration.httpVersion = version
                configuration.tls.clientCertificate = identity.map {
                    ClientCertificate(certificatePath: $0.certificate, keyPath: $0.key)
                }
            }
        }
        try await withNginx(clientCertificates: .requested, directives: Self.telling) { nginx in
            let (nobody, client) = (shows(nil), shows(certificates.client))
            var connections: [Set<Substring>] = [[], []]
            for _ in 0..<3 {
                let plain = try await answer(nobody, nginx.secureURL())
                let known = try await answer(client, nginx.secureURL())
                #expect(plain[1] == "")
                #expect(known[1].contains("CN=Test Client"))
                connections[0].insert(plain[0])
                connections[1].insert(known[0])
            }
            #expect(connections.map(\.count) == [1, 1])
            #expect(connections[0].isDisjoint(with: connections[1]))
        }
    }

    @Test func `connections are not reused with another pin, verification or authority`() async throws {
        let certificates = try await TestCertificates.shared
        let changes: [@Sendable (inout SessionConfiguration) -> Void] = [
            { _ in }, { $0.tls.pinnedPublicKey = certificates.server.pin }, { $0.tls.verifiesHost = false },
            { $0.tls.verifiesChain = false }, { $0.tls.authorities = .directory(certificates.rootFolder) },
            { $0.tls.maximumVersion = .tls1_2 }, { $0.network.resolve = ["localhost:1:127.0.0.1"] },
        ]
        try await withNginx(directives: Self.telling) { nginx in
            let sessions = changes.map { session(certificates.root, change: $0) }
            var numbers: [Set<Substring>] = sessions.map { _ in [] }
            for _ in 0..<2 {
                for (index, session) in sessions.enumerated() {
                    numbers[index].insert(try await answer(session, nginx.secureURL())[0])
                }
            }
            #expect(numbers.map(\.count) == sessions.map { _ in 1 })
            #expect(Set(numbers.flatMap(\.self)).count == sessions.count)
        }
    }

    @Test func `a connection accepted by one evaluator is not reused with another`() async throws {
        struct Refused: Error {}
        struct Judge: ServerTrustEvaluating {
            let accepts: Bool
            func evaluate(_ trust: ServerTrust, forHost host: String) throws { if !accepts { throw Refused() } }
        }
        let certificates = try await TestCertificates.shared
        try await withNginx(directives: Self.telling) { nginx in
            func judged(_ accepts: Bool) -> Session {
                session(certificates.root, ServerTrustManager(evaluators: ["localhost": Judge(accepts: accepts)]))
            }
            let (kind, strict, none) = (judged(true), judged(false), session(certificates.root))
            let first = try await answer(kind, nginx.secureURL())
            #expect(
                await strict.request(nginx.secureURL()).serializingData().response.error?.underlyingError is Refused)
            let plain = try await answer(none, nginx.secureURL())
            #expect(try await answer(kind, nginx.secureURL()) == first)
            #expect(plain[0] != first[0])
        }
    }

    @Test func `connections are reused only with the same proxy and proxy credentials`() async throws {
        try await withServer { request in
            .ok("\(request.connection) \(request["Proxy-Authorization"] ?? "none")")
        } _: { server in
            let proxies: [ProxyOptions?] = [
                nil, ProxyOptions(url: "http://\(server.authority)"),
                ProxyOptions(
                    url: "http://\(server.authority)", credential: URLCredential(user: "ada", password: "s3cret")),
                ProxyOptions(
                    url: "http://\(server.authority)", credential: URLCredential(user: "eve", password: "other")),
            ]
            let sessions = proxies.map { proxy in
                session("") { configuration in
                    configuration.tls.authorities = .system
                    if let proxy { configuration.proxies = ProxyRules(proxy) }
                }
            }
            var numbers: [Set<Substring>] = sessions.map { _ in [] }
            for _ in 0..<2 {
                for (index, session) in sessions.enumerated() {
                    let answer = try await answer(session, server.url())
                    #expect((answer[1] == "none") == (proxies[index]?.credential == nil))
                    numbers[index].insert(answer[0])
                }
            }
            #expect(Set(numbers.flatMap(\.self)).count == sessions.count)
        }
    }

    @Test func `an authenticated connection is not shared`() async throws {
        // The first step of NTLM: a server that authenticated the connection accepts it.
        try await withServer { request in
            .ok("\(request.connection) \(request["Authorization"] == nil ? "none" : "login")")
        } _: { server in
            var configuration = SessionConfiguration()
            configuration.authenticationKinds = .ntlm
            let session = Session(configuration: configuration, transport: transport)
            func logsIn(_ user: String?) -> DataRequest {
                let request = session.request(server.url())
                return user.map { request.authenticate(username: $0, password: "s3cret", persistence: .none) }
                    ?? request
            }
            var numbers: [String: Set<Substring>] = [:]
            for _ in 0..<2 {
                for user in ["ada", "eve", nil] {
                    let text = try await logsIn(user).serializingString().value
                    numbers[user ?? "", default: []].insert(text.split(separator: " ")[0])
                }
            }
            #expect(numbers["ada"]?.isDisjoint(with: numbers["eve"] ?? []) == true)
            #expect(numbers[""]?.isDisjoint(with: (numbers["ada"] ?? []).union(numbers["eve"] ?? [])) == true)
        }
    }
}
