import AFCore
import AlamofireCompat
import TestSupport
import Testing

@Suite struct RequestDelegateTests {
    @Test func `a request has its session as long as that exists`() async throws {
        var configuration = SessionConfiguration()
        configuration.timeouts.idle = 7
        var session: AFCore.Session? = AFCore.Session(
            configuration: configuration,
            startRequestsImmediately: false,
            interceptor: Interceptor(retriers: [Retrier { $3(.retryWithDelay(3)) }])
        )
        let request = try #require(session?.request("http://a.example/"))
        #expect(request.delegate?.sessionConfiguration.timeoutIntervalForRequest == 7)
        #expect(request.delegate?.startImmediately == false)
        let result = await withCheckedContinuation { continuation in
            request.delegate?.retryResult(for: request, dueTo: .explicitlyCancelled) { result in
                continuation.resume(returning: result)
            }
        }
        guard case .retryWithDelay(3) = result else {
            Issue.record("the retrier was not asked: \(result)")
            return
        }
        #expect(request.isInitialized)
        session = nil
        try await eventually("the session is gone") { request.delegate == nil }
    }
}
