import AFCore
import AFHTTP
import TestSupport
import Testing

@testable import AFCommand

struct VersionTests {
    @Test func `the version comes first, then the libraries and the features`() async throws {
        let run = await runTool("--version")
        #expect(run.status == 0)
        let lines = run.output.split(separator: "\n")
        #expect(lines.first == "afcli \(AFInfo.version)")
        // The tests are linked with the system's libraries.
        let system = try #require(lines.first { $0.hasPrefix("System libraries: ") })
        #expect(system.contains("libcurl \(CurlFeatures.version)"))
        let names = ["OpenSSL", "zlib", "brotli", "zstd", "nghttp2", "libidn2", "libunistring", "libpsl", "glibc"]
        for name in names { #expect(system.contains("\(name) ")) }
        #expect(!run.output.contains("Included libraries"))
        let features = try #require(lines.first { $0.hasPrefix("Features: ") })
        #expect(features.contains("HTTP/2") && features.contains("Negotiate"))
        #expect(run.output.contains(#/Built-in public suffix list: 20\d\d-\d\d-\d\d\n/#))
    }

    @Test func `the version is written as JSON`() async throws {
        let run = await runTool("--version", "--json")
        let report = try run.json
        #expect(report.string("version") == AFInfo.version)
        #expect(report.string("libraries[0].name") == "libcurl")
        #expect(report.string("libraries[0].version") == CurlFeatures.version)
        #expect(report["libraries[0].static"] == "false")
        #expect(report.string("features[0]") == "HTTP/2")
        #expect(report.string("public_suffix_list")?.count == 10)
    }
}
