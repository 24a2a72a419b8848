import AFCore
import Dispatch
import FoundationEssentials
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct SessionTests {
    @Test func `only the requests for the given URL are canceled`() async throws {
        let transport = ScriptedTransport()
        let session = Session(transport: transport)
        let tasks = ["a", "b", "a"].map { session.request("http://\($0).test/").serializingData() }
        _ = try await transport.exchange(3)
        await withCheckedContinuation { continuation in
            do {
                try session.cancelRequests(to: "http://a.test/", completingOnQueue: .global()) { continuation.resume() }
            } catch {
                Issue.record(error)
                continuation.resume()
            }
        }
        #expect(await tasks[0].response.error?.isExplicitlyCancelledError == true)
        #expect(await tasks[2].response.error?.isExplicitlyCancelledError == true)
        for exchange in transport.exchanges where !exchange.isFinished { exchange.respond(200, body: "x") }
        #expect(try await tasks[1].value.count == 1)
        #expect(throws: AFError.self) { try session.cancelRequests(to: "") }
    }

    @Test func `all active requests are returned on the session's queue`() async throws {
        let root = DispatchQueue(label: "root")
        let session = Session(transport: ScriptedTransport(), rootQueue: root)
        let requests = (0..<3).map { session.request("http://a.test/\($0)").response { _ in } }
        let seen = await withCheckedContinuation { continuation in
            session.withAllRequests { seen in
                dispatchPrecondition(condition: .onQueue(session.rootQueue))
                dispatchPrecondition(condition: .onQueue(root))
                continuation.resume(returning: seen)
            }
        }
        #expect(seen == Set(requests))
        #expect(session.rootQueue.label == "root")
        await withCheckedContinuation { continuation in
            session.cancelAllRequests(completingOnQueue: root) { continuation.resume() }
        }
        #expect(requests.allSatisfy { $0.isCancelled })
    }

    @Test func `requests are created and serialized on the custom queues`() async throws {
        let key = DispatchSpecificKey<String>()
        let places = Journal()
        func queue(_ name: String) -> DispatchQueue {
            let queue = DispatchQueue(label: name)
            queue.setSpecific(key: key, value: name)
            return queue
        }
        let session = Session(
            transport: ScriptedTransport { $0.respond(200, body: "x") },
            requestQueue: queue("requests"),
            serializationQueue: queue("serialization")
        )
        let note = { @Sendable in places.note(DispatchQueue.getSpecific(key: key) ?? "elsewhere") }
        _ = try await session.request("http://a.test/", requestModifier: { _ in note() })
            .serializingResponse(using: PlaceSerializer(note: note)).value
        #expect(places.all == ["requests", "serialization"])
    }

    @Test func `cookies are set, listed, sent and deleted as values`() async throws {
        let server = try LocalServer { .ok($0["Cookie"] ?? "none") }
        let session = Session()
        let cookies = ["a", "b", "c"].map { HTTPCookie(name: $0, value: "1", domain: "127.0.0.1") }
        session.setCookies(cookies)
        #expect(await Set(session.cookies().map(\.name)) == ["a", "b", "c"])
        session.deleteCookies([cookies[1]])
        #expect(await Set(session.cookies().map(\.name)) == ["a", "c"])
        let sent = try await session.request(server.url()).serializingString().value
        #expect(Set(sent.split(separator: "; ")) == ["a=1", "c=1"])
        session.deleteAllCookies()
        #expect(await session.cookies().isEmpty)
        #expect(try await session.request(server.url()).serializingString().value == "none")
    }
}

private struct PlaceSerializer: DataResponseSerializerProtocol {
    let note: @Sendable () -> Void

    func serialize(request: URLRequest?, response: HTTPURLResponse?, data: Data?, error: (any Error)?) throws { note() }
}
