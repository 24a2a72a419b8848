import TestSupport
import Testing

@testable import AFCommand

/// The connections of several downloads from one host.
@Suite(.timeLimit(.minutes(5))) struct SeveralDownloadsConnectionTests {
    let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    @Test(arguments: [
        (["--parallel", "1"], "HTTP/2.0"), (["--parallel", "1", "--http1.1"], "HTTP/1.1"),
        (["--parallel", "8"], "HTTP/2.0"),
    ])
    func `one connection over TLS is enough in sequence and over HTTP/2`(words: [String], version: String) async throws
    {
        try await withNginx(files: ["file": .text("contents")]) { nginx in
            let list = try folder.write((1...100).map { nginx.secureURL("/file?\($0)") + "\n" }.joined(), to: "list")
            let directory = folder.file("out")
            let run = await runTool(
                words + ["--cacert", nginx.root, "--input", list, "--output-dir", directory, "--create-dirs"])
            #expect(run.status == 0, "\(run.errors)")
            #expect(folder.list("out").count == 100)
            let requests = nginx.finalRequests()
            #expect(requests.count == 100)
            #expect(Set(requests.map(\.version)) == [version])
            #expect(Set(requests.map(\.connection)).count == 1)
        }
    }
}
