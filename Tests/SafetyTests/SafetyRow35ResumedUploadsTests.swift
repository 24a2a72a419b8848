import AFCore
import FoundationEssentials
import Glibc
import Synchronization
import TestSupport
import Testing

@Suite("Safety 35: resumed uploads", .timeLimit(.minutes(5)))
struct SafetyRow35ResumedUploadsTests {
    let folder: ScratchFolder
    let session = Session()
    let content = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 / 239 ^ $0) }

    init() throws { folder = try ScratchFolder() }

    private func upload(_ path: String, to url: String, _ data: Data?) async
        -> DataResponse<Data, AFError>
    {
        let request = session.upload(URL(filePath: path), to: url, resumingWith: data)
        return await request.serializingData(emptyResponseCodes: [200, 201, 204]).response
    }

    /// Interrupts an upload and returns its resume data.
    private func interrupt(_ path: String, to url: String) async throws -> Data {
        let request = session.upload(URL(filePath: path), to: url, resumingWith: nil)
        _ = await request.serializingData().response
        return try #require(request.resumeData)
    }

    @Test func `a changed file restarts`() async throws {
        let path = try folder.write(content, to: "f")
        let server = UploadServer(.draft) { $0.cuts = [100_000] }
        try await withScriptedServer(server.serve) { address in
            let data = try await interrupt(path, to: address.url("/f"))
            let changed = Array(content.reversed())
            try folder.write(changed, to: "f")
            let response = await upload(path, to: address.url("/f"), data)
            #expect(response.error == nil)
            #expect(server.bytes == changed)
        }
    }

    @Test func `a file that changes during the upload is an error`() async throws {
        let path = try folder.write(content, to: "f")
        try await withServer { _ in
            utimes(path, [timeval(tv_sec: 1, tv_usec: 0), timeval(tv_sec: 1, tv_usec: 0)])
            return .ok()
        } _: { server in
            #expect(await upload(path, to: server.url(), nil).error != nil)
        }
    }

    @Test func `a file with another checksum is not sent`() async throws {
        let path = try folder.write(content, to: "f")
        var options = ResumableUpload.Options()
        options.digests = [UploadDigest(algorithm: "SHA2-256", bytes: Array(repeating: 0, count: 32))]
        try await withServer { _ in
            .ok()
        } _: { server in
            let request = session.upload(URL(filePath: path), to: server.url(), resumingWith: nil, options: options)
            #expect(await request.serializingData().response.error != nil)
            #expect(server.requests.isEmpty)
        }
    }

    @Test func `a file is not uploaded twice at once`() async throws {
        let path = try folder.write(content, to: "f")
        let descriptor = open(path, O_RDONLY)
        defer { close(descriptor) }
        flock(descriptor, LOCK_EX)
        try await withServer { _ in
            .ok()
        } _: { server in
            #expect(await upload(path, to: server.url(), nil).error != nil)
            #expect(server.requests.isEmpty)
        }
    }

    @Test func `an offset beyond the file is an error`() async throws {
        let path = try folder.write(content, to: "f")
        let server = UploadServer(.draft) { $0.cuts = [100_000] }
        try await withScriptedServer(server.serve) { address in
            let data = try await interrupt(path, to: address.url("/f"))
            server.change { $0.reportedOffset = "300001" }
            #expect(await upload(path, to: address.url("/f"), data).error != nil)
            #expect(address.requests.last?.method == "HEAD")
        }
    }

    private func uploadInParts(_ path: String, to url: String, segments: Int = 1) async -> AFError? {
        var options = ResumableUpload.Options()
        (options.uploadProtocol, options.segments) = (.s3, segments)
        let request = session.upload(URL(filePath: path), to: url, resumingWith: nil, options: options)
        return await request.serializingData().response.error
    }

    @Test func `a part counts only with the digest of its bytes`() async throws {
        let path = try folder.write(content, to: "f")
        let server = StorageServer { $0.altersParts = 1 }
        try await withScriptedServer(server.serve) { address in
            #expect(await uploadInParts(path, to: address.url("/b/f")) == nil)
            #expect(server.object == content)
        }
    }

    @Test func `a part is sent by one request`() async throws {
        let content = Array(repeating: UInt8(1), count: 25 << 20)
        let path = try folder.write(content, to: "f")
        // No part ends before three are sent at once.
        let started = Atomic(0)
        let overlap = Gate()
        let server = StorageServer {
            $0.onPart = { _ in
                if started.add(1, ordering: .relaxed).newValue == 3 { overlap.open() }
                overlap.block(atMost: Deadline.timeout)
            }
        }
        try await withScriptedServer(server.serve) { address in
            #expect(await uploadInParts(path, to: address.url("/b/f"), segments: 3) == nil)
            #expect(server.object == content)
            let parts = server.log.filter { $0.hasPrefix("PUT") }.sorted()
            #expect(parts == (1...4).map { "PUT partNumber=\($0)" })
        }
    }

    @Test func `an object of other parts is an error`() async throws {
        let path = try folder.write(content, to: "f")
        let server = StorageServer { $0.objectTag = "\(String(repeating: "0", count: 32))-1" }
        try await withScriptedServer(server.serve) { address in
            #expect(await uploadInParts(path, to: address.url("/b/f")) != nil)
        }
    }

    @Test(arguments: [UploadServer.Dialect.draft, .tus])
    func `an upload resource at another origin is not used`(dialect: UploadServer.Dialect) async throws {
        let path = try folder.write(content, to: "f")
        try await withServer { _ in
            .status(404)
        } _: { other in
            let server = UploadServer(dialect) {
                $0.cuts = [100_000]
                $0.location = other.url("/resource")
            }
            try await withScriptedServer(server.serve) { address in
                let request = session.upload(URL(filePath: path), to: address.url("/f"), resumingWith: nil)
                #expect(await request.serializingData().response.error != nil)
                #expect(request.resumeData == nil)
                #expect(other.requests.isEmpty)
            }
        }
    }
}
