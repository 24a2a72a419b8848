import AFCore
import AFHTTP
import AFTransport
import Dispatch
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@testable import AFCache

/// Unsafe methods, and bodies of all kinds.
extension CachingTests {
    @Test func `an unsafe request invalidates the stored responses of its URLs`() async throws {
        let count = Shared()
        let server = try LocalServer { request in
            .ok("\(count.next())").header("Cache-Control", "max-age=60")
                .header("Location", "/other").header("Content-Location", "http://127.0.0.1:1/x")
        }
        let session = session()
        #expect(try await text(session, server.url("/a")) == "1")
        #expect(try await text(session, server.url("/other")) == "2")
        #expect(try await text(session, server.url("/third")) == "3")
        let answer = session.upload(Data("new".utf8), to: server.url("/a"), method: .put)
        #expect(try await answer.serializingString().value == "4")
        #expect(try await text(session, server.url("/a")) == "5")
        #expect(try await text(session, server.url("/other")) == "6")
        #expect(try await text(session, server.url("/third")) == "3")
    }

    @Test func `a range request bypasses the cache`() async throws {
        let server = try LocalServer { request in
            guard request["Range"] != nil else { return .ok("whole").header("Cache-Control", "max-age=60") }
            return .status(206, "wh").header("Content-Range", "bytes 0-1/5").header("Cache-Control", "max-age=60")
        }
        let session = session()
        #expect(try await text(session, server.url(), ["Range": "bytes=0-1"]) == "wh")
        #expect(try await text(session, server.url()) == "whole")
        #expect(try await text(session, server.url(), ["Range": "bytes=0-1"]) == "wh")
        #expect(try await text(session, server.url()) == "whole")
        #expect(server.requests.count == 3)
    }

    @Test func `conditional requests of the caller bypass the cache`() async throws {
        let server = try validator(["Cache-Control": "max-age=60"])
        let session = session()
        #expect(try await text(session, server.url()) == "1")
        let response = await session.request(server.url(), headers: ["If-None-Match": "\"1\""])
            .serializingData(emptyResponseCodes: [304]).response
        #expect(response.response?.statusCode == 304)
        #expect(server.requests.count == 2)
    }

