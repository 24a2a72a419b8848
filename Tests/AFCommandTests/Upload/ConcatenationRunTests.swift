import Glibc
import TestSupport
import Testing

@testable import AFCommand

/// `afcli put URL @FILE --resume --upload-protocol tus --segments NUMBER`.
@Suite(.timeLimit(.minutes(10))) struct ConcatenationRunTests {
    let folder: ScratchFolder
    let content = MultipartUploadRunTests.content(of: 8)

    init() throws { folder = try ScratchFolder() }

    private func put(_ file: String, to url: String, _ options: [String] = []) async -> ToolRun {
        await runTool(
            ["put", url, "@\(file)", "--resume", "--upload-protocol", "tus", "--segments", "4"] + options)
    }

    @Test func `partial uploads are concatenated`() async throws {
        let file = try folder.write(content, to: "big.iso")
        let server = ConcatenationServer { $0.unfinished = 1 }
        try await withScriptedServer(server.serve) { address in
            let report = folder.file("report.json")
            let run = await put(file, to: address.url("/files/"), ["--report", report])
            #expect(run.status == 0, "\(run.errors)")
            #expect(server.final == content && server.received == content.count)
            let requests = address.requests
            #expect(requests.count { $0["Upload-Concat"] == "partial" } == 4)
            #expect(requests.count { $0["Upload-Concat"]?.hasPrefix("final;") == true } == 1)
            #expect(requests.last?.method == "HEAD")
            let text = try folder.text(of: "report.json")
            #expect(!text.contains("/files/1") && !text.contains("/files/5"), "\(text)")
            #expect(folder.list() == ["big.iso", "report.json"])
        }
    }

    @Test func `an interrupted run is continued, with any number`() async throws {
        let file = try folder.write(content, to: "big.iso")
        for number in ["1", "4", "7"] {
            let server = ConcatenationServer { $0.cuts = [500_000, 600_000, 700_000, 800_000, 0, 0, 0, 0, 0, 0] }
            try await withScriptedServer(server.serve) { address in
                let first = await put(file, to: address.url("/files/"))
                #expect(first.status == 13, "\(first.errors)")
                #expect(folder.list().count == 2)
                server.change { $0.cuts = [] }
                // The server may still receive what a canceled request has sent.
                try await address.waitUntilIdle()
                let second = await put(file, to: address.url("/files/"), ["--segments", number])
                #expect(second.status == 0, "\(second.errors)")
                #expect(second.errors.contains("resuming the upload at"), "\(second.errors)")
                #expect(server.final == content && server.received == content.count)
                #expect(folder.list() == ["big.iso"])
            }
        }
    }

    @Test func `an expired partial upload restarts alone`() async throws {
        let file = try folder.write(content, to: "big.iso")
        let server = ConcatenationServer { $0.cuts = [500_000, 600_000, 700_000, 800_000, 0, 0, 0, 0, 0, 0] }
        try await withScriptedServer(server.serve) { address in
            _ = await put(file, to: address.url("/files/"))
            server.change { ($0.cuts, $0.expired) = ([], [2, 3]) }
            let run = await put(file, to: address.url("/files/"))
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.errors.ranges(of: "restarting the upload").count == 1, "\(run.errors)")
            #expect(server.final == content && server.received < 2 * content.count)
        }
    }

    @Test func `a retry continues within a run, and so does a lost concatenation`() async throws {
        let file = try folder.write(content, to: "big.iso")
        let server = ConcatenationServer { ($0.cuts, $0.losesFinal) = ([100_000, nil, 300_000], true) }
        try await withScriptedServer(server.serve) { address in
            let run = await put(file, to: address.url("/files/"), ["--retry", "3", "--retry-delay", "0"])
            #expect(run.status == 0, "\(run.errors)")
            #expect(server.final == content && server.received == content.count)
        }
    }

    @Test func `the partial uploads of a changed file are removed`() async throws {
        let file = try folder.write(content, to: "big.iso")
        let server = ConcatenationServer { $0.cuts = [500_000, 600_000, 700_000, 800_000, 0, 0, 0, 0, 0, 0] }
        try await withScriptedServer(server.serve) { address in
            _ = await put(file, to: address.url("/files/"))
            server.change { $0.cuts = [] }
            let changed = Array(content.reversed())
            try folder.write(changed, to: "big.iso")
            let run = await put(file, to: address.url("/files/"))
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.errors.contains("attributes have changed since the interruption"))
            #expect(server.final == changed && server.count == 5)
        }
    }

    @Test func `a file that changes during the upload is an error`() async throws {
        let file = try folder.write(content, to: "big.iso")
        let server = ConcatenationServer {
            $0.onPatch = { _ in utimes(file, [timeval(tv_sec: 1, tv_usec: 0), timeval(tv_sec: 1, tv_usec: 0)]) }
        }
        try await withScriptedServer(server.serve) { address in
            let run = await put(file, to: address.url("/files/"))
            #expect(run.status == 16 && run.errors.contains("changed while it was uploaded"), "\(run.errors)")
            #expect(server.final == nil && folder.list() == ["big.iso"])
        }
    }

    @Test func `partial uploads at another origin get nothing`() async throws {
        let file = try folder.write(content, to: "big.iso")
        try await withServer { _ in
            .ok()
        } _: { other in
            let server = ConcatenationServer { $0.location = other.url("/files/1") }
            try await withScriptedServer(server.serve) { address in
                let run = await put(file, to: address.url("/files/"), ["-a", "user:secret"])
                #expect(run.status == 6 && other.requests.isEmpty, "\(run.errors)")
            }
        }
    }

    @Test func `a server without the extension receives one upload, with a note`() async throws {
        let file = try folder.write(content, to: "big.iso")
        let server = ConcatenationServer { $0.announces = false }
        try await withScriptedServer(server.serve) { address in
            let run = await put(file, to: address.url("/files/"))
            #expect(run.status == 0 && run.errors.contains("the upload is sequential"), "\(run.errors)")
            #expect(server.final == content && server.count == 1)
        }
    }
}
