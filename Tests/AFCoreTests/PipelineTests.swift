import AFCore
import FoundationEssentials
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct PipelineTests {
    let session = Session()

    @Test func `a request with parameters decodes its JSON response`() async throws {
        let server = try LocalServer { .json(#"{"path": "\#($0.path)"}"#) }
        let value = try await session.request(server.url("/x"), parameters: ["a": 1])
            .validate()
            .serializingDecodable([String: String].self).value
        #expect(value == ["path": "/x"])
        #expect(server.requests.first?.target == "/x?a=1")
    }

    @Test func `a failed validation is retried up to the limit, and the last error is reported`() async throws {
        let server = try LocalServer { _ in .status(503) }
        let session = Session(interceptor: RetryPolicy(retryLimit: 2, exponentialBackoffScale: 0.01))
        let request = session.request(server.url())
        let response = await request.validate().serializingData().response
        #expect(response.error?.responseCode == 503)
        #expect(request.retryCount == 2)
        #expect(server.requests.count == 3)
        #expect(request.allMetrics.count == 3)
    }

    @Test func `a redirect to another origin is followed without the Authorization field`() async throws {
        let other = try LocalServer { .ok("\($0["Authorization"] ?? "none") \($0["X-Plain"] ?? "none")") }
        let server = try LocalServer { _ in .redirect(to: other.url("/there")) }
        let headers: HTTPHeaders = ["Authorization": "Bearer secret", "X-Plain": "1"]
        let request = session.request(server.url(), headers: headers)
        let text = try await request.serializingString().value
        #expect(text == "none 1")
        #expect(request.metrics?.transactionMetrics.count == 2)
        #expect(request.metrics?.redirectCount == 1)
    }

    @Test func `a download is saved completely at its destination`() async throws {
        let server = try LocalServer { _ in .bytes([UInt8](repeating: 7, count: 100_000)) }
        let folder = try ScratchFolder()
        let file = URL(filePath: folder.path + "/sub/file.bin")
        let url = try await session.download(
            server.url(),
            to: { _, _ in (file, [.createIntermediateDirectories]) }
        )
        .validate().serializingDownloadedFileURL().value
        #expect(try Data(contentsOf: url).count == 100_000)
        #expect(folder.list("sub") == ["file.bin"])
    }

    @Test func `a multipart upload sends its part's name`() async throws {
        let server = try LocalServer { .ok("\($0.text.contains("name=\"n\"")) \($0["Content-Length"] ?? "")") }
        let text = try await session.upload(
            multipartFormData: { $0.append(Data("v".utf8), withName: "n") },
            to: server.url()
        ).serializingString().value
        #expect(text.hasPrefix("true "))
    }
}
