import Foundation
import Synchronization
import TestSupport
import Testing

@testable import AFCommand

/// Compares `afcli curl` with curl itself: the same commands, the same server, the same files.
@Suite(.timeLimit(.minutes(15))) struct CurlCorpusTests {
    /// The result of a command, which must be equal for both programs.
    struct Outcome: Equatable, CustomStringConvertible {
        var requests: [String]
        var files: [String: [UInt8]]
        var output: [UInt8]
        var status: Int32

        var description: String {
            let files = files.sorted { $0.key < $1.key }.map {
                "\($0.key): \(String(decoding: $0.value, as: UTF8.self))"
            }
            // The log of the tests ends a message at a NUL.
            return """
                exit \(status)
                requests: \(requests.joined(separator: "\n"))
                files: \(files.joined(separator: "\n"))
                output: \(String(decoding: output, as: UTF8.self))
                """.replacing("\0", with: "\u{2400}")
        }
    }

    static let commands: [String] = {
        var commands: [String] = []
        for line in curlCommands.split(separator: "\n") where !line.hasPrefix("#") {
            if ["curl", "echo", "mkfifo"].contains(where: line.hasPrefix) {
                commands.append(String(line))
            } else {
                commands[commands.count - 1] += "\n\(line)"
            }
        }
        return commands
    }()

    @Test func `the corpus has at least 880 commands`() {
        #expect(Self.commands.count >= 880)
        #expect(Set(Self.commands).count == Self.commands.count)
    }

    @Test func `the document has the numbers of commands and of differences`() throws {
        let text = try #require(Repository.text(of: "Documentation/curl.md"))
        let (both, older, newer) = (curlDifferences.count, curl7Differences.count, curl8Differences.count)
        #expect(text.contains(" \(Self.commands.count) commands "))
        #expect(text.contains(" \(both) commands differ from both for these reasons, "))
        #expect(text.contains(" \(older) from 7.88.1 and \(newer) from 8.14.1,"))
    }

    @Test func `each difference is one of the manual, and concerns a command`() {
        for (command, subject) in curlDifferences {
            #expect(CurlDifference.about(subject) != nil, "\(subject)")
            #expect(Self.commands.contains(command), "\(command)")
        }
    }

    @Test func `requests, files, output and exit number are those of curl`() async throws {
        let afcli = try Program.afcliPath()
        let version = try await Program("/usr/bin/curl", ["--version"]).run().text
        let differences = curlDifferences.merging(
            version.hasPrefix("curl 7.") ? curl7Differences : curl8Differences, uniquingKeysWith: { $1 })
        // Commands wait most of the time, so some run at a time, each with servers of its own.
        try await withThrowingTaskGroup { group in
            for lane in 0..<Self.laneCount {
                group.addTask {
                    let flaky = Flaky()
                    try await withServer({ try respond(to: $0, flaky) }) { server in
                        let front = try await TLSFront(to: server.port, identity: TestCertificates.shared.selfSigned)
                        let dead = try RefusingPort()
                        let plain = try LocalServer.scripted { connection in
                            try connection.send("plain text\n")
                            try connection.waitForClose(within: .seconds(60))
                        }
                        let servers = Servers(server: server, front: front, dead: dead, plain: plain)
                        for index in stride(from: lane, to: Self.commands.count, by: Self.laneCount) {
                            let command = Self.commands[index]
                            try await compare(command, afcli, servers, difference: differences[command])
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    private static let laneCount = 3

    private struct Servers {
        var server: LocalServer
        var front: TLSFront
        var dead: RefusingPort
        var plain: LocalServer

        func addresses(in command: String) -> String {
            command.replacingOccurrences(of: "URL", with: "http://\(server.authority)")
                .replacingOccurrences(of: "SECURE", with: "https://localhost:\(front.port)")
                .replacingOccurrences(of: "PLAIN", with: plain.authority)
                .replacingOccurrences(of: "DEAD", with: "\(dead.port)")
                .replacingOccurrences(of: "HOST", with: server.authority)
                .replacingOccurrences(of: "PORT", with: "\(server.port)")
        }
    }

    private func compare(_ command: String, _ afcli: String, _ servers: Servers, difference: String?) async throws {
        let typed = servers.addresses(in: command)
        let theirs = try await run(typed, "curl() { /usr/bin/curl \"$@\"; }", servers.server)
        let ours = try await run(typed, "curl() { '\(afcli)' curl \"$@\"; }", servers.server)
        if let difference {
            let isDifferent = theirs.outcome != ours.outcome || difference == orderOfEnds
            #expect(isDifferent, "\(command)\nno longer differs: \(difference)")
        } else {
            #expect(
                theirs.outcome == ours.outcome,
                "\(command)\ncurl: \(theirs.outcome)\nafcli: \(ours.outcome)\n\(ours.errors)")
        }
        // Messages and progress are hidden, except for errors in the command line and its files.
        let isSilent = command.contains(" -s") || command.contains(" --silent")
        #expect(
            !isSilent || [2, 26].contains(ours.outcome.status) || ours.errors.isEmpty || !theirs.errors.isEmpty,
            "\(command)\n\(ours.errors)")
    }

    private func run(
        _ command: String,
        _ prelude: String,
        _ server: LocalServer
    ) async throws -> (outcome: Outcome, errors: String) {
        let folder = try ScratchFolder()
        try Self.fill(folder, server)
        let before = server.requests.count
        let program = Program(
            "/bin/sh", ["-c", "\(prelude)\n\(command)"],
            environment: ["HOME": folder.path, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"],
            workingDirectory: folder.path)
        let result = try await program.run()
        var requests = Self.descriptions(of: server.requests[before...])
        var output = Self.content(ofOutput: result.output, of: command)
        if Self.isParallel(command) {
            // Parallel transfers are in any order, and share connections by chance.
            requests = server.requests[before...].map(Self.description).sorted()
            output = Array(
                output.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }.sorted().joined().utf8)
        }
        var files: [String: [UInt8]] = [:]
        for name in Self.files(in: folder) { files[name] = try Self.content(of: name, in: folder) }
        let outcome = Outcome(requests: requests, files: files, output: output, status: result.status)
        return (outcome, result.errorText)
    }

    private static func isParallel(_ command: String) -> Bool {
        command.split(separator: " ").contains { word in
            word.hasPrefix("--parallel") || word.hasPrefix("-") && !word.hasPrefix("--") && word.contains("Z")
        }
    }

    // Files

    private static func fill(_ folder: ScratchFolder, _ server: LocalServer) throws {
        try folder.write("first line\nsecond line\r\n", to: "text.txt")
        // Both commands send the same date.
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1_500_000_000)], ofItemAtPath: folder.file("text.txt"))
        try folder.write("{\"a\": 1}\n", to: "data.json")
        try folder.write("<p>text</p>", to: "page.html")
        try folder.write([0xFF, 0xD8, 0, 1, 2], to: "photo.jpg")
        try folder.write([0, 1, 2, 10, 13, 200, 255], to: "body.bin")
        try folder.write(Array(content[..<500]), to: "half.bin")
        try folder.write("\"v0\"\n", to: "etag.txt")
        try folder.write("\"v1\"\n", to: "v1.txt")
        try folder.write("#!/bin/sh\n", to: "run.sh")
        try folder.setPermissions(0o755, of: "run.sh")
        try folder.write("behind a link\n", to: "linked.txt")
        for (name, target) in [("link", "linked.txt"), ("dangling", "nowhere.txt"), ("subdir", "sub")] {
            try folder.link(name, to: target)
        }
        try folder.write("X-From-File: 1\nX-Second: two\n", to: "headers.txt")
        let host = server.authority.prefix { $0 != ":" }
        try folder.write("machine \(host) login netuser password netpass\n", to: "netrc")
        try folder.write("machine \(host) login netuser password netpass\n", to: ".netrc")
        try folder.write(
            "# Netscape HTTP Cookie File\n\(host)\tFALSE\t/\tFALSE\t4000000000\tkept\tyes\n", to: "cookies.txt")
        try folder.write(
            "\(host)\tFALSE\t/\tFALSE\t0\tsession\tyes\n\(host)\tFALSE\t/\tFALSE\t4000000000\tmore\tyes\n",
            to: "more-cookies.txt")
        try folder.write("HTTP/1.1 200 OK\r\nSet-Cookie: dumped=yes; path=/\r\n\r\n", to: "dumped.txt")
        try folder.write(
            "# a comment\nurl = \"\(server.url("/configured"))\"\nheader = \"X-Config: \\\"quoted\\\"\"\nsilent\n-d a=1\n",
            to: "config.txt")
        _ = try folder.folder("sub")
        try folder.write("old\n", to: "sub/text.txt")
        try folder.write("nested\n", to: "sub/nested.txt")
        // A directory with the name that shells expand
        try folder.write("X-Tilde: 1\n", to: "~/headers")
        try folder.write("machine \(host) login tilde password netpass\n", to: "~/netrc")
    }

    private static func files(in folder: ScratchFolder) -> [String] {
        let all = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        // curl's HSTS cache is not part of the result.
        return all.filter { !$0.hasPrefix(".") || $0 == ".netrc" }.sorted()
    }

    /// Returns the sorted lines of a cookie jar without its comments, the target of a link, the permissions of a
    /// directory, or the bytes of another file, after unusual attributes.
    private static func content(of name: String, in folder: ScratchFolder) throws -> [UInt8] {
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.file(name))
        if let target = try? FileManager.default.destinationOfSymbolicLink(atPath: folder.file(name)) {
            return Array("link to \(target)".utf8)
        }
        if attributes[.type] as? FileAttributeType == .typeDirectory {
            return Array("directory \(String(attributes[.posixPermissions] as? Int ?? 0, radix: 8))".utf8)
        }
        guard attributes[.type] as? FileAttributeType == .typeRegular else { return [] }
        let isRunnable = (attributes[.posixPermissions] as? Int ?? 0) & 0o100 != 0
        let isDated = (attributes[.modificationDate] as? Date)?.timeIntervalSince1970 == 784_111_777
        let marks = (isRunnable ? "runnable " : "") + (isDated ? "dated " : "")
        return try Array(marks.utf8) + ownContent(of: name, in: folder)
    }

    private static func ownContent(of name: String, in folder: ScratchFolder) throws -> [UInt8] {
        let bytes = try folder.bytes(of: name)
        guard name.contains("jar") || name.contains("cookies") else { return bytes }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        return Array(lines.filter { !$0.hasPrefix("# ") }.sorted().joined(separator: "\n").utf8)
    }

    /// Returns the output without the comments of a cookie file.
    private static func content(ofOutput bytes: [UInt8], of command: String) -> [UInt8] {
        guard command.contains("-c -") else { return bytes }
        let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        return Array(lines.filter { !$0.starts(with: "# ".utf8) }.joined(separator: [0x0A]))
    }

    // Requests

    /// Returns the requests with the numbers of their connections in the command.
    private static func descriptions(of requests: ArraySlice<RecordedRequest>) -> [String] {
        var connections: [Int] = []
        return requests.map { request in
            if !connections.contains(request.connection) { connections.append(request.connection) }
            let number = connections.firstIndex(of: request.connection) ?? 0
            return "connection \(number): \(description(request))"
        }
    }

    /// Returns the request without intended differences: the order of fields, the user agent, the boundary, and the
    /// settings of HTTP/2, which are those of the version of libcurl.
    private static func description(_ request: RecordedRequest) -> String {
        var body = request.text
        var fields = request.headers.map { (name: $0.name.lowercased(), value: $0.value) }
        if let type = request["Content-Type"], let range = type.range(of: "boundary=") {
            let boundary = String(type[range.upperBound...])
            body = body.replacingOccurrences(of: boundary, with: "BOUNDARY")
            // Later versions of curl have longer ones.
            let length = request.text.count - body.count
            fields = fields.map { name, value in
                let shortened = name == "content-length" ? Int(value).map { "\($0 - length)" } : nil
                return (name, shortened ?? value.replacingOccurrences(of: boundary, with: "BOUNDARY"))
            }
        }
        // Lines without a space after the name, as they were received.
        let isTyped = request.head.contains(Array("X-A:b".utf8))
        let typed = isTyped ? request.head.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) } : []
        body += typed.filter { $0.hasPrefix("X-") || $0.hasPrefix("x:") }.sorted().joined()
        fields = fields.filter { !$0.value.hasPrefix("curl/") && !$0.value.hasPrefix("afcli/") }
            .filter { !($0.name.hasSuffix("authorization") && $0.value.hasPrefix("Digest ")) }
        let lines = fields.map { $0.name == "http2-settings" ? $0.name : "\($0.name): \($0.value)" }.sorted()
        return (["\(request.method) \(request.target) \(request.version)"] + lines + [body]).joined(separator: "\n")
    }

    // The server

    private static let content = (0..<1000).map { UInt8(ascii: "a") + UInt8($0 % 23) }
    static let tag = "\"v1\""

    /// Fails every other time.
    private final class Flaky: Sendable {
        private let count = Mutex(0)

        func response() -> LocalServer.Response {
            let count = count.withLock { count in
                count += 1
                return count
            }
            return count % 2 == 1 ? .status(503, "busy") : .ok("calm")
        }
    }

    @Sendable private func respond(to request: RecordedRequest, _ flaky: Flaky) throws -> LocalServer.Response {
        switch request.path {
        case "/redirect": return .redirect(to: "/get")
        case "/hops": return .redirect(to: "/redirect")
        case "/redirect/300": return .redirect(to: "/get", status: 300)
        case "/redirect/dead": return .redirect(to: "http://127.0.0.1:1/")
        case "/both":
            let fields = "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n"
            return .raw("HTTP/1.1 200 OK\r\n\(fields)5\r\nhello\r\n0\r\n\r\n")
        case _ where request.target.hasPrefix("refused.example"): return .status(403, "no")
        case _ where request.target.hasPrefix("redirecting.example"): return .redirect(to: "/get")
        case "/redirect/303": return .redirect(to: "/get", status: 303)
        case "/redirect/307": return .redirect(to: "/get", status: 307)
        case "/redirect/308": return .redirect(to: "/get", status: 308)
        case "/missing": return .status(404, "nothing")
        case "/loop": return .redirect(to: "/loop")
        case "/cookies": return .ok("set").header("Set-Cookie", "new=1; Path=/; Expires=Fri, 01 Jan 2038 00:00:00 GMT")
        case "/cookies/redirect": return .redirect(to: "/get").header("Set-Cookie", "hop=1; Path=/")
        case "/disposition":
            return .ok("named").header("Content-Disposition", "attachment; filename=\"named.txt\"")
        case "/digest" where request["Authorization"] == nil,
            "/digest/redirect" where request["Authorization"] == nil,
            "/digest/never":
            return .status(401).header("WWW-Authenticate", "Digest realm=\"r\", nonce=\"n\", qop=\"auth\"")
        case "/digest/redirect": return .redirect(to: "/digest")
        case "/elsewhere":
            let port = request["Host"]?.split(separator: ":").last ?? ""
            return .redirect(to: "http://localhost:\(port)/get")
        case "/closing": return .ok("closing").header("Connection", "close")
        case "/keepalive": return .ok(try keepAlive(of: request))
        case "/flaky": return flaky.response()
        case "/truncated": return .raw("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort")
        case "/slow": return .silence
        case "/file.bin": return Self.file(request)
        default:
            if let cookie = Self.cookie(request.path) { return .ok("cookie").header("Set-Cookie", cookie) }
            if let response = Self.detail(of: request) ?? Self.file(of: request) ?? Self.fault(request.path) {
                return response
            }
            return .ok("\(request.method) \(request.target)\n").header("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT")
        }
    }

    /// Returns the value of `Set-Cookie` for `/set/NAME/VALUE`, `/keep/NAME/VALUE` and `/delete/NAME`.
    private static func cookie(_ path: String) -> String? {
        let words = path.split(separator: "/").map(String.init)
        switch (words.first, words.count) {
        case ("set", 3): return "\(words[1])=\(words[2]); Path=/"
        case ("keep", 3): return "\(words[1])=\(words[2]); Path=/; Expires=Fri, 01 Jan 2038 00:00:00 GMT"
        case ("delete", 2): return "\(words[1])=; Path=/; Max-Age=0"
        default: return nil
        }
    }

    /// Returns the seconds until TCP probes the connection of the client, in tens.
    private func keepAlive(of request: RecordedRequest) throws -> String {
        let port = request["Host"]?.split(separator: ":").last.flatMap { UInt16($0) } ?? 0
        let server = "0100007F:" + String(Int(port) + 0x10000, radix: 16, uppercase: true).dropFirst()
        while true {
            let lines = try String(contentsOfFile: "/proc/net/tcp", encoding: .utf8).split(separator: "\n")
            let client = lines.map { $0.split(separator: " ") }.first {
                $0.count > 5 && $0[2] == server && $0[3] == "01"
            }
            let timer = client?[5].split(separator: ":") ?? []
            switch timer.first {
            case "02": return "\(((Int(timer[1], radix: 16) ?? 0) + 500) / 1000 * 10)\n"
            // The request is not acknowledged yet.
            case "01": usleep(1000)
            default: return "none\n"
            }
        }
    }

    private static func file(_ request: RecordedRequest) -> LocalServer.Response {
        guard let range = request["Range"]?.dropFirst("bytes=".count), let dash = range.firstIndex(of: "-") else {
            return .ok(String(decoding: content, as: UTF8.self)).header("ETag", tag)
        }
        let (first, last) = (Int(range[..<dash]), Int(range[range.index(after: dash)...]))
        let start = first ?? content.count - (last ?? 0)
        guard start < content.count else {
            return .status(416, "no").header("Content-Range", "bytes */\(content.count)")
        }
        let end = first == nil ? content.count : (last ?? content.count - 1) + 1
        return .status(206, String(decoding: content[start..<end], as: UTF8.self)).header("ETag", tag)
            .header("Content-Range", "bytes \(start)-\(end - 1)/\(content.count)")
    }
}
