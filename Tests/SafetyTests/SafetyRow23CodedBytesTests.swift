import TestSupport
import Testing

@Suite("Safety 23: coded and decoded bytes", .timeLimit(.minutes(5)))
struct SafetyRow23CodedBytesTests {
    let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    @Test(arguments: [13, 0])
    func `a file with coded bytes does not count where the coding is decoded`(firstStatus: Int32) async throws {
        let body = CodedBody.gzip.bytes
        let fields = "ETag: \"v1\"\r\nContent-Encoding: gzip\r\n"
        let isFirst = Once()
        try await withServer { request in
            if request["If-None-Match"] != nil { return .raw("HTTP/1.1 304 Not Modified\r\nETag: \"v1\"\r\n\r\n") }
            if let start = request["Range"].flatMap({ Int($0.dropFirst(6).dropLast()) }) {
                let head = "HTTP/1.1 206 Partial Content\r\n\(fields)Content-Length: \(body.count - start)\r\n"
                let range = "Content-Range: bytes \(start)-\(body.count - 1)/\(body.count)\r\n\r\n"
                return .raw(Array((head + range).utf8) + body[start...])
            }
            let head = "HTTP/1.1 200 OK\r\n\(fields)Content-Length: \(body.count)\r\n\r\n"
            return .raw(Array(head.utf8) + (isFirst.take() && firstStatus != 0 ? body.dropLast(10) : body[...]))
        } _: { (server) async throws in
            let coded = try await folder.afcli(["-o", "f", "--no-decode", server.url("/f")])
            try expect(coded.status == firstStatus, "the first run stores coded bytes")
            let decoded = try await folder.afcli(["-o", "f", "--resume", server.url("/f")])
            #expect(decoded.status == 0, "\(decoded.errorText)")
            #expect(folder.holds(CodedBody.text, in: "f"))
        }
    }
}
