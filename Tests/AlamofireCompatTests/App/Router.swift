import AlamofireCompat
import Foundation

/// The service's endpoints.
enum Router: URLRequestConvertible {
    case account(base: URL, id: Int)
    case search(base: URL, text: String, page: Int)
    case create(base: URL, account: NewAccount)
    case delete(base: URL, id: Int)

    private var base: URL {
        switch self {
        case .account(let base, _), .search(let base, _, _), .create(let base, _), .delete(let base, _): return base
        }
    }

    private var method: HTTPMethod {
        switch self {
        case .account, .search: return .get
        case .create: return .post
        case .delete: return .delete
        }
    }

    private var path: String {
        switch self {
        case .account(_, let id), .delete(_, let id): return "accounts/\(id)"
        case .search, .create: return "accounts"
        }
    }

    func asURLRequest() throws -> URLRequest {
        var request = URLRequest(url: base.appendingPathComponent(path))
        request.method = method
        request.timeoutInterval = 10
        request.headers.add(.accept("application/json"))
        request.setValue("en", forHTTPHeaderField: "Accept-Language")
        switch self {
        case .search(_, let text, let page):
            return try URLEncoding.default.encode(request, with: ["q": text, "page": page])
        case .create(_, let account):
            return try JSONParameterEncoder.default.encode(account, into: request)
        case .account, .delete:
            return request
        }
    }
}
