import Foundation
import Synchronization
import TestSupport
import Testing

/// Runs scripts with curl and with `alias curl='afcli curl'`.
@Suite(.timeLimit(.minutes(5))) struct CurlScriptTests {
    @Test(arguments: CurlScript.allCases)
    func `a script has the same result with curl and with afcli`(script: CurlScript) async throws {
        let theirs = try await run(script, "/usr/bin/curl")
        let ours = try await run(script, "'\(Program.afcliPath())' curl")
        #expect(theirs == ours)
        // The script came to its end.
        #expect(theirs.status == script.status, "\(theirs.output)")
    }

    private struct Outcome: Equatable {
        let output: String
        let files: [String: String]
        let requests: [String]
        let status: Int32
    }

    private func run(_ script: CurlScript, _ curl: String) async throws -> Outcome {
        let folder = try ScratchFolder()
        let service = Service()
        return try await withServer {
            try service.respond(to: $0)
        } _: { server in
            let program = Program(
                "/bin/sh", ["-c", "alias curl=\"\(curl)\"\n\(script.rawValue)"],
                environment: [
                    "HOME": folder.path, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8",
                    "BASE": "http://\(server.authority)",
                ],
                workingDirectory: folder.path)
            let result = try await program.run()
            var files: [String: String] = [:]
            for name in FileManager.default.enumerator(atPath: folder.path)?.compactMap({ $0 as? String }) ?? [] {
                guard let bytes = try? folder.bytes(of: name) else { continue }
                let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("# ") }
                files[name] = (name.contains("jar") ? lines.sorted() : lines).joined(separator: "\n").replacing(
                    server.authority, with: "HOST")
            }
            return Outcome(
                output: result.text.replacing(server.authority, with: "HOST"), files: files,
                requests: server.requests.map { request in
                    // curl sends the latest cookie first.
                    let cookies = (request["Cookie"] ?? "").components(separatedBy: "; ").sorted()
                    return "\(request.method) \(request.target) \(cookies)"
                },
                status: result.status)
        }
    }

    /// The server of all scripts, for one run.
    private final class Service: Sendable {
        private let counts = Mutex<[String: Int]>([:])

        /// Returns how often a request was sent, including this time.
        private func count(_ path: String) -> Int {
            counts.withLock { counts in
                counts[path, default: 0] += 1
                return counts[path, default: 0]
            }
        }

        func respond(to request: RecordedRequest) throws -> LocalServer.Response {
            if let response = release(request) ?? site(request) { return response }
            guard request["Authorization"] == "Bearer t0k" || request.path == "/flaky" else {
                return .status(401, "{\"error\": \"no token\"}\n")
            }
            return interface(request)
        }

        private static let tool = "#!/bin/sh\necho installed\n"

        private func release(_ request: RecordedRequest) -> LocalServer.Response? {
            let checksum = "b71a5886df504d489c60289ab32076e8b66c35a9272f5309142edc19443c8068"
            switch request.path {
            case "/releases/latest": return .json("{\"tag_name\": \"v1.2\", \"draft\": false}\n")
            case "/latest": return .redirect(to: "/releases/v1.2")
            case "/releases/v1.2": return .ok("page")
            case "/download/v1.2/tool": return .redirect(to: "/blobs/tool")
            case "/blobs/tool":
                return count("tool") == 1
                    ? LocalServer.Response.status(503, "busy") : LocalServer.Response.ok(Self.tool)
            case "/download/v1.2/damaged": return .ok("damaged")
            case "/download/v1.2/SHA256SUMS": return .ok("\(checksum)  tool-v1.2\n")
            case "/download/v1.2/completions.sh", "/download/v1.2/LICENSE", "/download/v1.2/README":
                return LocalServer.Response.ok("\(request.path)\n").header(
                    "Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT")
            case "/download/v1.2/extra": return .status(404, "no such file")
            case "/truncated": return .raw("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort")
            default: return nil
            }
        }

        private func interface(_ request: RecordedRequest) -> LocalServer.Response {
            switch request.path {
            case "/jobs": return .json("{\"id\": 7, \"state\": \"queued\"}\n")
            case "/jobs/7": return .json("{\"id\": 7, \"state\": \"\(count("job") < 3 ? "running" : "done")\"}\n")
            case "/items":
                let page = request.target.hasSuffix("3") ? 3 : request.target.hasSuffix("2") ? 2 : 1
                let response = LocalServer.Response.json("{\"page\": \(page)}\n")
                guard page < 3, let host = request["Host"] else { return response }
                return response.header("Link", "<http://\(host)/items?page=\(page + 1)>; rel=\"next\"")
            case "/flaky": return count("flaky") < 3 ? .status(503, "busy") : .ok("calm\n")
            case "/missing": return .status(404, "{\"error\": \"missing\"}\n")
            default: return .json("\(request.method) \(request.target) \(request.text)\n")
            }
        }

        private func site(_ request: RecordedRequest) -> LocalServer.Response? {
            let cookies = request["Cookie"] ?? ""
            let isKnown = cookies.contains("session=s1") || cookies.contains("session=s2")
            switch (request.method, request.path) {
            case ("GET", "/login"):
                return LocalServer.Response.ok("<input type=\"hidden\" name=\"csrf\" value=\"c1\">\n").header(
                    "Set-Cookie", "csrf=c1; Path=/; HttpOnly")
            case ("POST", "/login"):
                guard cookies.contains("csrf=c1"), request.text == "csrf=c1&user=ada&password=o+p%26n" else {
                    return .status(403, "refused")
                }
                return LocalServer.Response.redirect(to: "/home").header(
                    "Set-Cookie", "session=s1; Path=/; HttpOnly; SameSite=Lax")
            case ("GET", "/rotate"):
                return LocalServer.Response.ok("rotated").header("Set-Cookie", "session=s2; Path=/; HttpOnly")
            case ("GET", "/logout"):
                return LocalServer.Response.ok("bye\n").header("Set-Cookie", "session=; Path=/; Max-Age=0")
            case (_, "/home"), (_, "/post"), (_, "/posts"):
                guard isKnown else { return .status(403, "unknown\n") }
                return .ok("\(request.method) \(request.path): \(cookies.contains("session=s2") ? 2 : 1)\n")
            default: return nil
            }
        }
    }
}

extension CurlScript {
    /// The exit status of the script.
    fileprivate var status: Int32 {
        switch self {
        case .installer: 7
        case .interface, .login: 22
        }
    }
}
