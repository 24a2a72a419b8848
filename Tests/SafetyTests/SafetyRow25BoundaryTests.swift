import AFCore
import FoundationEssentials
import TestSupport
import Testing

@Suite("Safety 25: a typed boundary", .timeLimit(.minutes(5)))
struct SafetyRow25BoundaryTests {
    let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    /// Contents that a server would take for the end of a part, the boundary being `XX`.
    static let splitting = [
        "a\r\n--XX\r\nb", "a\n--XX--\r\n", "--XX", "\r\n--XX", "a\r\n--XXtail", "\n\n--XX", "\n-\n--XX", "\n--X\n--XX",
    ]

    /// Contents that no server takes for it.
    static let harmless = ["a--XX", "--X", "\n--xX", "\n- -XX", "\n--", "XX", "", "\r\n--X", " --XX\r\n"]

    @Test(arguments: splitting)
    func `a part in memory that contains the boundary is a usage error`(content: String) async throws {
        try folder.write(content, to: "file")
        try await withServer { _ in
            .ok()
        } _: { server in
            for words in [
                ["--boundary", "XX", "-F", "x=1", "-F", "part=<file"],
                ["Content-Type:multipart/form-data; boundary=XX", "-F", "part=<file"],
                ["--multipart", "--boundary", "XX", "part=@file"],
            ] {
                let run = try await folder.afcli([server.url()] + words)
                #expect(run.status == 64)
                #expect(
                    run.errorText.hasPrefix("afcli: error: the part 'part' contains the boundary 'XX'\n"),
                    "\(run.errorText)")
            }
            let piped = try await folder.afcli(
                [server.url(), "--boundary", "XX", "-F", "part=@-"], input: .text(content))
            #expect(piped.status == 64, "\(piped.errorText)")
            #expect(server.acceptedConnections == 0)
        }
    }

    @Test(arguments: splitting)
    func `a file or stream that contains the boundary fails before the boundary is sent`(content: String) async throws {
        // Longer than one read, so that the boundary spans two reads.
        for length in [0, 1 << 16, (1 << 16) - 2, 3 << 20] {
            try folder.write(String(repeating: "a", count: length) + (length > 0 ? "\r\n" : "") + content, to: "file")
            try await withServer { _ in
                .ok()
            } _: { server in
                let words = ["-b", server.url(), "--boundary", "XX", "-F", "part=@file;filename=f"]
                let file = try await folder.afcli(words)
                let script = #"cat file | "$0" "$@""#
                var stream = try folder.tool([])
                stream.arguments = [
                    "-c", script, stream.path, "--chunked", "-b", server.url(), "--boundary", "XX", "-F", "f=@-",
                ]
                stream.path = "/bin/sh"
                stream.environment["PATH"] = "/usr/bin:/bin"
                for run in [file, try await stream.run()] {
                    #expect(run.status == 16, "\(run.errorText)")
                    #expect(run.errorText.contains("boundary"), "\(run.errorText)")
                }
                #expect(server.requests.allSatisfy { !$0.isComplete })
                #expect(server.requests.allSatisfy { $0.text.ranges(of: "--XX").count <= 1 })
            }
        }
    }

    @Test(arguments: harmless)
    func `a part that contains a similar string is sent`(content: String) async throws {
        try folder.write(content, to: "file")
        try await withServer { _ in
            .ok()
        } _: { server in
            let words = ["-F", "a=<file", "-F", "b=@file;filename=f", "-F", "c=@-"]
            let run = try await folder.afcli([server.url(), "--boundary", "XX"] + words, input: .text(content))
            #expect(run.status == 0, "\(run.errorText)")
            #expect(server.requests.first?.text.ranges(of: content.isEmpty ? "\r\n--XX" : content).count ?? 0 >= 3)
        }
    }

    @Test func `a part with the boundary in its header is rejected`() async throws {
        let run = try await folder.afcli("--offline", "h/", "--boundary", "XX", "-F", "a=b;headers=\"--XX: y\"")
        #expect(run.status == 64)
        #expect(run.errorText.hasPrefix("afcli: error: the part 'a' contains the boundary 'XX'\n"), "\(run.errorText)")
    }

    @Test func `two different boundaries are a usage error`() async throws {
        let type = "Content-Type:multipart/form-data; boundary=CC"
        let run = try await folder.afcli("--offline", "h/", "--boundary", "BB", type, "-F", "a=b")
        #expect(run.status == 64)
        #expect(run.errorText.contains("'BB' is not the boundary of the typed Content-Type, 'CC'"), "\(run.errorText)")
        let same = try await folder.afcli("--offline", "h/", "--boundary", "CC", type, "-F", "a=b")
        #expect(same.status == 0, "\(same.errorText)")
        #expect(same.text.contains("--CC\r\n"))
    }

    @Test func `a boundary without parts causes a warning`() async throws {
        let run = try await folder.afcli("--offline", "h/", "--boundary", "BB", "a=b")
        #expect(run.status == 0)
        #expect(run.errorText.contains("warning: --boundary has no effect: there is no multipart body"))
    }

    @Test func `parts are shown in their order while they are sent`() async throws {
        try folder.write("from a file", to: "file")
        try await withServer { _ in
            .ok("answer")
        } _: { server in
            let parts = ["-F", "a=@file;filename=f", "-F", "b=@-;filename=x", "-F", "c=@file;filename=g"]
            let words = ["--chunked", "-v", server.url(), "--boundary", "XX"] + parts
            let run = try await folder.afcli(words, input: .text("from a pipe"))
            let request = try #require(server.requests.first)
            #expect(run.text.contains(request.text + "\n\nHTTP/1.1 200 OK\r\n"), "\(run.text)")
        }
    }

    @Test func `a form of the library is checked, too`() async throws {
        try await withServer { _ in
            .ok()
        } _: { server in
            let memory = MultipartFormData(boundary: "XX")
            memory.append(Data("a\r\n--XX\r\n".utf8), withName: "a")
            #expect(throws: AFError.self) { try memory.encode() }
            let file = URL(filePath: try folder.write("a\r\n--XX\r\nb", to: "file.txt"))
            let form = MultipartFormData(boundary: "XX")
            form.append(file, withName: "f")
            #expect(throws: AFError.self) { try form.encode() }
            let response = await Session().upload(multipartFormData: form, to: server.url()).serializingData().response
            #expect(response.error != nil)
            #expect(server.requests.allSatisfy { !$0.isComplete })
            let random = MultipartFormData()
            random.append(file, withName: "f")
            #expect(try random.encode().count > 0)
        }
    }
}
