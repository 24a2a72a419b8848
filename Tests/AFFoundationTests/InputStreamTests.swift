import AFCore
import AFFoundation
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct InputStreamTests {
    private let session = Session()
    private let pattern = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })

    @Test func `a stream is uploaded to its last byte`() async throws {
        try await withServer {
            .ok("\($0.bodyLength)")
        } _: { server in
            let upload = session.upload(InputStream(data: pattern), to: server.url(), headers: ["X-A": "b"])
            let text = try await upload.serializingString().value
            #expect(text == "300000")
            let isComplete = server.requests.first.map { Data($0.body) } == pattern
            #expect(isComplete)
            #expect(server.requests.first?["X-A"] == "b")
            #expect(server.requests.first?["Transfer-Encoding"] == "chunked")
        }
    }

    @Test func `an empty stream is an empty body`() async throws {
        try await withServer {
            .ok("\($0.method) \($0.bodyLength)")
        } _: { server in
            let request = try URLRequest(url: server.url(), method: .put)
            let upload = session.upload(InputStream(data: Data()), with: request)
            let text = try await upload.serializingString().value
            #expect(text == "PUT 0")
        }
    }

    @Test func `a stream that fails ends the upload with its error`() async throws {
        try await withServer { _ in
            .ok("done")
        } _: { server in
            let folder = try ScratchFolder()
            let missing = try #require(InputStream(fileAtPath: folder.file("missing")))
            let error = await session.upload(missing, to: server.url()).serializingData().response.error
            let failure = error?.underlyingError as? TransferFailure
            #expect(failure?.kind == .bodyUnreadable)
        }
    }

    @Test func `a stream is sent once, a re-creatable one for every attempt`() async throws {
        let left = Mutex(1)
        let server = try LocalServer { _ in
            let fails = left.withLock { left in
                defer { left = 0 }
                return left > 0
            }
            return fails ? .status(503) : .ok("done")
        }
        let session = Session(interceptor: RetryPolicy(exponentialBackoffScale: 0.001, retryableHTTPMethods: [.post]))
        let body = InputStreamBody { InputStream(data: Data("again".utf8)) }
        _ = try await session.upload(body, to: server.url()).validate().serializingData().value
        #expect(server.requests.map(\.text) == ["again", "again"])

        left.withLock { $0 = 1 }
        let once = session.upload(InputStream(data: Data("once".utf8)), to: server.url()).validate()
        let error = await once.serializingData().response.error
        #expect((error?.underlyingError as? TransferFailure)?.kind == .bodyNotRewindable)
        #expect(server.requests.count == 3)
    }

    @Test func `a form accepts streams`() async throws {
        try await withServer { _ in
            .ok("done")
        } _: { server in
            let upload = session.upload(
                multipartFormData: { form in
                    form.append(
                        InputStream(data: Data("first".utf8)), withLength: 5, name: "a", fileName: "a.txt",
                        mimeType: "text/plain")
                    form.append(
                        InputStream(data: Data("second".utf8)), withLength: 6,
                        headers: [.contentDisposition("form-data; name=\"b\"")])
                },
                to: server.url()
            )
            _ = try await upload.serializingData().value
            let text = try #require(server.requests.first?.text)
            #expect(text.contains("name=\"a\"; filename=\"a.txt\"\r\nContent-Type: text/plain\r\n\r\nfirst\r\n"))
            #expect(text.contains("name=\"b\"\r\n\r\nsecond\r\n"))
        }
    }

    @Test func `a form with a stream shorter than announced fails`() async throws {
        try await withServer { _ in
            .ok("done")
        } _: { server in
            let form = MultipartFormData()
            form.append(
                InputStream(data: Data("abc".utf8)), withLength: 5, name: "a", fileName: "a", mimeType: "text/plain")
            let error = await session.upload(multipartFormData: form, to: server.url())
                .serializingData().response.error
            #expect(error != nil)
            #expect(throws: AFError.self) { try form.encode() }
        }
    }

    @Test func `a custom type can provide a stream`() async throws {
        struct Upload: UploadConvertible {
            let url: String
            func asURLRequest() throws -> URLRequest { try URLRequest(url: url, method: .post) }
            func createUploadable() throws -> UploadRequest.Uploadable { .stream(InputStream(data: Data("own".utf8))) }
        }
        try await withServer {
            .ok($0.text)
        } _: { server in
            let text = try await session.upload(Upload(url: server.url())).serializingString().value
            #expect(text == "own")
        }
    }
}
