import AFCore
import Dispatch
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct RequestTests {
    static let url = "http://scripted.test/"

    @Test func `the steps of a request are adapt, send, validate, retry, serialize`() async throws {
        let steps = Journal()
        let transport = ScriptedTransport { exchange in
            steps.note("send")
            exchange.respond(steps.count("send") == 1 ? 500 : 200, body: "x")
        }
        let interceptor = Interceptor(
            adaptHandler: { request, _, completion in
                steps.note("adapt")
                completion(.success(request))
            },
            retryHandler: { _, _, _, completion in
                steps.note("retry")
                completion(.retry)
            }
        )
        let session = Session(transport: transport, interceptor: interceptor)
        let value = try await session.request(Self.url)
            .validate { _, response, _ in
                steps.note("validate")
                return response.statusCode == 200 ? .success(()) : .failure(Refused())
            }
            .serializingResponse(using: JournalSerializer(journal: steps)).value
        #expect(value == "x")
        #expect(steps.all == ["adapt", "send", "validate", "retry", "adapt", "send", "validate", "serialize"])
    }

    @Test func `handlers are called in their order, once all serializers ran`() async throws {
        let steps = Journal()
        let session = Session(transport: ScriptedTransport { $0.respond(200, body: "x") })
        let queue = DispatchQueue(label: "handlers")
        let request = session.request(Self.url, shouldAutomaticallyResume: false)
        for number in 1...3 {
            request.response(queue: queue, responseSerializer: JournalSerializer(journal: steps)) { _ in
                steps.note("handler \(number)")
            }
        }
        request.resume()
        try await steps.waitFor(6)
        #expect(steps.all == ["serialize", "serialize", "serialize", "handler 1", "handler 2", "handler 3"])
    }

    @Test func `twenty thousand handlers of one request do not overflow the stack`() async throws {
        let transport = ScriptedTransport { $0.respond(200, body: "x") }
        let request = Session(transport: transport, startRequestsImmediately: false).request("http://scripted.test/")
        let calls = Atomic(0)
        for number in 0..<20_000 {
            let queue = DispatchQueue.global()
            if number % 2 == 0 {
                request.responseData(queue: queue) { _ in calls.add(1, ordering: .relaxed) }
            } else {
                request.response(queue: queue) { _ in calls.add(1, ordering: .relaxed) }
            }
        }
        request.resume()
        try await eventually("all were called") { calls.load(ordering: .relaxed) == 20_000 }
    }

    @Test func `handlers are called on the main queue unless another is given`() async throws {
        let session = Session(transport: ScriptedTransport { $0.respond(200, body: "x") })
        let key = DispatchSpecificKey<String>()
        let queue = DispatchQueue(label: "named")
        queue.setSpecific(key: key, value: "named")
        let places = Journal()
        session.request(Self.url)
            .responseData { _ in
                dispatchPrecondition(condition: .onQueue(.main))
                places.note("main")
            }
            .responseData(queue: queue) { _ in places.note(DispatchQueue.getSpecific(key: key) ?? "elsewhere") }
        try await places.waitFor(2)
        #expect(Set(places.all) == ["main", "named"])
    }

    @Test func `a serializer added after the end uses the response, without another transfer`() async throws {
        let transport = ScriptedTransport { $0.respond(200, body: "once") }
        let session = Session(transport: transport)
        let request = session.request(Self.url)
        _ = try await request.serializingData().value
        #expect(request.isFinished)
        #expect(try await request.serializingString().value == "once")
        #expect(request.isFinished)
        #expect(transport.exchanges.count == 1)
    }

    @Test func `serializers added concurrently with the end all run`() async throws {
        let session = Session(transport: ScriptedTransport { $0.respond(200, body: "x") })
        for _ in 0..<200 {
            let request = session.request(Self.url)
            await withTaskGroup { group in
                for _ in 0..<4 { group.addTask { _ = await request.serializingData().response } }
            }
        }
    }

    @Test func `the retrier is called for a failed serializer, and the next attempt's value returned`() async throws {
        let transport = ScriptedTransport()
        let retrier = CountingRetrier(limit: 1)
        let session = Session(transport: transport, interceptor: retrier)
        let task = session.request(Self.url).serializingDecodable([Int].self)
        try await transport.exchange(1).respond(200, body: "no json")
        try await transport.exchange(2).respond(200, body: "[1]")
        #expect(try await task.value == [1])
        #expect(retrier.count == 1)
    }

    @Test func `other handlers receive nothing of an attempt retried for a serializer`() async throws {
        let transport = ScriptedTransport()
        let session = Session(transport: transport, interceptor: CountingRetrier(limit: 1))
        let request = session.request(Self.url, shouldAutomaticallyResume: false)
        let text = request.serializingString()
        let numbers = request.serializingDecodable([Int].self)
        request.resume()
        try await transport.exchange(1).respond(200, body: "no json")
        try await transport.exchange(2).respond(200, body: "[1]")
        #expect(try await numbers.value == [1])
        #expect(try await text.value == "[1]")
    }

    @Test func `a retrier is not called again for an error it did not retry`() async throws {
        let retrier = CountingRetrier(limit: 0)
        let session = Session(transport: ScriptedTransport { $0.respond(500, body: "x") }, interceptor: retrier)
        let request = session.request(Self.url, shouldAutomaticallyResume: false).validate()
        let tasks = [request.serializingData(), request.serializingData()]
        request.resume()
        for task in tasks { #expect(await task.response.error?.responseCode == 500) }
        #expect(retrier.count == 1)
    }

    @Test func `the second reply of a retrier is ignored`() async throws {
        let transport = ScriptedTransport { $0.finish(TransferFailure(.connectionLost, "gone")) }
        let retrier = Retrier { request, _, _, completion in
            let verdict = request.retryCount < 2 ? RetryResult.retry : .doNotRetry
            completion(verdict)
            completion(.retry)
        }
        let session = Session(transport: transport, interceptor: retrier)
        let response = await session.request(Self.url).serializingData().response
        #expect(response.error?.isSessionTaskError == true)
        #expect(transport.exchanges.count == 3)
    }

    @Test func `an adapter that replies twice creates one task`() async throws {
        let transport = ScriptedTransport { $0.respond(200, body: "x") }
        let adapter = Adapter { request, _, completion in
            completion(.success(request))
            completion(.success(request))
        }
        let session = Session(transport: transport, interceptor: adapter)
        let request = session.request(Self.url)
        _ = try await request.serializingData().value
        #expect(transport.exchanges.count == 1)
        #expect(request.tasks.count == 1)
    }

    @Test func `an adapter's failure is wrapped and no byte is sent`() async {
        let transport = ScriptedTransport()
        let session = Session(transport: transport, interceptor: Adapter { $2(.failure(Refused())) })
        let response = await session.request(Self.url).serializingData().response
        #expect(response.error?.isRequestAdaptationError == true)
        #expect(response.error?.underlyingError is Refused)
        #expect(transport.exchanges.isEmpty)
    }

    @Test func `the failure to create a request has a case of its own`() async {
        let session = Session(transport: ScriptedTransport())
        #expect(await session.request("").serializingData().response.error?.isInvalidURLError == true)
        let modified = session.request(Self.url, requestModifier: { _ in throw Refused() })
        #expect(await modified.serializingData().response.error?.isCreateURLRequestError == true)
        let ftp = session.request("ftp://host/").serializingData()
        #expect(await ftp.response.error?.underlyingError is InvalidURL)
        let body = session.request(Self.url, requestModifier: { $0.httpBody = Data() }).serializingData()
        guard case .urlRequestValidationFailed? = await body.response.error else {
            Issue.record("a GET with a body was sent")
            return
        }
    }

    @Test func `an eager request is prepared but not sent before it is resumed`() async throws {
        let transport = ScriptedTransport { $0.respond(200, body: "x") }
        let session = Session(transport: transport, startRequestsImmediately: false, requestSetup: .eager)
        let request = session.request(Self.url)
        try await eventually("there is a task") { request.task != nil }
        #expect(request.isInitialized)
        #expect(transport.exchanges.isEmpty)
        let task = request.serializingData()
        request.resume()
        #expect(try await task.value == Data("x".utf8))
    }

    @Test func `a lazy request creates nothing before it is resumed`() throws {
        let session = Session(transport: ScriptedTransport(), startRequestsImmediately: false)
        let request = session.request(Self.url)
        request.response { _ in }
        #expect(request.request == nil)
        #expect(request.isInitialized)
    }

    @Test func `a suspended request continues after it is resumed`() async throws {
        let transport = ScriptedTransport()
        let session = Session(transport: transport)
        let request = session.request(Self.url)
        let task = request.serializingData()
        let exchange = try await transport.exchange()
        request.suspend().resume().suspend()
        #expect(request.isSuspended)
        #expect(exchange.commands == [.suspend, .resume, .suspend])
        request.resume()
        exchange.respond(200, body: "x")
        #expect(try await task.value.count == 1)
    }

    @Test func `a request suspended before its task exists is sent once it is resumed`() async throws {
        let transport = ScriptedTransport { $0.respond(200, body: "x") }
        let adapted = Gate()
        let later = Mutex<(@Sendable () -> Void)?>(nil)
        let adapter = Adapter { request, _, completion in
            later.withLock { $0 = { completion(.success(request)) } }
            adapted.open()
        }
        let session = Session(transport: transport, interceptor: adapter)
        let request = session.request(Self.url)
        let task = request.serializingData()
        try await adapted.waitUntilOpen()
        request.suspend()
        later.withLock { $0.take() }?()
        #expect(request.task?.state == .suspended)
        #expect(transport.exchanges.isEmpty)
        request.resume()
        #expect(try await task.value.count == 1)
    }

    @Test func `callbacks may suspend, resume and cancel their request`() async throws {
        let transport = ScriptedTransport()
        let session = Session(transport: transport)
        let ended = Gate()
        let request = session.request(Self.url)
        request.downloadProgress(queue: DispatchQueue(label: "progress")) { [weak request] _ in
            request?.suspend().resume().cancel()
        }
        request.responseData(queue: DispatchQueue(label: "handler")) { [weak request] response in
            #expect(response.error?.isExplicitlyCancelledError == true)
            request?.resume().suspend().cancel()
            request?.responseData(queue: DispatchQueue(label: "late")) { _ in ended.open() }
        }
        let exchange = try await transport.exchange()
        exchange.receiveHead()
        exchange.receive([1])
        try await ended.waitUntilOpen()
    }

    @Test func `user info in a URL is used as a credential, for its origin only`() async throws {
        let transport = ScriptedTransport { exchange in
            let isFirst = exchange.transfer.url.host == "a.test"
            exchange.respond(isFirst ? 302 : 200, headers: isFirst ? ["Location": "http://b.test/"] : [], body: "x")
        }
        let session = Session(transport: transport)
        _ = await session.request("http://user:p%40ss@a.test/").serializingData().response
        let credentials = transport.exchanges.map(\.transfer.options.authentication?.credential)
        #expect(credentials.first??.password == "p@ss")
        #expect(credentials.count == 2)
        #expect(credentials.last == .some(nil))
    }

    @Test func `the session's header fields have lower priority and are not in the request`() async throws {
        let transport = ScriptedTransport { $0.respond(200, body: "x") }
        var configuration = SessionConfiguration(headers: ["A": "session", "B": "session"])
        configuration.timeouts.idle = 7
        let session = Session(configuration: configuration, transport: transport)
        let request = session.request(Self.url, headers: ["b": "own"])
        _ = try await request.serializingData().value
        let transfer = try #require(transport.exchanges.first?.transfer)
        #expect(transfer.headers.map(\.description) == ["b: own", "A: session"])
        #expect(transfer.options.timeouts.idle == 7)
        #expect(request.request?.headers.count == 1)
    }

    @Test func `a JSON encoder writes encodable parameters to the body`() async throws {
        let transport = ScriptedTransport { $0.respond(200, body: "x") }
        let session = Session(transport: transport)
        let encoder = JSONParameterEncoder.default
        _ = await session.request(Self.url, method: .post, parameters: ["a": 1], encoder: encoder)
            .serializingData().response
        let body = transport.exchanges.first?.transfer.body
        guard case .bytes(let bytes)? = body else {
            Issue.record("there is no body")
            return
        }
        #expect(String(decoding: bytes, as: UTF8.self) == #"{"a":1}"#)
    }
}

struct Refused: Error {}
