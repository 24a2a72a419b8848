import AFCore
import FoundationEssentials
import TestSupport
import Testing

/// The file of a download while it is validated.
@Suite(.timeLimit(.minutes(5))) struct DownloadValidationTests {
    let session = Session()
    let folder: ScratchFolder
    private let destination: DownloadRequest.Destination

    init() throws {
        folder = try ScratchFolder()
        let url = URL(filePath: folder.file("file.bin"))
        destination = { _, _ in (url, []) }
    }

    @Test func `validators that ignore their arguments find the file in the request`() async throws {
        let server = try FileServer()
        let request = session.download(server.url, to: destination).validate(statusCode: 200..<300)
            .validatingSize(200_000).validatingSize(200_000)
        let file = try await request.serializingDownloadedFileURL().value
        #expect(file.path == folder.file("file.bin"))
        #expect(request.fileURL == file)
    }

    @Test func `a request has no file during its transfer and after a failed validation`() async throws {
        let halfway = Gate()
        let server = try LocalServer.scripted { connection in
            _ = try connection.readRequest()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nhalf")
            try connection.wait(for: halfway)
            try connection.send("half")
        }
        let request = session.download(server.url(), to: destination).validatingSize(9)
        let task = request.serializingDownloadedFileURL()
        try await eventually("half of it came") { request.downloadProgress.completedUnitCount == 4 }
        #expect(request.fileURL == nil)
        halfway.open()
        let error = try #require(await task.response.error)
        #expect((error.underlyingError as? WrongSize)?.size == 8)
        #expect(request.fileURL == nil)
    }
}

private struct WrongSize: Error {
    let size: Int?
}

extension DownloadRequest {
    /// Validates the size of the file like an app's extension that was written for Alamofire.
    fileprivate func validatingSize(_ size: Int) -> Self {
        validate { [unowned self] _, _, _ in
            let found = self.fileURL.flatMap { try? Data(contentsOf: $0).count }
            return found == size ? .success(()) : .failure(WrongSize(size: found))
        }
    }
}
