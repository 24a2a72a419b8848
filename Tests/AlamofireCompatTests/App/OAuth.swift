import AlamofireCompat
import Foundation

/// A token and the means to get the next one.
struct OAuthCredential: AuthenticationCredential, Sendable {
    let accessToken: String
    let refreshToken: String
    let expiration: Date

    var requiresRefresh: Bool { Date(timeIntervalSinceNow: 60) > expiration }
}

/// Puts tokens on requests and renews them.
final class OAuthAuthenticator: Authenticator {
    private struct Tokens: Decodable, Sendable {
        let access: String
        let refresh: String
    }

    private let tokenURL: URL

    init(tokenURL: URL) { self.tokenURL = tokenURL }

    func apply(_ credential: OAuthCredential, to urlRequest: inout URLRequest) {
        urlRequest.headers.add(.authorization(bearerToken: credential.accessToken))
    }

    func refresh(
        _ credential: OAuthCredential,
        for session: Session,
        completion: @escaping @Sendable (Result<OAuthCredential, any Error>) -> Void
    ) {
        let parameters = ["grant_type": "refresh_token", "refresh_token": credential.refreshToken]
        AF.request(tokenURL, method: .post, parameters: parameters, encoder: URLEncodedFormParameterEncoder.default)
            .validate()
            .responseDecodable(of: Tokens.self, queue: .global()) { response in
                completion(
                    response.result
                        .map { tokens in
                            OAuthCredential(
                                accessToken: tokens.access,
                                refreshToken: tokens.refresh,
                                expiration: Date(timeIntervalSinceNow: 3600)
                            )
                        }
                        .mapError { $0 as any Error }
                )
            }
    }

    func didRequest(
        _ urlRequest: URLRequest,
        with response: HTTPURLResponse,
        failDueToAuthenticationError error: any Error
    ) -> Bool {
        response.statusCode == 401
    }

    func isRequest(_ urlRequest: URLRequest, authenticatedWith credential: OAuthCredential) -> Bool {
        let bearer = HTTPHeader.authorization(bearerToken: credential.accessToken).value
        return urlRequest.headers["Authorization"] == bearer
    }
}
