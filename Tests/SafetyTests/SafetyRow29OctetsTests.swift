import TestSupport
import Testing

@Suite("Safety 29: octets", .timeLimit(.minutes(5)))
struct SafetyRow29OctetsTests {
    let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    /// Two entity tags that differ in octets, and are equal or look equal as text.
    static let tags: [([UInt8], [UInt8])] = [
        ([0xE9], [0xE8]), ([0xC3, 0xA9], [0x65, 0xCC, 0x81]), ([0x4B], [0xE2, 0x84, 0xAA]),
        ([0xFF], [0xEF, 0xBF, 0xBD]),
        ([0xE9], [0xC3, 0xA9]),
    ]

    @Test(arguments: tags)
    func `a download does not continue with another entity tag`(first: [UInt8], second: [UInt8]) async throws {
        let once = Once()
        try await withServer { request in
            let isFirst = once.take()
            let tag = Array("\"v".utf8) + (isFirst ? first : second) + Array("\"".utf8)
            let (status, body) =
                isFirst
                ? ("200 OK\r\nContent-Length: 20", "AAAAAAAA")
                : request["Range"] == nil
                    ? ("200 OK\r\nContent-Length: 20", String(repeating: "B", count: 20))
                    // The last bytes before the interruption are asked for again, and are the same.
                    : ("206 Partial Content\r\nContent-Length: 16\r\nContent-Range: bytes 4-19/20", "AAAABBBBBBBBBBBB")
            return .raw(
                Array("HTTP/1.1 \(status)\r\nConnection: close\r\nETag: ".utf8) + tag + Array("\r\n\r\n\(body)".utf8))
        } _: { server in
            let interrupted = try await folder.afcli("-o", "f", server.url("/f"))
            #expect(interrupted.status == 13)
            let resumed = try await folder.afcli("-o", "f", "--resume", server.url("/f"))
            #expect(resumed.status == 0, "\(resumed.errorText)")
            #expect(try folder.text(of: "f") == String(repeating: "B", count: 20))
            #expect(server.requests[1]["Range"] == "bytes=4-")
        }
    }

    @Test(
        arguments: [
            (Array("/caf".utf8) + [0xE9], "/caf%E9"), ([0x2F, 0xC4, 0xE3], "/%C4%E3"),
            (Array("/?q=".utf8) + [0xFC], "/?q=%FC"), (Array("/".utf8) + [0xCC, 0x81], "/%CC%81"),
            (Array("/é".utf8), "/%C3%A9"),
        ] as [([UInt8], String)])
    func `a redirect is followed to the octets of its location`(location: [UInt8], target: String) async throws {
        try await withServer { request in
            request.path == "/start"
                ? .raw(
                    Array("HTTP/1.1 302 Found\r\nContent-Length: 0\r\nConnection: close\r\nLocation: ".utf8) + location
                        + Array("\r\n\r\n".utf8))
                : .ok()
        } _: { server in
            let run = try await folder.afcli("-L", server.url("/start"))
            #expect(run.status == 0, "\(run.errorText)")
            #expect(server.requests.last?.target == target)
        }
    }

    @Test(
        arguments: [["--session", "./s"], ["--cookie-jar", "jar"]], [[0xFC], [0xC3, 0xBC], [0xCC, 0x81]] as [[UInt8]])
    func `a cookie comes back with its octets`(words: [String], value: [UInt8]) async throws {
        try await withServer { _ in
            .raw(
                Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\nSet-Cookie: a=x".utf8) + value
                    + Array("; Max-Age=1000\r\n\r\n".utf8))
        } _: { server in
            for _ in 0..<2 {
                let run = try await folder.afcli([server.url()] + words)
                #expect(run.status == 0, "\(run.errorText)")
            }
            let cookie = server.requests.last?.head.split(separator: 0x0A).first {
                $0.starts(with: Array("Cookie:".utf8))
            }
            #expect(cookie.map { Array($0.dropFirst(9)) } == Array("=x".utf8) + value + [0x0D])
        }
    }
}
