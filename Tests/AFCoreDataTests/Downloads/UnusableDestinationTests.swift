import AFCore
import Dispatch
import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// Destinations that cannot have the file of a download.
@Suite(.timeLimit(.minutes(5))) struct UnusableDestinationTests {
    let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    /// A body that arrives in one chunk has no file until its end.
    @Test(arguments: [5, 200_000])
    func `a destination that cannot have the file is a failure to move it`(length: Int) async throws {
        let server = try FileServer(Array(repeating: 1, count: length))
        try folder.write("old", to: "old")
        try folder.folder("directory")
        let journal = Journal()
        let monitor = ClosureEventMonitor(queue: DispatchQueue(label: "monitor"))
        monitor.requestDidFinishDownloadingUsingTaskWithResult = { _, _, result in
            if case .failure(let error) = result { journal.note("\(error.isDownloadedFileMoveError)") }
        }
        let cases: [(String, DownloadRequest.Options, DownloadFailure.Reason)] = [
            ("old", [], .destinationExists), ("missing/file", [], .system(ENOENT)),
            ("directory", [.removePreviousFile], .destinationIsDirectory),
        ]
        for (name, options, reason) in cases {
            let retrier = CountingRetrier(limit: 0)
            let session = Session(interceptor: retrier, eventMonitors: [monitor])
            let url = URL(filePath: folder.file(name))
            let request = session.download(server.url, to: { _, _ in (url, options) })
            let error = try #require(await request.serializingDownloadedFileURL().response.error)
            #expect(error.isDownloadedFileMoveError)
            #expect(error.destinationURL?.path == url.path)
            #expect((error.underlyingError as? DownloadFailure)?.reason == reason)
            #expect(retrier.count == 1)
        }
        try await journal.waitFor(cases.count)
        #expect(journal.all == Array(repeating: "true", count: cases.count))
        #expect(folder.list() == ["directory", "old"])
        #expect(try folder.text(of: "old") == "old")
    }

    @Test func `a retry with a free destination succeeds after a failure to move the file`() async throws {
        let server = try FileServer()
        try folder.write("old", to: "file.bin")
        let path = folder.file("file.bin")
        let retrier = Retrier { request, _, _, completion in
            unlink(path)
            completion(request.retryCount == 0 ? .retry : .doNotRetry)
        }
        let session = Session(interceptor: retrier)
        let request = session.download(server.url, to: { _, _ in (URL(filePath: path), []) })
        _ = try await request.serializingDownloadedFileURL().value
        #expect(request.retryCount == 1)
        #expect(try folder.size(of: "file.bin") == 200_000)
    }

    @Test func `a rejected range is no failure to move the file`() async throws {
        let server = try LocalServer { _ in
            .status(206, "abc").header("Content-Range", "bytes 5-7/20")
        }
        let url = URL(filePath: folder.file("file.bin"))
        let session = Session()
        let request = session.download(server.url(), to: { _, _ in (url, []) })
        let error = try #require(await request.serializingDownloadedFileURL().response.error)
        #expect(error.isSessionTaskError)
        #expect(error.underlyingError is DownloadFailure)
    }
}
