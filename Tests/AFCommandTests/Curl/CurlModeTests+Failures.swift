import Synchronization
import TestSupport
import Testing

@testable import AFCommand

/// The end at an error, which `-f` requests.
extension CurlModeTests {
    @Test(arguments: [[], ["-o", "FILE"], ["-o", "/dev/null"], ["-C", "-", "-o", "FILE"], ["-w", "%{http_code}"]])
    func `-f ends at the header of an error`(words: [String]) async throws {
        let folder = try ScratchFolder()
        try await withServer { _ in
            .raw("HTTP/1.1 404 Not Found\r\nContent-Length: 100\r\n\r\nstart", keepsOpen: true)
        } _: { server in
            // Waiting for the body would end with 2.
            let words = ["-f", "-m", "10"] + words.map { $0 == "FILE" ? folder.file("f") : $0 }
            let run = await runTool(["curl"] + words + [server.url()])
            #expect(run.status == 22, "\(run.errors)")
            #expect(run.output == (words.contains("-w") ? "404" : ""))
            #expect(run.errors.contains("returned error: 404"), "\(run.errors)")
            #expect(folder.list().isEmpty)
        }
    }

    @Test(arguments: [403, 404, 407, 502], [([], 56), (["-f"], 22)] as [([String], Int32)])
    func `the number of a proxy's error is that of the exit`(status: Int, mode: (words: [String], number: Int32))
        async throws
    {
        let proxy = try TunnelProxy { _ in "HTTP/1.1 \(status) No\r\nContent-Length: 0\r\n\r\n" }
        let run = await runTool(["curl", "-x", proxy.url, "https://host.invalid/"] + mode.words)
        #expect(run.status == mode.number)
        #expect(run.errors.hasPrefix("curl: (\(mode.number)) "), "\(run.errors)")
    }

    @Test func `-f keeps the files of an earlier run`() async throws {
        let folder = try ScratchFolder()
        let isBroken = Mutex(false)
        try await withServer { _ in
            isBroken.withLock(\.self)
                ? .raw("HTTP/1.1 500 Broken\r\nContent-Length: 9\r\n\r\n", keepsOpen: true)
                : .raw("HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 9\r\n\r\nhalf")
        } _: { server in
            try folder.write("old", to: "f")
            let words = ["curl", "-f", "-m", "10", "-C", "-", "-o", folder.file("f.bin"), server.url()]
            #expect(await runTool(words).status == 18)
            #expect(folder.list() == ["f", "f.bin.part", "f.bin.part.json"])
            isBroken.withLock { $0 = true }
            #expect(await runTool(words).status == 22)
            #expect(folder.list() == ["f", "f.bin.part", "f.bin.part.json"])
            #expect(folder.holds("half", in: "f.bin.part"))
            #expect(await runTool("curl", "-f", "-m", "10", "-o", folder.file("f"), server.url()).status == 22)
            #expect(folder.holds("old", in: "f"))
        }
    }

    @Test func `-f neither ends at a response that is retried nor hides a later failure`() async throws {
        let count = Mutex(0)
        try await withServer { _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return number == 2 ? .close : .status(503, "busy").closing()
        } _: { server in
            let run = await runTool("curl", "-f", "--retry", "1", "--retry-delay", "0.01", server.url())
            #expect(run.status == 52, "\(run.errors)")
            #expect(run.errors.contains("curl: (52) "))
            let last = await runTool("curl", "-f", "--retry", "1", "--retry-delay", "0.01", server.url())
            #expect(last.status == 22, "\(last.errors)")
            #expect(server.requests.count == 4)
        }
    }

    @Test func `-f does not end at a challenge that is answered`() async throws {
        for algorithm in ["MD5", "SHA-256"] {
            let login = DigestLogin(algorithm: algorithm)
            try await withServer { request in
                login.accepts(request)
                    ? .ok("in") : .status(401, "out").header("WWW-Authenticate", login.challenge())
            } _: { server in
                let words = ["curl", "-f", "--digest", "-u", "\(login.user):\(login.password)"]
                let run = await runTool(words + [server.url()])
                #expect(run.status == 0 && run.output == "in", "\(run.errors)")
            }
        }
    }
}
