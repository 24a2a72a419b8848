import AlamofireCompat
import Foundation
import Synchronization
import TestSupport
import Testing

/// Failures of the transport as Foundation's `URLError`.
@Suite(.timeLimit(.minutes(5))) struct TransportErrorTests {
    private static let url = "http://scripted.test/path"

    private func failing(_ kind: TransferFailure.Kind) -> ScriptedTransport {
        ScriptedTransport { $0.finish(TransferFailure(kind, "for the test")) }
    }

    @Test func `the underlying error of a failed transfer is a URLError`() async throws {
        let session = Session(transport: failing(.idleTimedOut))
        let error = try #require(await session.request(Self.url).serializingData().response.error)
        let below = try #require(error.underlyingError as? URLError)
        #expect(below.code == .timedOut)
        #expect(below.failingURL?.absoluteString == Self.url)
        #expect(below.localizedDescription == "for the test")
        #expect(error.urlError?.code == .timedOut)
        guard case .sessionTaskFailed(let inner as URLError) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(inner.code == .timedOut)
    }

    @Test func `a refused connection of the default session is a URLError`() async throws {
        let port = try RefusingPort()
        let url = port.url()
        let error = try #require(await AF.request(url).serializingData().response.error)
        let below = try #require(error.underlyingError as? URLError)
        #expect(below.code == .cannotConnectToHost)
        #expect(below.failingURL?.absoluteString == url)
    }

    @Test func `a retrier receives a URLError`() async throws {
        let codes = Mutex<[URLError.Code?]>([])
        let retrier = Retrier { _, _, error, completion in
            codes.withLock { $0.append((error.asAFError?.underlyingError as? URLError)?.code) }
            completion(.doNotRetry)
        }
        let session = Session(transport: failing(.unresolvedHost), interceptor: retrier)
        _ = await session.request(Self.url).serializingData().response
        #expect(codes.withLock(\.self) == [.cannotFindHost])
    }

    @Test func `policies of the library recognize a URLError`() async throws {
        let session = Session(transport: failing(.connectionLost))
        let request = session.request(Self.url, interceptor: RetryPolicy(retryLimit: 2, exponentialBackoffScale: 0))
        let error = await request.serializingData().response.error
        #expect(request.retryCount == 2)
        #expect((error?.underlyingError as? URLError)?.code == .networkConnectionLost)
        // An error created by the app.
        let policy = RetryPolicy()
        #expect(policy.shouldRetry(request: request, dueTo: URLError(.timedOut)))
        #expect(!policy.shouldRetry(request: request, dueTo: URLError(.userAuthenticationRequired)))
        #expect(ConnectionLostRetryPolicy().shouldRetry(request: request, dueTo: URLError(.networkConnectionLost)))
        #expect(!ConnectionLostRetryPolicy().shouldRetry(request: request, dueTo: URLError(.timedOut)))
        #expect(OfflineRetrier.defaultIsOfflineError(URLError(.notConnectedToInternet)))
    }

    @Test func `a policy retries by its codes`() async throws {
        let session = Session(transport: failing(.connectionLost))
        for (codes, count) in [([URLError.Code.networkConnectionLost], 1), ([.timedOut], 0)] {
            let policy = RetryPolicy(retryLimit: 1, exponentialBackoffScale: 0, retryableURLErrorCodes: Set(codes))
            let request = session.request(Self.url, interceptor: policy)
            _ = await request.serializingData().response
            #expect(request.retryCount == count)
        }
        let policy: any RequestInterceptor = .retryPolicy(
            retryLimit: 1,
            exponentialBackoffScale: 0,
            retryableURLErrorCodes: RetryPolicy.defaultRetryableURLErrorCodes
        )
        let request = session.request(Self.url, interceptor: policy)
        _ = await request.serializingData().response
        #expect(request.retryCount == 1)
        #expect(RetryPolicy.defaultRetryableURLErrorCodes.count == 18)
        for code in RetryPolicy.defaultRetryableURLErrorCodes {
            #expect(RetryPolicy().shouldRetry(request: request, dueTo: URLError(code)), "\(code)")
            let retriesLoss = ConnectionLostRetryPolicy().shouldRetry(request: request, dueTo: URLError(code))
            #expect(retriesLoss == (code == .networkConnectionLost), "\(code)")
        }
        let others: [URLError.Code] = [
            .unknown, .cancelled, .badURL, .unsupportedURL, .httpTooManyRedirects, .resourceUnavailable,
            .redirectToNonExistentLocation, .userCancelledAuthentication, .userAuthenticationRequired,
            .zeroByteResource, .cannotDecodeRawData, .cannotDecodeContentData, .cannotParseResponse,
            .fileDoesNotExist, .fileIsDirectory, .noPermissionsToReadFile, .serverCertificateUntrusted,
            .serverCertificateHasUnknownRoot, .clientCertificateRejected, .clientCertificateRequired,
            .cannotCreateFile, .cannotOpenFile, .cannotCloseFile, .cannotWriteToFile, .cannotRemoveFile,
            .cannotMoveFile, .requestBodyStreamExhausted, .backgroundSessionRequiresSharedContainer,
        ]
        for code in others {
            #expect(!RetryPolicy().shouldRetry(request: request, dueTo: URLError(code)), "\(code)")
        }
    }

    @Test func `a response with a damaged content coding is requested once`() async throws {
        try await withServer { _ in
            .ok("no coding at all").header("Content-Encoding", "gzip")
        } _: { (server) async throws in
            let session = Session(interceptor: RetryPolicy(retryLimit: 2, exponentialBackoffScale: 0))
            let error = await session.request(server.url()).serializingData().response.error
            #expect(error?.urlError?.code == .cannotDecodeContentData)
            #expect(server.requests.count == 1)
        }
    }

    @Test func `a session of any configuration reports URLErrors`() async throws {
        let sessions = [
            Session(configuration: URLSessionConfiguration.ephemeral, transport: failing(.truncated)),
            Session(configuration: SessionConfiguration.default, transport: failing(.truncated)),
            Session(configuration: .default, transport: failing(.truncated)),
        ]
        for session in sessions {
            let error = await session.request(Self.url).serializingData().response.error
            #expect((error?.underlyingError as? URLError)?.code == .networkConnectionLost)
        }
        #expect(AF === Session.default && AF === Alamofire.Session.default)
    }

    @Test func `an interrupted download is a URLError, and can be resumed`() async throws {
        let folder = try ScratchFolder()
        let session = Session(
            transport: ScriptedTransport { exchange in
                exchange.receiveHead(200, headers: ["Content-Length": "9", "ETag": "\"1\""])
                exchange.receive(Array("half".utf8))
                exchange.finish(TransferFailure(.truncated, "the body ended early"))
            })
        let request = session.download(Self.url, to: { _, _ in (URL(filePath: folder.file("f")), []) })
        let response = await request.serializingDownloadedFileURL().response
        #expect((response.error?.underlyingError as? URLError)?.code == .networkConnectionLost)
        #expect(response.resumeData != nil)
        #expect(response.error?.downloadResumeData == response.resumeData)
    }

    @Test(arguments: [1, 200_000])
    func `a destination that cannot have the file is a CocoaError`(length: Int) async throws {
        let folder = try ScratchFolder()
        try folder.write("old", to: "old")
        let server = try LocalServer { _ in .bytes([UInt8](repeating: 65, count: length)) }
        let retries = Mutex(0)
        let retrier = Retrier { _, _, error, completion in
            if error.asAFError?.underlyingError is CocoaError { retries.withLock { $0 += 1 } }
            completion(.doNotRetry)
        }
        let session = Session(interceptor: retrier)
        for (name, code) in [("old", CocoaError.Code.fileWriteFileExists), ("missing/file", .fileNoSuchFile)] {
            let url = URL(filePath: folder.file(name))
            let request = session.download(server.url(), to: { _, _ in (url, []) })
            let error = try #require(await request.serializingDownloadedFileURL().response.error)
            #expect(error.isDownloadedFileMoveError && !error.isSessionTaskError)
            #expect(error.destinationURL?.path == url.path)
            let below = try #require(error.underlyingError as? CocoaError)
            #expect(below.code == code)
            #expect(below.userInfo[NSUnderlyingErrorKey] is DownloadFailure)
        }
        #expect(retries.withLock(\.self) == 2)
        #expect(folder.list() == ["old"])
        #expect(try folder.text(of: "old") == "old")
    }

    @Test func `the codes of CocoaError are those of the failures`() {
        let codes: [(DownloadFailure.Reason, CocoaError.Code)] = [
            (.destinationExists, .fileWriteFileExists), (.destinationIsDirectory, .fileWriteFileExists),
            (.system(ENOENT), .fileNoSuchFile), (.system(EACCES), .fileWriteNoPermission),
            (.system(EROFS), .fileWriteVolumeReadOnly), (.system(ENOSPC), .fileWriteOutOfSpace),
            (.system(EIO), .fileWriteUnknown),
        ]
        for (reason, code) in codes {
            let error = CocoaError(DownloadFailure(reason, path: "/f"))
            #expect(error.code == code)
            #expect(error.userInfo[NSFilePathErrorKey] as? String == "/f")
        }
    }

    @Test func `too many redirects are a URLError`() async throws {
        let transport = ScriptedTransport { $0.respond(302, headers: ["Location": "/again"]) }
        let session = Session(transport: transport)
        let error = await session.request(Self.url).serializingData().response.error
        #expect((error?.underlyingError as? URLError)?.code == .httpTooManyRedirects)
    }

    @Test func `canceling remains its own error`() async throws {
        let transport = ScriptedTransport()
        let session = Session(transport: transport)
        let request = session.request(Self.url)
        let task = request.serializingData()
        _ = try await transport.exchange()
        request.cancel()
        #expect(await task.response.error?.isExplicitlyCancelledError == true)
    }
}
