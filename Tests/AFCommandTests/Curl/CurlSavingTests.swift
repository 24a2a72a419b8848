import AFFormatting
import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import AFCommand

/// Transfers of a command that are sent while the files of others are synced.
struct CurlSavingTests {
    @Test func `files are saved in order, over one connection`() async throws {
        let folder = try ScratchFolder()
        try await withServer {
            .ok("\($0.target)\n")
        } _: { server in
            let run = await runTool(
                "curl", "-s", "-o", folder.file("#1"), "-w", "%{urlnum} %{filename_effective}\n",
                server.url("/[1-40]"))
            #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
            #expect(run.output == (1...40).map { "0 \(folder.file("\($0)"))\n" }.joined())
            for number in 1...40 { try #expect(folder.text(of: "\(number)") == "/\(number)\n") }
            #expect(server.requests.map(\.target) == (1...40).map { "/\($0)" })
            #expect(Set(server.requests.map(\.connection)).count == 1)
        }
    }

    @Test(arguments: [
        [], ["--cacert", "root"], ["-k"], ["-fsSL", "-A", "agent"], ["-H", "@field"], ["-u", "me:secret"],
        ["-b", "a=b", "-c", "jar"], ["-D", "heads", "--etag-save", "tag"], ["-z", "root"], ["-d", "@field"],
        ["--retry", "3", "--create-dirs", "-R"], ["-F", "a=@field"], ["-x", ""],
    ])
    func `the next request is sent before a transfer has ended`(options: [String]) async throws {
        let folder = try ScratchFolder()
        _ = try folder.write("X-Field: a\n", to: "field")
        _ = try folder.write(String(contentsOfFile: await TestCertificates.shared.root, encoding: .utf8), to: "root")
        let output = HeldOutput()
        try await withServer { request in
            if request.path == "/b" { output.release() }
            return .ok("body")
        } _: { server in
            let names: Set = ["root", "field", "jar", "heads", "tag"]
            let options = options.map { word in
                let name = word.split(whereSeparator: { "@=".contains($0) }).last.map(String.init) ?? ""
                return names.contains(name) ? word.replacing(name, with: folder.file(name)) : word
            }
            var world = ToolWorld()
            world.output = output
            let files = ["-o", folder.file("a"), "-o", folder.file("b"), server.url("/a"), server.url("/b")]
            let run = await runTool(["curl", "-s", "-w", "%{exitcode}"] + files + options, in: world)
            #expect(run.status == 0 && run.errors.isEmpty && output.text == "00", "\(run.errors)")
            #expect(output.wasReleased, "the second request was not sent before the end of the first transfer")
            try #expect(folder.text(of: "a") == "body" && folder.text(of: "b") == "body")
        }
    }

    @Test(arguments: [
        (["-d", "@f"], "marker", "marker"), (["-d", "@link"], "marker", "marker"),
        (["--data-urlencode", "a@sub/../f"], "marker", "marker"), (["-H", "@f"], "X-A: marker", "marker"),
        (["-T", "f"], "marker", "marker"), (["-F", "a=@f"], "marker", "marker"), (["-F", "a=<f"], "marker", "marker"),
        (["-b", "f"], "Set-Cookie: a=marker", "a=marker"), (["--etag-compare", "f"], "\"marker\"", "\"marker\""),
        (["--netrc-file", "f"], "machine 127.0.0.1 login marker password x", "bWFya2VyOng="),
        (["--url-query", "@f"], "marker", "marker"), (["-z", "f"], "marker", "If-Modified-Since"),
    ])
    func `a transfer that reads the file of the one before waits for it`(
        options: [String], contents: String, expected: String
    ) async throws {
        let folder = try ScratchFolder()
        try folder.link("link", to: "f")
        _ = try folder.folder("sub")
        try await withServer { _ in
            .ok(contents)
        } _: { server in
            let options = options.map { word in
                let name = word.split(whereSeparator: { "@=<".contains($0) }).last.map(String.init) ?? ""
                return ["f", "link", "sub/../f"].contains(name) ? word.replacing(name, with: folder.file(name)) : word
            }
            let run = await runTool(
                ["curl", "-s", "-o", folder.file("f"), server.url("/a"), "--next", "-s", "-o", folder.file("g")]
                    + options + [server.url("/b")])
            #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
            let request = try #require(server.requests.last)
            let text = String(decoding: request.head + request.body, as: UTF8.self)
            #expect(text.contains(expected), "\(text)")
        }
    }

    @Test func `the last of two transfers with one file counts`() async throws {
        let folder = try ScratchFolder()
        try await withServer {
            .ok($0.target)
        } _: { server in
            // A directory that does not exist before the command is created by the first transfer.
            for name in ["f"] + (0..<20).map({ "new\($0)/f" }) {
                let (file, other) = (folder.file(name), folder.file("./\(name)"))
                let run = await runTool(
                    "curl", "-s", "--create-dirs", "-o", file, "-o", other, "-o", file, server.url("/a"),
                    server.url("/b"), server.url("/c"))
                #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
                try #expect(folder.text(of: name) == "/c")
            }
        }
    }

    @Test(arguments: [(["a", "gone", "c"], "0 23 0 ", 0), (["a", "b", "gone"], "0 0 23 ", 23)])
    func `the exit number of a file that cannot be named is that of its transfer`(
        names: [String], numbers: String, status: Int32
    ) async throws {
        let folder = try ScratchFolder()
        try await withServer(removing: folder.file("gone")) { server in
            _ = try folder.folder("gone")
            let files = names.flatMap { ["-o", folder.file($0 == "gone" ? "gone/x" : $0)] }
            let run = await runTool(["curl", "-s", "-w", "%{exitcode} "] + files + names.map { server.url("/\($0)") })
            #expect(run.status == status && run.output == numbers, "\(run.errors)")
            #expect(server.requests.count == 3 && folder.list() == names.filter { $0 != "gone" }.sorted())
        }
    }

    @Test func `with --fail-early nothing is sent after a file that cannot be named`() async throws {
        let folder = try ScratchFolder()
        try await withServer(removing: folder.file("gone")) { server in
            _ = try folder.folder("gone")
            let run = await runTool(
                "curl", "-s", "--fail-early", "-o", folder.file("gone/x"), "-o", folder.file("b"), server.url("/gone"),
                server.url("/b"))
            #expect(run.status == 23 && server.requests.count == 1 && folder.list().isEmpty, "\(run.errors)")
        }
    }

    @Test(arguments: [
        ["-D", "./f"], ["-D", "link"], ["--etag-save", "./f"], ["-D", "sub/../f", "--etag-save", "f"],
    ])
    func `a body replaces the headers in its file, by any name`(options: [String]) async throws {
        let folder = try ScratchFolder()
        try folder.link("link", to: "f")
        _ = try folder.folder("sub")
        try await withServer {
            LocalServer.Response.status($0.path == "/missing" ? 404 : 200, "body").header("ETag", "\"t\"")
        } _: { server in
            let options = options.map { $0.hasPrefix("-") ? $0 : folder.file($0) }
            let run = await runTool(["curl", "-sf", "-o", folder.file("f"), server.url()] + options)
            #expect(run.status == 0, "\(run.errors)")
            try #expect(folder.text(of: "f") == "body")
            let failed = await runTool(["curl", "-sf", "-o", folder.file("f"), server.url("/missing")] + options)
            #expect(failed.status == 22)
            let start = options.contains("--etag-save") ? "\"t\"\n" : "HTTP/1.1 404 "
            try #expect(folder.text(of: "f").hasPrefix(start))
        }
    }

    @Test func `messages are in the order of the transfers`() async throws {
        let folder = try ScratchFolder()
        try await withServer { _ in
            .ok("body")
        } _: { server in
            let files = (1...6).flatMap { ["-o", folder.file("\($0)")] }
            let urls = (1...6).map { $0 % 2 == 0 ? "http://127.0.0.1:1/\($0)" : server.url("/\($0)") }
            let run = await runTool(["curl", "-sS", "-w", "%{stderr}%{url}\n"] + files + urls)
            let lines = run.errors.split(separator: "\n").filter { $0.hasPrefix("http") }.map(String.init)
            #expect(lines == urls && run.status == 7, "\(run.errors)")
            #expect(folder.list() == ["1", "3", "5"])
        }
    }
}

/// A server whose response to `/gone` removes a directory.
private func withServer(removing path: String, _ body: (LocalServer) async throws -> Void) async throws {
    try await withServer { request in
        if request.path == "/gone" { try? FileManager.default.removeItem(atPath: path) }
        return .ok("body")
    } _: {
        try await body($0)
    }
}

/// An output whose first write blocks until another event: the transfer that writes cannot end before.
private final class HeldOutput: ByteOutput {
    private let memory = MemoryOutput()
    private let event = DispatchSemaphore(value: 0)
    private let released = Mutex(false)

    var text: String { memory.text }
    /// Whether the event happened while the write was blocked.
    var wasReleased: Bool { released.withLock(\.self) }

    func release() { event.signal() }

    func write(_ bytes: UnsafeRawBufferPointer) {
        if memory.bytes.isEmpty, event.wait(timeout: .now() + 10) == .success { released.withLock { $0 = true } }
        memory.write(bytes)
    }
}
