import AFCore
import FoundationEssentials
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import AFDownloads

/// The received bytes of downloads that are canceled.
@Suite(.timeLimit(.minutes(5))) struct CanceledDownloadTests: ResumingSuite {
    let session = Session()
    let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private func slowServer(_ gate: Gate) throws -> LocalServer {
        try LocalServer.scripted { connection in
            _ = try connection.readRequest()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 8\r\nETag: \"1\"\r\n\r\nhalf")
            try connection.wait(for: gate)
        }
    }

    @Test func `canceling stores the received bytes and returns resume data`() async throws {
        let gate = Gate()
        let server = try slowServer(gate)
        let request = session.download(server.url(), to: destination)
        let task = request.serializingDownloadedFileURL()
        try await eventually("half of it came") { request.downloadProgress.completedUnitCount == 4 }
        let data = await withCheckedContinuation { waiter in
            request.cancel(byProducingResumeData: { waiter.resume(returning: $0) })
        }
        gate.open()
        let response = await task.response
        #expect(response.error?.isExplicitlyCancelledError == true)
        #expect(response.resumeData == data)
        #expect(try DownloadRecord(json: #require(data)).completedBytes == 4)
        #expect(folder.list() == ["file.bin.part", "file.bin.part.json"])
        let late = await withCheckedContinuation { waiter in
            request.cancel(byProducingResumeData: { waiter.resume(returning: $0) })
        }
        #expect(late == data)
    }

    @Test(
        arguments: [
            { $0.cancel() }, { $0.cancel(producingResumeData: false) },
            { $0.cancel(producingResumeData: false).cancel(producingResumeData: true) },
        ] as [@Sendable (DownloadRequest) -> DownloadRequest])
    func `canceling without resume data leaves nothing behind`(
        cancel: @Sendable (DownloadRequest) -> DownloadRequest
    ) async throws {
        let gate = Gate()
        let server = try slowServer(gate)
        let request = session.download(server.url(), to: destination)
        let task = request.serializingDownloadedFileURL()
        try await eventually("half of it came") { request.downloadProgress.completedUnitCount == 4 }
        _ = cancel(request)
        gate.open()
        #expect(await task.response.resumeData == nil)
        #expect(folder.list().isEmpty)
    }

    @Test func `canceling while a retry waits discards the bytes of the last attempt`() async throws {
        let server = try FileServer(Self.whole) { $0.breaks = [70_000] }
        let waiting = Gate()
        let retrier = Retrier { _, _, _, decide in
            decide(.retryWithDelay(3600))
            waiting.open()
        }
        let session = Session(interceptor: Interceptor(retriers: [retrier]))
        let request = session.download(server.url, to: destination)
        let task = request.serializingDownloadedFileURL()
        try await waiting.waitUntilOpen()
        #expect(folder.list() == ["file.bin.part", "file.bin.part.json"])
        request.cancel()
        let response = await task.response
        #expect(response.error?.isExplicitlyCancelledError == true)
        #expect(response.resumeData == nil)
        #expect(folder.list().isEmpty)
    }

    @Test(arguments: [true, false])
    func `canceling before the header discards the earlier bytes, or keeps them`(keeps: Bool) async throws {
        let data = try #require(try await half(try FileServer(Self.whole) { $0.breaks = [70_000] }))
        let (arrived, gate) = (Gate(), Gate())
        let server = try LocalServer.scripted { connection in
            _ = try connection.readRequest()
            arrived.open()
            try connection.wait(for: gate)
        }
        let convertible = RequestConvertible(url: server.url())
        let request = session.download(convertible, resumingWith: data, to: destination)
        let task = request.serializingDownloadedFileURL()
        try await arrived.waitUntilOpen()
        request.cancel(producingResumeData: keeps)
        gate.open()
        #expect(await task.response.resumeData == (keeps ? data : nil))
        #expect(folder.list() == (keeps ? ["file.bin.part", "file.bin.part.json"] : []))
    }

    @Test func `bytes that are not kept are discarded however the download is canceled`() async throws {
        let gate = Gate()
        let server = try slowServer(gate)
        let request = session.download(server.url(), to: destination)
        request.discardsPartialFile()
        let task = request.serializingDownloadedFileURL()
        try await eventually("half of it came") { request.downloadProgress.completedUnitCount == 4 }
        request.cancel(producingResumeData: true)
        gate.open()
        #expect(await task.response.resumeData == nil)
        #expect(folder.list().isEmpty)
    }
}