    @Test func `HEAD is served from the response to GET, and updates or invalidates it`() async throws {
        let length = Shared(3)
        let server = try LocalServer { request in
            let body = String(repeating: "x", count: length.value)
            if request.method == "HEAD" {
                return .raw(
                    "HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\nCache-Control: max-age=60\r\n\r\n",
                    keepsOpen: true)
            }
            return .ok(body).header("Cache-Control", "max-age=60")
        }
        let session = session()
        func head(_ policy: URLRequest.CachePolicy) async -> String? {
            await session.request(server.url(), method: .head) { $0.cachePolicy = policy }
                .serializingData(emptyRequestMethods: [.head]).response.response?.headers["Content-Length"]
        }
        #expect(try await text(session, server.url()) == "xxx")
        #expect(await head(.useProtocolCachePolicy) == "3")
        #expect(server.requests.map(\.method) == ["GET"])
        // A HEAD with matching fields freshens a stale response.
        clock.pass(61)
        #expect(await head(.useProtocolCachePolicy) == "3")
        #expect(try await text(session, server.url()) == "xxx")
        #expect(server.requests.map(\.method) == ["GET", "HEAD"])
        // One that does not agree makes it out of date.
        length.set(5)
        #expect(await head(.reloadIgnoringLocalCacheData) == "5")
        #expect(try await text(session, server.url()) == "xxxxx")
        #expect(server.requests.map(\.method) == ["GET", "HEAD", "HEAD", "GET"])
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 10\r\n\r\nhalf",
        "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n",
        "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\n\r\nhalf",
    ])
    func `a body that may be truncated is not stored`(raw: String) async throws {
        let server = try LocalServer { _ in .raw(raw) }
        let cache = cache()
        let session = session(cache)
        let response = await session.request(server.url()).serializingString().response
        #expect(response.response?.statusCode == 200)
        #expect(cache.currentMemoryUsage == 0)
    }

    @Test func `a body above the limit is delivered but not stored, with any framing`() async throws {
        let body = String(repeating: "x", count: 3000)
        let server = try LocalServer { request in
            let answer = LocalServer.Response.ok(body).header("Cache-Control", "max-age=60")
            return request.path == "/chunked" ? answer.chunked(of: 500) : answer
        }
        let cache = ResponseCache(memoryCapacity: 40_000)
        let session = session(cache)
        for path in ["/", "/chunked"] {
            #expect(try await text(session, server.url(path)) == body)
            #expect(try await text(session, server.url(path)) == body)
        }
        #expect(server.requests.count == 4)
        #expect(cache.currentMemoryUsage == 0)
    }

    @Test func `a decoded body is stored decoded`() async throws {
        let gzip: [UInt8] = [
            0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0, 0, 0x03, 0xcb, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0, 0x86, 0xa6, 0x10, 0x36,
            0x05,
            0, 0, 0,
        ]
        let server = try LocalServer { _ in
            .bytes(gzip).header("Content-Encoding", "gzip").header("Cache-Control", "max-age=60")
        }
        let cache = cache()
        let decoding = session(cache)
        #expect(try await text(decoding, server.url()) == "hello")
        #expect(try await text(decoding, server.url()) == "hello")
        #expect(server.requests.count == 1)
        // A session without decoding must not receive decoded bytes.
        let raw = session(cache) { $0.decodesContent = false }
        #expect(try await raw.request(server.url()).serializingData().value == Data(gzip))
    }

    @Test func `cacheable redirects are stored, and followed from the cache`() async throws {
        let count = Shared()
        let server = try LocalServer { request in
            guard request.path == "/" else { return .ok("\(count.next())") }
            return .redirect(to: "/there").header("Cache-Control", "max-age=60")
        }
        let session = session()
        #expect(try await text(session, server.url()) == "1")
        let response = await session.request(server.url()).serializingString().response
        #expect(response.value == "2")
        #expect(response.metrics?.transactionMetrics.map(\.resourceFetchType) == [.localCache, .networkLoad])
        #expect(server.requests.map(\.path) == ["/", "/there", "/there"])
    }

    @Test func `a stale response is served during revalidation`() async throws {
        let server = try counter(["Cache-Control": "max-age=10, stale-while-revalidate=100", "ETag": "\"x\""])
        let session = session(cache(servesStale: true))
        #expect(try await text(session, server.url()) == "1")
        clock.pass(50)
        #expect(try await text(session, server.url()) == "1")
        try await server.waitForRequests(2)
        #expect(server.requests.last?["If-None-Match"] == "\"x\"")
        // The background response arrives at an unknown time.
        try await eventually("the new response is served") { [clock] in
            let cached = session.configuration.urlCache?.cachedResponse(
                for: URLRequest(url: URL(string: server.url())!))
            return cached?.data == Data("2".utf8) && clock.now > TestClock.start
        }
        #expect(try await text(session, server.url()) == "2")
        #expect(server.requests.count == 2)
    }

    @Test func `a transport that keeps its transfers does not retain their requests`() async throws {
        let transport = ScriptedTransport { $0.respond(200, headers: ["Cache-Control": "max-age=9"], body: "1") }
        var configuration = SessionConfiguration()
        configuration.urlCache = cache()
        weak var request: DataRequest?
        do {
            let session = Session(configuration: configuration, transport: transport)
            let sent = session.request("http://scripted.test/")
            request = sent
            #expect(try await sent.serializingString().value == "1")
        }
        try await eventually("the request is gone") { request == nil }
        #expect(transport.exchanges.count == 1)
    }

    @Test func `background revalidation does not load more than can be stored`() async throws {
        let transport = ScriptedTransport()
        let now = { @Sendable [clock] in clock.now }
        let cache = ResponseCache(memoryCapacity: 20_000, servesStaleWhileRevalidating: true, now: now)
        var configuration = SessionConfiguration()
        configuration.urlCache = cache
        let session = Session(configuration: configuration, transport: transport)
        let url = "http://scripted.test/"
        async let first = text(session, url)
        let control = "max-age=10, stale-while-revalidate=100"
        let headers: HTTPHeaders = ["Cache-Control": control, "ETag": "\"x\"", "Transfer-Encoding": "chunked"]
        try await transport.exchange(1).respond(200, headers: headers, body: "1")
        #expect(try await first == "1")
        clock.pass(50)
        #expect(try await text(session, url) == "1")
        // The body has no end.
        let exchange = try await transport.exchange(2)
        exchange.receiveHead(200, headers: headers)
        exchange.receive([UInt8](repeating: 1, count: cache.bodyLimit))
        try await remains("the server may go on") { !exchange.isFinished }
        exchange.receive([1])
        try await eventually("the server is told to stop") { exchange.isFinished }
        // The next request revalidates again.
        #expect(try await text(session, url) == "1")
        try await transport.exchange(3).respond(304)
    }

    @Test func `a stream is served from the cache, too, in chunks`() async throws {
        let body = String(repeating: "0123456789abcdef", count: 10_000)
        let server = try LocalServer { _ in .ok(body).header("Cache-Control", "max-age=60") }
        let session = session()
        #expect(try await text(session, server.url()) == body)
        let received = Mutex("")
        let pieces = Mutex(0)
        let completion: DataStreamRequest.Completion = await withCheckedContinuation { waiter in
            session.streamRequest(server.url()).responseStream(on: DispatchQueue(label: "stream")) { stream in
                switch stream.event {
                case .stream(.success(let data)):
                    received.withLock { $0 += String(decoding: data, as: UTF8.self) }
                    pieces.withLock { $0 += 1 }
                case .complete(let completion): waiter.resume(returning: completion)
                }
            }
        }
        #expect(completion.error == nil)
        #expect(completion.response?.statusCode == 200)
        #expect(received.withLock(\.self) == body)
        #expect(pieces.withLock(\.self) > 1)
        #expect(server.requests.count == 1)
    }

    @Test func `a cached response waits for a slow stream`() async throws {
        let body = [UInt8](repeating: 7, count: 3 << 20)
        let server = try LocalServer { _ in .bytes(body).header("Cache-Control", "max-age=60") }
        let session = session(ResponseCache(memoryCapacity: 128 << 20))
        _ = try await session.request(server.url()).serializingData().value
        let gate = Gate()
        let received = Mutex(0)
        let request = session.streamRequest(server.url())
        let stream = DispatchQueue(label: "slow")
        stream.suspend()
        let end: DataStreamRequest.Completion = try await withCheckedThrowingContinuation { waiter in
            request.responseStream(on: stream) { stream in
                switch stream.event {
                case .stream(.success(let data)): received.withLock { $0 += data.count }
                case .complete(let completion): waiter.resume(returning: completion)
                }
            }
            // Nothing is taken until a mebibyte waits.
            Task {
                try await eventually("the stream is full") { request.downloadProgress.completedUnitCount >= 1 << 20 }
                #expect(request.downloadProgress.completedUnitCount < 2 << 20)
                gate.open()
                stream.resume()
            }
        }
        #expect(gate.isOpen)
        #expect(end.error == nil)
        #expect(received.withLock(\.self) == body.count)
        #expect(server.requests.count == 1)
    }

    @Test func `a cached response can be suspended, resumed and canceled`() async throws {
        let server = try counter(["Cache-Control": "max-age=60"])
        let session = session()
        #expect(try await text(session, server.url()) == "1")
        let request = session.request(server.url())
        let answer = request.serializingString(automaticallyCancelling: false)
        request.suspend().resume()
        #expect(try await answer.value == "1")
        for _ in 1...50 {
            let request = session.request(server.url())
            let answer = request.serializingString()
            request.cancel()
            let result = await answer.result
            #expect((try? result.get()) == "1" || result.failure?.isExplicitlyCancelledError == true)
        }
        #expect(server.requests.count == 1)
    }

    @Test func `a download bypasses the cache, but an unsafe one invalidates stored responses`() async throws {
        let folder = try ScratchFolder()
        let server = try counter(["Cache-Control": "max-age=60"])
        let session = session()
        func download(_ method: HTTPMethod) async throws {
            let file = URL(filePath: folder.file("\(method.rawValue)"))
            _ = try await session.download(server.url(), method: method, to: { _, _ in (file, [.removePreviousFile]) })
                .serializingDownloadedFileURL().value
        }
        #expect(try await text(session, server.url()) == "1")
        try await download(.get)
        #expect(server.requests.count == 2)
        #expect(try await text(session, server.url()) == "1")
        try await download(.post)
        #expect(try await text(session, server.url()) == "4")
    }

    @Test func `a session finds the responses that another one stored on disk`() async throws {
        let folder = try ScratchFolder()
        let place = URL(filePath: folder.file("cache"))
        let server = try counter(["Cache-Control": "max-age=60"])
        let first = cache(directory: place)
        #expect(try await text(session(first), server.url()) == "1")
        first.finishWriting()
        let second = session(cache(directory: place))
        #expect(try await text(second, server.url()) == "1")
        #expect(try await text(second, server.url()) == "1")
        #expect(server.requests.count == 1)
    }

    @Test func `many concurrent requests receive their own responses`() async throws {
        let folder = try ScratchFolder()
        let server = try LocalServer { request in
            .ok(request.path).header("Cache-Control", "max-age=\(request.path.count % 2)").header("ETag", "\"x\"")
        }
        // Small enough that responses are evicted all the time.
        let cache = ResponseCache(
            memoryCapacity: 5000, diskCapacity: 20_000, directory: URL(filePath: folder.file("c")))
        let session = session(cache)
        try await withThrowingTaskGroup(of: (String, String).self) { group in
            for number in 0..<300 {
                let path = "/\(number % 40)"
                group.addTask { (path, try await session.request(server.url(path)).serializingString().value) }
            }
            for try await (path, answer) in group { #expect(answer == path) }
        }
        #expect(cache.currentMemoryUsage <= 5000)
        #expect(cache.currentDiskUsage <= 20_000)
    }
}

extension Result {
    fileprivate var failure: Failure? {
        if case .failure(let failure) = self { failure } else { nil }
    }
}
