import Glibc
import Synchronization
import TestSupport
import Testing

@testable import AFCommand

/// `afcli put URL @FILE --resume --segments NUMBER`.
@Suite(.timeLimit(.minutes(10))) struct ParallelUploadRunTests {
    let folder: ScratchFolder
    /// Six parts, of which the last one is shorter.
    let content = MultipartUploadRunTests.content(of: 41)

    init() throws { folder = try ScratchFolder() }

    private func put(_ file: String, to url: String, _ options: [String] = []) async -> ToolRun {
        await runTool(
            ["put", url, "@\(file)", "--upload-protocol", "s3", "--resume", "-A", "aws-sigv4", "-a"]
                + ["key:secret:us-east-1:s3", "--segments", "4"] + options)
    }

    /// The number of complete requests for each part.
    private func counts(_ server: StorageServer) -> [Int] {
        (1...6).map { number in server.requests.count { $0.target.hasSuffix("partNumber=\(number)") } }
    }

    @Test func `parts are sent at once, each with its signature`() async throws {
        let file = try folder.write(content, to: "big.iso")
        let running = Mutex((now: 0, most: 0))
        let overlap = Gate()
        let server = StorageServer {
            $0.onPart = { _ in
                let count = running.withLock {
                    $0.now += 1
                    $0.most = max($0.most, $0.now)
                    return $0.now
                }
                if count == 4 { overlap.open() }
                overlap.block(atMost: Deadline.timeout)
                running.withLock { $0.now -= 1 }
            }
        }
        try await withScriptedServer(server.serve) { address in
            let report = folder.file("report.json")
            let run = await put(file, to: address.url("/b/f"), ["x-amz-checksum-algorithm:SHA256", "--report", report])
            #expect(run.status == 0, "\(run.errors)")
            #expect(server.object == content && server.unfinished == 0)
            #expect(counts(server) == [1, 1, 1, 1, 1, 1])
            #expect(running.withLock(\.most) == 4)
            #expect(server.log.first == "POST uploads" && server.log.last == "POST")
            let parts = server.requests.filter { $0.target.contains("partNumber=") }
            #expect(Set(parts.compactMap { $0["Authorization"] }).count == 6)
            #expect(parts.allSatisfy { $0["x-amz-checksum-sha256"] != nil })
            let text = try folder.text(of: "report.json")
            #expect(text.contains("partNumber=6") && !text.contains("secret-id"))
            #expect(text.contains(#/"segment":\s*1\b/#), "\(text)")
            #expect(folder.list().filter { $0 != "report.json" } == ["big.iso"])
        }
    }

    @Test func `an interrupted run is continued with the parts that the server lacks`() async throws {
        let file = try folder.write(content, to: "big.iso")
        let server = StorageServer { $0.cuts = [nil, 100_000, nil, 200_000, 0, 0, 0, 0, 0] }
        try await withScriptedServer(server.serve) { address in
            let first = await put(file, to: address.url("/b/f"))
            #expect(first.status == 13, "\(first.errors)")
            #expect(folder.list().count == 2)
            server.change { $0.cuts = [] }
            // The server may still store what a canceled request has sent.
            try await address.waitUntilIdle()
            let stored = server.parts
            let second = await put(file, to: address.url("/b/f"))
            #expect(second.status == 0, "\(second.errors)")
            #expect(server.object == content && folder.list() == ["big.iso"])
            // The first failure may cancel all other parts.
            #expect(stored.allSatisfy { counts(server)[$0 - 1] == 1 }, "\(stored) \(server.log)")
        }
    }

    @Test func `what a lane could not send is sent by the main request`() async throws {
        let file = try folder.write(content, to: "big.iso")
        let server = StorageServer { $0.cuts = [nil, 100_000, nil, 200_000] }
        try await withScriptedServer(server.serve) { address in
            let run = await put(file, to: address.url("/b/f"), ["--retry", "2", "--retry-delay", "0"])
            #expect(run.status == 0, "\(run.errors)")
            #expect(server.object == content && counts(server) == [1, 1, 1, 1, 1, 1], "\(server.log)")
        }
    }

    @Test func `altered parts are sent again`() async throws {
        let file = try folder.write(content, to: "big.iso")
        let server = StorageServer { ($0.altersParts, $0.hidesPartTag) = (2, 1) }
        try await withScriptedServer(server.serve) { address in
            let run = await put(file, to: address.url("/b/f"))
            #expect(run.status == 0, "\(run.errors)")
            #expect(server.object == content)
        }
    }

    @Test func `a lost upload restarts once`() async throws {
        let file = try folder.write(content, to: "big.iso")
        let server = StorageServer()
        let isFirst = Atomic(true)
        server.change { faults in
            faults.onPart = { [unowned server] number in
                guard number == 2, isFirst.exchange(false, ordering: .relaxed) else { return }
                server.change { $0.isGone = true }
            }
        }
        try await withScriptedServer(server.serve) { address in
            let run = await put(file, to: address.url("/b/f"))
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.errors.ranges(of: "restarting the upload").count == 1, "\(run.errors)")
            #expect(server.object == content && server.log.count { $0 == "POST uploads" } == 2)
        }
    }

    @Test func `a file that changes during the upload is no object`() async throws {
        let file = try folder.write(content, to: "big.iso")
        let server = StorageServer {
            $0.onPart = { number in
                if number == 3 { utimes(file, [timeval(tv_sec: 1, tv_usec: 0), timeval(tv_sec: 1, tv_usec: 0)]) }
            }
        }
        try await withScriptedServer(server.serve) { address in
            let run = await put(file, to: address.url("/b/f"))
            #expect(run.status == 16 && run.errors.contains("changed while it was uploaded"), "\(run.errors)")
            #expect(server.object == nil && server.unfinished == 0)
            #expect(folder.list() == ["big.iso"])
        }
    }

    @Test func `the final failure of the main request ends the lanes`() async throws {
        let file = try folder.write(content, to: "big.iso")
        let server = StorageServer { $0.cuts = Array(repeating: 0, count: 30) }
        try await withScriptedServer(server.serve) { address in
            let run = await put(file, to: address.url("/b/f"))
            #expect(run.status == 13, "\(run.errors)")
            let descriptor = open(file, O_RDONLY)
            defer { close(descriptor) }
            // A lane that computes a digest ends after its block.
            try await eventually("the file is unlocked") { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }
        }
    }

    @Test(arguments: ["draft", "auto"]) func `an upload without parallel parts is sequential, with a note`(
        name: String
    ) async throws {
        let file = try folder.write(Array(content[..<3_000_000]), to: "f")
        let server = UploadServer(.draft)
        try await withScriptedServer(server.serve) { address in
            let run = await runTool(
                "put", address.url("/f"), "@\(file)", "--resume", "--segments", "4", "--upload-protocol", name)
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.errors.contains("the upload is sequential"), "\(run.errors)")
            #expect(server.isComplete)
        }
    }

    @Test func `wrong combinations are usage errors`() async throws {
        let file = try folder.write([1], to: "f")
        for words in [
            ["put", "example.org", "@\(file)", "--segments", "4"],
            ["put", "example.org", "@\(file)", "--resume", "--segments", "4", "--upload-protocol", "plain"],
            ["put", "example.org", "@\(file)", "--resume", "--segments", "0"],
        ] {
            let run = await runTool(words)
            #expect(run.status == 64 && run.errors.contains("--segments"), "\(words) \(run.errors)")
        }
    }
}
