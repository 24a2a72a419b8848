import AFCore
import FoundationEssentials
import TestSupport
import Testing

/// The origin of the file.
extension SafetyRow23ValidatorsTests {
    /// Starts a download by a redirect to one server, and continues it by a redirect to another one.
    private nonisolated(nonsending) func moved(
        _ way: Way,
        _ words: [String] = [],
        fields: String = "ETag: \"v1\"",
        rest: ArraySlice<UInt8>,
        _ test: (ProgramResult, LocalServer) async throws -> Void
    ) async throws {
        let (isFirst, download, other) = (Once(), BrokenDownload(fields: fields), other)
        try await withServer { _ in
            download.broken
        } _: { old in
            try await withServer { request in
                request["Range"] == nil
                    ? download.whole(other, fields: "ETag: \"v1\"") : download.rest(bytes: Array(rest))
            } _: { new in
                try await withServer { _ in
                    .redirect(to: isFirst.take() ? old.url("/a") : new.url("/b"))
                } _: { front in
                    var words = ["-o", "f", "--follow", front.url("/f")] + words
                    if way == .resume {
                        try expect(try await folder.afcli(words).status == 13, "the first run is interrupted")
                        words.append("--resume")
                    } else {
                        words += ["--retry", "2", "--retry-delay", "1ms"]
                    }
                    try await test(try await folder.afcli(words), new)
                }
            }
        }
    }

    @Test(arguments: Way.allCases)
    func `another origin's file is not appended, even with equal validators`(way: Way) async throws {
        try await moved(way, rest: download.rest(of: other)[...]) { (run, server) throws in
            #expect(run.status == 0, "\(run.errorText)")
            #expect(try folder.bytes(of: "f") == other)
            #expect(server.requests.map { $0["Range"] } == ["bytes=34464-", nil])
            let reason = "'\(server.url("/b"))' is not the resource of the first part: restarting the download"
            #expect(run.errorText.contains(reason) == (way == .resume), "\(run.errorText)")
        }
    }

    @Test(arguments: Way.allCases)
    func `a checksum or a recorded digest allows another origin`(way: Way) async throws {
        let checksum = try self.checksum(.sha256, of: download.content)
        let announced = try announcements(of: download.content)[0]
        for (words, fields) in [
            (["--checksum", "\(checksum)"], "ETag: \"v1\""), ([], "ETag: \"v1\"\r\n\(announced)"),
        ] {
            let rest = download.content[download.restStart...]
            try await moved(way, words, fields: fields, rest: rest) { (run, server) throws in
                #expect(run.status == 0, "\(run.errorText)")
                #expect(try folder.bytes(of: "f") == download.content)
                #expect(server.requests.map { $0["Range"] } == ["bytes=34464-"])
            }
        }
    }

    @Test(arguments: Way.allCases, ["/v2", "/v1?part=2"])
    func `another resource of the server is not appended, even with equal validators`(
        way: Way,
        target: String
    ) async throws {
        let (isFirst, download, other) = (Once(), BrokenDownload(fields: "ETag: \"v1\""), other)
        let isSame = target.hasPrefix("/v1")
        try await withServer { request in
            switch request.path {
            case "/f": return .redirect(to: isFirst.take() ? "/v1" : target)
            case "/v1" where request.query == nil: return download.broken
            default:
                let content = isSame ? download.content : other
                return request["Range"] == nil
                    ? download.whole(content, fields: "ETag: \"v1\"")
                    : download.rest(bytes: download.rest(of: content))
            }
        } _: { (server) async throws in
            var words = ["-o", "f", "--follow", server.url("/f")]
            if way == .resume {
                try expect(try await folder.afcli(words).status == 13, "the first run is interrupted")
                words.append("--resume")
            } else {
                words += ["--retry", "2", "--retry-delay", "1ms"]
            }
            let run = try await folder.afcli(words)
            #expect(run.status == 0, "\(run.errorText)")
            #expect(try folder.bytes(of: "f") == (isSame ? download.content : other))
        }
    }

    @Test func `segments from another origin are rejected`() async throws {
        let content = RangeServer.pattern(4 << 20)
        let (own, foreign) = (try RangeServer(content), try RangeServer(content.reversed()))
        let isFirst = Once()
        try await withServer { _ in
            .redirect(to: isFirst.take() ? own.url : foreign.url)
        } _: { front in
            let run = try await folder.afcli("-o", "f", "--follow", "--segments", "4", front.url("/f"))
            #expect(run.status == 0, "\(run.errorText)")
            #expect(try folder.bytes(of: "f") == content.reversed())
            #expect(foreign.requests.last?["Range"] == nil)
        }
    }
}
