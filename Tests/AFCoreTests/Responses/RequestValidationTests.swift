import AFCore
import Dispatch
import FoundationEssentials
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct RequestValidationTests {
    private struct Cause: Error {}

    static let url = "http://scripted.test/"
    let journal = Journal()

    private func session(
        _ status: Int = 200,
        type: String? = "text/html",
        body: String = "x",
        configuration: SessionConfiguration = .default,
        interceptor: (any RequestInterceptor)? = nil
    ) -> Session {
        let headers: HTTPHeaders = type.map { ["Content-Type": $0] } ?? []
        let transport = ScriptedTransport { $0.respond(status, headers: headers, body: body) }
        return Session(configuration: configuration, transport: transport, interceptor: interceptor)
    }

    private func noting(_ name: String, _ result: Request.ValidationResult = .success(())) -> DataRequest.Validation {
        { [journal] _, _, _ in
            journal.note(name)
            return result
        }
    }

    @Test func `validators run in order until one fails`() async {
        let session = session()
        let request = session.request(Self.url).validate(noting("first")).validate(statusCode: [201])
            .validate(noting("never"))
        let error = await request.serializingData().response.error
        #expect(error?.responseCode == 200)
        #expect(journal.all == ["first"])
    }

    @Test func `a custom error is wrapped, and an AFError is not`() async {
        let session = session()
        let own = await session.request(Self.url).validate(noting("own", .failure(Cause()))).serializingData()
            .response.error
        guard case .responseValidationFailed(.customValidationFailed(let cause)) = own else {
            Issue.record("\(String(describing: own))")
            return
        }
        #expect(cause is Cause)
        let plain = await session.request(Self.url)
            .validate(noting("plain", .failure(AFError.sessionDeinitialized))).serializingData().response.error
        #expect(plain?.isSessionDeinitializedError == true)
    }

    @Test func `acceptable types are evaluated when the response has arrived`() async throws {
        let journal = journal
        let session = session()
        let request = session.request(Self.url, shouldAutomaticallyResume: false)
        let task = request.validate(
            contentType: {
                journal.note("asked"); return ["text/html"]
            }()
        ).serializingData()
        #expect(journal.all.isEmpty)
        request.resume()
        _ = try await task.value
        #expect(journal.all == ["asked"])
    }

    @Test func `validation uses the Accept field of the request, not that of the session`() async throws {
        let configuration = SessionConfiguration(headers: ["Accept": "application/json"])
        let session = session(configuration: configuration)
        _ = try await session.request(Self.url).validate().serializingData().value
        let headers: HTTPHeaders = ["Accept": "application/json, text/*;q=0.1"]
        _ = try await session.request(Self.url, headers: headers).validate().serializingData().value
        let error = await session.request(Self.url, headers: ["Accept": "b/c, a/b"]).validate().serializingData()
            .response.error
        #expect(error?.acceptableContentTypes == ["a/b", "b/c"])
        #expect(error?.responseContentType == "text/html")
    }

    @Test func `the media type of an empty body is not validated, except in streams`() async throws {
        let session = session(204, body: "")
        _ = try await session.request(Self.url).validate(contentType: ["a/b"]).serializingData().value
        let stream = session.streamRequest(Self.url).validate(contentType: ["a/b"])
        let error = await withCheckedContinuation { waiter in
            stream.responseStream(on: DispatchQueue(label: "stream")) { part in
                if case .complete(let completion) = part.event { waiter.resume(returning: completion.error) }
            }
        }
        #expect(error?.responseContentType == "text/html")
    }

    @Test func `validators run once per attempt, and only they turn a status into an error`() async {
        let retrier = CountingRetrier(limit: 2)
        let session = session(500, interceptor: retrier)
        let unchecked = session.request(Self.url)
        _ = await unchecked.serializingData().response
        #expect(unchecked.error == nil && retrier.count == 0)
        let request = session.request(Self.url).validate(noting("check")).validate()
        _ = await request.serializingData().response
        #expect(request.retryCount == 2 && retrier.count == 3)
        #expect(journal.all == ["check", "check", "check"])
    }

    @Test func `retriers are asked once per failure, not once more per handler as in Alamofire`() async {
        let retrier = CountingRetrier(limit: 0)
        let session = session(500, interceptor: retrier)
        let request = session.request(Self.url).validate()
        let tasks = [request.serializingData(), request.serializingData()]
        for task in tasks { #expect(await task.response.error?.responseCode == 500) }
        #expect(retrier.count == 1)
    }
}
