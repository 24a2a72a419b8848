import AFHTTP
import FoundationEssentials
import Testing

@testable import AFCommand

@Suite struct HSTSCurlLineTests {
    @Test func `entries are read and written in curl's format`() throws {
        let date = Date(timeIntervalSince1970: 1_924_991_999)
        let entry = HSTSEntry(host: "example.org", includesSubdomains: true, expiresDate: date)
        #expect(entry.curlLine == ".example.org \"20301231 23:59:59\"")
        #expect(HSTSEntry(curlLine: entry.curlLine) == entry)
        let unlimited = try #require(HSTSEntry(curlLine: "a.test \"unlimited\""))
        #expect(unlimited.expiresDate == .distantFuture && !unlimited.includesSubdomains)
        #expect(unlimited.curlLine == "a.test \"unlimited\"")
    }

    @Test(arguments: [
        "# comment here", "example.org", "example.org \"2030\"", "", "example.org \"2030-12-31 23:59\"",
        ". \"unlimited\"", ".. \"unlimited\"",
    ])
    func `an invalid line is rejected`(line: String) {
        #expect(HSTSEntry(curlLine: line) == nil)
    }

    @Test func `an entry with a huge max-age can be written and read`() throws {
        let header = "max-age=" + String(repeating: "9", count: 400)
        let entry = try #require(HSTSEntry(header: header, of: "example.org"))
        #expect(HSTSEntry(curlLine: entry.curlLine)?.host == "example.org")
    }
}
