import AFCore
import AFSigning
import Dispatch
import FoundationEssentials

/// The code that the guides in `AFCore.docc` show, line for line.
enum GuideCode {
    struct Person: Codable, Equatable, Sendable { let name: String }
    struct Account: Codable, Equatable, Sendable { let number: Int }
    struct Price: Codable, Sendable { let amount: Int }

    /// Not run: it is a real host's.
    static func sharedSession() async throws -> Person {
        let person = try await AF.request("https://example.org/people/1")
            .validate()
            .serializingDecodable(Person.self)
            .value
        return person
    }

    static func parameters(_ session: Session, _ ada: Person) -> [DataRequest] {
        let search = session.request("https://example.org/search", parameters: ["q": "two words", "page": "2"])
        let creation = session.request("https://example.org/people", method: .post, parameters: ada, encoder: .json)
        return [search, creation]
    }

    static func form(_ session: Session, _ photo: URL) -> UploadRequest {
        let upload = session.upload(
            multipartFormData: { form in
                form.append(Data("A photo".utf8), withName: "title")
                form.append(photo, withName: "file")
            },
            to: "https://example.org/photos"
        )
        return upload
    }

    static func ownSession() -> Session {
        var configuration = SessionConfiguration.default
        configuration.timeouts.total = 30
        configuration.headers["Accept-Language"] = "da"
        let session = Session(configuration: configuration, interceptor: RetryPolicy())
        return session
    }

    /// - Returns: Whether the connection was refused.
    static func failure(_ session: Session, _ url: String) async throws -> Bool {
        do {
            _ = try await session.request(url).serializingData().value
        } catch AFError.sessionTaskFailed(let error as TransferFailure) where error.kind == .cannotConnect {
            print("could not connect")
            return true
        }
        return false
    }

    static func retryingSession() -> Session {
        let session = Session(interceptor: RetryPolicy(retryLimit: 3, jitter: 0.5))
        return session
    }

    static func download(
        _ session: Session,
        to destination: @escaping DownloadRequest.Destination
    ) async throws -> URL {
        let file = try await session.download("https://example.org/image.iso", to: destination)
            .validate()
            .serializingDownloadedFileURL()
            .value
        return file
    }

    static func destination(in directory: URL) -> DownloadRequest.Destination {
        let destination: DownloadRequest.Destination = { _, response in
            let name = response.suggestedFilename ?? "download"
            return (directory.appending(path: name), [.createIntermediateDirectories, .removePreviousFile])
        }
        return destination
    }

    static func resuming(
        _ session: Session,
        _ resumeData: Data,
        to destination: @escaping DownloadRequest.Destination
    ) -> DownloadRequest {
        let again = session.download(resumingWith: resumeData, to: destination)
        return again
    }

    static func progress(of request: DownloadRequest) {
        request.downloadProgress { progress in
            print("\(Int(progress.fractionCompleted * 100)) %")
        }
    }

    static func trustingSession(_ certificateFile: URL) throws -> Session {
        let bytes = try Data(contentsOf: certificateFile)
        let keys = Certificate.certificates(in: Array(bytes)).compactMap(\.publicKey)
        let manager = ServerTrustManager(evaluators: [
            "api.example.org": .publicKeys(keys: keys),
            "*.example.org": .default,
        ])
        let session = Session(serverTrustManager: manager)
        return session
    }

    static func localSession(_ certificates: [Certificate]) -> Session {
        let pinned = PinnedCertificatesTrustEvaluator(certificates: certificates, acceptSelfSignedCertificates: true)
        let local = Session(serverTrustManager: ServerTrustManager(evaluators: ["localhost": pinned]))
        return local
    }

    static func streamedText(_ session: Session) async {
        let task = session.streamRequest("https://example.org/events").streamTask()
        for await stream in task.streamingStrings() {
            if let text = stream.value { print(text) }
            if let error = stream.completion?.error { print(error.localizedDescription) }
        }
    }

    static func webSocket(_ session: Session) -> WebSocketRequest {
        let request = session.webSocketRequest(to: "wss://example.org/chat", configuration: .pingInterval(30))
        request.streamMessageEvents { event in
            switch event.kind {
            case .connected: request.send(.string("hello")) { _ in }
            case .receivedMessage(let message): print(message)
            case .disconnected(let closeCode, _): print("closed with \(closeCode.rawValue)")
            case .completed(let completion): print(completion.error?.localizedDescription ?? "done")
            case .serializerFailed: break
            }
        }
        return request
    }

    static func prices(_ session: Session) async {
        let task = session.webSocketRequest(to: "wss://example.org/prices").webSocketTask()
        for await price in task.streamingDecodable(Price.self) {
            print(price)
        }
    }

    static func lines(_ session: Session) async throws {
        let request = session.streamRequest("https://example.org/log").validate()
        for try await line in request.lines() {
            print(line)
        }
    }

    static func events(_ session: Session) async throws {
        for try await event in session.eventStream("https://example.org/prices") where event.event == "price" {
            let price = try event.decode(Price.self)
            print(price.amount)
        }
    }

    static func streamedData(_ session: Session) {
        session.streamRequest("https://example.org/events").responseStream { stream in
            switch stream.event {
            case .stream(.success(let data)): print(data.count)
            case .complete(let completion): print(completion.response?.statusCode ?? 0)
            }
        }
    }

