import AlamofireCompat
import Foundation

/// The app's one door to the service.
final class APIClient: Sendable {
    let session: Session
    let activity = ActivityMonitor()
    private let base: URL

    init(base: URL, credential: OAuthCredential?, trust: ServerTrustManager? = nil) {
        let configuration = URLSessionConfiguration.af.default
        configuration.timeoutIntervalForRequest = 20
        configuration.timeoutIntervalForResource = 60
        configuration.httpMaximumConnectionsPerHost = 4
        configuration.headers.add(name: "X-App", value: "sample/1.0")
        configuration.waitsForConnectivity = true

        let authenticator = OAuthAuthenticator(tokenURL: base.appendingPathComponent("token"))
        let authentication = AuthenticationInterceptor(authenticator: authenticator, credential: credential)
        let interceptor = Interceptor(interceptors: [TraceInterceptor(), authentication])
        self.base = base
        session = Session(
            configuration: configuration,
            interceptor: interceptor,
            serverTrustManager: trust,
            redirectHandler: Redirector(behavior: .follow),
            cachedResponseHandler: ResponseCacher(behavior: .doNotCache),
            eventMonitors: [activity]
        )
    }

    // With closures

    @discardableResult
    func account(_ id: Int, completion: @escaping @Sendable (Result<Account, AFError>) -> Void) -> DataRequest {
        session.request(Router.account(base: base, id: id))
            .validate(statusCode: 200..<300)
            .validate(contentType: ["application/json"])
            .responseDecodable(of: Account.self, queue: .global(), decoder: JSONDecoder.service) { response in
                debugPrint(response.metrics?.taskInterval.duration ?? 0)
                completion(response.result)
            }
    }

    // With async and await

    func search(_ text: String, page: Int = 1) async throws -> [Account] {
        try await session.request(Router.search(base: base, text: text, page: page))
            .validate()
            .serializingDecodable([Account].self, decoder: JSONDecoder.service)
            .value
    }

    func create(_ account: NewAccount) async throws -> Account {
        let response = await session.request(Router.create(base: base, account: account))
            .validate()
            .serializingDecodable(Account.self, decoder: JSONDecoder.service)
            .response
        switch response.result {
        case .success(let account): return account
        case .failure(let error):
            if error.responseCode == 422, let data = response.data {
                throw try JSONDecoder.service.decode(ServiceError.self, from: data)
            }
            throw error
        }
    }

    func delete(_ id: Int) async throws {
        _ = try await session.request(Router.delete(base: base, id: id))
            .validate()
            .serializingDecodable(Empty.self, emptyResponseCodes: [204])
            .value
    }

    // Uploads

    func uploadPicture(
        _ picture: Data,
        notes: InputStream,
        notesLength: UInt64,
        progress: @escaping @Sendable (Double) -> Void
    ) async throws -> String {
        try await session.upload(
            multipartFormData: { form in
                form.append(Data("portrait".utf8), withName: "kind")
                form.append(picture, withName: "picture", fileName: "picture.png", mimeType: "image/png")
                form.append(
                    notes,
                    withLength: notesLength,
                    name: "notes",
                    fileName: "notes.txt",
                    mimeType: "text/plain"
                )
            },
            to: base.appendingPathComponent("pictures"),
            method: .post,
            headers: [.accept("text/plain")]
        )
        .uploadProgress(queue: .global()) { (state: Progress) in progress(state.fractionCompleted) }
        .validate()
        .serializingString()
        .value
    }

    func importRecords(from stream: InputStream, completion: @escaping @Sendable (AFDataResponse<Data?>) -> Void) {
        session.upload(stream, to: base.appendingPathComponent("records"), method: .put)
            .validate()
            .response(queue: .global(), completionHandler: completion)
    }

    // Downloads and streams

    func downloadReport(to folder: URL, progress: @escaping @Sendable (Progress) -> Void) async throws -> URL {
        let destination: DownloadRequest.Destination = { _, response in
            let name = response.suggestedFilename ?? "report"
            return (folder.appendingPathComponent(name), [.removePreviousFile, .createIntermediateDirectories])
        }
        return try await session.download(base.appendingPathComponent("report"), to: destination)
            .downloadProgress(queue: .global(), closure: progress)
            .validate()
            .serializingDownloadedFileURL()
            .value
    }

    func readLog(bufferSize: Int = 4096) -> InputStream? {
        session.streamRequest(base.appendingPathComponent("log")).validate().asInputStream(bufferSize: bufferSize)
    }

    @discardableResult
    func follow(_ handler: @escaping @Sendable (Result<FeedItem, AFError>?) -> Void) -> DataStreamRequest {
        session.streamRequest(base.appendingPathComponent("feed"))
            .responseStreamDecodable(of: FeedItem.self, on: .global()) { stream in
                switch stream.event {
                case .stream(let result): handler(result)
                case .complete: handler(nil)
                }
            }
    }
}
