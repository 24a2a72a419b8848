import AFHTTP
import FoundationEssentials
import Testing

struct HTTPDateTests {
    /// The date in the examples of RFC 9110.
    private let example: Int64 = 784_111_777

    @Test(arguments: [
        "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
        "  Sun, 06 Nov 1994 08:49:37 GMT\t",
    ])
    func `all three date formats are parsed`(text: String) {
        #expect(HTTPDate(parsing: text)?.secondsSince1970 == example)
    }

    @Test func `dates are written as IMF-fixdate`() {
        #expect(HTTPDate(secondsSince1970: example).description == "Sun, 06 Nov 1994 08:49:37 GMT")
    }

    @Test(
        arguments: [
            (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (-1, "Wed, 31 Dec 1969 23:59:59 GMT"),
            (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"), (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
            (-62_167_219_200, "Sat, 01 Jan 0000 00:00:00 GMT"), (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"),
        ] as [(Int64, String)])
    func `a date is unchanged after writing and parsing`(seconds: Int64, text: String) {
        #expect(HTTPDate(secondsSince1970: seconds).description == text)
        #expect(HTTPDate(parsing: text)?.secondsSince1970 == seconds)
    }

    @Test(arguments: [
        "", "GMT", "0", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 6 Nov 1994 08:49:37 GMT",
        "Sun 06 Nov 1994 08:49:37 GMT", "sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 94 08:49:37 GMT",
        "Sun, 06-Nov-94 08:49:37 GMT", "Sunday, 06-Nov-1994 08:49:37 GMT", "Sun Nov 6 08:49:37 1994",
        "Sun, 31 Apr 1994 08:49:37 GMT", "Sun, 29 Feb 1900 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:37 GMT", "Sun, 06 Nov 1994 08:49:61 GMT",
        "Sun, 06 Nov 1994 08:49:37 GMT, Sun, 06 Nov 1994 08:49:37 GMT", "Sun, +6 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 08:49:37 +0000", "Sun, ０6 Nov 1994 08:49:37 GMT",
    ])
    func `an invalid date is rejected`(text: String) {
        #expect(HTTPDate(parsing: text) == nil)
    }

    @Test(arguments: [("94", 1994), ("76", 2076), ("77", 1977), ("26", 2026), ("00", 2000)])
    func `a two-digit year is at most fifty years ahead`(digits: String, year: Int) throws {
        let now = try #require(HTTPDate(parsing: "Mon, 01 Jun 2026 00:00:00 GMT")).date
        let parsed = HTTPDate(parsing: "Sunday, 06-May-\(digits) 08:49:37 GMT", now: now)
        #expect(parsed?.description.contains(" \(year) ") == true)
    }

    @Test func `a two-digit year that would be fifty years and a day ahead is in the past`() throws {
        let now = try #require(HTTPDate(parsing: "Mon, 01 Jun 2026 00:00:00 GMT")).date
        let inside = HTTPDate(parsing: "Monday, 01-Jun-76 00:00:00 GMT", now: now)
        let outside = HTTPDate(parsing: "Monday, 02-Jun-76 00:00:00 GMT", now: now)
        #expect(inside?.description.contains("2076") == true)
        #expect(outside?.description.contains("1976") == true)
    }

    @Test(
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 0), ("Sun, 06 Nov 1994 08:49:37 UTC", 0),
            ("Sun, 06 Nov 1994 08:49:37 UT", 0), (" Sun, 06 Nov 1994 08:49:37 Z ", 0),
            ("Sun, 06 Nov 1994 08:49:37 +0000", 0), ("Sun, 06 Nov 1994 08:49:37 +0200", -7200),
            ("Sun, 06 Nov 1994 08:49:37 -0330", 12_600), ("Sunday, 06-Nov-94 08:49:37 +0100", -3600),
            ("Sun Nov  6 08:49:37 1994", 0), ("Sun, 06 Nov 1994 08:49:37", 0),
            ("06 Nov 1994 8:49:37 GMT", 0), ("Sun, 06-Nov-1994 08:49:37 GMT", 0), ("Sun, 6 Nov 1994 08:49:37 GMT", 0),
            ("Sun, 06 Nov 1994 08:49:37 PST", nil), ("Sun, 06 Nov 1994 08:49:37 +02:00", nil),
            ("Sun, 06 Nov 1994 08:49:37 +200", nil), ("Sun, 06 Nov 1994 08:49:37 +0060", nil),
            ("Sun, 06 Nov 1994 08:49:37 +", nil), ("UTC", nil), ("", nil), (" ", nil),
        ] as [(String, Int64?)])
    func `the date of a file may have another zone`(text: String, difference: Int64?) {
        #expect(HTTPDate(ofFile: text)?.secondsSince1970 == difference.map { example + $0 })
    }

    @Test func `a leap second is the first second of the next minute`() {
        let leap = HTTPDate(parsing: "Sat, 31 Dec 2016 23:59:60 GMT")
        #expect(leap == HTTPDate(parsing: "Sun, 01 Jan 2017 00:00:00 GMT"))
        #expect(leap != nil)
    }

    @Test func `a date is truncated to seconds and limited to the years 0000 to 9999`() {
        #expect(HTTPDate(Date(timeIntervalSince1970: 1.9)).secondsSince1970 == 1)
        #expect(HTTPDate(Date(timeIntervalSince1970: -0.1)).secondsSince1970 == -1)
        #expect(HTTPDate(Date(timeIntervalSince1970: .greatestFiniteMagnitude)).description.contains("9999"))
        #expect(HTTPDate(secondsSince1970: .min).description.contains("0000"))
        #expect(HTTPDate(secondsSince1970: 1) < HTTPDate(secondsSince1970: 2))
    }
}
