import AFCore
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

/// Segments with failures and unexpected responses.
@Suite(.timeLimit(.minutes(5))) struct SegmentFailureTests {
    let folder: ScratchFolder
    let retrying = Session(interceptor: RetryPolicy(exponentialBackoffScale: 0.01))
    /// Without retrier.
    let plain = Session()
    static let whole = RangeServer.pattern(210_000)
    static let other = RangeServer.pattern(210_000, seed: 9)

    init() throws { folder = try ScratchFolder() }

    private var destination: DownloadRequest.Destination {
        let url = URL(filePath: folder.file("file.bin"))
        return { _, _ in (url, []) }
    }

    private func download(
        _ server: RangeServer,
        into count: Int = 3,
        in session: Session? = nil,
        resumingWith data: Data? = nil
    ) -> DownloadRequest {
        (session ?? retrying).download(RequestConvertible(url: server.url), resumingWith: data, to: destination)
            .segmented(into: count, ofAtLeast: 40_000)
    }

    private func expectWhole(_ bytes: [UInt8] = whole) throws {
        #expect(try folder.bytes(of: "file.bin") == bytes)
        #expect(folder.list() == ["file.bin"])
    }

    @Test(arguments: [(nil, "bytes=10000-69999"), ("bytes=70000-139999", "bytes=80000-139999")])
    func `a failed segment is retried alone, even the first`(broken: String?, again: String) async throws {
        let gate = Gate()
        let isFirst = Mutex(true)
        let server = try RangeServer(Self.whole) { request, answer in
            let breaks = isFirst.withLock { isFirst in
                defer { if request["Range"] == broken { isFirst = false } }
                return isFirst && request["Range"] == broken
            }
            if breaks { answer.breaksAfter = 20_000 } else { answer.waitsAfter = (0, gate) }
        }
        let request = download(server)
        let task = request.serializingDownloadedFileURL()
        try await eventually("it is asked for again") { server.ranges.contains(again) }
        // The others have not ended, so that their ranges are not reassigned.
        #expect(server.requests.count == 4)
        gate.open()
        _ = try await task.value
        #expect(server.requests.count == 4)
        #expect(server.requests.last?["If-Range"] == "\"v1\"")
        #expect(request.retryCount == 0)
        try expectWhole()
    }

    @Test(arguments: [nil, "bytes=70000-139999"])
    func `a final failure ends all segments, and only missing ranges are downloaded then`(
        broken: String?
    ) async throws {
        let gate = Gate()
        let server = try RangeServer(Self.whole) { request, answer in
            if request["Range"] == broken { answer.breaksAfter = 20_000 } else { answer.waitsAfter = (5000, gate) }
        }
        let request = download(server, in: plain)
        let response = await request.serializingDownloadedFileURL().response
        #expect((response.error?.underlyingError as? TransferFailure)?.kind == .truncated)
        #expect(response.error?.downloadResumeData == request.resumeData)
        #expect(!folder.has("file.bin"))
        gate.open()
        var record = try DownloadRecord(json: #require(request.resumeData))
        // The second server has another port.
        record.finalResource = nil
        let saved = [0..<record.completedBytes] + (record.segments ?? [])
        let second = try RangeServer(Self.whole)
        _ = try await download(second, into: 5, resumingWith: record.json).serializingDownloadedFileURL().value
        let asked = second.requests.compactMap { RangeServer.range(of: $0, Self.whole.count) }
        #expect(asked.count == second.requests.count)
        for range in asked {
            let wanted = Int64(range.lowerBound)..<Int64(range.upperBound + 1)
            // At most the bytes before a missing range, for comparison.
            let again = saved.filter { $0.overlaps(wanted) }
            #expect(
                again.allSatisfy { $0.upperBound - wanted.lowerBound <= 65_536 && $0.upperBound < wanted.upperBound })
        }
        try expectWhole()
    }

    @Test func `the number of retries is limited for all segments`() async throws {
        let server = try RangeServer(Self.whole) { request, answer in
            if request["Range"]?.hasSuffix("-139999") == true { answer.breaksAfter = 1 }
        }
        let request = download(server)
        let response = await request.serializingDownloadedFileURL().response
        #expect((response.error?.underlyingError as? TransferFailure)?.kind == .truncated)
        #expect(server.ranges.filter { $0?.hasSuffix("-139999") == true }.count == 3)
        #expect(request.retryCount == 0)
        #expect(request.tasks.count == 1)
    }

    // Versions

    @Test func `a new version in the middle is downloaded again, sequentially`() async throws {
        let count = Mutex(0)
        let server = try RangeServer(Self.whole) { request, answer in
            let number = count.withLock { count in
                count += 1
                return count
            }
            guard number > 1 else { return }
            (answer.body, answer.entityTag, answer.range) = (Self.other, "\"v2\"", nil)
        }
        let request = download(server)
        _ = try await request.serializingDownloadedFileURL().value
        #expect(server.ranges.count { $0 == nil } == 2)
        #expect(request.retryCount == 1)
        try expectWhole(Self.other)
    }

    static let lies: [@Sendable (inout RangeServer.PlannedResponse) -> Void] = [
        { $0.range = nil },
        { $0.contentRange = "bytes 70001-139999/210000" }, { $0.contentRange = "bytes 70000-139998/210000" },
        { $0.contentRange = "bytes 70000-139999/210001" }, { $0.contentRange = "bytes 70000-139999/*" },
        { $0.contentRange = "pages 1-2/3" },
        { $0.entityTag = "\"v2\"" }, { $0.entityTag = nil }, { $0.entityTag = "W/\"v1\"" },
        { $0.fields.append(.init("Content-Encoding", "gzip")) }, { $0.status = 416 }, { $0.status = 412 },
        { $0.status = 400 }, { $0.status = 304 }, { $0.status = 204 },
    ]

    @Test(arguments: lies.indices)
    func `a response with another range discards all segments`(index: Int) async throws {
        let server = try RangeServer(Self.whole) { request, answer in
            if request["Range"] == "bytes=70000-139999" { Self.lies[index](&answer) }
        }
        let request = download(server)
        _ = try await request.serializingDownloadedFileURL().value
        #expect(server.ranges.count { $0 == nil } == 2)
        try expectWhole()
    }

    @Test func `ranges of an earlier run are discarded with them`() async throws {
        let first = try RangeServer(Self.whole) { _, answer in answer.breaksAfter = 30_000 }
        let broken = download(first, into: 1, in: plain)
        _ = await broken.serializingDownloadedFileURL().response
        let server = try RangeServer(Self.whole) { request, answer in
            if request["Range"] == nil || request["Range"] == "bytes=15000-" { return }
            (answer.body, answer.entityTag, answer.range) = (Self.other, "\"v2\"", nil)
        }
        var record = try DownloadRecord(json: try #require(broken.resumeData))
        record.finalResource = nil
        _ = try await download(server, resumingWith: record.json).serializingDownloadedFileURL().value
        #expect(server.ranges.first == "bytes=15000-")
        #expect(server.ranges.count { $0 == nil } == 1)
        try expectWhole()
    }

    // Rejected segments

    @Test(arguments: [429, 503, 403])
    func `a server that rejects some segments gets fewer`(status: Int) async throws {
        let running = Mutex(0)
        let gate = Gate()
        let server = try RangeServer(Self.whole) { request, answer in
            let number = running.withLock { running in
                running += 1
                return running
            }
            if number == 2 { answer.status = status }
            if number == 1 { answer.waitsAfter = (100, gate) }
        }
        let request = download(server, in: plain)
        let task = request.serializingDownloadedFileURL()
        try await eventually("the refusal came") { request.segments.contains { $0.isFinished && $0.error != nil } }
        let pages = request.segments.map(\.rejectedBytes).filter { !$0.isEmpty }
        #expect(pages == [Array("an error's page".utf8)])
        gate.open()
        _ = try await task.value
        try expectWhole()
    }

    @Test func `a server that rejects all segments ends the download`() async throws {
        let server = try RangeServer(Self.whole) { request, answer in
            if request["Range"] != nil { answer.status = 403 }
        }
        let request = download(server)
        let error = await request.serializingDownloadedFileURL().response.error
        #expect((error?.underlyingError as? DownloadFailure)?.reason == .segmentRejected(status: 403))
        let record = try DownloadRecord(json: #require(request.resumeData))
        #expect(record.savedBytes == 70_000)
        #expect(error?.downloadResumeData == request.resumeData)
    }

    // Disk errors

    @Test func `another download to the same destination is rejected`() async throws {
        let gate = Gate()
        let server = try RangeServer(Self.whole) { _, answer in answer.waitsAfter = (10, gate) }
        let first = download(server)
        let task = first.serializingDownloadedFileURL()
        try await eventually("it is under way") { first.downloadProgress.completedUnitCount == 30 }
        let error = await download(server).serializingDownloadedFileURL().response.error
        #expect((error?.underlyingError as? DownloadFailure)?.reason == .busy)
        gate.open()
        _ = try await task.value
        try expectWhole()
    }

    @Test func `deallocating the session ends all segments`() async throws {
        let gate = Gate()
        let server = try RangeServer(Self.whole) { _, answer in answer.waitsAfter = (10, gate) }
        var session: Session? = Session()
        let request = download(server, in: session)
        let task = request.serializingDownloadedFileURL()
        try await eventually("it is under way") { request.downloadProgress.completedUnitCount == 30 }
        session = nil
        #expect(await task.response.error?.isSessionDeinitializedError == true)
        // Either the session ends each one, or the download that it has ended cancels its segments.
        try await eventually("they are over") { request.segments.allSatisfy { $0.error != nil } }
        for error in request.segments.map(\.error) {
            #expect(error?.isSessionDeinitializedError == true || error?.isExplicitlyCancelledError == true)
        }
        gate.open()
    }
}
