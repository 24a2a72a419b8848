import AFCore
import Dispatch
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@testable import AFRequests

@Suite(.timeLimit(.minutes(5))) struct ProgressTests {
    static let url = "http://scripted.test/"

    @Test func `the progress of an attempt never decreases`() {
        let session = Session(transport: ScriptedTransport(), startRequestsImmediately: false)
        let request = session.download(Self.url)
        // Segments report on several threads.
        for count in [1, 3, 2] as [Int64] {
            request.didReceive(TransferProgress(completedUnitCount: count, totalUnitCount: 3))
        }
        #expect(request.downloadProgress.completedUnitCount == 3)
    }

    @Test(
        arguments: [
            (0, 0, false), (5, 0, false), (0, 5, false), (4, 5, false), (5, 5, true), (6, 5, true),
        ] as [(Int64, Int64, Bool)])
    func `progress is finished when a known total is reached`(completed: Int64, total: Int64, isFinished: Bool) {
        let progress = TransferProgress(completedUnitCount: completed, totalUnitCount: total)
        #expect(progress.isFinished == isFinished)
    }

    @Test func `the last progress of a stream is finished`() async throws {
        let session = Session(
            transport: ScriptedTransport { $0.respond(200, headers: ["Content-Length": "5"], body: "hello") })
        let request = session.request(Self.url)
        let stream = request.downloadProgress()
        _ = try await request.serializingData().value
        var last = false
        for await progress in stream { last = progress.isFinished }
        #expect(last)
    }

    @Test func `reported download progress never decreases and ends with the last byte`() async throws {
        let session = Session(
            transport: ScriptedTransport { exchange in
                exchange.receiveHead(200, headers: ["Content-Length": "1000"])
                for _ in 0..<1000 { exchange.receive([1]) }
                exchange.finish()
            })
        let seen = Mutex<[TransferProgress]>([])
        let request = session.request(Self.url)
        request.downloadProgress(queue: DispatchQueue(label: "progress")) { progress in
            seen.withLock { $0.append(progress) }
        }
        _ = try await request.serializingData().value
        try await eventually("the last value was told") { seen.withLock(\.last)?.completedUnitCount == 1000 }
        let values = seen.withLock(\.self)
        #expect(values.map(\.completedUnitCount) == values.map(\.completedUnitCount).sorted())
        #expect(values.last?.fractionCompleted == 1)
        #expect(request.downloadProgress.totalUnitCount == 1000)
    }

    @Test func `progress is reported at most fifty times a second, and its end before the response`() async throws {
        let session = Session(
            transport: ScriptedTransport { exchange in
                exchange.receiveHead(200, headers: ["Content-Length": "100000"])
                for _ in 0..<100_000 { exchange.receive([1]) }
                exchange.finish()
            })
        let queue = DispatchQueue(label: "handlers")
        let seen = Mutex<[Int64]>([])
        let start = ContinuousClock.now
        let atTheEnd = await withCheckedContinuation { continuation in
            session.request(Self.url)
                .downloadProgress(queue: queue) { progress in seen.withLock { $0.append(progress.completedUnitCount) } }
                .response(queue: queue) { _ in continuation.resume(returning: seen.withLock(\.self)) }
        }
        #expect(atTheEnd.last == 100_000)
        // At most the first event, one every 20 ms, and the last.
        #expect(atTheEnd.count <= Int((ContinuousClock.now - start) / .milliseconds(20)) + 2)
        #expect(seen.withLock(\.self) == atTheEnd)
    }

    @Test func `without a Content-Length the total and the fraction are zero`() async throws {
        let session = Session(transport: ScriptedTransport { $0.respond(200, body: "1234") })
        let request = session.request(Self.url)
        _ = try await request.serializingData().value
        #expect(request.downloadProgress == TransferProgress(completedUnitCount: 4, totalUnitCount: 0))
        #expect(request.downloadProgress.fractionCompleted == 0)
    }

    @Test func `upload progress ends with the size of the file`() async throws {
        let server = try LocalServer(keepsBodies: false) { _ in .ok("x") }
        let folder = try ScratchFolder()
        let file = try folder.writeSparse("big", size: 4 << 20)
        let last = Mutex(TransferProgress())
        let session = Session()
        let request = session.upload(URL(filePath: file), to: server.url())
        request.uploadProgress(queue: DispatchQueue(label: "progress")) { progress in
            last.withLock { $0 = progress }
        }
        _ = try await request.serializingData().value
        let whole = TransferProgress(completedUnitCount: 4 << 20, totalUnitCount: 4 << 20)
        #expect(request.uploadProgress == whole)
        try await eventually("the last value was told") { last.withLock(\.self) == whole }
    }

    @Test func `another attempt resets the progress to zero`() async throws {
        let transport = ScriptedTransport()
        let session = Session(transport: transport, interceptor: CountingRetrier(limit: 1))
        let request = session.request(Self.url)
        let task = request.serializingData()
        let first = try await transport.exchange(1)
        first.receiveHead()
        first.receive([1, 2, 3])
        first.finish(TransferFailure(.connectionLost, "gone"))
        let second = try await transport.exchange(2)
        #expect(request.downloadProgress == TransferProgress())
        second.respond(200, body: "x")
        _ = try await task.value
    }
}
