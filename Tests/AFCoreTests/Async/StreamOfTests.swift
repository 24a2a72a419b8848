import AFCore
import Dispatch
import FoundationEssentials
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct StreamOfTests {
    static let url = "http://scripted.test/"

    @Test func `progress is awaited to its end`() async throws {
        let transport = ScriptedTransport { exchange in
            exchange.send(3, of: 3)
            exchange.receiveHead(200, headers: ["Content-Length": "100"])
            for _ in 0..<100 { exchange.receive([1]) }
            exchange.finish()
        }
        let session = Session(transport: transport)
        let request = session.upload(Data("abc".utf8), to: Self.url)
        let (down, up) = (request.downloadProgress(), request.uploadProgress())
        #expect(request.downloadProgressHandler != nil && request.uploadProgressHandler != nil)
        let task = request.serializingData()
        let (downs, ups) = (await down.collect(), await up.collect())
        #expect(downs.last == TransferProgress(completedUnitCount: 100, totalUnitCount: 100))
        #expect(ups.last == TransferProgress(completedUnitCount: 3, totalUnitCount: 3))
        #expect(try await task.value.count == 100)
    }

    @Test func `the requests of all attempts are a sequence until the request ends`() async throws {
        let transport = ScriptedTransport { exchange in
            exchange.respond(exchange.transfer.headers["Try"] == "3" ? 200 : 500, body: "x")
        }
        let count = Journal()
        let adapter = Adapter { request, _, completion in
            count.note("adapt")
            var request = request
            request.headers["Try"] = "\(count.all.count)"
            completion(.success(request))
        }
        let session = Session(
            transport: transport,
            interceptor: Interceptor(adapters: [adapter], retriers: [CountingRetrier(limit: 2)])
        )
        let request = session.request(Self.url).validate()
        let (requests, tasks) = (request.urlRequests(), request.transferTasks())
        let (responses, commands) = (request.httpResponses(), request.cURLDescriptions())
        _ = try await request.serializingData().value
        #expect(await requests.collect().map { $0.headers["Try"] } == ["1", "2", "3"])
        #expect(await tasks.collect().map(\.id) == request.tasks.map(\.id))
        #expect(await responses.collect().map(\.statusCode) == [500, 500, 200])
        let texts = await commands.collect()
        #expect(texts.count == 3)
        #expect(texts.last?.contains("-H \"Try: 3\"") == true)
        #expect(request.retryCount == 2 && request.allMetrics.count == 3 && request.requests.count == 6)
        #expect(request.firstTask?.id == request.tasks.first?.id && request.lastTask?.id == request.tasks.last?.id)
    }

    @Test func `a stream of a finished request ends`() async throws {
        let session = Session(transport: ScriptedTransport { $0.respond(200, body: "x") })
        let request = session.request(Self.url)
        _ = try await request.serializingData().value
        #expect(await request.urlRequests().collect().count == 1)
        #expect(await request.downloadProgress().collect().isEmpty)
    }

    @Test func `a request that is released before its start ends its streams`() async {
        let session = Session(transport: ScriptedTransport(), startRequestsImmediately: false)
        var stream: StreamOf<TransferProgress>?
        do { stream = session.request(Self.url).downloadProgress() }
        #expect(await stream?.collect().isEmpty == true)
    }

    @Test func `leaving a stream of progress does not cancel the request`() async throws {
        let transport = ScriptedTransport()
        let session = Session(transport: transport)
        let request = session.request(Self.url)
        let progress = request.downloadProgress()
        let task = request.serializingData()
        let exchange = try await transport.exchange()
        exchange.receiveHead()
        exchange.receive([1])
        for await _ in progress { break }
        exchange.receive([1])
        exchange.finish()
        #expect(try await task.value.count == 2)
    }

    @Test(arguments: [(Policy.unbounded, ["1", "2", "3"]), (.oldest, ["1"]), (.newest, ["3"]), (.none, [])])
    func `a policy decides which values are buffered for a late reader`(policy: Policy, kept: [String]) async throws {
        let transport = ScriptedTransport { exchange in
            exchange.respond(exchange.transfer.headers["Try"] == "3" ? 200 : 500, body: "x")
        }
        let count = Journal()
        let adapter = Adapter { request, _, completion in
            count.note("adapt")
            var request = request
            request.headers["Try"] = "\(count.all.count)"
            completion(.success(request))
        }
        let interceptor = Interceptor(adapters: [adapter], retriers: [CountingRetrier(limit: 2)])
        let session = Session(transport: transport, interceptor: interceptor)
        let request = session.request(Self.url).validate()
        let requests = request.urlRequests(bufferingPolicy: policy.value)
        _ = try await request.serializingData().value
        await session.catchUp()
        #expect(await requests.collect().map { $0.headers["Try"] ?? "" } == kept)
    }

    enum Policy: Sendable {
        case unbounded, oldest, newest, none

        var value: StreamOf<URLRequest>.BufferingPolicy {
            switch self {
            case .unbounded: .unbounded
            case .oldest: .bufferingOldest(1)
            case .newest: .bufferingNewest(1)
            case .none: .bufferingNewest(0)
            }
        }
    }
}

extension StreamOf {
    fileprivate func collect() async -> [Element] {
        var all: [Element] = []
        var iterator: Iterator = makeAsyncIterator()
        while let element = await iterator.next() { all.append(element) }
        return all
    }
}
