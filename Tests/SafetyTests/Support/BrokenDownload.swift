import TestSupport
import Testing

/// A file whose first response breaks off in the middle; the test determines the later responses.
struct BrokenDownload: Sendable {
    var content = [UInt8]((0..<200_000).map { UInt8(truncatingIfNeeded: $0 ^ ($0 >> 8) &* 31 ^ ($0 >> 16) &* 7) })
    /// The number of bytes in the first response.
    let half = 100_000
    /// The start of the range that a resume requests: 64 KiB before the end of the first part.
    var restStart: Int { half - 65_536 }
    /// The default header fields of every response.
    var fields = #"ETag: "v1""#

    /// Returns the rest of other contents that have the same joint: only validators and digests show the difference.
    func rest(of other: [UInt8]) -> [UInt8] { Array(content[restStart..<half]) + other[half...] }

    /// The first response, which breaks off.
    var broken: LocalServer.Response {
        .raw(Array("HTTP/1.1 200 OK\r\n\(fields)\r\nContent-Length: \(content.count)\r\n\r\n".utf8) + content[..<half])
    }

    /// Returns a 206 response with the remainder or another range.
    ///
    /// - Parameters:
    ///   - range: A replacement of `Content-Range`.
    ///   - fields: A replacement of the usual fields.
    func rest(range: String? = nil, fields: String? = nil, bytes: [UInt8]? = nil) -> LocalServer.Response {
        let bytes = bytes ?? Array(content[restStart...])
        let isMultipart = fields?.contains("multipart") == true
        let range = range ?? "bytes \(restStart)-\(content.count - 1)/\(content.count)"
        let place = isMultipart ? "" : "Content-Range: \(range)\r\n"
        let head = "HTTP/1.1 206 Partial Content\r\n\(fields ?? self.fields)\r\n\(place)"
        return .raw(Array("\(head)Content-Length: \(bytes.count)\r\n\r\n".utf8) + bytes)
    }

    /// Returns a complete response.
    func whole(_ bytes: [UInt8]? = nil, fields: String? = nil) -> LocalServer.Response {
        let bytes = bytes ?? content
        let head = "HTTP/1.1 200 OK\r\n\(fields ?? self.fields)\r\nContent-Length: \(bytes.count)\r\n\r\n"
        return .raw(Array(head.utf8) + bytes)
    }

    /// Interrupts a download into `f` after the first half, and then runs a test.
    ///
    /// - Parameter answer: Returns the response to every request except the first.
    nonisolated(nonsending) func interrupted(
        in folder: ScratchFolder,
        _ answer: @escaping @Sendable (RecordedRequest) -> LocalServer.Response,
        _ test: (LocalServer) async throws -> Void
    ) async throws {
        let isFirst = Once()
        try await withServer { request in
            isFirst.take() ? broken : answer(request)
        } _: { server in
            let first = try await folder.afcli("-o", "f", server.url("/f"))
            try expect(first.status == 13 && !folder.has("f"), first.errorText)
            try await test(server)
        }
    }
}
