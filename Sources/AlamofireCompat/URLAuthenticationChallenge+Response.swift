internal import AFHTTP
internal import Foundation
internal import FoundationNetworking

extension URLAuthenticationChallenge {
    /// Creates Foundation's view of a response with status 401 or 407; `nil` if the request has no URL.
    ///
    /// It contains the first challenge. Responses to it have no effect: the request already has its credentials.
    convenience init?(_ response: AFHTTP.HTTPURLResponse, to request: AFHTTP.URLRequest) {
        guard let url = request.url, let host = url.host() else { return nil }
        let isProxy = response.statusCode == 407
        let field = response.headers.value(for: isProxy ? "Proxy-Authenticate" : "WWW-Authenticate")
        let challenge = field.flatMap { AuthenticationChallenge.challenges(in: $0).first }
        let method =
            switch challenge?.method {
            case .basic: NSURLAuthenticationMethodHTTPBasic
            case .digest: NSURLAuthenticationMethodHTTPDigest
            case .ntlm: NSURLAuthenticationMethodNTLM
            case .negotiate: NSURLAuthenticationMethodNegotiate
            case nil: NSURLAuthenticationMethodDefault
            }
        let space = FoundationNetworking.URLProtectionSpace(
            host: host,
            port: url.port ?? (url.scheme == "https" ? 443 : 80),
            protocol: url.scheme,
            realm: challenge?.realm,
            authenticationMethod: method
        )
        self.init(
            protectionSpace: space,
            proposedCredential: nil,
            previousFailureCount: 0,
            failureResponse: FoundationNetworking.HTTPURLResponse(response),
            error: nil,
            sender: UnansweredChallengeSender()
        )
    }
}

/// Ignores responses to a challenge that is only reported.
private final class UnansweredChallengeSender: NSObject, URLAuthenticationChallengeSender {
    func use(_ credential: FoundationNetworking.URLCredential, for challenge: URLAuthenticationChallenge) {}
    func continueWithoutCredential(for challenge: URLAuthenticationChallenge) {}
    func cancel(_ challenge: URLAuthenticationChallenge) {}
    func performDefaultHandling(for challenge: URLAuthenticationChallenge) {}
    func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge) {}
}
