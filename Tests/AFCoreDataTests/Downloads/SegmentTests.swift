import AFCore
import Dispatch
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

/// Files of which several parts are fetched at once.
@Suite(.timeLimit(.minutes(5))) struct SegmentTests {
    let folder: ScratchFolder
    let session = Session()
    static let whole = RangeServer.pattern(200_000)

    init() throws { folder = try ScratchFolder() }

    private var destination: DownloadRequest.Destination {
        let url = URL(filePath: folder.file("file.bin"))
        return { _, _ in (url, []) }
    }

    /// - Parameter minimum: Four parts of the file are too short to be divided once more, unless given.
    private func download(
        _ server: RangeServer,
        into count: Int,
        ofAtLeast minimum: Int64 = 30_000,
        in session: Session? = nil
    ) -> DownloadRequest {
        (session ?? self.session).download(server.url, to: destination).segmented(into: count, ofAtLeast: minimum)
    }

    private func expectWhole(_ bytes: [UInt8] = whole) throws {
        #expect(try folder.bytes(of: "file.bin") == bytes)
        #expect(folder.list() == ["file.bin"])
    }

    @Test func `ranges are downloaded in parallel into one file, which is allocated first`() async throws {
        let gate = Gate()
        let server = try RangeServer(Self.whole) { _, answer in answer.waitsAfter = (1000, gate) }
        let request = download(server, into: 4)
        let task = request.serializingDownloadedFileURL()
        try await server.local.waitForRequests(4)
        #expect(server.local.openConnections == 4)
        #expect(try folder.size(of: "file.bin.part") == 200_000)
        #expect(try folder.permissions(of: "file.bin.part") == 0o600)
        gate.open()
        _ = try await task.value
        try expectWhole()
        let rest: [String?] = ["bytes=100000-149999", "bytes=150000-199999", "bytes=50000-99999"]
        #expect(server.ranges.first == .some(nil))
        #expect(server.ranges.dropFirst().sorted { $0 ?? "" < $1 ?? "" } == rest)
        #expect(server.requests.dropFirst().allSatisfy { $0["If-Range"] == "\"v1\"" })
        #expect(request.segments.count == 3)
        #expect(request.segments.allSatisfy { $0.isFinished && $0.error == nil && $0.response?.statusCode == 206 })
        #expect(request.downloadProgress.completedUnitCount == 200_000)
        #expect(request.response?.statusCode == 200)
        #expect(request.tasks.count == 1)
    }

    @Test func `a completed segment takes half of the slowest one's missing range`() async throws {
        let (own, slow) = (Gate(), Gate())
        let server = try RangeServer(Self.whole) { request, answer in
            if request["Range"] == nil { answer.waitsAfter = (0, own) }
            if request["Range"] == "bytes=100000-199999" { answer.waitsAfter = (10_000, slow) }
        }
        let request = download(server, into: 2)
        let task = request.serializingDownloadedFileURL()
        try await eventually("the segment has begun") { request.downloadProgress.completedUnitCount == 10_000 }
        own.open()
        try await eventually("what was left is divided") { server.requests.count == 3 }
        #expect(server.ranges.last == "bytes=155000-199999")
        slow.open()
        _ = try await task.value
        try expectWhole()
    }

    @Test func `connections of completed segments are reused`() async throws {
        let own = Gate()
        let server = try RangeServer(Self.whole) { request, answer in
            if request["Range"] == nil { answer.waitsAfter = (10_000, own) }
        }
        let task = download(server, into: 2, ofAtLeast: 10_000).serializingDownloadedFileURL()
        // Half of 90,000 bytes, of 45,000, of 22,500; the remaining range is too short.
        try await eventually("the slow one got help") { server.requests.count == 5 }
        #expect(Set(server.requests.dropFirst().map(\.connection)).count == 1)
        own.open()
        _ = try await task.value
        try expectWhole()
    }

    // Sequential downloads

    static let undivided: [@Sendable (inout RangeServer.PlannedResponse) -> Void] = [
        { $0.acceptRanges = nil }, { $0.acceptRanges = "none" }, { $0.entityTag = nil }, { $0.entityTag = "W/\"v1\"" },
        { $0.sendsLength = false }, { $0.body = Array($0.body[..<59_999]) },
    ]

    @Test(arguments: undivided.indices)
    func `a response that cannot be divided safely is downloaded sequentially`(index: Int) async throws {
        let server = try RangeServer(Self.whole) { _, answer in Self.undivided[index](&answer) }
        let request = download(server, into: 4)
        _ = try await request.serializingDownloadedFileURL().value
        #expect(server.ranges == [nil])
        #expect(request.segments.isEmpty)
    }

    @Test func `another method than GET is sent once`() async throws {
        let server = try RangeServer(Self.whole)
        let request = session.download(server.url, method: .post, to: destination)
        _ = try await request.segmented(into: 4, ofAtLeast: 1).serializingDownloadedFileURL().value
        #expect(server.requests.count == 1)
        try expectWhole()
    }

    @Test func `a request redirected as GET is sent once`() async throws {
        let whole = Self.whole
        let server = try LocalServer { request in
            if request.method == "POST" { return .redirect(to: "/file", status: 303) }
            return .bytes(whole).header("ETag", "\"v1\"").header("Accept-Ranges", "bytes")
        }
        let request = session.download(server.url(), method: .post, to: destination)
        _ = try await request.segmented(into: 4, ofAtLeast: 1).serializingDownloadedFileURL().value
        #expect(server.requests.map(\.method) == ["POST", "GET"])
        try expectWhole()
    }

    @Test func `an old date is a validator, too`() async throws {
        let date = "Sun, 06 Nov 1994 08:49:37 GMT"
        let server = try RangeServer(Self.whole) { request, answer in
            (answer.entityTag, answer.lastModified) = (nil, date)
            answer.fields.append(.init("Date", "Sun, 06 Nov 2022 08:49:37 GMT"))
            if request["If-Range"] == date { answer.range = RangeServer.range(of: request, Self.whole.count) }
        }
        _ = try await download(server, into: 2, ofAtLeast: 60_000).serializingDownloadedFileURL().value
        #expect(server.ranges == [nil, "bytes=100000-199999"])
        try expectWhole()
    }

    // Rules of the session

    @Test func `adapters and monitors receive the request of each segment`() async throws {
        let server = try RangeServer(Self.whole)
        let queue = DispatchQueue(label: "segments.monitor")
        let monitor = ClosureEventMonitor(queue: queue)
        let tasks = Mutex<Set<Int>>([])
        monitor.requestDidCreateTask = { _, task in tasks.withLock { _ = $0.insert(task.id) } }
        let session = Session(
            interceptor: Adapter { request, _, done in
                var request = request
                request.headers["X-Signed"] = request.headers["Range"] ?? "whole"
                done(.success(request))
            },
            eventMonitors: [monitor]
        )
        _ = try await download(server, into: 4, in: session).serializingDownloadedFileURL().value
        #expect(server.requests.allSatisfy { $0["X-Signed"] == $0["Range"] ?? "whole" })
        queue.sync {}
        #expect(tasks.withLock(\.count) == 4)
    }

    @Test func `each segment follows the redirects, without credentials for other origins`() async throws {
        let server = try RangeServer(Self.whole)
        let front = try LocalServer { _ in .redirect(to: server.url) }
        let request = session.download(front.url(), to: destination)
            .segmented(into: 3, ofAtLeast: 40_000)
            .authenticate(username: "u", password: "p")
        _ = try await request.serializingDownloadedFileURL().value
        try expectWhole()
        #expect(front.requests.count == 3)
        #expect(server.requests.allSatisfy { $0["Authorization"] == nil })
        // Concurrent requests may arrive in any order.
        #expect(Set(front.requests.map { $0["Range"] }) == Set(server.ranges))
    }

    @Test func `the rate limit applies to all segments together`() async throws {
        let server = try RangeServer(Self.whole)
        var configuration = SessionConfiguration()
        configuration.network.maximumReceiveRate = 400_000
        let start = ContinuousClock.now
        let session = Session(configuration: configuration)
        _ = try await download(server, into: 4, in: session).serializingDownloadedFileURL().value
        // 200,000 bytes take half a second; each connection on its own would take an eighth of one.
        #expect(ContinuousClock.now - start > .milliseconds(400))
        try expectWhole()
    }

    @Test func `progress never decreases, and counts every byte once`() async throws {
        let server = try RangeServer(Self.whole)
        let counts = Mutex<[Int64]>([])
        let queue = DispatchQueue(label: "progress")
        let request = download(server, into: 4).downloadProgress(queue: queue) { progress in
            counts.withLock { $0.append(progress.completedUnitCount) }
        }
        _ = try await request.serializingDownloadedFileURL().value
        queue.sync {}
        let told = counts.withLock(\.self)
        #expect(told == told.sorted())
        #expect(told.last == 200_000)
    }

    @Test(arguments: [true, false])
    func `the checksum is that of the complete file`(isRight: Bool) async throws {
        let server = try RangeServer(Self.whole)
        let path = try folder.write(Self.whole, to: "copy")
        var checksum = try Checksum(of: URL(filePath: path), .sha256)
        if !isRight { checksum = try #require(Checksum(.sha256, bytes: [UInt8](repeating: 1, count: 32))) }
        let request = download(server, into: 4).validate(checksums: checksum)
        let response = await request.serializingDownloadedFileURL().response
        #expect((response.error == nil) == isRight)
        #expect(folder.has("file.bin") == isRight)
        #expect(!folder.has("file.bin.part"))
        #expect(server.requests.count == 4)
    }

    // Suspension and cancellation

    @Test func `a suspended download suspends all segments`() async throws {
        let gate = Gate()
        let server = try RangeServer(Self.whole) { _, answer in answer.waitsAfter = (1000, gate) }
        let request = download(server, into: 4)
        let task = request.serializingDownloadedFileURL()
        try await eventually("all have begun") { request.downloadProgress.completedUnitCount == 4000 }
        request.suspend()
        #expect(request.segments.allSatisfy { $0.isSuspended })
        // The transport executes orders in turn: all of them are suspended once it has served a later request.
        let other = try LocalServer { _ in .ok() }
        _ = await session.request(other.url()).serializingData().response
        gate.open()
        try await remains("no bytes arrive", for: .milliseconds(100)) {
            request.downloadProgress.completedUnitCount == 4000
        }
        request.resume()
        _ = try await task.value
        try expectWhole()
    }

    @Test func `a canceled download ends all segments, and is resumed sequentially`() async throws {
        let gate = Gate()
        let server = try RangeServer(Self.whole) { _, answer in answer.waitsAfter = (1000, gate) }
        let request = download(server, into: 4)
        let task = request.serializingDownloadedFileURL()
        try await eventually("all have begun") { request.downloadProgress.completedUnitCount == 4000 }
        request.cancel(producingResumeData: true)
        let response = await task.response
        #expect(response.error?.isExplicitlyCancelledError == true)
        #expect(request.segments.allSatisfy { $0.isCancelled })
        gate.open()
        try await server.local.waitUntilIdle()
        let record = try DownloadRecord(json: #require(request.resumeData))
        #expect(record.completedBytes == 1000)
        #expect(record.segments == [50_000..<51_000, 100_000..<101_000, 150_000..<151_000])
        let before = server.requests.count
        let second = session.download(RequestConvertible(url: server.url), resumingWith: record.json, to: destination)
        _ = try await second.serializingDownloadedFileURL().value
        let ranges: [String?] = ["bytes=0-49999", "bytes=50000-99999", "bytes=100000-149999", "bytes=150000-199999"]
        #expect(server.ranges.dropFirst(before) == ranges[...])
        #expect(second.downloadProgress.resumedUnitCount == 4000)
        try expectWhole()
    }

    @Test func `a canceled download without resume data leaves nothing`() async throws {
        let gate = Gate()
        let server = try RangeServer(Self.whole) { _, answer in answer.waitsAfter = (1000, gate) }
        let request = download(server, into: 4)
        let task = request.serializingDownloadedFileURL()
        try await eventually("all have begun") { request.downloadProgress.completedUnitCount == 4000 }
        request.cancel()
        #expect(await task.response.error?.isExplicitlyCancelledError == true)
        #expect(folder.list().isEmpty)
        gate.open()
    }
}
