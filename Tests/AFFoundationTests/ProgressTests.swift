import AFCore
import AFFoundation
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct ProgressTests {
    private let session = Session()

    @Test func `progress of unknown length is indeterminate`() {
        let progress = Progress(TransferProgress(completedUnitCount: 5))
        #expect(progress.isIndeterminate)
        #expect(progress.completedUnitCount == 5)
        progress.update(with: TransferProgress(completedUnitCount: 5, totalUnitCount: 20))
        #expect(progress.fractionCompleted == 0.25)
    }

    @Test func `a parent progress includes the bytes of its request`() async throws {
        try await withServer { _ in
            .bytes([UInt8](repeating: 0, count: 100_000))
        } _: { server in
            let request = session.request(server.url())
            let parent = Progress(totalUnitCount: 2)
            parent.addChild(request.observingDownload(), withPendingUnitCount: 1)
            _ = try await request.serializingData().value
            try await eventually("half of it is done") { parent.fractionCompleted == 0.5 }
        }
    }

    @Test func `the progress of an upload is reported`() async throws {
        try await withServer { _ in
            .ok("done")
        } _: { server in
            let upload = session.upload(Data(count: 200_000), to: server.url())
            let progress = upload.observingUpload()
            _ = try await upload.serializingData().value
            try await eventually("all of it is done") { progress.completedUnitCount == 200_000 }
            #expect(progress.totalUnitCount == 200_000)
        }
    }

    @Test func `the progress pauses, resumes and cancels its request`() async throws {
        let transport = ScriptedTransport()
        let session = Session(transport: transport)
        let request = session.request("http://scripted.test/")
        let progress = request.observingDownload()
        let response = request.serializingData()
        let exchange = try await transport.exchange()
        progress.pause()
        try await eventually("it is suspended") { request.isSuspended && exchange.commands == [.suspend] }
        progress.resume()
        try await eventually("it is resumed") { request.isResumed && exchange.commands == [.suspend, .resume] }
        progress.cancel()
        #expect(await response.response.error?.isExplicitlyCancelledError == true)
    }
}
