import AFCore
import Dispatch
import FoundationEssentials

/// The code that the guides in `AFCore.docc` show, line for line.
enum GuideCode {
    struct Person: Codable, Equatable, Sendable { let name: String }
    struct Account: Codable, Equatable, Sendable { let number: Int }

    /// Not run: it is a real host's.
    static func sharedSession() async throws -> Person {
        let person = try await AF.request("https://example.org/people/1")
            .validate()
            .serializingDecodable(Person.self)
            .value
        return person
    }

    static func parameters(_ session: Session, _ ada: Person) -> [DataRequest] {
        [
            session.request("https://example.org/search", parameters: ["q": "two words", "page": "2"]),
            session.request("https://example.org/people", method: .post, parameters: ada, encoder: .json),
        ]
    }

    static func form(_ session: Session, _ photo: URL) -> UploadRequest {
        session.upload(
            multipartFormData: { form in
                form.append(Data("A photo".utf8), withName: "title")
                form.append(photo, withName: "file")
            },
            to: "https://example.org/photos"
        )
    }

    static func ownSession() -> Session {
        var configuration = SessionConfiguration.default
        configuration.timeouts.total = 30
        configuration.headers["Accept-Language"] = "da"
        let session = Session(configuration: configuration, interceptor: RetryPolicy())
        return session
    }

    /// - Returns: Whether nobody was there.
    static func failure(_ session: Session, _ url: String) async throws -> Bool {
        do {
            _ = try await session.request(url).serializingData().value
        } catch AFError.sessionTaskFailed(let error as TransferFailure) where error.kind == .cannotConnect {
            print("nobody is there")
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

    static func destination(in folder: URL) -> DownloadRequest.Destination {
        let destination: DownloadRequest.Destination = { _, response in
            let name = response.suggestedFilename ?? "download"
            return (folder.appending(path: name), [.createIntermediateDirectories, .removePreviousFile])
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

    static func trustingSession(_ keys: [PublicKey]) -> Session {
        let manager = ServerTrustManager(evaluators: [
            "api.example.org": .publicKeys(keys: keys),
            "*.example.org": .default,
        ])
        let session = Session(serverTrustManager: manager)
        return session
    }

    static func sessionWithAuthority() -> Session {
        var configuration = SessionConfiguration.default
        configuration.tls.authorities = .file("/etc/company/authority.pem")
        let session = Session(configuration: configuration)
        return session
    }

    static func cachingSession(_ folder: URL) -> Session {
        var configuration = SessionConfiguration.default
        configuration.urlCache = ResponseCache(memoryCapacity: 4 << 20, diskCapacity: 64 << 20, directory: folder)
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

struct NothingToSteer: TransferControl {
    func cancel() {}
    func suspend() {}
    func resume() {}
    func drain() {}
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
