import AFCore
import FoundationEssentials
import TestSupport
import Testing

@testable import AFCommand

/// Every limit of `Documentation/limits.md`, exceeded in milliseconds: the message, and the option that changes it.
@Suite(.timeLimit(.minutes(5))) struct LimitTests {
    /// An endless or excessive behavior of a server.
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// The command line: `URL` is the server's, `FILE` a file of 64 MiB.
        let words: [String]
        var status: Int32 = 13
        /// The option that the hint names, `nil` for none.
        let option: String?
        /// The arguments that lift the limit; `nil` if the run would never end.
        var lifted: [String]?
        let script: LocalServer.Script
    }

    private static let longLine = String(repeating: "v", count: 3000)

    private static func answer(_ fields: String, body: String = "ok") -> LocalServer.Script {
        { connection in
            guard try connection.readRequest() != nil else { return }
            try connection.send("HTTP/1.1 200 OK\r\n\(fields)Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
        }
    }

    /// Sends half of a response, and nothing more.
    private static func half(_ text: String) -> LocalServer.Script {
        { connection in
            guard try connection.readRequest() != nil else { return }
            try connection.send(text)
            try connection.waitForClose()
        }
    }

    private static let unpacked = "[" + String(repeating: "0,", count: 500_000) + "0]"

    private static let packed: LocalServer.Script = { connection in
        guard try connection.readRequest() != nil else { return }
        let body = Array(try ContentCoding.gzip.compress(Data(unpacked.utf8)))
        let fields = "Content-Type: application/json\r\nContent-Encoding: gzip\r\nContent-Length: \(body.count)"
        try connection.send(Array("HTTP/1.1 200 OK\r\n\(fields)\r\n\r\n".utf8) + body)
    }

    static let waits: [Case] = [
        Case(
            testDescription: "the first byte", words: ["URL", "--timeout", "200ms"], status: 2, option: "--timeout",
            script: half("")),
        Case(
            testDescription: "the head", words: ["URL", "--timeout", "200ms"], status: 2, option: "--timeout",
            script: half("HTTP/1.1 200 OK\r\nA: ")),
        Case(
            testDescription: "interim responses and no answer", words: ["URL", "--timeout", "200ms"], status: 2,
            option: "--timeout", script: half("HTTP/1.1 102 Wait\r\n\r\n")),
        Case(
            testDescription: "the body", words: ["URL", "--timeout", "200ms"], status: 2, option: "--timeout",
            script: half("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n1234")),
        Case(
            testDescription: "an upload", words: ["put", "URL", "@FILE", "--expect100", "no", "--timeout", "300ms"],
            status: 2, option: "--timeout",
            script: { connection in
                _ = try connection.readHead()
                // Reads nothing of the body until the client disconnects.
                try connection.wait(for: Gate())
            }),
        Case(
            testDescription: "a proxy's answer",
            words: ["--proxy", "URL", "https://a.example/", "--connect-timeout", "200ms"], status: 2,
            option: "--connect-timeout", script: half("")),
        Case(
            testDescription: "a proxy that takes its time with its head",
            words: ["--proxy", "URL", "https://a.example/", "--connect-timeout", "200ms"], status: 2,
            option: "--connect-timeout", script: half("HTTP/1.1 200 OK\r\nA: ")),
        Case(
            testDescription: "the TLS handshake", words: ["SECURE", "--connect-timeout", "200ms"], status: 2,
            option: "--connect-timeout", script: { try $0.waitForClose() }),
        Case(
            testDescription: "a name server",
            words: ["a.example", "--doh-url", "SECURE", "--connect-timeout", "200ms"], status: 2,
            option: "--connect-timeout", script: { try $0.waitForClose() }),
        Case(
            testDescription: "a body byte by byte", words: ["URL", "--max-time", "300ms"], status: 2,
            option: "--max-time",
            script: { connection in
                _ = try connection.readRequest()
                try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n")
                try connection.sendSlowly(String(repeating: "x", count: 9999), every: .milliseconds(10))
            }),
        Case(
            testDescription: "heads of redirects, one after the other", words: ["-L", "URL", "--max-time", "300ms"],
            status: 2, option: "--max-time",
            script: { connection in
                while try connection.readRequest() != nil {
                    let head = "HTTP/1.1 302 On\r\nLocation: /\r\nContent-Length: 0\r\n\r\n"
                    try connection.sendSlowly(head, pieces: 20, every: .milliseconds(20))
                }
            }),
    ]

    static let amounts: [Case] = [
        Case(
            testDescription: "bytes of a head", words: ["URL", "--max-head-size", "2k"], option: "--max-head-size",
            lifted: ["URL", "--max-head-size", "0"], script: answer("A: \(longLine)\r\n")),
        Case(
            testDescription: "lines of a head", words: ["URL", "--max-headers", "20"], option: "--max-headers",
            lifted: ["URL", "--max-headers", "0"], script: answer(String(repeating: "A: b\r\n", count: 1500))),
        Case(
            testDescription: "lines of a head, unless told", words: ["URL"], option: "--max-headers",
            script: answer(String(repeating: "A: b\r\n", count: 1000))),
        Case(
            testDescription: "bytes of a head, unless told", words: ["URL"], option: "--max-head-size",
            script: answer(String(repeating: "A: \(longLine)\r\n", count: 88))),
        Case(
            testDescription: "a line of a head", words: ["URL", "--max-head-size", "0"], option: nil,
            script: answer("A: \(String(repeating: "v", count: 110_000))\r\n")),
        Case(
            testDescription: "interim responses", words: ["URL"], option: "--max-interim",
            lifted: ["URL", "--max-interim", "0"],
            script: { connection in
                _ = try connection.readRequest()
                try connection.send(String(repeating: "HTTP/1.1 103 Hints\r\n\r\n", count: 21))
                try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            }),
        Case(
            testDescription: "redirects", words: ["-L", "URL"], status: 6, option: "--max-redirects",
            lifted: ["-L", "URL", "--max-redirects", "31"],
            script: { connection in
                var count = 0
                while try connection.readRequest() != nil {
                    count += 1
                    let isLast = count > 31
                    try connection.send(
                        isLast
                            ? "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
                            : "HTTP/1.1 302 On\r\nLocation: /\(count)\r\nContent-Length: 0\r\n\r\n")
                }
            }),
        Case(
            testDescription: "a body", words: ["URL", "--max-filesize", "1k"], option: "--max-filesize",
            lifted: ["URL"], script: answer("", body: longLine)),
        Case(
            testDescription: "what a body unpacks to", words: ["URL", "--pretty=format", "--max-ratio", "2"],
            option: "--max-ratio", lifted: ["URL", "--pretty=format", "--max-ratio", "0"], script: packed),
        Case(
            testDescription: "codings over each other", words: ["URL"], option: "--no-decode",
            script: answer("Content-Encoding: gzip, gzip, gzip, gzip, gzip, gzip\r\n")),
        Case(
            testDescription: "a body that is searched",
            words: ["URL", "--expect-json", "[0]==0", "--max-formatted", "1k"], status: 14, option: "--max-formatted",
            lifted: ["URL", "--expect-json", "[0]==0"], script: packed),
    ]

    private func run(_ words: [String], against script: @escaping LocalServer.Script) async throws -> ToolRun {
        let folder = try ScratchFolder()
        let file = words.contains("@FILE") ? try folder.writeSparse("big", size: 64 << 20) : ""
        let server = try LocalServer.scripted(script)
        return await runTool(
            words.map {
                $0.replacing("SECURE", with: "https://\(server.authority)/").replacing("URL", with: server.url())
                    .replacing("FILE", with: file)
            })
    }

    @Test(arguments: waits + amounts)
    func `a message names the limit and its option`(row: Case) async throws {
        let run = try await run(row.words, against: row.script)
        #expect(run.status == row.status, "\(run.errors)")
        let told = run.messages.joined(separator: "\n")
        #expect(told.contains("afcli: error: "), "\(told)")
        if let option = row.option {
            #expect(told.contains(option), "\(told)")
        } else {
            #expect(run.messages.count == 1, "\(told)")
        }
        if let lifted = row.lifted {
            let run = try await self.run(lifted, against: row.script)
            #expect(run.status == 0, "\(run.errors)")
        }
    }

    @Test func `a silent port times out`() async throws {
        let port = try UnresponsivePort()
        let run = await runTool(port.url(), "--connect-timeout", "200ms")
        #expect(run.status == 2)
        #expect(run.messages.last == "  increase --connect-timeout")
    }

    @Test func `the number of stored cookies is limited`() async throws {
        let cookies = (0..<400).map { "Set-Cookie: c\($0)=\(String(repeating: "v", count: 100))\r\n" }.joined()
        let server = try LocalServer.scripted { connection in
            _ = try connection.readRequest()
            try connection.send("HTTP/1.1 302 On\r\n\(cookies)Location: /next\r\nContent-Length: 0\r\n\r\n")
            _ = try connection.readRequest()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        }
        let run = await runTool("-L", server.url())
        #expect(run.status == 0, "\(run.errors)")
        let sent = try #require(server.requests.last?["Cookie"])
        #expect(sent.split(separator: ";").count == 180)
    }

    @Test func `the documentation lists exactly the options that change a limit`() throws {
        let folders = #filePath.split(separator: "/").dropLast(4)
        let document = String(
            decoding: try ScratchFolder.bytes(at: "/\(folders.joined(separator: "/"))/Documentation/limits.md"),
            as: UTF8.self)
        let letters = Set("-abcdefghijklmnopqrstuvwxyz0123456789")
        let words = document.split { !letters.contains($0) }
        let named = Set(words.filter { $0.hasPrefix("--") && !$0.hasPrefix("---") }.map { $0.dropFirst(2) })
        let known = Set(Invocation.options.entries.flatMap(\.longSpellings))
        #expect(named.isSubset(of: known), "\(named.subtracting(known))")
        let lifting = (Self.waits + Self.amounts).compactMap(\.option).filter { $0.hasPrefix("--") }
        let limits = known.filter { $0.hasPrefix("max-") }
        for option in limits.union(lifting.map { $0.dropFirst(2) }) { #expect(named.contains(option), "\(option)") }
    }
}