    static func sessionWithToken(_ token: AccessToken) -> Session {
        let interceptor = AuthenticationInterceptor(authenticator: AccessTokenAuthenticator(), credential: token)
        let session = Session(interceptor: interceptor)
        return session
    }

    static func watchedSession() -> Session {
        let session = Session(eventMonitors: [SlowRequests()])
        return session
    }

    static func sessionWithAuthority() -> Session {
        var configuration = SessionConfiguration.default
        configuration.tls.authorities = .file("/etc/company/authority.pem")
        let session = Session(configuration: configuration)
        return session
    }

    static func cachingSession(_ directory: URL) -> Session {
        var configuration = SessionConfiguration.default
        configuration.urlCache = ResponseCache(memoryCapacity: 4 << 20, diskCapacity: 64 << 20, directory: directory)
        let session = Session(configuration: configuration)
        return session
    }

    static func uncachedAccount(_ session: Session, _ url: String) async throws -> Account {
        let account = try await session.request(url)
            .cacheResponse(using: .doNotCache)
            .serializingDecodable(Account.self)
            .value
        return account
    }

    static func testedSession() async throws -> String {
        let session = Session(transport: CannedTransport(body: "hello"))
        let text = try await session.request("http://example.org").serializingString().value
        return text
    }
}

struct OnceMore: RequestInterceptor {
    func retry(
        _ request: Request,
        for session: Session,
        dueTo error: any Error,
        completion: @escaping @Sendable (RetryResult) -> Void
    ) {
        completion(request.retryCount == 0 ? .retryWithDelay(0.1) : .doNotRetry)
    }
}

final class CannedTransport: Transport {
    private let body: String

    init(body: String) { self.body = body }

    func start(_ transfer: Transfer, into sink: any TransferSink) -> any TransferControl {
        DispatchQueue.global().async { [body] in
            let url = URL(string: transfer.url.text)!
            let response = HTTPURLResponse(url: url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: nil)!
            sink.receive(TransferHead(kind: .final, response: response))
            var text = body
            _ = text.withUTF8 { sink.receive(UnsafeRawBufferPointer($0)) }
            sink.finish(TransferOutcome(failure: nil, metrics: TransactionMetrics(transfer)))
        }
        return NothingToSteer()
    }

    func cookies() async -> [HTTPCookie] { [] }
    func setCookies(_ cookies: [HTTPCookie]) {}
    func deleteAllCookies() {}
    func shutdown() {}
}

/// For transfers that end immediately; other transfers must end when they are canceled.
struct NothingToSteer: TransferControl {
    func cancel() {}
    func suspend() {}
    func resume() {}
    func drain() {}
}

struct AccessToken: AuthenticationCredential, Decodable, Sendable {
    let text: String
    var requiresRefresh: Bool { false }
}

final class AccessTokenAuthenticator: Authenticator {
    func apply(_ credential: AccessToken, to urlRequest: inout URLRequest) {
        urlRequest.headers.add(.authorization(bearerToken: credential.text))
    }

    func refresh(
        _ credential: AccessToken,
        for session: Session,
        completion: @escaping @Sendable (Result<AccessToken, any Error>) -> Void
    ) {
        AF.request("https://example.org/token").responseDecodable(of: AccessToken.self) { response in
            completion(response.result.mapError { $0 })
        }
    }

    func didRequest(
        _ urlRequest: URLRequest,
        with response: HTTPURLResponse,
        failDueToAuthenticationError error: any Error
    ) -> Bool {
        response.statusCode == 401
    }

    func isRequest(_ urlRequest: URLRequest, authenticatedWith credential: AccessToken) -> Bool {
        urlRequest.headers["Authorization"] == "Bearer \(credential.text)"
    }
}

final class SlowRequests: EventMonitor {
    let queue = DispatchQueue(label: "slow requests")

    func request(_ request: Request, didGatherMetrics metrics: TransferMetrics) {
        if metrics.taskInterval.duration > 1 { print("\(request) took \(metrics.taskInterval.duration) s") }
    }
}

extension GuideCode {
    static func login(_ session: Session, _ url: String, password: String) -> DataRequest {
        let request = session.request(url).authenticate(username: "ada", password: password)
        return request
    }

    static func sessionWithTokens(_ tokenURL: HTTPURL, _ secret: String) -> Session {
        let client = OAuth2Client(tokenURL: tokenURL, id: "reports", secret: secret, scope: "orders.read")
        let authenticator = OAuth2Authenticator(client)
        let interceptor = AuthenticationInterceptor(authenticator: authenticator, credential: .missing())
        let session = Session(interceptor: interceptor)
        return session
    }

    static func signingSession(_ keyID: String, _ secret: String) -> Session {
        let endpoint = AWSEndpoint(region: "eu-central-1", service: "execute-api")
        let signer = AWSSigner(AWSCredentials(accessKeyID: keyID, secretAccessKey: secret), for: endpoint)
        let session = Session(interceptor: signer, redirectHandler: signer)
        return session
    }
}

extension GuideCode {
    static func segmented(
        _ session: Session,
        _ image: String,
        to destination: @escaping DownloadRequest.Destination
    ) async throws -> URL {
        let file = try await session.download(image, to: destination)
            .segmented(into: 4)
            .serializingDownloadedFileURL()
            .value
        return file
    }
}
