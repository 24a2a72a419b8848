import TestSupport
import Testing

/// `--segments` in a separate process: the effects of signals, another process and a full disk.
@Suite(.timeLimit(.minutes(5))) struct SegmentProcessTests {
    let folder: ScratchFolder
    static let whole = RangeServer.pattern(8 << 20)

    init() throws { folder = try ScratchFolder() }

    private func start(_ words: String...) throws -> RunningProgram {
        try Program(try Program.afcliPath(), words, workingDirectory: folder.path).start()
    }

    /// Returns a server that takes some seconds for a quarter of the file, until the gate is open.
    private func slowServer(until gate: Gate) throws -> RangeServer {
        try RangeServer(Self.whole) { _, answer in if !gate.isOpen { answer.pause = .milliseconds(250) } }
    }

    /// Returns a server that sends half a megabyte to each request, and then nothing until the gate is open.
    private func heldServer(until gate: Gate) throws -> RangeServer {
        try RangeServer(Self.whole) { _, answer in if !gate.isOpen { answer.waitsAfter = (500_000, gate) } }
    }

    /// Returns the ranges that are on the disk according to the record.
    private func savedRanges() throws -> [Range<Int>] {
        let text = try folder.text(of: "f.part.json")
        let prefix = try #require(text.firstMatch(of: /"completedBytes":(\d+)/)?.1)
        let list = text.firstMatch(of: /"segments":\[(.*?)\]\]/)?.1 ?? ""
        let further = list.matches(of: /\[(\d+),(\d+)/).map { (Int($0.1) ?? 0)..<(Int($0.2) ?? 0) }
        return [0..<(Int(prefix) ?? 0)] + further
    }

    @Test(arguments: [nil, "2", "8"])
    func `a killed download resumes only the missing ranges, in any number of segments`(number: String?) async throws {
        let gate = Gate()
        let server = try slowServer(until: gate)
        let program = try start("-o", "f", "--segments", "4", server.url)
        try await eventually("the record knows of ranges") {
            (try? folder.text(of: "f.part.json"))?.contains("segments") == true
        }
        program.kill()
        #expect(try await program.waitForEnd().signal == 9)
        #expect(!folder.has("f"))
        let saved = try savedRanges()
        #expect(saved.count > 1)
        gate.open()
        let before = server.requests.count
        let words = ["-o", "f", "--resume", server.url] + (number.map { ["--segments", $0] } ?? [])
        let second = try await Program(try Program.afcliPath(), words, workingDirectory: folder.path).run()
        #expect(second.status == 0, "\(second.errorText)")
        let asked = server.requests.dropFirst(before).compactMap { RangeServer.range(of: $0, Self.whole.count) }
        #expect(!asked.isEmpty)
        for range in asked {
            // At most the 64 KiB before each missing range, for comparison.
            let again = saved.filter { $0.overlaps(Range(range)) }
            #expect(
                again.allSatisfy { $0.upperBound - range.lowerBound <= 65_536 && $0.upperBound <= range.upperBound })
        }
        if number == nil {
            let missing = Self.whole.count - saved.reduce(0) { $0 + $1.count }
            #expect((missing...missing + saved.count * 65_536).contains(asked.reduce(0) { $0 + $1.count }))
        }
        #expect(try folder.bytes(of: "f") == Self.whole)
        #expect(folder.list() == ["f"])
    }

    @Test func `a sequential download can be resumed in segments`() async throws {
        let gate = Gate()
        let server = try slowServer(until: gate)
        let program = try start("-o", "f", server.url)
        try await eventually("the record knows of bytes") {
            (try? folder.text(of: "f.part.json"))?.contains("\"completedBytes\":0") == false
        }
        program.kill()
        _ = try await program.waitForEnd()
        gate.open()
        let second = try await start("-o", "f", "--resume", "--segments", "4", server.url).waitForEnd()
        #expect(second.status == 0, "\(second.errorText)")
        #expect(server.requests.count >= 5)
        #expect(server.requests.dropFirst().allSatisfy { $0["If-Range"] == "\"v1\"" })
        #expect(try folder.bytes(of: "f") == Self.whole)
    }

    @Test(arguments: [(2, 130), (15, 143)])
    func `a signal keeps the partial file and prints a hint about --resume`(signal: Int32, status: Int32) async throws {
        let gate = Gate()
        let server = try heldServer(until: gate)
        let program = try start("-o", "f", "--segments", "4", server.url)
        try await eventually("bytes have come") {
            (try? folder.bytes(of: "f.part"))?.prefix(1000).contains { $0 != 0 } == true
        }
        program.signal(signal)
        let result = try await program.waitForEnd()
        #expect(result.status == status)
        #expect(result.errorText.contains("afcli: error: \(signal == 15 ? "terminated" : "interrupted")\n"))
        #expect(result.errorText.contains(" are saved; run the same command with --resume"))
        #expect(folder.list() == ["f.part", "f.part.json"])
        gate.open()
        #expect(try await start("-o", "f", "--resume", server.url).waitForEnd().status == 0)
        #expect(try folder.bytes(of: "f") == Self.whole)
    }

    @Test func `a disk without enough space is an error after the first request`() async throws {
        let disk = try FullDisk(capacity: 1 << 20)
        let server = try RangeServer(Self.whole)
        var program = try Program.afcli("-o", disk.file("f"), "--segments", "4", server.url)
        program.fileSizeLimit = disk.fileSizeLimit
        let result = try await program.run()
        #expect(result.status == 16, "\(result.errorText)")
        #expect(result.errorText.contains("afcli: error: cannot write '\(disk.file("f.part"))': "))
        #expect(server.requests.count == 1)
        #expect(disk.list().isEmpty)
    }

    @Test func `a second download to the same file fails while the first is running`() async throws {
        let gate = Gate()
        let server = try heldServer(until: gate)
        let first = try start("-o", "f", "--segments", "4", server.url)
        try await server.local.waitForRequests(4)
        let second = try await start("-o", "f", "--segments", "2", server.url).waitForEnd()
        #expect(second.status == 16)
        #expect(second.errorText.contains("another download is writing to '\(folder.file("f"))'"))
        first.interrupt()
        #expect(try await first.waitForEnd().status == 130)
        gate.open()
    }
}
