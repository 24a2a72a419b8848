#if Combine
    import AFCombine
    import AFCore
    import Dispatch
    import FoundationEssentials
    import OpenCombine
    import Synchronization
    import TestSupport
    import Testing

    @Suite(.timeLimit(.minutes(5))) struct ResponsePublisherTests {
        private let queue = DispatchQueue(label: "subscribers")

        private struct Person: Codable, Hashable, Sendable { let name: String }

        /// The first value of a publisher that cannot fail.
        private nonisolated(nonsending) func first<Output: Sendable>(
            _ publisher: some Publisher<Output, Never>
        ) async throws -> Output {
            let subscriber = RecordingSubscriber<Output, Never>()
            publisher.subscribe(subscriber)
            subscriber.ask(for: 1)
            try await eventually("the publisher has finished") { subscriber.isFinished }
            #expect(subscriber.inputs.count == 1)
            return try #require(subscriber.inputs.first)
        }

        @Test func `every kind of value is published once`() async throws {
            try await withServer { _ in
                .json(#"{"name":"Ada"}"#)
            } _: { server in
                let session = Session()
                let url = server.url()
                let data = try await first(session.request(url).publishData(queue: queue))
                #expect(data.value == Data(#"{"name":"Ada"}"#.utf8))
                #expect(data.response?.statusCode == 200)
                let string = try await first(session.request(url).publishString(queue: queue))
                #expect(string.value == #"{"name":"Ada"}"#)
                let person = try await first(session.request(url).publishDecodable(type: Person.self, queue: queue))
                #expect(person.value == Person(name: "Ada"))
                let raw = try await first(session.request(url).publishUnserialized(queue: queue))
                #expect(raw.value??.count == 14)
                let own: DataResponsePublisher<String> = session.request(url)
                    .publishResponse(using: StringResponseSerializer(), on: queue)
                #expect(try await first(own).value == string.value)
                #expect(server.requests.count == 5)
            }
        }

        @Test func `every kind of download is published once`() async throws {
            try await withServer { _ in
                .json(#"{"name":"Ada"}"#)
            } _: { server in
                let folder = try ScratchFolder()
                let file = URL(filePath: folder.file("file"))
                let session = Session()
                func download() -> DownloadRequest {
                    session.download(server.url(), to: { _, _ in (file, .removePreviousFile) })
                }
                #expect(try await first(download().publishURL(queue: queue)).value == file)
                #expect(try await first(download().publishData(queue: queue)).value?.count == 14)
                #expect(try await first(download().publishString(queue: queue)).value == #"{"name":"Ada"}"#)
                let person = try await first(download().publishDecodable(type: Person.self, queue: queue))
                #expect(person.value == Person(name: "Ada"))
                #expect(try await first(download().publishUnserialized(queue: queue)).value == file)
                let own: DownloadResponsePublisher<Data> = download()
                    .publishResponse(using: DataResponseSerializer(), on: queue)
                #expect(try await first(own).fileURL == file)
            }
        }

        @Test func `errors are values of the publisher, and failures of its value`() async throws {
            try await withServer { _ in
                .status(500)
            } _: { server in
                let session = Session()
                let response = try await first(session.request(server.url()).validate().publishData(queue: queue))
                #expect(response.error?.responseCode == 500)
                let result = try await first(
                    session.request(server.url()).validate().publishData(queue: queue).result())
                #expect(throws: AFError.self) { try result.get() }

                let subscriber = RecordingSubscriber<Data, AFError>()
                session.request(server.url()).validate().publishData(queue: queue).value().subscribe(subscriber)
                subscriber.ask(for: 1)
                try await eventually("the publisher has failed") { subscriber.failure != nil }
                #expect(subscriber.failure?.responseCode == 500)
                #expect(subscriber.inputs.isEmpty)
            }
        }

        @Test func `a value is published to operators`() async throws {
            try await withServer {
                .ok($0.path)
            } _: { server in
                let session = Session()
                let seen = Mutex<[String]>([])
                let isOver = Gate()
                let subscription = Publishers.Sequence<[String], AFError>(sequence: ["/1", "/2", "/3"])
                    .flatMap(maxPublishers: .max(1)) {
                        session.request(server.url($0)).publishString(queue: queue).value()
                    }
                    .sink(
                        receiveCompletion: { _ in isOver.open() },
                        receiveValue: { text in seen.withLock { $0.append(text) } }
                    )
                try await isOver.waitUntilOpen()
                #expect(seen.withLock(\.self) == ["/1", "/2", "/3"])
                subscription.cancel()
            }
        }

        @Test func `nothing is sent before the first demand`() async throws {
            let transport = ScriptedTransport { $0.respond(200, body: "x") }
            let session = Session(transport: transport)
            let subscriber = RecordingSubscriber<AFDataResponse<Data>, Never>()
            session.request("http://scripted.test/").publishData(queue: queue).subscribe(subscriber)
            subscriber.ask(for: 0)
            try await remains("nothing was sent") { transport.exchanges.isEmpty }
            subscriber.ask(for: 1)
            subscriber.ask(for: 1)
            try await eventually("it is over") { subscriber.isFinished }
            #expect(subscriber.inputs.count == 1)
            #expect(transport.exchanges.count == 1)
        }

        @Test func `subscribing starts a request of a session that starts none by itself`() async throws {
            let folder = try ScratchFolder()
            let file = URL(filePath: folder.file("file"))
            let transport = ScriptedTransport { $0.respond(200, body: "x") }
            let session = Session(transport: transport, startRequestsImmediately: false)
            let data = session.request("http://scripted.test/")
            #expect(try await first(data.publishString(queue: queue)).value == "x")
            let download = session.download("http://scripted.test/", to: { _, _ in (file, []) })
            #expect(try await first(download.publishURL(queue: queue)).value == file)
        }

        @Test func `every subscriber gets the response, and the request is sent once`() async throws {
            let transport = ScriptedTransport { $0.respond(200, body: "x") }
            let session = Session(transport: transport)
            let publisher = session.request("http://scripted.test/").publishString(queue: queue)
            let subscribers = (0..<3).map { _ in RecordingSubscriber<AFDataResponse<String>, Never>() }
            for subscriber in subscribers {
                publisher.subscribe(subscriber)
                subscriber.ask(for: 1)
            }
            try await eventually("all have theirs") { subscribers.allSatisfy(\.isFinished) }
            #expect(subscribers.allSatisfy { $0.inputs.map(\.value) == ["x"] })
            #expect(transport.exchanges.count == 1)
        }

        @Test func `canceling a subscription cancels the request and publishes nothing`() async throws {
            let transport = ScriptedTransport()
            let session = Session(transport: transport)
            let request = session.request("http://scripted.test/")
            let subscriber = RecordingSubscriber<AFDataResponse<Data>, Never>()
            request.publishData(queue: queue).subscribe(subscriber)
            subscriber.ask(for: 1)
            let exchange = try await transport.exchange()
            subscriber.cancel()
            try await eventually("the request is over") { request.isCancelled && exchange.isFinished }
            queue.sync {}
            #expect(subscriber.inputs.isEmpty && !subscriber.isFinished)
        }

        @Test func `canceling after the response has no effect`() async throws {
            let session = Session(transport: ScriptedTransport { $0.respond(200, body: "x") })
            let request = session.request("http://scripted.test/")
            let subscriber = RecordingSubscriber<AFDataResponse<Data>, Never>()
            request.publishData(queue: queue).subscribe(subscriber)
            subscriber.ask(for: 1)
            try await eventually("it is over") { subscriber.isFinished && request.isFinished }
            subscriber.cancel()
            #expect(!request.isCancelled)
        }

        @Test func `a download is canceled with its subscription`() async throws {
            let transport = ScriptedTransport()
            let session = Session(transport: transport)
            let request = session.download("http://scripted.test/")
            let subscriber = RecordingSubscriber<AFDownloadResponse<URL>, Never>()
            request.publishURL(queue: queue).subscribe(subscriber)
            subscriber.ask(for: 1)
            _ = try await transport.exchange()
            subscriber.cancel()
            try await eventually("the request is canceled") { request.isCancelled }
        }
    }
#endif
