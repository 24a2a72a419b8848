import AFCore
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct MultipartUploadTests {
    /// Returns a server that rejects the first request after reading it.
    private func server() throws -> LocalServer {
        let isFirst = Mutex(true)
        return try LocalServer { _ in
            isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            } ? .status(503) : .ok("x")
        }
    }

    private func form(_ form: MultipartFormData) {
        form.append(Data("value".utf8), withName: "field")
        let stream = ScriptedStream([.bytes("streamed")], canRewind: false)
        form.append(stream, withLength: 8, name: "s", fileName: "f", mimeType: "text/plain")
    }

    @Test func `a small form is sent again, even with a stream that can be read only once`() async throws {
        let server = try server()
        let session = Session(interceptor: CountingRetrier(limit: 1))
        let upload = session.upload(multipartFormData: form, to: server.url()).validate()
        #expect(try await upload.serializingString().value == "x")
        #expect(server.requests.count == 2)
        #expect(server.requests[1].text.contains("streamed"))
        #expect(server.requests[0].body == server.requests[1].body)
        guard case .data? = upload.uploadable else {
            Issue.record("the form is not in memory")
            return
        }
    }

    @Test func `a form above the threshold is streamed, and fails if it cannot be read again`() async throws {
        let server = try server()
        let session = Session(interceptor: CountingRetrier(limit: 1))
        let request = try URLRequest(url: server.url(), method: .put)
        let upload = session.upload(multipartFormData: form, with: request, usingThreshold: 20).validate()
        let error = await upload.serializingData().response.error
        #expect((error?.underlyingError as? TransferFailure)?.kind == .bodyNotRewindable)
        #expect(server.requests.map(\.method) == ["PUT"])
    }

    @Test(arguments: [false, true], [8, nil] as [UInt64?])
    func `a stream in a form with a chosen boundary is sent again from its start, or the request fails`(
        canRewind: Bool, length: UInt64?
    ) async throws {
        let server = try server()
        // Every attempt checks the parts for the boundary again.
        let form = MultipartFormData(boundary: "chosen")
        let stream = ScriptedStream([.bytes("streamed")], canRewind: canRewind)
        form.append(stream, withLength: length, name: "s", fileName: "f", mimeType: "text/plain")
        let session = Session(interceptor: CountingRetrier(limit: 1))
        let upload = session.upload(multipartFormData: form, to: server.url(), usingThreshold: 0).validate()
        let response = await upload.serializingString().response
        if canRewind {
            #expect(response.value == "x")
            #expect(server.requests.count == 2)
            #expect(server.requests.allSatisfy { $0.text.contains("streamed") })
        } else {
            #expect((response.error?.underlyingError as? TransferFailure)?.kind == .bodyNotRewindable)
            #expect(server.requests.count == 1)
        }
    }

    @Test func `a form with a file is read from disk even below the threshold`() async throws {
        let server = try LocalServer { .ok("\($0.text.contains("content"))") }
        let folder = try ScratchFolder()
        let file = URL(filePath: try folder.write("content", to: "file.txt"))
        let form = MultipartFormData()
        form.append(file, withName: "f")
        let session = Session()
        let upload = session.upload(multipartFormData: form, to: server.url(), usingThreshold: 1 << 30)
        #expect(try await upload.serializingString().value == "true")
        guard case .body? = upload.uploadable else {
            Issue.record("the form was put together in memory")
            return
        }
    }

    @Test func `a temporary file is removed with the given file manager`() async throws {
        let server = try LocalServer { .ok($0.text) }
        let folder = try ScratchFolder()
        let file = URL(filePath: try folder.write("once", to: "file"))
        let session = Session()
        let upload = session.upload(HandedOver(url: server.url(), file: file), fileManager: .default)
        #expect(upload.fileManager === FileManager.default)
        #expect(try await upload.serializingString().value == "once")
        #expect(folder.list().isEmpty)
        // `cleanup()` also removes a file that was created later at this path.
        _ = try folder.write("again", to: "file")
        upload.cleanup()
        #expect(folder.list().isEmpty)
    }
}

private struct HandedOver: UploadConvertible {
    let url: String
    let file: URL

    func asURLRequest() throws -> URLRequest { try URLRequest(url: url, method: .post) }
    func createUploadable() throws -> UploadRequest.Uploadable { .file(file, shouldRemove: true) }
}
