import Glibc
import Synchronization
import TestSupport
import Testing

@testable import AFCommand

/// `afcli put URL @FILE --resume --upload-protocol s3`.
@Suite(.timeLimit(.minutes(10))) struct MultipartUploadRunTests {
    let folder: ScratchFolder
    /// Three parts: 8 MiB, 8 MiB and 1 MiB.
    let content = Self.content(of: 17)

    init() throws { folder = try ScratchFolder() }

    /// Returns bytes of which each MiB is different.
    static func content(of size: Int) -> [UInt8] {
        let block = (0..<1 << 20).map { UInt8(truncatingIfNeeded: $0 / 251 ^ $0) }
        return (0..<size).flatMap { number in
            var block = block
            block[0] = UInt8(number + 1)
            return block
        }
    }

    private static let login = ["--resume", "-A", "aws-sigv4", "-a"]

    private func put(_ file: String, to url: String, _ options: [String] = []) async -> ToolRun {
        let login = Self.login + ["key:secret:us-east-1:s3"]
        return await runTool(["put", url, "@\(file)", "--upload-protocol", "s3"] + login + options)
    }

    @Test func `a file is sent in parts`() async throws {
        let file = try folder.write(content, to: "big.iso")
        let server = StorageServer()
        try await withScriptedServer(server.serve) { address in
            let run = await put(
                file, to: address.url("/bucket/big.iso"),
                ["Content-Type:text/x-big", "x-amz-meta-a:b", "If-None-Match:*"])
            #expect(run.status == 0, "\(run.errors)")
            #expect(server.object == content && server.unfinished == 0)
            #expect(folder.list() == ["big.iso"])
            #expect(run.output.contains("CompleteMultipartUploadResult"))
            #expect(!run.output.contains("secret-id") && !run.errors.contains("secret-id"))
            let requests = server.requests
            #expect(
                server.log == ["POST uploads", "PUT partNumber=1", "PUT partNumber=2", "PUT partNumber=3", "POST"])
            #expect(requests.allSatisfy { $0["Authorization"]?.contains("/us-east-1/s3/aws4_request") == true })
            #expect(Set(requests.compactMap { $0["Authorization"] }).count == requests.count)
            #expect(requests.map { $0["x-amz-meta-a"] } == ["b", nil, nil, nil, nil])
            #expect(requests.map { $0["Content-Type"] }[..<2] == ["text/x-big", nil])
            #expect(requests.map { $0["If-None-Match"] } == [nil, nil, nil, nil, "*"])
        }
    }

    @Test func `over TLS the signature does not cover the bytes, whose digest the server verifies`() async throws {
        let file = try folder.write(content, to: "big.iso")
        let server = StorageServer()
        let certificates = try await TestCertificates.shared
        try await withScriptedServer(server.serve) { address in
            let front = try TLSFront(to: address.port, identity: certificates.server)
            let run = await put(file, to: "https://localhost:\(front.port)/b/f", ["--cacert", certificates.root])
            #expect(run.status == 0, "\(run.errors)")
            #expect(server.object == content)
            let parts = server.requests.filter { $0.target.contains("partNumber=") }
            #expect(parts.count == 3)
            #expect(parts.allSatisfy { $0["X-Amz-Content-SHA256"] == "UNSIGNED-PAYLOAD" && $0["Content-MD5"] != nil })
            let others = server.requests.filter { !$0.target.contains("partNumber=") }
            #expect(others.allSatisfy { $0["X-Amz-Content-SHA256"]?.count == 64 })
        }
    }

    @Test(arguments: [[], [nil, nil, 100_000]])
    func `a checksum that the request asks for is sent with each part, and with the completion`(
        cuts: [Int?]
    ) async throws {
        let file = try folder.write(content, to: "big.iso")
        let server = StorageServer { $0.cuts = cuts }
        try await withScriptedServer(server.serve) { address in
            if !cuts.isEmpty {
                let first = await put(file, to: address.url("/b/f"), ["x-amz-checksum-algorithm:SHA256"])
                #expect(first.status == 13 && server.parts == [1, 2], "\(first.errors)")
            }
            // The interrupted upload is one with checksums, even if the request does not ask for them again.
            let run = await put(
                file, to: address.url("/b/f"), cuts.isEmpty ? ["x-amz-checksum-algorithm:SHA256"] : [])
            #expect(run.status == 0, "\(run.errors)")
            #expect(server.object == content)
            #expect(server.requests.first?["x-amz-checksum-algorithm"] == "SHA256")
            #expect(server.requests.count { $0["x-amz-checksum-sha256"] != nil } == 3)
        }
    }

    @Test func `an interrupted upload without the checksum that the request asks for restarts`() async throws {
        let file = try folder.write(content, to: "big.iso")
        let server = StorageServer { $0.cuts = [nil, 100_000] }
        try await withScriptedServer(server.serve) { address in
            let first = await put(file, to: address.url("/b/f"))
            #expect(first.status == 13 && server.parts == [1], "\(first.errors)")
            let run = await put(file, to: address.url("/b/f"), ["x-amz-checksum-algorithm:SHA256"])
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.errors.contains("restarting the upload: the interrupted one has another checksum"))
            #expect(server.object == content && server.unfinished == 0)
            #expect(server.requests.count { $0["x-amz-checksum-sha256"] != nil } == 3)
        }
    }

    @Test func `a checksum that is not for parts is a usage error`() async throws {
        let file = try folder.write(content, to: "big.iso")
        let run = await put(file, to: "http://127.0.0.1:9/b/f", ["x-amz-checksum-algorithm:CRC64NVME"])
        #expect(run.status == 64)
        #expect(
            run.messages == [
                "afcli: error: x-amz-checksum-algorithm: expected CRC32, CRC32C, SHA1 or SHA256, got 'CRC64NVME'",
                "  choose one of them, or add --upload-protocol plain",
            ])
    }

    @Test func `only the parts that the server lacks are sent again`() async throws {
        let file = try folder.write(content, to: "big.iso")
        let server = StorageServer { $0.cuts = [nil, 100_000] }
        try await withScriptedServer(server.serve) { address in
            let first = await put(file, to: address.url("/b/f"))
            #expect(first.status == 13, "\(first.errors)")
            #expect(server.parts == [1] && folder.list().count == 2)
            #expect(!first.errors.contains("secret-id"))
            let second = await put(file, to: address.url("/b/f"))
            #expect(second.status == 0, "\(second.errors)")
            #expect(second.errors.contains("resuming the upload at"))
            #expect(server.object == content && folder.list() == ["big.iso"])
            #expect(
                server.log[2...] == ["GET max-parts=1000", "PUT partNumber=2", "PUT partNumber=3", "POST"])
        }
    }

    @Test func `a retry resumes within a run`() async throws {
        let file = try folder.write(content, to: "big.iso")
        let server = StorageServer { $0.cuts = [nil, 100_000, nil, 0] }
        try await withScriptedServer(server.serve) { address in
            let run = await put(file, to: address.url("/b/f"), ["--retry", "3", "--retry-delay", "0"])
            #expect(run.status == 0, "\(run.errors)")
            #expect(server.object == content)
            #expect(server.requests.count { $0.target.contains("partNumber=1&") } <= 1)
        }
    }

    @Test func `the list of parts has pages`() async throws {
        let file = try folder.write(content, to: "big.iso")
        let server = StorageServer {
            $0.cuts = [nil, nil, 0]
            $0.pageSize = 1
        }
        try await withScriptedServer(server.serve) { address in
            _ = await put(file, to: address.url("/b/f"))
            let run = await put(file, to: address.url("/b/f"))
            #expect(run.status == 0, "\(run.errors)")
            #expect(server.object == content)
            #expect(server.log.contains("GET max-parts=1000 part-number-marker=1"))
            #expect(server.requests.count { $0.target.contains("partNumber=1") } == 1)
        }
    }

    @Test func `a changed file removes the old upload and starts again`() async throws {
        let file = try folder.write(content, to: "big.iso")
        let server = StorageServer { $0.cuts = [nil, 0] }
        try await withScriptedServer(server.serve) { address in
            _ = await put(file, to: address.url("/b/f"))
            let changed = Array(content.reversed())
            try folder.write(changed, to: "big.iso")
            let run = await put(file, to: address.url("/b/f"))
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.errors.contains("attributes have changed since the interruption"))
            #expect(server.object == changed && server.unfinished == 0)
            #expect(server.log.contains("DELETE"))
        }
    }

    @Test func `another protocol removes the upload`() async throws {
        let file = try folder.write(content, to: "big.iso")
        let server = StorageServer { $0.cuts = [nil, 0] }
        try await withScriptedServer(server.serve) { address in
            _ = await put(file, to: address.url("/b/f"))
            #expect(server.unfinished == 1)
            let run = await put(file, to: address.url("/b/f"), ["--upload-protocol", "draft"])
            #expect(run.errors.contains("the interrupted one has another protocol"), "\(run.errors)")
            #expect(server.unfinished == 0)
        }
    }

    @Test func `a file that changes during the upload is no object`() async throws {
        let file = try folder.write(content, to: "big.iso")
        let server = StorageServer {
            $0.onPart = { number in
                if number == 2 { utimes(file, [timeval(tv_sec: 1, tv_usec: 0), timeval(tv_sec: 1, tv_usec: 0)]) }
            }
        }
        try await withScriptedServer(server.serve) { address in
            let run = await put(file, to: address.url("/b/f"))
            #expect(run.status == 16 && run.errors.contains("changed while it was uploaded"), "\(run.errors)")
            #expect(server.object == nil && server.unfinished == 0)
            #expect(folder.list() == ["big.iso"])
        }
    }

    @Test func `an upload that is gone starts again`() async throws {
        let file = try folder.write(content, to: "big.iso")
        let server = StorageServer { $0.cuts = [nil, 0] }
        try await withScriptedServer(server.serve) { address in
            _ = await put(file, to: address.url("/b/f"))
            server.change { $0.isGone = true }
            let run = await put(file, to: address.url("/b/f"))
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.errors.contains("the server no longer has what it received"))
            #expect(server.object == content)
        }
    }

    @Test(arguments: [false, true]) func `a lost completion is no lost upload`(isRetried: Bool) async throws {
        let file = try folder.write(content, to: "big.iso")
        let server = StorageServer { $0.losesCompletion = true }
        try await withScriptedServer(server.serve) { address in
            let retry = isRetried ? ["--retry", "1", "--retry-delay", "0"] : []
            var run = await put(file, to: address.url("/b/f"), retry)
            if !isRetried {
                #expect(run.status != 0)
                run = await put(file, to: address.url("/b/f"))
            }
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.errors.contains("the server already has all bytes"))
            #expect(server.object == content && folder.list() == ["big.iso"])
            #expect(server.log.suffix(2) == ["GET max-parts=1000", "HEAD"])
        }
    }

    @Test func `a success with an error is a failure`() async throws {
        let file = try folder.write(content, to: "big.iso")
        let server = StorageServer { $0.completion = " <?xml version='1.0'?><Error><Code>InternalError</Code></Error>" }
        try await withScriptedServer(server.serve) { address in
            let run = await put(file, to: address.url("/b/f"))
            #expect(run.status == 13 && run.errors.contains("did not complete the upload: InternalError"))
            #expect(server.object == nil && server.unfinished == 1)
            let second = await put(file, to: address.url("/b/f"))
            #expect(second.status == 0, "\(second.errors)")
            #expect(server.object == content)
            #expect(server.log.suffix(2) == ["GET max-parts=1000", "POST"])
        }
    }

    @Test func `parts that are not those of the file are sent again`() async throws {
        let file = try folder.write(content, to: "big.iso")
        let server = StorageServer {
            $0.altersParts = 1
            $0.hidesPartTag = 1
        }
        try await withScriptedServer(server.serve) { address in
            let run = await put(file, to: address.url("/b/f"))
            #expect(run.status == 0, "\(run.errors)")
            #expect(server.object == content)
            #expect(server.requests.count { $0.target.contains("partNumber=1") } == 2)
            server.change { $0.partTag = String(repeating: "0", count: 32) }
            let second = await put(file, to: address.url("/b/f"))
            #expect(second.status == 13 && second.errors.contains("repeatedly stored other parts"), "\(second.errors)")
        }
    }

    @Test func `an object with another ETag is an error`() async throws {
        let file = try folder.write(content, to: "big.iso")
        let server = StorageServer { $0.objectTag = "\(String(repeating: "0", count: 32))-3" }
        try await withScriptedServer(server.serve) { address in
            let run = await put(file, to: address.url("/b/f"))
            #expect(run.status == 13 && run.errors.contains("another ETag"), "\(run.errors)")
        }
    }

    @Test func `ETags of encrypted parts are used as they are`() async throws {
        let file = try folder.write(content, to: "big.iso")
        let server = StorageServer {
            $0.isEncrypted = true
            $0.objectTag = "\(String(repeating: "0", count: 32))-3"
            $0.cuts = [nil, 0]
        }
        try await withScriptedServer(server.serve) { address in
            _ = await put(file, to: address.url("/b/f"))
            let run = await put(file, to: address.url("/b/f"))
            #expect(run.status == 0, "\(run.errors)")
            #expect(server.object == content)
            #expect(server.requests.count { $0.target.contains("partNumber=1") } == 1)
        }
    }

    @Test(arguments: ["", "<a", "<Error/>", "<ListPartsResult><IsTruncated>true</IsTruncated></ListPartsResult>"])
    func `an invalid list of parts is an error`(list: String) async throws {
        let file = try folder.write(content, to: "big.iso")
        let server = StorageServer { $0.cuts = [nil, 0] }
        try await withScriptedServer(server.serve) { address in
            _ = await put(file, to: address.url("/b/f"))
            server.change { $0.list = list }
            let run = await put(file, to: address.url("/b/f"))
            #expect(run.status == 13 && run.errors.contains("list of uploaded parts"), "\(run.errors)")
            server.change { $0.list = nil }
            #expect(await put(file, to: address.url("/b/f")).status == 0)
            #expect(server.object == content)
        }
    }

    @Test func `large files with a signature for S3 are sent in parts`() async throws {
        let large = try folder.write(Self.content(of: 65), to: "large")
        let small = try folder.write(Array("small".utf8), to: "small")
        let (storage, function) = (["key:secret:us-east-1:s3"], ["key:secret:us-east-1:lambda"])
        let server = StorageServer()
        try await withScriptedServer(server.serve) { address in
            let run = await runTool(["put", address.url("/b/f"), "@\(large)"] + Self.login + storage)
            #expect(run.status == 0, "\(run.errors)")
            #expect(server.log.first == "POST uploads" && server.object?.count == 65 << 20)
        }
        try await withServer { _ in
            .ok()
        } _: { server in
            _ = await runTool(["put", server.url("/b/f"), "@\(small)"] + Self.login + storage)
            _ = await runTool(["put", server.url("/b/f"), "@\(large)"] + Self.login + function)
            #expect(server.requests.map(\.method) == ["PUT", "PUT"])
        }
    }

    @Test func `reports have no identifier of an upload`() async throws {
        let file = try folder.write(content, to: "big.iso")
        let report = folder.file("report.json")
        let server = StorageServer { $0.cuts = [nil, 0] }
        try await withScriptedServer(server.serve) { address in
            let command = ["put", address.url("/b/f"), "@\(file)", "--resume", "--upload-protocol", "s3"]
            // Without the bodies, as printing them takes minutes in a debug build.
            let traffic = await runTool(command + ["-v", "-p", "Hh"])
            #expect(traffic.output.contains("partNumber=1"), "\(traffic.errors)")
            #expect(!(traffic.output + traffic.errors).contains("uploadId=secret"), "\(traffic.output)")
            let run = await runTool(command + ["--report", report])
            #expect(run.status == 0 && !(run.output + run.errors).contains("secret-id"))
            let text = try folder.text(of: "report.json")
            #expect(text.contains("partNumber=2") && !text.contains("secret-id"))
        }
    }

    @Test func `wrong combinations are usage errors`() async throws {
        let file = try folder.write(content, to: "big.iso")
        for words in [
            ["post", "example.org", "@\(file)", "--resume", "--upload-protocol", "s3"],
            ["put", "example.org", "@\(file)", "--resume", "--upload-protocol", "s3", "Content-MD5:x"],
            ["put", "example.org", "@\(file)", "--resume", "--upload-protocol", "s3", "x-amz-checksum-sha256:x"],
            ["put", "example.org", "@\(file)", "--upload-protocol", "s3"],
            ["put", "example.org", "@\(file)[0:10]", "--resume"],
            ["put", "example.org", "--raw", "@\(file)[0:10]", "--resume"],
            ["put", "example.org", "@\(file)", "--resume", "--upload-protocol", "tus", "-o", folder.file("x")],
        ] {
            let run = await runTool(words)
            #expect(run.status == 64, "\(words) \(run.errors)")
        }
    }
}
