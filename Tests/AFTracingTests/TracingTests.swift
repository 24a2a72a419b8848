#if Tracing
    import AFCore
    import AFTracing
    import FoundationEssentials
    import InMemoryTracing
    import TestSupport
    import Testing
    import Tracing

    @Suite(.timeLimit(.minutes(5))) struct TracingTests {
        private let tracer = InMemoryTracer()

        private func session(retries: UInt = 0) -> Session {
            let requestTracer = RequestTracer(tracer: tracer)
            let retrier = RetryPolicy(retryLimit: retries, exponentialBackoffScale: 0.001)
            return Session(
                interceptor: Interceptor(interceptors: [requestTracer, retrier]), eventMonitors: [requestTracer])
        }

        private nonisolated(nonsending) func spans(_ count: Int) async throws -> [FinishedInMemorySpan] {
            try await eventually("\(count) spans have ended") { tracer.finishedSpans.count >= count }
            return tracer.finishedSpans
        }

        @Test func `a span has the attributes of the request and the response`() async throws {
            try await withServer { request in
                .ok(request[InMemoryTracer.spanIDKey] ?? "none")
            } _: { server in
                let session = session()
                let text = try await session.request(server.url("/x?token=secret")).serializingString().value
                let span = try #require(try await spans(1).first)
                #expect(span.operationName == "GET" && span.kind == .client && span.parentSpanID == nil)
                #expect(text == span.spanID)
                #expect(span.attributes.get("http.request.method") == .string("GET"))
                #expect(span.attributes.get("server.address") == .string("127.0.0.1"))
                #expect(span.attributes.get("server.port") == .int64(Int64(server.port)))
                #expect(span.attributes.get("http.response.status_code") == .int64(200))
                #expect(span.attributes.get("network.protocol.version") == .string("1.1"))
                #expect("\(span.attributes)".contains("secret") == false)
                #expect(span.status == nil && span.errors.isEmpty)
            }
        }

        @Test func `the span of the task is the parent, also for requests that start later`() async throws {
            try await withServer { _ in
                .ok()
            } _: { server in
                let session = session()
                let request = tracer.withSpan("parent") { _ in session.request(server.url()) }
                _ = await request.serializingData().response
                let all = try await spans(2)
                let parent = try #require(all.first { $0.operationName == "parent" })
                let child = try #require(all.first { $0.operationName == "GET" })
                #expect(child.parentSpanID == parent.spanID && child.traceID == parent.traceID)
            }
        }

        @Test func `each attempt has a span`() async throws {
            try await withServer { _ in
                .status(503)
            } _: { server in
                let session = session(retries: 1)
                _ = await session.request(server.url()).validate().serializingData().response
                let all = try await spans(2)
                #expect(all.map { $0.attributes.get("http.request.resend_count") } == [nil, .int64(1)])
                #expect(all.allSatisfy { $0.attributes.get("error.type") == .string("503") })
                #expect(all.allSatisfy { $0.status?.code == .error && $0.errors.count == 1 })
            }
        }

        @Test func `an attempt whose adapter fails has a span that ends`() async throws {
            let requestTracer = RequestTracer(tracer: tracer)
            let failing = Adapter { _, _, completion in completion(.failure(AFError.explicitlyCancelled)) }
            let session = Session(
                interceptor: Interceptor(adapters: [requestTracer, failing], retriers: []),
                eventMonitors: [requestTracer])
            _ = await session.request("http://127.0.0.1:1/").serializingData().response
            #expect(try await spans(1).first?.status?.code == .error)
            #expect(tracer.activeSpans.isEmpty)
        }

        @Test func `a failed transfer has the kind of its failure`() async throws {
            let session = session()
            _ = await session.request("http://127.0.0.1:1/").serializingData().response
            let span = try #require(try await spans(1).first)
            #expect(span.attributes.get("error.type") == .string("cannotConnect"))
            #expect(span.attributes.get("http.response.status_code") == nil)
        }

        @Test func `a request that is canceled ends its span`() async throws {
            try await withSilentServer { server in
                let session = session()
                let request = session.request(server.url()).response { _ in }
                try await eventually("the span has started") { tracer.activeSpans.count == 1 }
                request.cancel()
                #expect(try await spans(1).first?.attributes.get("error.type") == .string("explicitlyCancelled"))
                #expect(tracer.activeSpans.isEmpty)
            }
        }
    }
#endif
