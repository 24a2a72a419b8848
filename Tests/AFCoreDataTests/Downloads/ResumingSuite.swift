import AFCore
import FoundationEssentials
import TestSupport
import Testing

@testable import AFDownloads

/// A suite with downloads of one file that are interrupted and resumed.
protocol ResumingSuite {
    var session: Session { get }
    var folder: ScratchFolder { get }
}

extension ResumingSuite {
    static var whole: [UInt8] { FileServer.pattern(200_000) }

    var destination: DownloadRequest.Destination {
        let url = URL(filePath: folder.file("file.bin"))
        return { _, _ in (url, []) }
    }

    /// Downloads until the server breaks off; gives the resume data.
    func half(_ server: FileServer) async throws -> Data? {
        let request = session.download(server.url, to: destination)
        let response = await request.serializingDownloadedFileURL().response
        #expect(response.error?.isSessionTaskError == true)
        #expect(!folder.has("file.bin"))
        #expect(response.resumeData == request.resumeData)
        return request.resumeData
    }

    func resume(_ server: FileServer, _ data: Data?) async -> DownloadRequest {
        let request = session.download(server.request, resumingWith: data, to: destination)
        _ = await request.serializingDownloadedFileURL().response
        return request
    }

    func expectWhole() throws {
        #expect(try folder.bytes(of: "file.bin") == Self.whole)
        #expect(folder.list() == ["file.bin"])
    }
}
