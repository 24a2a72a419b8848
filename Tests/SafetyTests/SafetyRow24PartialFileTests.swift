import AFCore
import FoundationEssentials
import Glibc
import TestSupport
import Testing

@Suite("Safety 24: the partial file must prove that it is ours", .timeLimit(.minutes(5)))
struct SafetyRow24PartialFileTests {
    let folder: ScratchFolder
    let download = BrokenDownload()

    init() throws { folder = try ScratchFolder() }

    /// A change of the partial file by another program.
    enum Change: CaseIterable {
        case replaced, replacedByLonger, rewritten, rewrittenAtTheEnd, truncated

        /// Returns the bytes of the file afterwards.
        func apply(to name: String, in folder: ScratchFolder) throws -> [UInt8] {
            var bytes = try folder.bytes(of: name)
            switch self {
            case .replaced, .replacedByLonger:
                unlink(folder.file(name))
                bytes = [UInt8](repeating: 0x4D, count: self == .replaced ? bytes.count : 150_000)
            case .rewritten: bytes = [UInt8](repeating: 0x4D, count: bytes.count)
            case .rewrittenAtTheEnd: bytes[bytes.count - 1] ^= 1
            case .truncated: bytes.removeLast(bytes.count / 2)
            }
            try folder.write(bytes, to: name, permissions: 0o600)
            return bytes
        }
    }

    /// The rest of the content, as far as it is requested.
    private func rest(_ request: RecordedRequest) -> LocalServer.Response {
        guard let start = request["Range"].flatMap({ Int($0.dropFirst(6).dropLast()) }) else { return download.whole() }
        let range = "bytes \(start)-\(download.content.count - 1)/\(download.content.count)"
        return download.rest(range: range, bytes: Array(download.content[start...]))
    }

    @Test(arguments: Change.allCases, [["--resume"], [], ["--resume", "--segments", "2"]])
    func `a changed partial file is neither resumed nor removed`(change: Change, words: [String]) async throws {
        try await download.interrupted(in: folder) { request in
            rest(request)
        } _: { server in
            let bytes = try change.apply(to: "f.part", in: folder)
            let run = try await folder.afcli(["-o", "f", server.url("/f")] + words)
            #expect(run.status == 16, "\(run.errorText)")
            // One message, with --resume before anything is sent, and a hint that helps.
            let path = folder.file("f.part")
            let hint = "move it away or delete it, or choose another name with --output"
            let complaint = "'\(path)' exists, but is not a partial download of this tool"
            #expect(run.errorText == "afcli: error: \(complaint)\n  \(hint)\n")
            #expect(server.requests.count == (words.isEmpty ? 2 : 1))
            #expect(try folder.bytes(of: "f.part") == bytes)
            #expect(!folder.has("f"))
            // Following the hint completes the file.
            rename(folder.file("f.part"), folder.file("mine"))
            let again = try await folder.afcli(["-o", "f", server.url("/f")] + words)
            #expect(again.status == 0, "\(again.errorText)")
            #expect(try folder.bytes(of: "f") == download.content)
            #expect(folder.list() == ["f", "mine"])
        }
    }

    @Test(arguments: [0, 50_000, 65_535, 65_536, 99_998], [1, 0x80])
    func `a single changed byte restarts the download`(position: Int, bit: UInt8) async throws {
        try await download.interrupted(in: folder) { request in
            rest(request)
        } _: { server in
            var bytes = try folder.bytes(of: "f.part")
            bytes[position] ^= bit
            // For removing a file its end is sufficient.
            let isAtEnd = position >= bytes.count - 65_536
            try folder.write(bytes, to: "f.part", permissions: 0o600)
            let run = try await folder.afcli("-o", "f", "--resume", server.url("/f"))
            #expect(server.requests.last?["Range"] == nil)
            guard !isAtEnd else { return #expect(run.status == 16, "\(run.errorText)") }
            #expect(run.status == 0, "\(run.errorText)")
            #expect(
                run.errorText.contains("f.part' has changed since it was written: restarting the download"),
                "\(run.errorText)")
            #expect(try folder.bytes(of: "f") == download.content)
        }
    }

    @Test func `a truncated record is the only reported problem`() async throws {
        try await download.interrupted(in: folder) { request in
            rest(request)
        } _: { server in
            let record = try folder.text(of: "f.part.json")
            try folder.write(String(record.prefix(record.count / 2)), to: "f.part.json", permissions: 0o600)
            let run = try await folder.afcli("-o", "f", "--resume", server.url("/f"))
            #expect(run.status == 16)
            #expect(run.errorText.hasPrefix("afcli: error: '\(folder.file("f.part.json"))' exists, but is"))
            #expect(!run.errorText.contains("kept"), "\(run.errorText)")
        }
    }

