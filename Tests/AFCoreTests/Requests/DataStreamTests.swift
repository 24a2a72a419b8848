import AFCore
import Dispatch
import FoundationEssentials
import Glibc
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct DataStreamTests {
    static let url = "http://scripted.test/"

    @Test func `chunks are delivered in order, the completion last`() async throws {
        let events = Journal()
        let session = Session(
            transport: ScriptedTransport { exchange in
                exchange.receiveHead()
                for number in 0..<50 { exchange.receive(Array("\(number)".utf8)) }
                exchange.finish()
            })
        // A concurrent queue on purpose.
        session.streamRequest(Self.url).responseStream(on: .global()) { stream in
            switch stream.event {
            case .stream(.success(let data)): events.note(String(decoding: data, as: UTF8.self))
            case .complete(let completion):
                #expect(completion.error == nil)
                #expect(completion.response?.statusCode == 200)
                #expect(completion.metrics != nil)
                events.note("end")
            }
        }
        try await events.waitFor(51)
        #expect(events.all == (0..<50).map(String.init) + ["end"])
    }

    @Test func `the header is reported before the body`() async throws {
        let events = Journal()
        let queue = DispatchQueue(label: "stream")
        let session = Session(transport: ScriptedTransport { $0.respond(206, body: "x") })
        session.streamRequest(Self.url)
            .onHTTPResponse(on: queue) { events.note("\($0.statusCode)") }
            .responseStream(on: queue) { stream in
                if case .complete = stream.event { events.note("end") } else { events.note("body") }
            }
        try await events.waitFor(3)
        #expect(events.all == ["206", "body", "end"])
    }

    @Test func `a slow handler pauses the transfer, and receives all bytes`() async throws {
        let transport = ScriptedTransport()
        let session = Session(transport: transport)
        let gate = DispatchSemaphore(value: 0)
        let taken = Mutex(0)
        let ended = Gate()
        session.streamRequest(Self.url).responseStream(on: DispatchQueue(label: "slow")) { stream in
            guard case .stream(.success(let data)) = stream.event else { return ended.open() }
            if taken.withLock(\.self) == 0 { gate.wait() }
            taken.withLock { $0 += data.count }
        }
        let exchange = try await transport.exchange()
        exchange.receiveHead()
        for _ in 0..<64 { exchange.receive([UInt8](repeating: 1, count: 64 << 10)) }
        exchange.finish()
        try await eventually("the server is held back") { exchange.isPaused }
        #expect(!exchange.isFinished)
        gate.signal()
        try await ended.waitUntilOpen()
        #expect(taken.withLock(\.self) == 4 << 20)
        #expect(exchange.commands.contains(.drain))
    }

    @Test func `a handler that throws ends the request, and then receives only the completion`() async throws {
        let transport = ScriptedTransport()
        let session = Session(transport: transport)
        let events = Journal()
        let request = session.streamRequest(Self.url).responseStream(on: DispatchQueue(label: "stream")) { stream in
            if case .complete(let completion) = stream.event {
                guard case .responseSerializationFailed(.customSerializationFailed(let error))? = completion.error
                else {
                    return events.note("\(String(describing: completion.error))")
                }
                return events.note(error is Refused ? "end" : "\(error)")
            }
            events.note("piece")
            throw Refused()
        }
        let exchange = try await transport.exchange()
        exchange.receiveHead()
        for _ in 0..<10 { exchange.receive([1]) }
        try await events.waitFor(2)
        #expect(events.all == ["piece", "end"])
        #expect(request.isCancelled)
    }

    @Test func `a handler cancels the request with the stream value it receives`() async throws {
        let transport = ScriptedTransport()
        let session = Session(transport: transport)
        let events = Journal()
        session.streamRequest(Self.url).responseStream(on: DispatchQueue(label: "stream")) { stream in
            guard case .complete(let completion) = stream.event else { return stream.cancel() }
            events.note("\(completion.error.map { "\($0)" } ?? "")")
        }
        let exchange = try await transport.exchange()
        exchange.receiveHead()
        exchange.receive([1])
        try await events.waitFor(1)
        #expect(events.all == ["explicitlyCancelled"])
    }

    @Test func `a paused request can be canceled`() async throws {
        let transport = ScriptedTransport()
        let session = Session(transport: transport)
        let never = DispatchSemaphore(value: 0)
        let ended = Gate()
        let request = session.streamRequest(Self.url)
        request.responseStream(on: DispatchQueue(label: "stuck")) { stream in
            if case .stream = stream.event { never.wait() } else { ended.open() }
        }
        let exchange = try await transport.exchange()
        exchange.receiveHead()
        for _ in 0..<64 { exchange.receive([UInt8](repeating: 1, count: 64 << 10)) }
        try await eventually("the server is held back") { exchange.isPaused }
        request.cancel()
        try await eventually("the request ended") { request.error != nil && exchange.isFinished }
        for _ in 0..<64 { never.signal() }
        try await ended.waitUntilOpen()
    }

    @Test func `a late handler of a finished stream receives its completion`() async throws {
        let session = Session(transport: ScriptedTransport { $0.respond(200, body: "x") })
        let events = Journal()
        let request = session.streamRequest(Self.url)
        for _ in 0..<2 {
            request.responseStream(on: DispatchQueue(label: "stream")) { stream in
                if case .complete = stream.event { events.note("end") }
            }
            try await eventually("the request is over") { request.isFinished }
        }
        try await events.waitFor(2)
    }

    @Test func `a failed validation is reported after the body`() async throws {
        let session = Session(transport: ScriptedTransport { $0.respond(404, body: "x") })
        let events = Journal()
        session.streamRequest(Self.url).validate(statusCode: 200..<300)
            .responseStream(on: DispatchQueue(label: "stream")) { stream in
                guard case .complete(let completion) = stream.event else { return events.note("body") }
                events.note("\(completion.error?.responseCode ?? 0)")
            }
        try await events.waitFor(2)
        #expect(events.all == ["body", "404"])
    }

    @Test func `a stream request may send the body of an upload`() async throws {
        let server = try LocalServer { .ok("\($0.method) \($0.text)") }
        let session = Session()
        let text = Mutex("")
        let ended = Gate()
        session.streamRequest(PlainUpload(url: server.url(), text: "sent"))
            .responseStream(on: DispatchQueue(label: "stream")) { stream in
                guard case .stream(.success(let data)) = stream.event else { return ended.open() }
                text.withLock { $0 += String(decoding: data, as: UTF8.self) }
            }
        try await ended.waitUntilOpen()
        #expect(text.withLock(\.self) == "POST sent")
    }

    @Test func `a body of 400 MiB needs less than 64 MiB of memory with a slow handler`() async throws {
        let size = 400 << 20
        try await withNginx(files: ["big": .zeros(size: size)]) { nginx in
            let session = Session()
            let before = residentBytes()
            let received = Mutex((count: 0, peak: 0))
            let ended = Gate()
            session.streamRequest(nginx.url("/big")).responseStream(on: DispatchQueue(label: "stream")) { stream in
                guard case .stream(.success(let data)) = stream.event else { return ended.open() }
                let isSample = received.withLock { received in
                    received.count += data.count
                    return received.count >> 22 != (received.count - data.count) >> 22
                }
                guard isSample else { return }
                // The reader must be slower than the server.
                usleep(1000)
                let now = residentBytes()
                received.withLock { $0.peak = max($0.peak, now) }
            }
            try await ended.waitUntilOpen()
            let (count, peak) = received.withLock(\.self)
            #expect(count == size)
            #expect(peak - before < 64 << 20)
        }
    }
}

private struct PlainUpload: UploadConvertible {
    let url: String
    let text: String

    func asURLRequest() throws -> URLRequest { try URLRequest(url: url, method: .post) }
    func createUploadable() throws -> UploadRequest.Uploadable { .data(Data(text.utf8)) }
}

/// Returns the resident memory of the process.
private func residentBytes() -> Int {
    let pages = (try? String(contentsOf: URL(filePath: "/proc/self/statm"), encoding: .utf8))?.split(separator: " ")
    return (pages.flatMap { Int($0[1]) } ?? 0) * 4096
}
