import AFCore
import Dispatch
import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import AFDownloads

/// The verification of a partial file before a download resumes.
@Suite(.timeLimit(.minutes(5))) struct ResumeCheckTests {
    @Test func `checking a large partial file delays no other request, and ends when canceled`() async throws {
        let folder = try ScratchFolder()
        // More than the global queue has threads.
        let count = 16
        // Sparse: reading all of it takes at least ten seconds.
        let length: Int64 = 64 << 30
        let path = try folder.write([], to: "f.part", permissions: 0o600)
        truncate(path, off_t(length))
        try await withServer {
            .ok($0.path)
        } _: { server in
            var record = DownloadRecord(url: server.url("/f"), partialPath: path)
            record.entityTag = "\"v1\""
            record.completedBytes = length
            record.fingerprint = DownloadRecord.Fingerprint(file: "1-1", end: "0", all: "0")
            let session = Session()
            let place = URL(filePath: folder.file("f"))
            let downloads = (0..<count).map { _ in
                session.download(resumingWith: record.json) { _, _ in (place, []) }.resume()
            }
            let other = await session.request(server.url("/other")).serializingString().response
            #expect(other.value == "/other")
            await withCheckedContinuation { waiter in DispatchQueue.global().async { waiter.resume() } }
            #expect(server.requests.map(\.path) == ["/other"])
            for download in downloads {
                download.cancel()
                _ = await download.serializingDownloadedFileURL().response
            }
            let time = processorTime()
            usleep(200_000)
            #expect(processorTime() - time < 0.1)
            #expect(server.requests.count == 1)
        }
    }

    /// Of the process, in seconds.
    private func processorTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
}
