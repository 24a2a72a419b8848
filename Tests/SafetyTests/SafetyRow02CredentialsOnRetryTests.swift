import AFCore
import FoundationEssentials
import TestSupport
import Testing

@Suite("Safety 2: credentials via retry and refresh", .timeLimit(.minutes(5)))
struct SafetyRow02CredentialsOnRetryTests {
    let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private func login(_ tokens: LocalServer) -> [String] {
        ["-A", "oauth2", "-a", "ada:open sesame", "--token-url", tokens.url("/token")]
    }

    @Test func `a 401 from another origin causes no token refresh, and no token is sent there`() async throws {
        let endpoint = TokenEndpoint()
        let tokens = try LocalServer { endpoint.answer($0) }
        let other = try LocalServer { _ in .status(401, "who are you?") }
        try await withServer { _ in
            .redirect(to: other.url())
        } _: { server in
            // The second run has a token of the first one's, which is renewed where its own server refuses it.
            for _ in 1...2 {
                let words = ["-b", "-L", "--session", "./s.json", server.url()] + login(tokens)
                let run = try await folder.afcli(words)
                #expect(run.status == 4 && run.text == "who are you?", "\(run.errorText)")
            }
            #expect(endpoint.issued == 1)
            #expect(server.requests.map { $0["Authorization"] } == ["Bearer token-1", "Bearer token-1"])
            #expect(other.requests.map { $0["Authorization"] } == [nil, nil])
        }
    }

    @Test func `a refreshed token is sent only to the origin it was issued for`() async throws {
        let endpoint = TokenEndpoint()
        let tokens = try LocalServer { endpoint.answer($0) }
        let other = try LocalServer { _ in .ok("there") }
        try await withServer { request in
            // The first token is rejected, so that a second one is requested.
            request["Authorization"] == "Bearer token-2" ? .redirect(to: other.url()) : .status(401)
        } _: { server in
            let words = ["-b", "-L", "--session", "./s.json"] + login(tokens)
            let first = try await folder.afcli(words + [server.url()])
            #expect(first.status == 4, "\(first.errorText)")
            let second = try await folder.afcli(words + [server.url()])
            #expect(second.text == "there", "\(second.errorText)")
            #expect(endpoint.issued == 2)
            #expect(other.requests.map { $0["Authorization"] } == [nil])
            // Nor does a later run take it elsewhere.
            let elsewhere = try await folder.afcli(words + [other.url()])
            #expect(elsewhere.text == "there", "\(elsewhere.errorText)")
            #expect(other.requests.last?["Authorization"] == "Bearer token-3")
        }
    }

    /// Counts its calls, and applies credentials to any request.
    private final class Clerk: Authenticator {
        struct Credential: AuthenticationCredential {
            let number: Int
            var requiresRefresh: Bool { false }
        }

        let journal = Journal<String>()

        func apply(_ credential: Credential, to urlRequest: inout URLRequest) {
            urlRequest.headers.update(name: "Authorization", value: "Bearer \(credential.number)")
        }

        func refresh(
            _ credential: Credential,
            for session: Session,
            completion: @escaping @Sendable (Result<Credential, any Error>) -> Void
        ) {
            journal.note("refresh")
            completion(.success(Credential(number: credential.number + 1)))
        }

        func didRequest(
            _ urlRequest: URLRequest,
            with response: HTTPURLResponse,
            failDueToAuthenticationError error: any Error
        ) -> Bool {
            journal.note("asked about \(response.url?.port ?? 0)")
            return response.statusCode == 401
        }

        func isRequest(_ urlRequest: URLRequest, authenticatedWith credential: Credential) -> Bool {
            urlRequest.headers.value(for: "Authorization") == "Bearer \(credential.number)"
        }
    }

    @Test func `an authenticator is not called for an origin that did not receive its credential`() async throws {
        let clerk = Clerk()
        let interceptor = AuthenticationInterceptor(authenticator: clerk, credential: .init(number: 1))
        let session = Session(interceptor: interceptor)
        let other = try LocalServer { _ in .status(401) }
        try await withServer { request in
            if request.path == "/own" { return request["Authorization"] == "Bearer 2" ? .ok("in") : .status(401) }
            return .redirect(to: other.url())
        } _: { server in
            let request = session.request(server.url()).validate()
            _ = await request.serializingData().result
            #expect(request.retryCount == 0)
            #expect(clerk.journal.entries.isEmpty)
            #expect(other.requests.count == 1)
            // At home it does its work.
            let text = try await session.request(server.url("/own")).validate().serializingString().value
            #expect(text == "in")
            #expect(clerk.journal.entries == ["asked about \(server.port)", "refresh"])
        }
    }

    @Test func `a retrier sees the origin that failed, and the next attempt sends it no credentials`() async throws {
        let seen = Journal<String>()
        let retrier = Retrier { request, _, _, completion in
            let sent = request.task?.currentRequest
            seen.note("\(sent?.url?.port ?? 0) \(sent?.headers.value(for: "Authorization") ?? "none")")
            completion(request.retryCount == 0 ? .retry : .doNotRetry)
        }
        let other = try LocalServer { _ in .status(503) }
        try await withServer { _ in
            .redirect(to: other.url())
        } _: { server in
            let session = Session(interceptor: Interceptor(retriers: [retrier]))
            let request = session.request(server.url(), headers: ["Authorization": "Basic s3cret"])
            _ = await request.validate().serializingData().result
            #expect(seen.entries == ["\(other.port) none", "\(other.port) none"])
            #expect(server.requests.map { $0["Authorization"] } == ["Basic s3cret", "Basic s3cret"])
            #expect(other.requests.map { $0["Authorization"] } == [nil, nil])
        }
    }
}
