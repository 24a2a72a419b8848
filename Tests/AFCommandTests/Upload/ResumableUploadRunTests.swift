import Glibc
import TestSupport
import Testing

@testable import AFCommand

/// `afcli put URL @FILE --resume`.
@Suite(.timeLimit(.minutes(5))) struct ResumableUploadRunTests {
    let folder: ScratchFolder
    let content = (0..<600_000).map { UInt8(truncatingIfNeeded: $0 / 251 ^ $0) }

    init() throws { folder = try ScratchFolder() }

    private static let dialects: [UploadServer.Dialect] = [.draft, .tus]

    @Test(arguments: dialects) func `an interrupted upload is resumed by the next run`(
        dialect: UploadServer.Dialect
    ) async throws {
        let file = try folder.write(content, to: "big.iso")
        let server = UploadServer(dialect) { $0.cuts = [250_000] }
        try await withScriptedServer(server.serve) { address in
            let first = await runTool("put", address.url("/files"), "@\(file)", "--resume", "--expect100", "no")
            #expect(first.status == 13, "\(first.errors)")
            #expect(first.errors.contains("--retry 3 resumes the upload within a run"))
            #expect(first.errors.contains("run the same command again to resume the upload"))
            #expect(folder.list().count == 2)
            let sent = server.bytes?.count ?? 0
            #expect(sent > 0 && sent < content.count)
            let second = await runTool("put", address.url("/files"), "@\(file)", "--resume")
            #expect(second.status == 0, "\(second.errors)")
            #expect(second.errors.contains("resuming the upload at"))
            #expect(server.bytes == content && server.isComplete)
            #expect(folder.list() == ["big.iso"])
        }
    }

    @Test(arguments: dialects) func `a retry resumes within a run`(dialect: UploadServer.Dialect) async throws {
        let file = try folder.write(content, to: "big.iso")
        let server = UploadServer(dialect) { $0.cuts = [100_000, 100_000] }
        try await withScriptedServer(server.serve) { address in
            let run = await runTool(
                "post", address.url("/files"), "@\(file)", "--resume", "--retry", "2", "--retry-delay", "0",
                "--expect100", "no")
            #expect(run.status == 0, "\(run.errors)")
            #expect(server.bytes == content && server.isComplete)
        }
    }

    @Test(arguments: dialects) func `the steps of an upload are not retries`(dialect: UploadServer.Dialect) async throws
    {
        let file = try folder.write(content, to: "big.iso")
        let server = UploadServer(dialect)
        try await withScriptedServer(server.serve) { address in
            let run = await runTool("put", address.url("/files"), "@\(file)", "--resume", "--timing")
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.errors.contains("/files") && !run.errors.contains("(retry"), "\(run.errors)")
        }
    }

    @Test(arguments: dialects)
    func `a file that changed starts again, without the interrupted upload`(dialect: UploadServer.Dialect) async throws
    {
        let file = try folder.write(content, to: "big.iso")
        let server = UploadServer(dialect) { $0.cuts = [250_000] }
        try await withScriptedServer(server.serve) { address in
            _ = await runTool("put", address.url("/f"), "@\(file)", "--resume")
            let changed = Array(content.reversed())
            try folder.write(changed, to: "big.iso")
            let run = await runTool("put", address.url("/f"), "@\(file)", "--resume")
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.errors.contains("attributes have changed since the interruption"))
            #expect(address.requests.filter { $0.method == "DELETE" }.map(\.target) == ["/resource"])
            #expect(server.bytes == changed)
        }
    }

    @Test func `a small file is created and sent with one request of tus`() async throws {
        let file = try folder.write(content, to: "small.iso")
        let server = UploadServer(.tus) { $0.capabilities = ["Tus-Extension: creation,creation-with-upload"] }
        try await withScriptedServer(server.serve) { address in
            let run = await runTool("put", address.url("/f"), "@\(file)", "--resume", "--upload-protocol", "tus")
            #expect(run.status == 0, "\(run.errors)")
            #expect(server.bytes == content && server.isComplete)
            #expect(address.requests.map(\.method) == ["OPTIONS", "POST"])
        }
    }

    @Test func `a file is sent in requests of the size that the server permits`() async throws {
        let file = try folder.write(content, to: "big.iso")
        let server = UploadServer(.draft) { $0.maximumAppend = 250_000 }
        try await withScriptedServer(server.serve) { address in
            let run = await runTool("put", address.url("/f"), "@\(file)", "--resume")
            #expect(run.status == 0, "\(run.errors)")
            #expect(server.bytes == content && server.isComplete)
            #expect(address.requests.map(\.method) == ["PUT", "PUT", "PATCH", "PATCH"])
        }
    }

    @Test func `a file above the maximum size of the server is not sent`() async throws {
        let file = try folder.write(content, to: "big.iso")
        let server = UploadServer(.tus) { $0.capabilities = ["Tus-Max-Size: 599999"] }
        try await withScriptedServer(server.serve) { address in
            let run = await runTool("put", address.url("/f"), "@\(file)", "--resume", "--upload-protocol", "tus")
            #expect(run.status == 16, "\(run.errors)")
            #expect(run.errors.contains("at most 599999 bytes"))
            #expect(address.requests.map(\.method) == ["OPTIONS"])
        }
    }

    @Test(arguments: dialects)
    func `the last response of a resumed upload is saved`(dialect: UploadServer.Dialect) async throws {
        let file = try folder.write(content, to: "big.iso")
        let server = UploadServer(dialect) { $0.cuts = [250_000] }
        try await withScriptedServer(server.serve) { address in
            let words = ["put", address.url("/f"), "@\(file)", "--resume-upload", "-o", folder.file("answer")]
            let first = await runTool(words)
            #expect(first.status == 13, "\(first.errors)")
            #expect(!folder.list().contains("answer"))
            let second = await runTool(words)
            #expect(second.status == 0, "\(second.errors)")
            let answer = try folder.text(of: "answer")
            #expect(answer == "")
            #expect(server.bytes == content)
        }
    }

    @Test func `the error of a resumable upload is not saved`() async throws {
        let file = try folder.write(content, to: "big.iso")
        try await withServer { _ in
            .status(403, "no")
        } _: { server in
            let run = await runTool(
                "put", server.url("/f"), "@\(file)", "--resume-upload", "-o", folder.file("answer"))
            #expect(run.status == 4, "\(run.errors)")
            #expect(folder.list() == ["big.iso"])
        }
    }

    @Test func `a body is saved as it is`() async throws {
        let file = try folder.write(content, to: "big.iso")
        try await withServer { _ in
            .ok("{\"id\":1}").header("Content-Type", "application/json")
        } _: { server in
            let run = await runTool(
                "put", server.url("/f"), "@\(file)", "--resume-upload", "-o", folder.file("answer"))
            #expect(run.status == 0, "\(run.errors)")
            let answer = try folder.text(of: "answer")
            #expect(answer == "{\"id\":1}")
        }
    }

    @Test(arguments: dialects)
    func `an expired upload starts again`(dialect: UploadServer.Dialect) async throws {
        let file = try folder.write(content, to: "big.iso")
        let server = UploadServer(dialect) { $0.cuts = [250_000] }
        try await withScriptedServer(server.serve) { address in
            _ = await runTool("put", address.url("/f"), "@\(file)", "--resume")
            server.change { $0.isExpired = true }
            let run = await runTool("put", address.url("/f"), "@\(file)", "--resume")
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.errors.contains("the server no longer has what it received"))
            #expect(server.bytes == content)
        }
    }

    @Test func `the time until which the server stores an interrupted upload is shown and recorded`() async throws {
        let file = try folder.write(content, to: "big.iso")
        let time = "Fri, 31 Dec 2100 23:59:59 GMT"
        let server = UploadServer(.tus) { ($0.cuts, $0.expiry) = ([250_000], time) }
        try await withScriptedServer(server.serve) { address in
            let words = ["put", address.url("/f"), "@\(file)", "--resume", "--upload-protocol", "tus"]
            let first = await runTool(words)
            #expect(first.status == 13)
            #expect(first.errors.contains("the server stores it until \(time)"), "\(first.errors)")
            let record = try #require(folder.list().first { $0.hasSuffix(".upload") })
            let text = try folder.text(of: record)
            #expect(text.contains("\"expires\":4133980799"))
            let second = await runTool(words)
            #expect(second.status == 0 && !second.errors.contains("stores it"), "\(second.errors)")
            #expect(server.bytes == content)
        }
    }

    @Test(arguments: ["Fri, 31 Dec 1999 23:59:59 GMT", "soon"])
    func `an invalid time, or one in the past, is not shown`(time: String) async throws {
        let file = try folder.write(content, to: "big.iso")
        let server = UploadServer(.tus) { ($0.cuts, $0.expiry) = ([250_000], time) }
        try await withScriptedServer(server.serve) { address in
            let run = await runTool("put", address.url("/f"), "@\(file)", "--resume", "--upload-protocol", "tus")
            #expect(run.status == 13 && !run.errors.contains("stores it"), "\(run.errors)")
        }
    }

    @Test(arguments: dialects)
    func `a lost response is no lost upload`(dialect: UploadServer.Dialect) async throws {
        let file = try folder.write(content, to: "big.iso")
        let server = UploadServer(dialect) { $0.losesResponse = true }
        try await withScriptedServer(server.serve) { address in
            let first = await runTool("put", address.url("/f"), "@\(file)", "--resume")
            #expect(first.status != 0)
            let second = await runTool("put", address.url("/f"), "@\(file)", "--resume")
            #expect(second.status == 0, "\(second.errors)")
            #expect(second.errors.contains("the server already has all bytes"))
            #expect(server.bytes == content)
        }
    }

    @Test(arguments: ["600001", "-1", "1e3", "", "9999999999999999999"])
    func `an impossible offset is an error`(offset: String) async throws {
        let file = try folder.write(content, to: "big.iso")
        let server = UploadServer(.draft) { $0.cuts = [250_000] }
        try await withScriptedServer(server.serve) { address in
            _ = await runTool("put", address.url("/f"), "@\(file)", "--resume")
            server.change { $0.reportedOffset = offset }
            let run = await runTool("put", address.url("/f"), "@\(file)", "--resume")
            #expect(run.status == 13)
            #expect(run.errors.contains("upload offset"))
            #expect(!run.errors.contains("/resource"))
        }
    }

    @Test(arguments: dialects) func `locks and conflicts end`(dialect: UploadServer.Dialect) async throws {
        let file = try folder.write(content, to: "big.iso")
        let server = UploadServer(dialect) { $0.cuts = [250_000] }
        try await withScriptedServer(server.serve) { address in
            _ = await runTool("put", address.url("/f"), "@\(file)", "--resume", "--upload-protocol", "auto")
            server.change { ($0.locks, $0.conflicts) = (2, 2) }
            let run = await runTool("put", address.url("/f"), "@\(file)", "--resume")
            #expect(run.status == 0, "\(run.errors)")
            #expect(server.bytes == content)
        }
    }

    @Test func `an upload resource at another origin gets nothing`() async throws {
        let file = try folder.write(content, to: "big.iso")
        try await withServer { _ in
            .ok()
        } _: { other in
            let server = UploadServer(.tus) { $0.location = other.url("/resource") }
            try await withScriptedServer(server.serve) { address in
                let run = await runTool(
                    "put", address.url("/f"), "@\(file)", "-a", "user:secret", "--resume", "--upload-protocol", "tus")
                #expect(run.status == 6, "\(run.errors)")
                #expect(other.requests.isEmpty)
            }
        }
    }

    @Test func `a resource of the draft at another origin leaves a plain upload, with a note`() async throws {
        let file = try folder.write(content, to: "big.iso")
        let server = UploadServer(.draft) { $0.location = "http://127.0.0.2:9/resource" }
        try await withScriptedServer(server.serve) { address in
            let run = await runTool("put", address.url("/f"), "@\(file)", "--resume")
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.errors.contains("cannot resume the upload: its resource is at another origin"))
        }
    }

    @Test(arguments: dialects)
    func `without a place for a record the upload continues, with a note`(dialect: UploadServer.Dialect) async throws {
        let file = try folder.write(content, to: "big.iso")
        let server = UploadServer(dialect) { $0.cuts = [250_000] }
        try await withScriptedServer(server.serve) { address in
            _ = await runTool("put", address.url("/f"), "@\(file)", "--resume", "--expect100", "no")
            let record = try #require(folder.list().first { $0 != "big.iso" })
            try #require(unlink(folder.file(record)) == 0 && mkdir(folder.file(record), 0o700) == 0)
            let run = await runTool("put", address.url("/f"), "@\(file)", "--resume")
            #expect(run.status == 0 && server.isComplete, "\(run.errors)")
            #expect(run.errors.contains("no record can be written"), "\(run.errors)")
        }
    }

    @Test(arguments: dialects) func `-v masks the upload resource`(dialect: UploadServer.Dialect) async throws {
        let file = try folder.write(content, to: "big.iso")
        let server = UploadServer(dialect) { $0.cuts = [250_000] }
        try await withScriptedServer(server.serve) { address in
            for options in [[], ["--show-secrets"]] {
                let words = ["put", address.url("/files"), "@\(file)", "--resume", "--expect100", "no", "-v"]
                let run = await runTool(words + options)
                #expect((run.output + run.errors).contains("/resource") != options.isEmpty, "\(run.output)")
                #expect((run.output + run.errors).contains("•••") == options.isEmpty)
            }
        }
    }

    @Test(arguments: [404, 405, 501]) func `a status of servers of tus has a hint`(status: Int) async throws {
        let file = try folder.write(content, to: "big.iso")
        try await withServer { _ in
            .status(status, "")
        } _: { server in
            let put = await runTool("put", server.url("/f"), "@\(file)", "--resume")
            #expect(put.errors.contains("for a server of tus: afcli post, or --upload-protocol tus"), "\(put.errors)")
            let post = await runTool("post", server.url("/f"), "@\(file)", "--resume")
            #expect(post.errors.contains("--upload-protocol tus for a server of tus"), "\(post.errors)")
        }
    }

    @Test func `the checksum beside --resume-upload is that of the uploaded file`() async throws {
        let file = try folder.write(content, to: "big.iso")
        let server = UploadServer(.tus)
        try await withScriptedServer(server.serve) { address in
            let words = ["post", address.url("/f"), "@\(file)", "--resume-upload"]
            let other = await runTool(words + ["--checksum", "sha256:" + String(repeating: "0", count: 64)])
            #expect(other.status == 15 && address.requests.isEmpty, "\(other.errors)")
        }
    }

    @Test func `--curl and --resume`() async throws {
        let file = try folder.write([1], to: "f")
        let run = await runTool("put", "example.org", "@\(file)", "--resume", "--curl")
        #expect(run.errors.contains("the command does not contain --resume"), "\(run.errors)")
    }

    @Test func `a server without a protocol receives a plain upload`() async throws {
        let file = try folder.write(content, to: "big.iso")
        try await withServer { _ in
            .ok("stored")
        } _: { server in
            let run = await runTool("put", server.url("/f"), "@\(file)", "--resume")
            #expect(run.status == 0 && run.output == "stored", "\(run.errors)")
            #expect(server.requests.count == 1 && server.requests[0].body == content)
            #expect(folder.list() == ["big.iso"])
        }
    }

    @Test func `a file is not uploaded twice at once`() async throws {
        let file = try folder.write(content, to: "big.iso")
        let descriptor = open(file, O_RDONLY)
        defer { close(descriptor) }
        flock(descriptor, LOCK_EX)
        try await withServer { _ in
            .ok()
        } _: { server in
            let run = await runTool("put", server.url("/f"), "@\(file)", "--resume")
            #expect(run.status == 16 && run.errors.contains("another upload of"), "\(run.errors)")
            #expect(server.requests.isEmpty)
        }
    }

    @Test func `wrong combinations are usage errors`() async throws {
        let file = try folder.write(content, to: "big.iso")
        for words in [
            ["example.org", "--resume"], ["put", "example.org", "a=b", "--resume"],
            ["put", "example.org", "@\(file)", "--upload-protocol", "tus"],
            ["put", "example.org", "@\(file)", "--resume-upload", "-d"],
            ["put", "example.org", "@\(file)", "--resume-upload", "--resume", "-o", "x"],
            ["put", "example.org", "@\(file)", "--resume-upload", "--checksum", "sha256:00", "-o", "x"],
            ["put", "example.org", "@\(file)", "--resume", "--chunked"],
            ["put", "example.org", "@\(file)", "--resume", "--compress"],
            ["put", "example.org", "@\(file)", "--resume", "--upload-protocol", "ftp"],
        ] {
            let run = await runTool(words)
            #expect(run.status == 64, "\(words) \(run.errors)")
        }
    }
}
