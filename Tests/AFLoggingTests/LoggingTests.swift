#if Logging
    import AFCore
    import AFLogging
    import FoundationEssentials
    import Logging
    import TestSupport
    import Testing

    @Suite(.timeLimit(.minutes(5))) struct LoggingTests {
        private let book = LogBook()

        private func session(levels: LoggingEventMonitor.Levels = .init(), retries: UInt = 0) -> Session {
            let monitor = LoggingEventMonitor(logger: book.logger(), levels: levels)
            let retrier = RetryPolicy(retryLimit: retries, exponentialBackoffScale: 0.001)
            return Session(interceptor: retrier, eventMonitors: [monitor])
        }

        @Test func `a success is logged with method, URL, status, duration and retries`() async throws {
            try await withServer { _ in
                .status(201, "made")
            } _: { server in
                let session = session()
                _ = await session.request(server.url("/things?page=2"), method: .put).serializingData().response
                let entry = try await book.entry("request succeeded")
                #expect(entry.level == .info)
                #expect(entry["http.method"] == "PUT")
                #expect(entry["http.url"] == server.url("/things?page=2"))
                #expect(entry["http.status"] == "201")
                #expect(entry["http.retries"] == "0")
                let duration = try #require(entry["http.duration"].flatMap(Double.init))
                #expect(duration > 0 && duration < 60)
                #expect(entry["error"] == nil)
                let start = try await book.entry("request starts")
                #expect(start.level == .debug)
                #expect(start["http.request"] == entry["http.request"])
            }
        }

        @Test func `secrets are not logged at any level`() async throws {
            try await withServer { request in
                request.path == "/"
                    ? .redirect(to: "/next?access_token=s3cr3t-4").header("Set-Cookie", "sid=s3cr3t-5")
                    : .status(500).header("Set-Cookie", "sid=s3cr3t-6").header("X-Refresh-Token", "s3cr3t-7")
            } _: { server in
                let url = "http://ada:s3cr3t-1@\(server.authority)/?api_key=s3cr3t-2&page=2"
                let headers: HTTPHeaders = [
                    .authorization(bearerToken: "s3cr3t-3"), HTTPHeader(name: "Cookie", value: "a=s3cr3t-8"),
                ]
                let session = session(retries: 1)
                _ = await session.request(url, headers: headers).validate().serializingData().response
                let entry = try await book.entry("request failed")
                #expect(entry["http.url"] == server.url("/next?access_token=•••"))
                #expect(
                    book.entries.contains { $0["http.url"] == "http://•••@\(server.authority)/?api_key=•••&page=2" })
                let all = book.entries.map(\.text).joined(separator: "\n")
                #expect(!all.contains("s3cr3t"))
                #expect(all.contains("Authorization: •••"))
                #expect(all.contains("Set-Cookie: •••"))
                #expect(server.requests.first?["Authorization"] == "Bearer s3cr3t-3")
            }
        }

        @Test func `retries are logged, and counted at the end`() async throws {
            try await withServer { _ in
                .status(503)
            } _: { server in
                let session = session(retries: 2)
                _ = await session.request(server.url()).validate().serializingData().response
                let end = try await book.entry("request failed")
                #expect(end.level == .error)
                #expect(end["http.retries"] == "2")
                #expect(end["error"]?.contains("503") == true)
                let retries = book.entries.filter { $0.message == "request is tried again" }
                #expect(retries.count == 2)
                #expect(retries.allSatisfy { $0.level == .notice && $0["http.request"] == end["http.request"] })
            }
        }

        @Test func `a rejected response has a lower level than a failure`() async throws {
            try await withServer { _ in
                .status(404)
            } _: { server in
                let session = session()
                _ = await session.request(server.url()).serializingData().response
                let entry = try await book.entry("request was refused")
                #expect(entry.level == .warning)
            }
        }

        @Test func `a request without a response has no status`() async throws {
            let port = try RefusingPort()
            let session = session()
            _ = await session.request(port.url()).serializingData().response
            let entry = try await book.entry("request failed")
            #expect(entry["http.status"] == nil)
            #expect(entry["error"] != nil)
        }

        @Test func `an undecodable body is logged`() async throws {
            try await withServer { _ in
                .json("[]")
            } _: { server in
                let session = session()
                _ = await session.request(server.url()).serializingDecodable(String.self).response
                let entry = try await book.entry("response could not be read")
                #expect(entry.level == .error)
                _ = try await book.entry("request succeeded")
            }
        }

        @Test func `canceling is not logged as a failure`() async throws {
            try await withSilentServer { server in
                let session = session()
                let request = session.request(server.url())
                let response = request.serializingData()
                request.cancel()
                _ = await response.response
                let entry = try await book.entry("request was canceled")
                #expect(entry.level == .info)
            }
        }

        @Test func `an event without a level is not logged`() async throws {
            var levels = LoggingEventMonitor.Levels()
            levels.started = nil
            levels.heads = nil
            levels.succeeded = .debug
            try await withServer { _ in
                .ok("done")
            } _: { server in
                let session = session(levels: levels)
                _ = await session.request(server.url()).serializingData().response
                let entry = try await book.entry("request succeeded")
                #expect(entry.level == .debug)
                #expect(book.entries.count == 1)
            }
        }
    }
#endif
