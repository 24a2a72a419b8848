import AFCore
import FoundationEssentials
import Synchronization
import TestSupport

/// A token that may be about to expire.
struct BearerToken: AuthenticationCredential, Hashable {
    let name: String
    var requiresRefresh = false
}

/// Applies tokens to requests as `Authorization: Bearer NAME`; the test refreshes them.
final class TokenAuthenticator: Authenticator {
    typealias Answer = @Sendable (Result<BearerToken, any Error>) -> Void
    typealias Refresh = @Sendable (_ old: BearerToken, _ session: Session, _ answer: @escaping Answer) -> Void

    private let refreshing: Refresh
    private let refreshed = Mutex<[BearerToken]>([])

    /// - Parameter refreshing: Returns the token "new" immediately by default.
    init(_ refreshing: @escaping Refresh = { _, _, answer in answer(.success(BearerToken(name: "new"))) }) {
        self.refreshing = refreshing
    }

    /// The tokens passed to `refresh`, in order.
    var refreshes: [BearerToken] { refreshed.withLock(\.self) }

    func apply(_ credential: BearerToken, to urlRequest: inout URLRequest) {
        urlRequest.headers.update(.authorization(bearerToken: credential.name))
    }

    func refresh(_ credential: BearerToken, for session: Session, completion: @escaping Answer) {
        refreshed.withLock { $0.append(credential) }
        refreshing(credential, session, completion)
    }

    func didRequest(
        _ urlRequest: URLRequest,
        with response: HTTPURLResponse,
        failDueToAuthenticationError error: any Error
    ) -> Bool {
        response.statusCode == 401
    }

    func isRequest(_ urlRequest: URLRequest, authenticatedWith credential: BearerToken) -> Bool {
        urlRequest.headers["Authorization"] == "Bearer \(credential.name)"
    }
}

/// Delays the reply of an authenticator until the test releases it.
final class HeldAnswer: Sendable {
    private let answer = Mutex<TokenAuthenticator.Answer?>(nil)

    var isOwed: Bool { answer.withLock { $0 != nil } }

    func hold(_ answer: @escaping TokenAuthenticator.Answer) { self.answer.withLock { $0 = answer } }

    func give(_ result: Result<BearerToken, any Error>) { answer.withLock { $0 }?(result) }

    nonisolated(nonsending) func waitUntilOwed() async throws {
        try await eventually("the authenticator was asked") { isOwed }
    }
}
