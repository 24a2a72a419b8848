import AFCore
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct UploadTests {
    /// Returns a server that fails a number of requests after reading them.
    private func server(failing times: Int = 1) throws -> LocalServer {
        let left = Mutex(times)
        return try LocalServer { request in
            let fails = left.withLock { left in
                defer { left -= 1 }
                return left > 0
            }
            return fails ? .status(503) : .ok("\(request.method) \(request.text)")
        }
    }

    private let session = Session(interceptor: CountingRetrier(limit: 1))

    @Test func `a retry sends bytes again`() async throws {
        let server = try server()
        let text = try await session.upload(Data("bytes".utf8), to: server.url()).validate().serializingString().value
        #expect(text == "POST bytes")
        #expect(server.requests.map(\.text) == ["bytes", "bytes"])
    }

    @Test func `a retry sends a file again, with its length`() async throws {
        let server = try server()
        let folder = try ScratchFolder()
        let file = try folder.writePattern("big", size: 3 << 20)
        let upload = session.upload(URL(filePath: file), to: server.url(), method: .put).validate()
        _ = try await upload.serializingData().value
        #expect(server.requests.map { $0["Content-Length"] } == ["3145728", "3145728"])
        #expect(server.requests[0].body == server.requests[1].body)
    }

    @Test func `a retry sends a form again`() async throws {
        let server = try server()
        let stream = ScriptedStream([.bytes("stre"), .pause, .bytes("amed")])
        let upload = session.upload(
            multipartFormData: { form in
                form.append(Data("value".utf8), withName: "field")
                form.append(stream, withLength: 8, name: "s", fileName: "f", mimeType: "text/plain")
            },
            to: server.url()
        ).validate()
        _ = try await upload.serializingData().value
        #expect(server.requests.count == 2)
        #expect(server.requests[0].text == server.requests[1].text)
        #expect(server.requests[1].text.contains("streamed"))
        #expect(server.requests[1]["Content-Type"]?.hasPrefix("multipart/form-data; boundary=") == true)
    }

    @Test func `a retry sends a stream that can rewind again`() async throws {
        let server = try server()
        let stream = ScriptedStream([.bytes("stre"), .pause, .bytes("amed")])
        let text = try await session.upload(stream, withLength: 8, to: server.url()).validate()
            .serializingString().value
        #expect(text == "POST streamed")
        #expect(server.requests.map(\.text) == ["streamed", "streamed"])
    }

    @Test func `a stream that cannot rewind is an error in a retry, without asking the retriers again`() async throws {
        let server = try server()
        let retrier = CountingRetrier(limit: 5)
        let session = Session(interceptor: retrier)
        let stream = ScriptedStream([.bytes("streamed")], canRewind: false)
        let response = await session.upload(stream, to: server.url()).validate().serializingData().response
        #expect(response.error?.isCreateUploadableError == true)
        #expect((response.error?.underlyingError as? TransferFailure)?.kind == .bodyNotRewindable)
        #expect(server.requests.count == 1)
        #expect(retrier.count == 1)
    }

    @Test func `a new stream for every attempt need not rewind`() async throws {
        let server = try server()
        let text = try await session.streamUpload(to: server.url()).validate().serializingString().value
        #expect(text == "POST fresh")
        #expect(server.requests.map(\.text) == ["fresh", "fresh"])
    }

    @Test func `a temporary file is removed after the request`() async throws {
        let server = try server()
        let folder = try ScratchFolder()
        let file = URL(filePath: try folder.write("once", to: "file"))
        let upload = session.upload(server.url(), .file(file, shouldRemove: true)).validate()
        #expect(try await upload.serializingString().value == "POST once")
        #expect(folder.list().isEmpty)
    }

    @Test func `missing files are reported as errors of the body, and nothing is sent`() async throws {
        let server = try server()
        let missing = session.upload(
            multipartFormData: { $0.append(URL(filePath: "/nowhere.txt"), withName: "f") },
            to: server.url()
        )
        #expect(await missing.serializingData().response.error?.isMultipartEncodingError == true)
        let file = session.upload(URL(filePath: "/nowhere"), to: server.url()).serializingData()
        let failure = await file.response.error?.underlyingError as? TransferFailure
        #expect(failure?.kind == .bodyUnreadable)
        #expect(server.requests.isEmpty)
    }
}

private struct AnyUpload: UploadConvertible {
    let url: String
    let make: @Sendable () -> UploadRequest.Uploadable

    func asURLRequest() throws -> URLRequest { try URLRequest(url: url, method: .post) }
    func createUploadable() throws -> UploadRequest.Uploadable { make() }
}

extension Session {
    fileprivate func upload(_ url: String, _ uploadable: UploadRequest.Uploadable) -> UploadRequest {
        upload(AnyUpload(url: url) { uploadable })
    }

    fileprivate func streamUpload(to url: String) -> UploadRequest {
        upload(AnyUpload(url: url) { .stream(ScriptedStream([.bytes("fresh")], canRewind: false)) })
    }
}
