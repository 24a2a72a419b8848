import AFCore
import AFSigning
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

/// Signed requests, whose signature the server calculates and compares.
@Suite(.timeLimit(.minutes(5))) struct SignedRequestTests {
    private let signer = AWSSigner(
        AWSCredentials(accessKeyID: "AKIDEXAMPLE", secretAccessKey: "secret", sessionToken: "token"),
        for: AWSEndpoint(region: "eu-west-1", service: "execute-api")
    )

    private func server() throws -> LocalServer {
        let signer = signer
        return try LocalServer { try signer.accepts($0) ? .ok("signed \($0.text)") : .status(403) }
    }

    @Test func `a request is signed with all sent header fields`() async throws {
        let server = try server()
        let request = AF.request(
            server.url("/a%20b?z=1&a=x+y"), headers: ["X-Amz-Meta": "  a   b ", "Accept": "x/y"], interceptor: signer)
        #expect(try await request.serializingString().value == "signed ")
        #expect(server.requests.first?["X-Amz-Security-Token"] == "token")
        let post = AF.request(server.url(), method: .post, parameters: ["a": "b"], interceptor: signer)
        #expect(try await post.serializingString().value == "signed a=b")
    }

    @Test func `uploads of every kind are signed with their bodies`() async throws {
        let server = try server()
        let folder = try ScratchFolder()
        let file = URL(filePath: try folder.write("from a file", to: "f.txt"))
        let form = try await AF.upload(
            multipartFormData: {
                $0.append(Data("v".utf8), withName: "n")
                $0.append(file, withName: "f")
            },
            to: server.url(), interceptor: signer
        ).serializingString().value
        #expect(form.hasPrefix("signed --"))
        #expect(form.contains("from a file"))
        let whole = AF.upload(file, to: server.url(), interceptor: signer)
        #expect(try await whole.serializingString().value == "signed from a file")
        let data = AF.upload(Data("data".utf8), to: server.url(), interceptor: signer)
        #expect(try await data.serializingString().value == "signed data")
    }

    @Test func `a compressed body is signed as it is sent`() async throws {
        let server = try server()
        let text = String(repeating: "compressible ", count: 50_000)
        let request = try URLRequest(url: server.url(), method: .post)
        let upload = CompressedUpload(.data(Data(text.utf8)), with: request, coding: .gzip)
        let answer = await AF.upload(upload, interceptor: signer).serializingData().response
        #expect(answer.response?.statusCode == 200)
        #expect(server.requests.first.map { $0.body.count < 10_000 && $0.body.count > 100 } == true)
    }

    @Test func `a stream that must be hashed is not sent`() async throws {
        let server = try server()
        let stream = ScriptedStream([.bytes("streamed")])
        let upload = AF.upload(.stream(stream, length: 8), to: server.url(), interceptor: signer)
        let error = await upload.serializingString().response.error
        #expect(error?.underlyingError as? AWSSigningError == .bodyReadOnlyOnce)
        #expect(server.requests.isEmpty)
    }

    @Test func `every attempt has its own signature`() async throws {
        let signer = signer
        let server = try LocalServer { request in
            guard try signer.accepts(request) else { return .status(403) }
            return request["X-Amz-Date"] == "20250101T000002Z" ? .ok("later") : .status(503)
        }
        let clock = Clock()
        var ticking = signer
        ticking.now = { clock.tick() }
        let interceptor = Interceptor(adapter: ticking, retrier: RetryPolicy(retryLimit: 1, exponentialBackoffScale: 0))
        let request = AF.request(server.url(), interceptor: interceptor).validate()
        #expect(try await request.serializingString().value == "later")
    }

    @Test func `a redirect has its own signature at the same origin, and none at another`() async throws {
        let (signer, other) = (signer, try server())
        let server = try LocalServer { request in
            guard try signer.accepts(request) else { return .status(403) }
            return switch request.path {
            case "/other": .redirect(to: other.url("/x"), status: 307)
            case "/again": .redirect(to: "/there?x=1", status: 307)
            case "/get": .redirect(to: "/there", status: 303)
            default: .ok("\(request.method) \(request.text)")
            }
        }
        let session = Session(interceptor: signer, redirectHandler: signer)
        func answer(_ path: String) async throws -> String {
            try await session.upload(Data("body".utf8), to: server.url(path)).serializingString().value
        }
        #expect(try await answer("/again") == "POST body")
        #expect(try await answer("/get") == "GET ")
        _ = await session.request(server.url("/other")).serializingString().response
        #expect(other.requests.count == 1)
        #expect(other.requests.first?["Authorization"] == nil)
        #expect(other.requests.first?["X-Amz-Security-Token"] == nil)
    }
}

/// A clock that advances by a second at each access.
private final class Clock: Sendable {
    private let ticks = Atomic(0)

    func tick() -> Date {
        Date(timeIntervalSince1970: 1_735_689_600 + Double(ticks.add(1, ordering: .relaxed).newValue))
    }
}
