import Testing

@testable import AFCommand

struct CurlDateTests {
    @Test(
        arguments: [
            ("dec 12 1999", 944_956_800), ("20240101", 1_704_067_200), ("12 dec 1999 11:00:00", 944_996_400),
            ("Sun, 12 Sep 2004 15:05:58 -0700", 1_095_026_758), ("20040912 15:05:58 -0700", 1_095_026_758),
            ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
            ("Thu, 01-Jan-1970 00:59:58 GMT", 3598), ("1 feb 1932", -1_196_553_600),
            ("2094 Nov 6", 3_939_840_000), ("Wed, 31 Dec 2008 23:59:60 GMT", 1_230_768_000),
            ("Sun, 06 Nov 2044 08:49:37 CEST", 2_362_027_777), ("08:49:37 06-Nov-94 EST", 784_129_777),
            ("06 Nov 94", 784_080_000), ("tue sep 14 2004 UTC", 1_095_120_000), ("1994.Nov.6", 784_080_000),
        ])
    func `a date is read as by curl`(text: String, seconds: Int) {
        #expect(CurlDate(text)?.seconds == seconds)
    }

    @Test(arguments: [
        "", "2024-01-01", "now", "1999-12-12 10:00", "Sep 1", "10:00", "20111323", "Sep 15 12 hours",
        "99999999999999999999",
        "dec 12 1200", "dec dec 12 1999", "12 dec 1999 25:00:00",
    ])
    func `another text is none`(text: String) {
        #expect(CurlDate(text)?.seconds == nil)
    }
}
