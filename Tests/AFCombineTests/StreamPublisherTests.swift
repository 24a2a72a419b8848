#if Combine
    import AFCombine
    import AFCore
    import Dispatch
    import FoundationEssentials
    import OpenCombine
    import TestSupport
    import Testing

    @Suite(.timeLimit(.minutes(5))) struct StreamPublisherTests {
        private let queue = DispatchQueue(label: "subscribers")
        private let transport = ScriptedTransport()

        private struct Number: Decodable, Hashable, Sendable { let n: Int }

        private func respond(_ pieces: [String], _ failure: TransferFailure? = nil) async throws {
            let exchange = try await transport.exchange(transport.exchanges.count)
            exchange.receiveHead()
            for piece in pieces { exchange.receive(Array(piece.utf8)) }
            exchange.finish(failure)
        }

        private func subscribe<Output: Sendable, Failure: Error>(
            _ publisher: some Publisher<Output, Failure>,
            asking demand: Int = 1000
        ) async throws -> RecordingSubscriber<Output, Failure> {
            let subscriber = RecordingSubscriber<Output, Failure>()
            let before = transport.exchanges.count
            publisher.subscribe(subscriber)
            subscriber.ask(for: demand)
            try await eventually("the request has started") { transport.exchanges.count > before }
            return subscriber
        }

        @Test func `every kind of chunk is published, the completion last`() async throws {
            let session = Session(transport: transport)
            let url = "http://scripted.test/"
            let data = try await subscribe(session.streamRequest(url).publishData(queue: queue))
            try await respond(["{\"n\":1}", "{\"n\":2}"])
            try await eventually("it has ended") { data.isFinished }
            #expect(data.inputs.map { $0.value?.count } == [7, 7, nil])
            #expect(data.inputs.last?.completion?.response?.statusCode == 200)

            let text = try await subscribe(session.streamRequest(url).publishString(queue: queue))
            try await respond(["a", "b"])
            try await eventually("it has ended") { text.isFinished }
            #expect(text.inputs.compactMap(\.value) == ["a", "b"])

            let numbers = try await subscribe(
                session.streamRequest(url).publishDecodable(type: Number.self, queue: queue))
            try await respond(["{\"n\":1}", "{\"n\":2}"])
            try await eventually("it has ended") { numbers.isFinished }
            #expect(numbers.inputs.compactMap(\.value) == [Number(n: 1), Number(n: 2)])

            let own = try await subscribe(
                session.streamRequest(url).publishStream(using: StringStreamSerializer(), on: queue).result())
            try await respond(["x"])
            try await eventually("it has ended") { own.isFinished }
            #expect(own.inputs.map { try? $0.get() } == ["x"])
        }

        @Test func `a split character is published completely`() async throws {
            let session = Session(transport: transport)
            let text = try await subscribe(session.streamRequest("http://scripted.test/").publishString(queue: queue))
            let exchange = try await transport.exchange()
            exchange.receiveHead()
            for byte in "a€".utf8 { exchange.receive([byte]) }
            exchange.finish()
            try await eventually("it has ended") { text.isFinished }
            #expect(text.inputs.compactMap(\.value).joined() == "a€")
        }

        @Test func `an undecodable chunk is a result, and a failure of the values`() async throws {
            let session = Session(transport: transport)
            let url = "http://scripted.test/"
            let results = try await subscribe(
                session.streamRequest(url).publishDecodable(type: Number.self, queue: queue).result())
            try await respond(["nonsense", "{\"n\":2}"])
            try await eventually("it has ended") { results.isFinished }
            #expect(results.inputs.map { try? $0.get() } == [nil, Number(n: 2)])

            let values = try await subscribe(
                session.streamRequest(url).publishDecodable(type: Number.self, queue: queue).value())
            try await respond(["{\"n\":1}", "nonsense"])
            try await eventually("it has failed") { values.failure != nil }
            #expect(values.failure?.isResponseSerializationError == true)
            #expect(values.inputs == [Number(n: 1)])
        }

        @Test func `no subscriber exceeds its demand, and the server is throttled`() async throws {
            let session = Session(transport: transport)
            let request = session.streamRequest("http://scripted.test/")
            let subscriber = try await subscribe(request.publishData(queue: queue), asking: 1)
            let exchange = try await transport.exchange()
            exchange.receiveHead()
            for _ in 0..<64 { exchange.receive([UInt8](repeating: 1, count: 64 << 10)) }
            exchange.finish()
            try await eventually("the server is held back") { exchange.isPaused && subscriber.inputs.count == 1 }
            subscriber.ask(for: 2)
            try await eventually("two more came") { subscriber.inputs.count == 3 }
            try await remains("no more came") { subscriber.inputs.count == 3 }
            subscriber.ask(for: 1000)
            try await eventually("it has ended") { subscriber.isFinished }
            #expect(subscriber.inputs.reduce(0) { $0 + ($1.value?.count ?? 0) } == 4 << 20)
        }

        @Test func `operators pass on the demand`() async throws {
            let session = Session(transport: transport)
            let request = session.streamRequest("http://scripted.test/")
            let subscriber = RecordingSubscriber<Data, AFError>()
            request.publishData(queue: queue).value().subscribe(subscriber)
            try await remains("nothing was sent") { transport.exchanges.isEmpty }
            subscriber.ask(for: 1)
            let exchange = try await transport.exchange()
            exchange.receiveHead()
            for _ in 0..<64 { exchange.receive([UInt8](repeating: 1, count: 64 << 10)) }
            try await eventually("the server is held back") { exchange.isPaused && subscriber.inputs.count == 1 }
            try await remains("no more came") { subscriber.inputs.count == 1 }
            subscriber.ask(for: 1000)
            exchange.finish()
            try await eventually("it has ended") { subscriber.isFinished }
        }

        @Test func `the failure of a value ends the request`() async throws {
            let session = Session(transport: transport)
            let request = session.streamRequest("http://scripted.test/")
            let values = try await subscribe(request.publishDecodable(type: Number.self, queue: queue).value())
            let exchange = try await transport.exchange()
            exchange.receiveHead()
            exchange.receive(Array("nonsense".utf8))
            try await eventually("it has failed") { values.failure != nil }
            try await eventually("the request was canceled") { request.isCancelled }
        }

        @Test func `receiving a value can add demand for the next one`() async throws {
            let session = Session(transport: transport)
            let subscriber = RecordingSubscriber<DataStreamRequest.Stream<String, AFError>, Never>(asking: 1)
            session.streamRequest("http://scripted.test/").publishString(queue: queue).subscribe(subscriber)
            subscriber.ask(for: 1)
            _ = try await transport.exchange()
            try await respond(["a", "b", "c"])
            try await eventually("it has ended") { subscriber.isFinished }
            #expect(subscriber.inputs.compactMap(\.value) == ["a", "b", "c"])
        }

        @Test func `canceling a subscription without demand cancels the request`() async throws {
            let session = Session(transport: transport)
            let request = session.streamRequest("http://scripted.test/")
            let subscriber = try await subscribe(request.publishData(queue: queue), asking: 1)
            let exchange = try await transport.exchange()
            exchange.receiveHead()
            for _ in 0..<64 { exchange.receive([UInt8](repeating: 1, count: 64 << 10)) }
            // The first chunk arrives asynchronously; after the cancellation it would not be published.
            try await eventually("the server is held back") { exchange.isPaused && subscriber.inputs.count == 1 }
            subscriber.cancel()
            try await eventually("the request is over") { request.isCancelled && exchange.isFinished }
            queue.sync {}
            #expect(subscriber.inputs.count == 1 && !subscriber.isFinished)
        }

        @Test func `the failure of a request is the last result, and the failure of the values`() async throws {
            let session = Session(transport: transport)
            let url = "http://scripted.test/"
            let results = try await subscribe(session.streamRequest(url).publishString(queue: queue).result())
            try await respond(["a"], TransferFailure(.truncated, "the body ended early"))
            try await eventually("it has ended") { results.isFinished }
            #expect(results.inputs.map { try? $0.get() } == ["a", nil])
            let values = try await subscribe(session.streamRequest(url).publishString(queue: queue).value())
            try await respond(["a"], TransferFailure(.truncated, "the body ended early"))
            try await eventually("it has failed") { values.failure != nil }
            #expect((values.failure?.underlyingError as? TransferFailure)?.kind == .truncated)
            #expect(values.inputs == ["a"])
        }

        @Test func `subscribing starts a request of a session that starts none by itself`() async throws {
            let session = Session(transport: transport, startRequestsImmediately: false)
            let request = session.streamRequest("http://scripted.test/")
            let subscriber = try await subscribe(request.publishString(queue: queue))
            #expect(request.isResumed)
            try await respond(["a"])
            try await eventually("it has ended") { subscriber.isFinished }
        }

        @Test func `the failure of a request is in the completion`() async throws {
            let session = Session(transport: transport)
            let subscriber = try await subscribe(
                session.streamRequest("http://scripted.test/").publishString(queue: queue))
            try await respond(["a"], TransferFailure(.truncated, "the body ended early"))
            try await eventually("it has ended") { subscriber.isFinished }
            let failure = subscriber.inputs.last?.completion?.error?.underlyingError as? TransferFailure
            #expect(failure?.kind == .truncated)
        }
    }
#endif
