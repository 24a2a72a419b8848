import AlamofireCompat
import Foundation

/// A networking layer as apps have it: only the import differs from Alamofire.
enum TypicalRouter: URLRequestConvertible {
    case items(page: Int)
    case save(TypicalItem)

    static let base = "https://api.example.org/v1"

    var method: HTTPMethod { if case .save = self { .post } else { .get } }

    func asURLRequest() throws -> URLRequest {
        let url = try Self.base.asURL().appendingPathComponent("items")
        var request = try URLRequest(url: url, method: method, headers: [.accept("application/json")])
        request.timeoutInterval = 15
        switch self {
        case .items(let page):
            let encoder = URLEncodedFormEncoder(
                dateEncoding: .formatted(DateFormatter()), allowedCharacters: CharacterSet.afURLQueryAllowed)
            return try URLEncodedFormParameterEncoder(encoder: encoder).encode(["page": page], into: request)
        case .save(let item): return try JSONParameterEncoder.default.encode(item, into: request)
        }
    }
}

struct TypicalItem: Codable, Sendable {
    let id: Int
    let name: String
}

final class TypicalLogger: EventMonitor {
    let queue = DispatchQueue(label: "logger")

    func requestDidResume(_ request: Request) {
        request.cURLDescription { print("resumed", $0) }
    }

    func request<Value>(_ request: DataRequest, didParseResponse response: DataResponse<Value, AFError>) {
        print(request.description, response.response?.statusCode ?? 0, response.error?.errorDescription ?? "no error")
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics) {
        for transaction in metrics.transactionMetrics {
            print(task.taskIdentifier, metrics.taskInterval.duration, transaction.networkProtocolName ?? "unknown")
        }
    }
}

final class TypicalInterceptor: RequestInterceptor, @unchecked Sendable {
    private let lock = NSLock()
    private var token = "first"
    private var isRefreshing = false

    func adapt(
        _ urlRequest: URLRequest,
        for session: Session,
        completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
    ) {
        var request = urlRequest
        request.headers.add(.authorization(bearerToken: lock.withLock { token }))
        completion(.success(request))
    }

    func retry(
        _ request: Request,
        for session: Session,
        dueTo error: any Error,
        completion: @escaping @Sendable (RetryResult) -> Void
    ) {
        if let error = error.asAFError?.underlyingError as? URLError, error.code == .timedOut {
            return completion(.retryWithDelay(0.1))
        }
        guard request.retryCount < 1, request.response?.statusCode == 401 else { return completion(.doNotRetry) }
        AF.request("\(TypicalRouter.base)/token", method: .post).responseDecodable(of: [String: String].self) {
            response in
            guard case .success(let values) = response.result, let token = values["token"] else {
                return completion(.doNotRetryWithError(response.error ?? AFError.explicitlyCancelled))
            }
            self.lock.withLock { self.token = token }
            completion(.retry)
        }
    }
}

final class TypicalClient: Sendable {
    let session: Session = {
        let configuration = URLSessionConfiguration.af.default
        configuration.timeoutIntervalForRequest = 30
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        return Session(
            configuration: configuration, interceptor: TypicalInterceptor(), eventMonitors: [TypicalLogger()])
    }()

    func items(page: Int) async throws -> [TypicalItem] {
        try await session.request(TypicalRouter.items(page: page)).validate().serializingDecodable([TypicalItem].self)
            .value
    }

    func upload(_ photo: Data, progress: @escaping @Sendable (Double) -> Void) {
        session.upload(
            multipartFormData: { form in
                form.append(photo, withName: "photo", fileName: "photo.jpg", mimeType: "image/jpeg")
                form.append(Data("a title".utf8), withName: "title")
            }, to: TypicalRouter.base + "/photos"
        )
        .uploadProgress { progress($0.fractionCompleted) }
        .responseString { response in print(response.value ?? "") }
    }

    func image(_ url: URL) async -> Alamofire.AFResult<Data> {
        await session.request(url).validate(contentType: ["image/*"]).serializingResponse(using: .data).result
    }

    func download(_ url: URL) async throws -> URL {
        let destination = DownloadRequest.suggestedDownloadDestination(options: [.removePreviousFile])
        let request = session.download(url, to: destination)
        for await progress in request.downloadProgress() { print(progress.fractionCompleted) }
        return try await request.serializingDownloadedFileURL().value
    }

    func chat() -> WebSocketRequest {
        session.webSocketRequest(to: "wss://api.example.org/chat").streamMessages { message in
            if case .string(let text) = message { print(text) }
        }
    }

    func prepare() {
        let properties: [HTTPCookiePropertyKey: Any] = [.name: "a", .value: "b", .domain: "example.org", .path: "/"]
        if let cookie = HTTPCookie(properties: properties) { session.setCookies([cookie]) }
        let space = URLProtectionSpace(
            host: "example.org", port: 443, protocol: "https", realm: nil,
            authenticationMethod: NSURLAuthenticationMethodHTTPBasic)
        print(space.host)
    }
}
