import AFCore
import FoundationEssentials
import TestSupport
import Testing

/// Custom implementations for the extension points of the core.
@Suite(.timeLimit(.minutes(5))) struct CustomTypeTests {
    static let url = "http://scripted.test/"

    private func session(_ status: Int = 200, body: String = "x") -> Session {
        Session(transport: ScriptedTransport { $0.respond(status, body: body) })
    }

    @Test func `a custom decoder decodes the body`() async throws {
        struct Pairs: DataDecoder {
            func decode<D: Decodable>(_ type: D.Type, from data: Data) throws -> D {
                let pairs = String(decoding: data, as: UTF8.self).split(separator: ";").map { $0.split(separator: "=") }
                let object = Dictionary(pairs.map { (String($0[0]), String($0[1])) }) { $1 }
                return try JSONDecoder().decode(D.self, from: JSONEncoder().encode(object))
            }
        }
        let session = session(body: "a=1;b=2")
        let request = session.request(Self.url)
        let value = try await request.serializingDecodable([String: String].self, decoder: Pairs()).value
        #expect(value == ["a": "1", "b": "2"])
    }

    @Test func `an empty response is decoded to the empty value of its type`() async throws {
        struct Count: Decodable, EmptyResponse, Equatable {
            let count: Int
            static func emptyValue() -> Count { Count(count: 0) }
        }
        let session = session(204, body: "")
        #expect(try await session.request(Self.url).serializingDecodable(Count.self).value == Count.emptyValue())
        #expect(try await session.request(Self.url).serializingDecodable(Empty.self).value == Empty.value)
        #expect(Empty.emptyValue() == Empty.value)
    }

    @Test func `a custom serializer uses the defaults`() async throws {
        struct Length: ResponseSerializer {
            typealias SerializedObject = Int

            func serialize(
                request: URLRequest?,
                response: HTTPURLResponse?,
                data: Data?,
                error: (any Error)?
            ) throws -> Int {
                if let error { throw error }
                guard let data, !data.isEmpty else {
                    return emptyResponseAllowed(forRequest: request, response: response) ? 0 : -1
                }
                return try dataPreprocessor.preprocess(data).count
            }
        }
        #expect(Length.defaultEmptyRequestMethods == [.head] && Length.defaultEmptyResponseCodes == [204, 205])
        #expect(Length.defaultDataPreprocessor is PassthroughPreprocessor)
        #expect(try PassthroughPreprocessor().preprocess(Data("a".utf8)) == Data("a".utf8))
        let kept: any DataPreprocessor = .passthrough
        #expect(kept is PassthroughPreprocessor)
        let session = session(body: "four")
        #expect(try await session.request(Self.url).serializingResponse(using: Length()).value == 4)
        #expect(try await session.download(Self.url).serializingDownload(using: Length()).value == 4)
        let result: AFResult<Int> = await session.request(Self.url).serializingResponse(using: Length()).result
        #expect(try result.get() == 4)
    }

    @Test func `a file serializer receives the file`() async throws {
        struct Name: DownloadResponseSerializerProtocol {
            func serializeDownload(
                request: URLRequest?,
                response: HTTPURLResponse?,
                fileURL: URL?,
                error: (any Error)?
            ) throws -> String {
                if let error { throw error }
                return fileURL?.lastPathComponent ?? "none"
            }
        }
        let folder = try ScratchFolder()
        let file = URL(filePath: folder.file("f"))
        let session = session()
        let request = session.download(Self.url, to: { _, _ in (file, []) })
        #expect(try await request.serializingDownload(using: Name()).value == "f")
    }

    @Test func `a custom encoding sets the body, and its error is the underlying error`() throws {
        struct Lines: ParameterEncoding {
            func encode(_ urlRequest: any URLRequestConvertible, with parameters: Parameters?) throws -> URLRequest {
                var request = try urlRequest.asURLRequest()
                let encoding = URLEncoding(destination: .methodDependent)
                let pairs = (parameters ?? [:]).sorted { $0.key < $1.key }.flatMap { key, value in
                    encoding.queryComponents(fromKey: key, value: value)
                }
                request.httpBody = Data(pairs.map { "\($0)=\($1)\n" }.joined().utf8)
                return request
            }
        }
        struct Broken: ParameterEncoding {
            func encode(_ urlRequest: any URLRequestConvertible, with parameters: Parameters?) throws -> URLRequest {
                throw AFError.parameterEncodingFailed(reason: .customEncodingFailed(error: CancellationError()))
            }
        }
        let session = Session(startRequestsImmediately: false)
        let parameters: Parameters = ["a": [1, 2], "b": "x y"]
        let request = session.request(Self.url, method: .post, parameters: parameters, encoding: Lines())
        let made = try request.convertible.asURLRequest()
        #expect(made.httpBody == Data("a%5B%5D=1\na%5B%5D=2\nb=x%20y\n".utf8))
        let broken = session.request(Self.url, method: .post, parameters: parameters, encoding: Broken())
        let error = #expect(throws: AFError.self) { try broken.convertible.asURLRequest() }
        #expect(error?.underlyingError is CancellationError)
    }

    @Test func `an adapter receives request and session, and a custom retrier is called`() async throws {
        struct Marking: RequestAdapter {
            func adapt(
                _ urlRequest: URLRequest,
                for session: Session,
                completion: @escaping @Sendable (_ result: Result<URLRequest, any Error>) -> Void
            ) {
                completion(.failure(CancellationError()))
            }

            func adapt(
                _ urlRequest: URLRequest,
                using state: RequestAdapterState,
                completion: @escaping @Sendable (_ result: Result<URLRequest, any Error>) -> Void
            ) {
                var urlRequest = urlRequest
                urlRequest.headers["X-ID"] = state.requestID.uuidString
                urlRequest.headers["X-Default"] = "\(state.session === Session.default)"
                completion(.success(urlRequest))
            }
        }
        struct Once: RequestRetrier {
            func retry(
                _ request: Request,
                for session: Session,
                dueTo error: any Error,
                completion: @escaping @Sendable (RetryResult) -> Void
            ) {
                completion(request.retryCount == 0 ? .retry : .doNotRetryWithError(CancellationError()))
            }
        }
        let session = session(500)
        let request = session.request(Self.url, interceptor: .interceptor(adapter: Marking(), retrier: Once()))
        let error = await request.validate().serializingData().response.error
        guard case .requestRetryFailed(_, let original) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(original.asAFError?.responseCode == 500 && error?.underlyingError is CancellationError)
        #expect(request.retryCount == 1)
        #expect(request.request?.headers["X-ID"] == request.id.uuidString)
        #expect(request.request?.headers["X-Default"] == "false")
    }

    @Test func `several monitors are combined`() throws {
        let monitors: [any EventMonitor] = [ClosureEventMonitor(), ClosureEventMonitor()]
        let session = Session(startRequestsImmediately: false, eventMonitors: monitors)
        let composite: CompositeEventMonitor = try #require(session.eventMonitor)
        #expect(composite.monitors.count == 2)
        #expect(composite.monitors.first is ClosureEventMonitor)
        let other = Session(startRequestsImmediately: false, eventMonitors: [composite, ClosureEventMonitor()])
        #expect(other.eventMonitor?.monitors.count == 3)
    }

    @Test func `headers are a collection`() {
        let headers: HTTPHeaders = [.defaultAcceptEncoding, .defaultAcceptLanguage, .defaultUserAgent]
        #expect(headers == .default)
        var index = headers.startIndex
        var names: [String] = []
        while index != headers.endIndex {
            names.append(headers[index].name)
            index = headers.index(after: index)
        }
        #expect(names == ["Accept-Encoding", "Accept-Language", "User-Agent"])
        var iterator = headers.makeIterator()
        #expect(iterator.next() == .defaultAcceptEncoding)
    }
}
