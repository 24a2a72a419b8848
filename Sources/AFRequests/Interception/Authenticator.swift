public import AFHTTP

/// The credential of an ``Authenticator``: usually a token with the data to refresh it.
public protocol AuthenticationCredential {
    /// Whether the credential is about to expire and must be refreshed before a request is sent.
    var requiresRefresh: Bool { get }
}

/// Applies, checks and refreshes an ``AuthenticationCredential``.
///
/// Its methods are called from several threads concurrently.
public protocol Authenticator: AnyObject, Sendable {
    /// The type of credential.
    associatedtype Credential: AuthenticationCredential & Sendable

    /// Applies the credential to a request, usually as its `Authorization` field.
    func apply(_ credential: Credential, to urlRequest: inout URLRequest)

    /// Obtains a new credential; `completion` must be called once, on any thread.
    ///
    /// Use a session without the interceptor: a request of the same session is adapted like any other and would wait
    /// for the refresh itself.
    func refresh(
        _ credential: Credential,
        for session: Session,
        completion: @escaping @Sendable (Result<Credential, any Error>) -> Void
    )

    /// Whether the failure means that the server rejected the credential, such as a 401.
    func didRequest(
        _ urlRequest: URLRequest,
        with response: HTTPURLResponse,
        failDueToAuthenticationError error: any Error
    ) -> Bool

    /// Whether the request was sent with this credential and not with an earlier one.
    func isRequest(_ urlRequest: URLRequest, authenticatedWith credential: Credential) -> Bool
}

/// The reason why an ``AuthenticationInterceptor`` fails a request.
public enum AuthenticationError: Error, Hashable, Sendable {
    /// There is no credential.
    case missingCredential
    /// Credentials were refreshed too often within the ``AuthenticationInterceptor/RefreshWindow``.
    case excessiveRefresh
}

extension AuthenticationError: CustomStringConvertible {
    /// The message: lower case, without full stop.
    public var description: String {
        switch self {
        case .missingCredential: "there is no credential to authenticate the request with"
        case .excessiveRefresh: "the credential was refreshed too often in a short time"
        }
    }
}