    @Test func `extra bytes, a renamed directory and another date do not prevent resuming`()
        async throws
    {
        _ = try folder.folder("inner")
        let isFirst = Once()
        try await withServer { request in
            isFirst.take() ? download.broken : rest(request)
        } _: { server in
            try expect(try await folder.afcli("-o", "inner/f", server.url("/f")).status == 13, "it is interrupted")
            try folder.write(folder.bytes(of: "inner/f.part") + [1, 2, 3], to: "inner/f.part", permissions: 0o600)
            rename(folder.file("inner"), folder.file("moved"))
            utimes(folder.file("moved/f.part"), nil)
            let run = try await folder.afcli("-o", "moved/f", "--resume", server.url("/f"))
            #expect(run.status == 0, "\(run.errorText)")
            #expect(server.requests.last?["Range"] == "bytes=34464-")
            #expect(try folder.bytes(of: "moved/f") == download.content)
        }
    }

    @Test func `the file of a record without a fingerprint is not resumed`() async throws {
        try await download.interrupted(in: folder) { request in
            rest(request)
        } _: { server in
            let record = try folder.text(of: "f.part.json").replacing(/"fingerprint":\{[^}]*\},/, with: "")
            try expect(!record.contains("fingerprint"), record)
            try folder.write(record, to: "f.part.json", permissions: 0o600)
            let run = try await folder.afcli("-o", "f", "--resume", server.url("/f"))
            #expect(run.status == 0, "\(run.errorText)")
            #expect(server.requests.last?["Range"] == nil)
            #expect(try folder.bytes(of: "f") == download.content)
        }
    }

    @Test func `ranges of several transfers are verified, too`() async throws {
        let content = RangeServer.pattern(4 << 20)
        let gate = Gate()
        let server = try RangeServer(content) { request, answer in
            if request["Range"] == nil { answer.waitsAfter = (1000, gate) } else { answer.breaksAfter = 300_000 }
        }
        let words = ["-o", "f", "--segments", "4"]
        let first = try await folder.afcli(words + [server.url])
        gate.open()
        try expect(first.status == 13, first.errorText)
        let saved = try DownloadRecord(json: Data(folder.bytes(of: "f.part.json"))).segments ?? []
        let range = try #require(saved.max { $0.count < $1.count })
        var bytes = try folder.bytes(of: "f.part")
        bytes[Int(range.lowerBound) + range.count / 2] ^= 1
        try folder.write(bytes, to: "f.part", permissions: 0o600)
        let second = try RangeServer(content)
        let record = try folder.text(of: "f.part.json").replacing("\(server.local.port)", with: "\(second.local.port)")
        try folder.write(record, to: "f.part.json", permissions: 0o600)
        let run = try await folder.afcli(words + ["--resume", second.url])
        #expect(run.status == 0, "\(run.errorText)")
        #expect(second.requests.first?["Range"] == nil)
        #expect(try folder.bytes(of: "f") == content)
    }

    // After SIGKILL

    /// Starts a download, waits until a record vouches for some of it, and kills it.
    private nonisolated(nonsending) func killed(
        bytes: Int,
        until condition: (String) -> Bool,
        _ test: (LocalServer, [UInt8]) async throws -> Void
    ) async throws {
        let content = RangeServer.pattern(1 << 20)
        let (isFirst, gate) = (Once(), Gate())
        try await withScriptedServer { connection in
            let request = try connection.readRequest()
            let start = request?["Range"].flatMap { Int($0.dropFirst(6).dropLast()) } ?? 0
            let range = "Content-Range: bytes \(start)-\(content.count - 1)/\(content.count)\r\n"
            try connection.send(
                "HTTP/1.1 \(start == 0 ? 200 : 206) OK\r\nETag: \"1\"\r\n\(start == 0 ? "" : range)"
                    + "Content-Length: \(content.count - start)\r\n\r\n")
            guard isFirst.take() else { return try connection.send(Array(content[start...])) }
            try connection.send(Array(content[..<bytes]))
            try connection.wait(for: gate)
        } _: { server in
            defer { gate.open() }
            let run = try folder.tool(["-o", "f", server.url("/f")]).start()
            try await eventually("a record is written") {
                condition((try? folder.text(of: "f.part.json")) ?? "")
            }
            run.kill()
            _ = try await run.waitForEnd()
            gate.open()
            try await test(server, content)
        }
    }

    @Test func `a new file at the path of a partial one without recorded bytes is not removed`() async throws {
        try await killed(bytes: 0) {
            $0.contains("\"completedBytes\":0")
        } _: { server, content in
            // The tool's own file is replaced without a message.
            let own = try await folder.afcli("-o", "f", server.url("/f"))
            #expect(own.status == 0, "\(own.errorText)")
            #expect(try folder.bytes(of: "f") == content)
        }
        unlink(folder.file("f"))
        try await killed(bytes: 0) {
            $0.contains("\"completedBytes\":0")
        } _: { server, _ in
            try folder.write("mine", to: "new", permissions: 0o600)
            rename(folder.file("new"), folder.file("f.part"))
            for words in [[], ["--resume"]] {
                let run = try await folder.afcli(["-o", "f", server.url("/f")] + words)
                #expect(run.status == 16, "\(run.errorText)")
                #expect(folder.holds("mine", in: "f.part"))
            }
        }
    }

    // During the download

    /// Changes the partial file after the first part of a download, and then sends the rest.
    private nonisolated(nonsending) func disturbed(
        _ words: [String] = [],
        _ change: () throws -> Void,
        _ test: (ProgramResult) throws -> Void
    ) async throws {
        let content = RangeServer.pattern(1 << 20)
        let gate = Gate()
        try await withScriptedServer { connection in
            _ = try connection.readRequest()
            try connection.send("HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: \(content.count)\r\n\r\n")
            try connection.send(Array(content[..<600_000]))
            try connection.wait(for: gate)
            try connection.send(Array(content[600_000...]))
        } _: { server in
            defer { gate.open() }
            let run = try folder.tool(["-o", "f", server.url("/f")] + words).start()
            try await eventually("the first part is there") { (try? folder.size(of: "f.part")) ?? 0 >= 500_000 }
            try change()
            gate.open()
            try test(try await run.waitForEnd())
        }
    }

    @Test(arguments: [0, 1000, 400_000])
    func `truncation during the run is an error, and no file is saved`(length: Int) async throws {
        try folder.write("old", to: "f")
        try await disturbed {
            truncate(folder.file("f.part"), off_t(length))
        } _: { (run) throws in
            #expect(run.status == 16, "\(run.errorText)")
            #expect(run.errorText.contains("f.part' during the download"), "\(run.errorText)")
            #expect(folder.holds("old", in: "f"))
            #expect(try folder.size(of: "f.part") == length)
        }
    }

    @Test func `bytes that another program appends during the run are not in the file`() async throws {
        try await disturbed {
            truncate(folder.file("f.part"), 2 << 20)
        } _: { (run) throws in
            #expect(run.status == 16, "\(run.errorText)")
            #expect(!folder.has("f"))
        }
    }

    @Test func `a file that replaces the partial file during the run is not removed`() async throws {
        try await disturbed {
            try folder.write("mine", to: "new", permissions: 0o600)
            rename(folder.file("new"), folder.file("f.part"))
        } _: { (run) throws in
            #expect(run.status == 16, "\(run.errorText)")
            #expect(!folder.has("f"))
            #expect(folder.holds("mine", in: "f.part"))
        }
    }

    @Test(arguments: [true, false])
    func `-C - of a curl command keeps a file of another program`(hasRanges: Bool) async throws {
        let foreign = [UInt8](repeating: 0x4D, count: 1000)
        try await withServer { request in
            hasRanges ? rest(request) : download.whole()
        } _: { server in
            try folder.write(foreign, to: "f")
            for _ in 1...2 {
                let run = try await folder.afcli("curl", "-s", "-C", "-", "-o", "f", server.url())
                #expect(run.status == 33, "\(run.errorText)")
                #expect(try folder.bytes(of: "f") == foreign)
                #expect(folder.list() == ["f"])
            }
            // Without -C - it is replaced.
            #expect(try await folder.afcli("curl", "-s", "-o", "f", server.url()).status == 0)
            #expect(try folder.bytes(of: "f") == download.content)
        }
    }

    @Test func `a file changed between two attempts is not resumed`() async throws {
        let isFirst = Once()
        let folder = folder
        try await withServer { request in
            isFirst.take() ? download.broken : rest(request)
        } _: { server in
            // The retrier is called when the first attempt is over, and before the next one begins.
            let retrier = Retrier { request, _, _, completion in
                _ = try? Change.rewritten.apply(to: "f.part", in: folder)
                completion(request.retryCount == 0 ? .retry : .doNotRetry)
            }
            let session = Session(interceptor: Interceptor(adapters: [], retriers: [retrier]))
            let url = URL(filePath: folder.file("f"))
            let destination: DownloadRequest.Destination = { _, _ in (url, []) }
            let request = session.download(server.url("/f"), to: destination)
            let result = await request.serializingDownloadedFileURL().response
            let failure = result.error?.underlyingError as? DownloadFailure
            #expect(failure?.reason == .unknownFile)
            #expect(server.requests.map { $0["Range"] } == [nil, nil])
            #expect(!folder.has("f"))
        }
    }
}
