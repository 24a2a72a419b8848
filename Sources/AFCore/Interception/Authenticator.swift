public import AFHTTP

/// What an ``Authenticator`` puts on requests: usually a token, and what it takes to get the next one.
public protocol AuthenticationCredential {
    /// Whether the credential is about to expire, so that no request should go out before it was refreshed.
    var requiresRefresh: Bool { get }
}

/// Knows how an ``AuthenticationCredential`` is put on requests, how its failure shows, and how to get a new one.
///
/// It is asked from several threads, about different requests at the same time.
public protocol Authenticator: AnyObject, Sendable {
    /// What goes on requests.
    associatedtype Credential: AuthenticationCredential & Sendable

    /// Puts the credential on a request, usually as its `Authorization` field.
    func apply(_ credential: Credential, to urlRequest: inout URLRequest)

    /// Gets a new credential; `completion` must be called, once, on any thread.
    ///
    /// A request made for that through the same session is adapted like any other: while requests wait for a credential
    /// that requires a refresh, it would wait for itself. Use a session without the interceptor.
    func refresh(
        _ credential: Credential,
        for session: Session,
        completion: @escaping @Sendable (Result<Credential, any Error>) -> Void
    )

    /// Whether the failure is the server's refusal of a credential, such as a 401.
    func didRequest(
        _ urlRequest: URLRequest,
        with response: HTTPURLResponse,
        failDueToAuthenticationError error: any Error
    ) -> Bool

    /// Whether it is this credential that the request was sent with, and not an earlier one.
    func isRequest(_ urlRequest: URLRequest, authenticatedWith credential: Credential) -> Bool
}

/// Why an ``AuthenticationInterceptor`` lets a request fail.
public enum AuthenticationError: Error, Hashable, Sendable {
    /// There is no credential to put on the request.
    case missingCredential
    /// Credentials were refreshed too often within the ``AuthenticationInterceptor/RefreshWindow``.
    case excessiveRefresh
}

extension AuthenticationError: CustomStringConvertible {
    /// A clause without capital and full stop.
    public var description: String {
        switch self {
        case .missingCredential: "there is no credential to authenticate the request with"
        case .excessiveRefresh: "the credential was refreshed too often in a short time"
        }
    }
}
