import Glibc
import TestSupport
import Testing

@Suite("Safety 19: temporary files", .timeLimit(.minutes(5)))
struct SafetyRow19TemporaryFilesTests {
    let folder: ScratchFolder
    let download = BrokenDownload()

    init() throws { folder = try ScratchFolder() }

    /// A file that another user may have created at the partial file's path.
    enum Trap: CaseIterable { case link, danglingLink, secondName, pipe, folder, otherOwner }

    /// - Returns: Whether this user can set it.
    private func set(_ trap: Trap, at name: String) throws -> Bool {
        switch trap {
        case .link: try folder.link(name, to: folder.file("victim"))
        case .danglingLink: try folder.link(name, to: folder.file("nothing"))
        case .secondName: return link(folder.file("victim"), folder.file(name)) == 0
        case .pipe: return mkfifo(folder.file(name), 0o666) == 0
        case .folder: try folder.folder(name)
        case .otherOwner:
            // Only root can give files away.
            try folder.write("theirs", to: name, permissions: 0o666)
            return chown(folder.file(name), 12345, 12345) == 0
        }
        return true
    }

    @Test(arguments: Trap.allCases)
    func `a foreign file at the partial file's path is rejected and unchanged`(trap: Trap) async throws {
        try await withServer { _ in
            download.whole()
        } _: { server in
            // With and without a record that makes it look like an earlier run's.
            for hasRecord in [false, true] {
                let name = hasRecord ? "g" : "f"
                try folder.write("victim", to: "victim")
                guard try set(trap, at: "\(name).part") else { return }
                if hasRecord {
                    let record = """
                        {"version":1,"url":"\(server.url("/f"))","partialPath":"\(folder.file("g.part"))",\
                        "entityTag":"\\"v1\\"","length":200000,"completedBytes":6}
                        """
                    try folder.write(record, to: "g.part.json", permissions: 0o600)
                }
                for words in [["-o", name], ["-o", name, "--resume"]] {
                    let run = try await folder.afcli(words + [server.url("/f")])
                    #expect(run.status == 16, "\(trap) \(hasRecord): \(run.errorText)")
                    #expect(run.errorText.contains("\(name).part"), "\(run.errorText)")
                    #expect(!folder.has(name))
                }
                #expect(folder.holds("victim", in: "victim"))
                #expect(folder.has("\(name).part") && !folder.has("nothing"))
            }
        }
    }

    @Test func `a foreign file at the record's path is not trusted`() async throws {
        try await withServer { request in
            request["Range"] == nil ? download.whole() : download.rest()
        } _: { server in
            let record = """
                {"version":1,"url":"\(server.url("/f"))","partialPath":"\(folder.file("f.part"))",\
                "entityTag":"\\"v1\\"","length":200000,"completedBytes":100000}
                """
            try folder.write(record, to: "elsewhere")
            try folder.write([UInt8](repeating: 0, count: 100_000), to: "f.part", permissions: 0o600)
            try folder.link("f.part.json", to: folder.file("elsewhere"))
            let run = try await folder.afcli("-o", "f", "--resume", server.url("/f"))
            #expect(run.status == 16, "\(run.errorText)")
            #expect(!folder.has("f"))
            #expect(folder.holds(record, in: "elsewhere"))
        }
    }

    @Test(arguments: ["000", "022", "077"])
    func `the partial file is private, and the umask applies to the complete one`(mask: String) async throws {
        let isSeen = Gate()
        try await withScriptedServer { connection in
            _ = try connection.readRequest()
            try connection.send("HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nContent-Length: 6\r\n\r\nnew")
            try connection.wait(for: isSeen)
            try connection.send("est")
        } _: { server in
            defer { isSeen.open() }
            let words = ["-c", "umask \(mask); exec \"$@\"", "sh", try Program.afcliPath(), "-o", "f", server.url()]
            let program = try Program("/bin/sh", words, workingDirectory: folder.path).start()
            try await eventually("the download has begun") { (try? folder.size(of: "f.part")) == 3 }
            #expect(try folder.permissions(of: "f.part") == 0o600)
            #expect(try folder.permissions(of: "f.part.json") & 0o077 == 0)
            isSeen.open()
            #expect(try await program.waitForEnd().status == 0)
            let expected: [String: UInt32] = ["000": 0o666, "022": 0o644, "077": 0o600]
            #expect(try folder.permissions(of: "f") == expected[mask])
        }
    }

    @Test func `all other files are created beside their destination, with unpredictable names`() async throws {
        let trace = try await TracedOpening()
        let fixed = Set(["f.part", "s.json", "jar"].map { $0 })
        var names: [Set<String>] = []
        for round in 1...2 {
            try await withServer {
                $0.path == "/203"
                    ? .status(203, "x")
                    : download.whole(fields: "ETag: \"v1\"\r\nSet-Cookie: c\(round)=v; Path=/; Max-Age=1000")
            } _: { server in
                let before = try trace.createdFiles.count
                let words = [
                    "-o", "f", "--session", "./s.json", "--cookie-jar", "jar", "--report", "r.json", "--har", "h.har",
                    server.url("/f"),
                ]
                let run = try await folder.afcli(words, variables: trace.variables)
                #expect(run.status == 0, "\(run.errorText)")
                // A response that is not resumable is stored under a temporary name.
                let other = try await folder.afcli(["-o", "g", server.url("/203")], variables: trace.variables)
                #expect(other.status == 0, "\(other.errorText)")
                let made = try trace.createdFiles.dropFirst(before)
                #expect(made.count >= 4, "\(made)")
                for making in made {
                    #expect(making.flags & O_EXCL != 0, "\(making.path)")
                    let isHere = making.path.hasPrefix(folder.path + "/") || !making.path.hasPrefix("/")
                    #expect(isHere, "\(making.path)")
                }
                names.append(
                    Set(made.map { $0.path.split(separator: "/").last.map(String.init) ?? "" }).subtracting(fixed))
            }
        }
        #expect(!names[0].isEmpty && names[0].isDisjoint(with: names[1]), "\(names)")
        #expect(folder.list() == ["f", "g", "h.har", "jar", "r.json", "s.json"])
    }
}
