import AFCore
import Dispatch
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct StreamSerializerTests {
    static let url = "http://scripted.test/"
    private let queue = DispatchQueue(label: "stream")

    /// Returns a session whose bodies arrive in these chunks.
    private func session(_ pieces: [UInt8]..., monitors: [any EventMonitor] = []) -> Session {
        let transport = ScriptedTransport { exchange in
            exchange.receiveHead()
            for piece in pieces { exchange.receive(piece) }
            exchange.finish()
        }
        return Session(transport: transport, eventMonitors: monitors)
    }

    @Test func `a stream event has exactly one of value, error and completion`() async throws {
        let events = Journal()
        let session = session(Array("1".utf8), Array("x".utf8))
        session.streamRequest(Self.url)
            .responseStreamDecodable(of: Int.self, on: queue) { stream in
                if let value = stream.value {
                    if case .success(let same)? = stream.result { #expect(same == value) }
                    #expect(stream.result != nil && stream.error == nil && stream.completion == nil)
                    events.note("\(value)")
                } else if let error = stream.error {
                    #expect(stream.result != nil && stream.completion == nil)
                    guard case .responseSerializationFailed(.decodingFailed) = error else {
                        return events.note("\(error)")
                    }
                    events.note("failure")
                } else if let completion = stream.completion {
                    #expect(stream.result == nil)
                    events.note("end \(completion.error == nil)")
                }
            }
        try await events.waitFor(3)
        #expect(events.all == ["1", "failure", "end true"])
    }

    @Test func `an undecodable chunk cancels a request with automatic cancellation`() async throws {
        let transport = ScriptedTransport()
        let events = Journal()
        let session = Session(transport: transport)
        let request = session.streamRequest(Self.url, automaticallyCancelOnStreamError: true)
        #expect(request.automaticallyCancelOnStreamError)
        request.responseStreamDecodable(of: Int.self, on: queue) { stream in
            if let completion = stream.completion {
                events.note("\(completion.error?.isExplicitlyCancelledError == true)")
            } else {
                events.note(stream.error == nil ? "value" : "failure")
            }
        }
        let exchange = try await transport.exchange()
        exchange.receiveHead()
        exchange.receive(Array("x".utf8))
        try await events.waitFor(2)
        #expect(events.all == ["failure", "true"])
        #expect(request.isCancelled)
    }

    @Test func `a custom serializer returns its values, and monitors receive them`() async throws {
        let monitor = StreamMonitor()
        let session = session(Array("ab".utf8), Array("".utf8), Array("no".utf8), monitors: [monitor])
        let values = Journal()
        session.streamRequest(Self.url).responseStream(using: Counter(), on: queue) { stream in
            if let value = stream.value { values.note("\(value)") }
            if case .responseSerializationFailed(.customSerializationFailed(let error))? = stream.error {
                values.note("\(error is Refused)")
            }
            if stream.completion != nil { values.note("end") }
        }
        try await values.waitFor(3)
        #expect(values.all == ["2", "true", "end"])
        try await monitor.journal.waitFor(2)
        #expect(monitor.journal.all == ["2", "failure"])
    }

    @Test func `characters split across chunks are joined, and incomplete ones are replaced`() async throws {
        let text = Journal()
        let monitor = StreamMonitor()
        // ä, €, 😀, each split once; then the first byte of an é.
        let session = session(
            [0x61, 0xC3], [0xA4, 0xE2, 0x82], [0xAC, 0xF0], [0x9F, 0x98], [0x80], [0xFF], [0xC3],
            monitors: [monitor]
        )
        session.streamRequest(Self.url).responseStreamString(on: queue) { stream in
            text.note(stream.value ?? "end")
        }
        try await eventually("the end was told") { text.all.last == "end" }
        #expect(text.all == ["a", "ä", "€", "😀", "\u{FFFD}", "\u{FFFD}", "end"])
        try await monitor.journal.waitFor(6)
        #expect(monitor.journal.all == text.all.dropLast())
    }

    @Test func `a partial character of an attempt is not part of the next attempt's text`() async throws {
        let transport = ScriptedTransport()
        let session = Session(transport: transport, interceptor: CountingRetrier(limit: 1))
        let text = Journal()
        session.streamRequest(Self.url).responseStreamString(on: queue) { text.note($0.value ?? "end") }
        let first = try await transport.exchange(1)
        first.receiveHead()
        first.receive([0x61, 0xC3])
        first.finish(TransferFailure(.connectionLost, "gone"))
        try await transport.exchange(2).respond(200, body: "b")
        try await text.waitFor(3)
        #expect(text.all == ["a", "b", "end"])
    }

    @Test func `chunks and completion keep their order on concurrent queues`() async throws {
        let pieces = (0..<200).map { Array("\($0)".utf8) }
        let transport = ScriptedTransport { exchange in
            exchange.receiveHead()
            for piece in pieces { exchange.receive(piece) }
            exchange.finish()
        }
        let serialization = DispatchQueue(label: "serialization", attributes: .concurrent)
        let session = Session(transport: transport, serializationQueue: serialization)
        let events = Journal()
        session.streamRequest(Self.url).responseStreamDecodable(of: Int.self, on: .global()) { stream in
            events.note(stream.value.map { "\($0)" } ?? "end")
        }
        try await events.waitFor(201)
        #expect(events.all == (0..<200).map(String.init) + ["end"])
    }

    @Test func `a preprocessor receives each chunk first`() async throws {
        let values = Journal()
        let session = session(Array("7;".utf8))
        session.streamRequest(Self.url)
            .responseStreamDecodable(of: Int.self, on: queue, preprocessor: Semicolons()) { stream in
                values.note(stream.value.map { "\($0)" } ?? "end")
            }
        try await values.waitFor(2)
        #expect(values.all == ["7", "end"])
    }

    @Test func `predefined serializers return the values of their chunks`() throws {
        let passthrough: PassthroughStreamSerializer = .passthrough
        let string: StringStreamSerializer = .string
        #expect(try passthrough.serialize(Data([1])) == Data([1]))
        #expect(try string.serialize(Data([0x61, 0xC3])) == "a\u{FFFD}")
        let numbers = decoding(.decodable(of: [Int].self, dataPreprocessor: Semicolons()))
        #expect(try numbers.serialize(Data("[1];".utf8)) == [1])
        #expect(numbers.decoder is JSONDecoder && numbers.dataPreprocessor is Semicolons)
        #expect(throws: AFError.self) { try DecodableStreamSerializer<Int>().serialize(Data("x".utf8)) }
        #expect(try PassthroughStreamSerializer().serialize(Data()).isEmpty)
        #expect(try StringStreamSerializer().serialize(Data()).isEmpty)
    }

    private func decoding(
        _ serializer: DecodableStreamSerializer<[Int]>
    ) -> DecodableStreamSerializer<[Int]> { serializer }
}

/// Counts the bytes of a chunk.
private struct Counter: DataStreamSerializer {
    func serialize(_ data: Data) throws -> Int {
        guard data != Data("no".utf8) else { throw Refused() }
        return data.count
    }
}

/// Removes semicolons.
private struct Semicolons: DataPreprocessor {
    func preprocess(_ data: Data) throws -> Data { data.filter { $0 != UInt8(ascii: ";") } }
}

private final class StreamMonitor: EventMonitor {
    let queue = DispatchQueue(label: "monitor")
    let journal = Journal()

    func request<Value: Sendable>(_ request: DataStreamRequest, didParseStream result: Result<Value, AFError>) {
        journal.note((try? result.get()).map { "\($0)" } ?? "failure")
    }
}
