import AlamofireCompat
import Foundation
import FoundationNetworking

// Together with FoundationNetworking: names in both modules are disambiguated here once.
import struct AlamofireCompat.HTTPURLResponse
import struct AlamofireCompat.URLRequest
import class AlamofireCompat.URLSessionConfiguration

/// A part of the app that is older than the rest: Alamofire 4's names, and Foundation's own networking beside them.
final class LegacyClient {
    private let manager: SessionManager
    private let base: URL

    init(base: URL) {
        let configuration = URLSessionConfiguration.default
        configuration.httpAdditionalHeaders = ["X-Legacy": "yes"]
        manager = SessionManager(configuration: configuration)
        self.base = base
    }

    func settings(completion: @escaping @Sendable ([String: Any]?) -> Void) {
        manager.request(base.appendingPathComponent("settings"), parameters: ["version": 4])
            .validate()
            .responseJSON(queue: .global()) { response in
                switch response.result {
                case .success(let value): completion(value as? [String: Any])
                case .failure: completion(nil)
                }
            }
    }

    func ping(completion: @escaping @Sendable (DefaultDataResponse) -> Void) {
        var request = URLRequest(url: base.appendingPathComponent("ping"))
        request.httpMethod = "HEAD"
        manager.request(request).response(queue: .global(), completionHandler: completion)
    }

    /// Returns the response as the app's URLSession delegate would receive it.
    func foundationResponse(of response: HTTPURLResponse) -> FoundationNetworking.HTTPURLResponse? {
        FoundationNetworking.HTTPURLResponse(response)
    }

    /// A session of Foundation's own, for a part that has not moved yet.
    func foundationSession() -> URLSession {
        let session = URLSession(configuration: .ephemeral)
        session.sessionDescription = base.host
        return session
    }
}
