import Foundation
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

    @Test func `the last of two transfers with one file counts`() async throws {
        let folder = try ScratchFolder()
        try await withServer {
            .ok($0.target)
        } _: { server in
            let (file, other) = (folder.file("f"), folder.file("./f"))
            for _ in 0..<10 {
                let run = await runTool(
                    "curl", "-s", "-o", file, "-o", other, "-o", file, server.url("/a"), server.url("/b"),
                    server.url("/c"))
                #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
                try #expect(folder.text(of: "f") == "/c")
            }
        }
    }

    @Test(arguments: [(["a", "gone", "c"], "0 23 0 ", 0), (["a", "b", "gone"], "0 0 23 ", 23)])
    func `the exit number of a file that cannot be named is that of its transfer`(
        names: [String], numbers: String, status: Int32
    ) async throws {
        let folder = try ScratchFolder()
        try await withServer { request in
            if request.path == "/gone" { try? FileManager.default.removeItem(atPath: folder.file("gone")) }
            return .ok("body")
        } _: { server in
            _ = try folder.folder("gone")
            let files = names.flatMap { ["-o", folder.file($0 == "gone" ? "gone/x" : $0)] }
            let run = await runTool(["curl", "-s", "-w", "%{exitcode} "] + files + names.map { server.url("/\($0)") })
            #expect(run.status == status && run.output == numbers, "\(run.errors)")
            #expect(server.requests.count == 3 && folder.list() == names.filter { $0 != "gone" }.sorted())
        }
    }

    @Test func `with --fail-early nothing is sent after a file that cannot be named`() async throws {
        let folder = try ScratchFolder()
        try await withServer { request in
            if request.path == "/gone" { try? FileManager.default.removeItem(atPath: folder.file("gone")) }
            return .ok("body")
        } _: { server in
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
