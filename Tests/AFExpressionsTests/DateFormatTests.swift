import Testing

@testable import AFExpressions

@Suite struct DateFormatTests {
    /// Monday, 2026-01-05T08:45:09.005Z.
    private static let date = HurlDate(secondsSince1970: 1_767_602_709, nanoseconds: 5_000_000)

    @Test(arguments: [
        ("%Y-%m-%d", "2026-01-05"), ("%C %y", "20 26"), ("%b %B %h", "Jan January Jan"),
        ("%d|%e|%-d|%_d|%0e", "05| 5|5| 5|05"),
        ("%a %A %w %u", "Mon Monday 1 1"), ("%U %W %G %g %V %j", "01 01 2026 26 02 005"),
        ("%D %x %F %v", "01/05/26 01/05/26 2026-01-05  5-Jan-2026"),
        ("%H %k %I %l %P %p", "08  8 08  8 am AM"),
        ("%M %S %f %.f %.3f %3f %6f %9f", "45 09 005000000 .005 .005 005 005000 005000000"),
        ("%R %T %X %r", "08:45 08:45:09 08:45:09 08:45:09 AM"),
        ("%Z %z %:z %::z %:::z %#z", "UTC +0000 +00:00 +00:00:00 +00 +0000"), ("%q", "1"),
        ("%c", "Mon Jan  5 08:45:09 2026"), ("%+", "2026-01-05T08:45:09.005+00:00"), ("%s", "1767602709"),
        ("%t%n%%", "\t\n%"), ("é %Y 日", "é 2026 日"),
    ])
    func `a date has a format`(format: String, text: String) {
        #expect(DateFormat(format)?.text(of: Self.date) == text)
    }

    @Test(arguments: ["%", "%Q", "%%%", "%.", "%4f", "%-", "%-%", "%:", "%-A"])
    func `an unknown specifier is no format`(format: String) {
        #expect(DateFormat(format) == nil)
    }

    @Test(
        arguments: [
            ("%Y-%m-%d", "2026-01-05", 1_767_571_200), ("%+", "2026-01-05T08:45:09.005Z", 1_767_602_709),
            ("%+", "2026-01-05T08:45:09+01:30", 1_767_597_309),
            ("%a, %d %b %Y %H:%M:%S GMT", "Mon, 05 Jan 2026 08:45:09 GMT", 1_767_602_709),
            ("%A %-d %B %Y", "monday 5 JANUARY 2026", 1_767_571_200),
            ("%I:%M %p %D", "12:30 am 01/05/26", 1_767_573_000), ("%I:%M %P %F", "12:30 PM 2026-01-05", 1_767_616_200),
            ("%s", "-5", -5), ("%y %j", "26 005", 1_767_571_200),
            ("%G-W%V-%u", "2026-W02-1", 1_767_571_200), ("%Y%m%d%H%M%S", "20260105084509", 1_767_602_709),
            ("%Y-%m-%d %H:%M:%S %z", "2026-01-05 08:45:09 -0200", 1_767_609_909),
            ("%d/%m/%Y", "29/02/2024", 1_709_164_800), ("%F %T", "1969-12-31 23:59:59", -1),
            ("%c", "Mon Jan  5 08:45:09 2026", 1_767_602_709), ("%Y", "", nil), ("%Y", "2026", nil),
            ("%F", "2026-02-30", nil), ("%F", "2026-13-01", nil), ("%F %H", "2026-01-05 24", nil),
            ("%a %F", "Tue 2026-01-05", nil), ("%F", "2026-01-05x", nil), ("%I %F", "13 2026-01-05", nil),
            ("%I %F", "11 2026-01-05", nil), ("%F", "99999-01-01", nil), ("%j %Y", "366 2025", nil),
            ("%F%z", "2026-01-05+25", nil), ("%F %H %:::z", "2026-01-05 08 +02", 1_767_592_800),
            ("%q %F", "1 2026-01-05", 1_767_571_200), ("%q %F", "2 2026-01-05", nil), ("%q %F", "5 2026-01-05", nil),
        ] as [(String, String, Int64?)])
    func `a text is a date in a format`(format: String, text: String, seconds: Int64?) throws {
        #expect(try #require(DateFormat(format)).date(parsing: text)?.secondsSince1970 == seconds)
    }

    @Test func `a fraction has up to nine digits`() {
        #expect(DateFormat("%F %T%.f")?.date(parsing: "2026-01-05 08:45:09.123")?.nanoseconds == 123_000_000)
        #expect(DateFormat("%F %T%.f")?.date(parsing: "2026-01-05 08:45:09")?.nanoseconds == 0)
        #expect(DateFormat("%F %T.%3f")?.date(parsing: "2026-01-05 08:45:09.123")?.nanoseconds == 123_000_000)
        #expect(DateFormat("%F %T.%3f")?.date(parsing: "2026-01-05 08:45:09.12") == nil)
        #expect(DateFormat("%F %T.%f")?.date(parsing: "2026-01-05 08:45:09.000000012")?.nanoseconds == 12)
    }

    @Test(arguments: [-800_000, -719_529, -1, 0, 59, 11_016, 20_000, 2_932_896])
    func `days have a date and back`(days: Int) {
        #expect(CivilTime(days: days).daysSince1970 == days)
        #expect(CivilTime(days: days).isValid)
    }

    @Test func `weeks of ISO 8601 belong to the year of their Thursday`() {
        #expect(CivilTime(year: 2027, month: 1, day: 1).isoWeek == (2026, 53))
        #expect(CivilTime(year: 2024, month: 12, day: 30).isoWeek == (2025, 1))
        #expect(CivilTime(year: 2026, month: 12, day: 31).dayOfYear == 365)
    }

    @Test func `days between moments are rounded towards zero`() {
        let noon = HurlDate(secondsSince1970: 43_200)
        #expect(noon.days(until: HurlDate(secondsSince1970: 43_200 + 86_399)) == 0)
        #expect(noon.days(until: HurlDate(secondsSince1970: 43_200 + 86_400)) == 1)
        #expect(noon.days(until: HurlDate(secondsSince1970: 43_200 - 86_399)) == 0)
        #expect(HurlDate(secondsSince1970: 0, nanoseconds: 1).days(until: HurlDate(secondsSince1970: 86_400)) == 0)
        #expect(HurlDate(secondsSince1970: 86_400).days(until: HurlDate(secondsSince1970: 0, nanoseconds: 1)) == 0)
        #expect(HurlDate(secondsSince1970: .min).days(until: HurlDate(secondsSince1970: .max)) == 0)
    }

    @Test func `messages have the digits that a date needs`() {
        #expect(HurlDate(secondsSince1970: 0).description == "1970-01-01 00:00:00 UTC")
        #expect(HurlDate(secondsSince1970: 0, nanoseconds: 1000).description == "1970-01-01 00:00:00.000001 UTC")
        #expect(HurlDate(secondsSince1970: 0, nanoseconds: 1).rfc3339 == "1970-01-01T00:00:00.000000Z")
    }
}
