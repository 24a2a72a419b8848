#if Metrics
    import AFCore
    import AFMetrics
    import Dispatch
    import FoundationEssentials
    import Metrics
    import MetricsTestKit
    import TestSupport
    import Testing

    @Suite(.timeLimit(.minutes(5))) struct MetricsTests {
        private let metrics: TestMetrics
        private let monitor: MetricsEventMonitor

        init() {
            metrics = TestMetrics()
            monitor = MetricsEventMonitor(prefix: "test", factory: metrics)
        }

        private func session(retries: UInt = 0) -> Session {
            let retrier = RetryPolicy(retryLimit: retries, exponentialBackoffScale: 0.001)
            return Session(interceptor: retrier, eventMonitors: [monitor])
        }

        private nonisolated(nonsending) func wait(forRequests count: Int64) async throws {
            try await eventually("\(count) requests have been counted") {
                metrics.counterTotal(label: "test.requests") == count
            }
            // The failure and the duration of a request are recorded after its count.
            monitor.queue.sync {}
        }

        @Test func `requests are counted by host, method and class of status`() async throws {
            try await withServer {
                .status($0.path == "/missing" ? 404 : 200)
            } _: { server in
                let session = session()
                _ = await session.request(server.url()).serializingData().response
                _ = await session.request(server.url("/missing")).serializingData().response
                _ = await session.request(server.url(), method: HTTPMethod(rawValue: "BREW")).serializingData().response
                try await wait(forRequests: 3)
                for (method, status) in [("GET", "2xx"), ("GET", "4xx"), ("other", "2xx")] {
                    let counter = try metrics.expectCounter(
                        "test.requests", [("host", "127.0.0.1"), ("method", method), ("status", status)])
                    #expect(counter.totalValue == 1)
                }
                #expect(metrics.counters(label: "test.failures").isEmpty)
            }
        }

        @Test func `retries and failures are counted, failures by kind`() async throws {
            try await withServer { request in
                if request.path == "/broken" { return .raw("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf") }
                return .status(503)
            } _: { server in
                let session = session(retries: 2)
                _ = await session.request(server.url()).validate().serializingData().response
                _ = await session.request(server.url("/broken"), method: .post).serializingData().response
                _ = await session.request("http://").serializingData().response
                try await wait(forRequests: 3)
                #expect(try metrics.expectCounter("test.retries", [("host", "127.0.0.1")]).totalValue == 2)
                let kinds = metrics.counters(label: "test.failures").map { $0.dimensions.last?.1 }
                #expect(Set(kinds) == ["responseValidationFailed", "truncated", "createURLRequestFailed"])
                let host = try #require(
                    metrics.counters(label: "test.failures").first { $0.dimensions.last?.1 == "createURLRequestFailed" }
                )
                #expect(host.dimensions.first?.1 == "none")
            }
        }

        @Test func `attempts and requests are timed, bytes counted`() async throws {
            let body = String(repeating: "x", count: 1000)
            let left = Gate()
            try await withServer { request in
                if left.isOpen { return .ok(body) }
                left.open()
                return .status(503)
            } _: { server in
                let session = session(retries: 1)
                _ = await session.request(server.url()).validate().serializingData().response
                try await wait(forRequests: 1)
                let host = [("host", "127.0.0.1")]
                let attempts = try metrics.expectTimer("test.attempt_duration", host).values
                #expect(attempts.count == 2 && attempts.allSatisfy { $0 > 0 })
                let requests = try metrics.expectTimer("test.request_duration", host).values
                #expect(requests.count == 1 && requests[0] >= attempts.reduce(0, +))
                #expect(try metrics.expectTimer("test.first_byte", host).values.count == 2)
                let sent = server.requests.reduce(0) { $0 + $1.wire.count }
                #expect(try metrics.expectCounter("test.sent_bytes", host).totalValue == Int64(sent))
                #expect(try metrics.expectCounter("test.received_bytes", host).totalValue > 1000)
            }
        }

        @Test func `the gauge has the number of active requests`() async throws {
            let gate = Gate()
            try await withScriptedServer { connection in
                _ = try connection.readRequest()
                try connection.wait(for: gate)
                try connection.send("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
            } _: { server in
                let session = session()
                let responses = (0..<3).map { _ in session.request(server.url()).serializingData() }
                let gauge = { (try? metrics.expectGauge("test.in_flight"))?.lastValue }
                try await eventually("three are under way") { gauge() == 3 }
                gate.open()
                for response in responses { _ = await response.response }
                try await eventually("none is under way") { gauge() == 0 }
            }
        }

        @Test func `a request retried for its serializer counts once`() async throws {
            let transport = ScriptedTransport()
            let retrier = Retrier { request, _, _, completion in
                completion(request.retryCount == 0 ? .retry : .doNotRetry)
            }
            let session = Session(transport: transport, interceptor: retrier, eventMonitors: [monitor])
            async let value = session.request("http://scripted.test/").serializingDecodable(Int.self).value
            try await transport.exchange(1).respond(200, body: "nonsense")
            try await transport.exchange(2).respond(200, body: "7")
            #expect(try await value == 7)
            let gauge = { (try? metrics.expectGauge("test.in_flight"))?.values }
            try await eventually("the request is over again") { gauge() == [1, 0, 1, 0] }
            monitor.queue.sync {}
            #expect(metrics.counterTotal(label: "test.requests") == 1)
            #expect(metrics.counterTotal(label: "test.retries") == 1)
        }

        @Test func `a request that is suspended and resumed counts once`() async throws {
            let transport = ScriptedTransport()
            let session = Session(transport: transport, eventMonitors: [monitor])
            let request = session.request("http://scripted.test/")
            let response = request.serializingData()
            let exchange = try await transport.exchange()
            request.suspend().resume()
            exchange.respond(200, body: "x")
            _ = await response.response
            try await wait(forRequests: 1)
            #expect(try metrics.expectGauge("test.in_flight").values == [1, 1, 0])
        }

        @Test func `the number of hosts with their own series is limited`() async throws {
            let monitor = MetricsEventMonitor(prefix: "test", maximumHosts: 2, factory: metrics)
            let session = Session(transport: ScriptedTransport { $0.respond(200) }, eventMonitors: [monitor])
            for host in ["A.test", "b.test", "c.test", "a.test", "d.test"] {
                _ = await session.request("http://\(host)/").serializingData().response
            }
            try await wait(forRequests: 5)
            let hosts = metrics.counters(label: "test.requests").map { ($0.dimensions.first?.1 ?? "", $0.totalValue) }
            #expect(Dictionary(uniqueKeysWithValues: hosts) == ["a.test": 2, "b.test": 1, "other": 2])
        }
    }
#endif
