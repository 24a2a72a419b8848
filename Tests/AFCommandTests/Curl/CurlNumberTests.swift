import TestSupport
import Testing

@testable import AFCommand

/// The numbers that curl's options take.
struct CurlNumberTests {
    @Test(
        arguments: [
            (.count, "5", "5"), (.count, "+5", "5"), (.count, " \t5", "5"), (.count, "-0", "0"), (.count, "007", "7"),
            (.limit, "-1", "-1"), (.limit, "0", "0"),
            (.wholeSeconds, "99999999999", "1000000000"),
            (.seconds, "1.5", "1.500"), (.seconds, ".25", "0.250"), (.seconds, "5.", "5"), (.seconds, "1e3", "1000"),
            (.seconds, "0x10", "16"), (.seconds, "+5", "5"), (.seconds, "0.0001", "0"),
            (.seconds, "1e12", "1000000000"),
            (.size, "500", "500"), (.size, "1k", "1024"), (.size, "1K", "1024"), (.size, "+2M", "2097152"),
            (.size, "3b", "3"), (.size, "1g", "1073741824"), (.size, "9223372036854775807", "4611686018427387904"),
            (.offset, "-", "-"), (.offset, " 5", "5"), (.offset, "0", "0"),
            (.offset, "0x10", "16"), (.offset, " +0X1f", "31"), (.offset, "010", "8"), (.offset, "00", "0"),
            (.ports, "5", "5"), (.ports, "5x", "5"), (.ports, "1e3", "1"), (.ports, "0x10", "0"), (.ports, "010", "10"),
            (.ports, "40000-40100", "40000-40100"), (.ports, "40000 -  40100 x", "40000-40100"), (.ports, "5-", "5"),
            (.mode, "0644", "644"), (.mode, " +5", "5"), (.mode, "0", "0"),
        ] as [(CurlNumber, String, String)])
    func `a number that curl takes is plain`(kind: CurlNumber, argument: String, plain: String) throws {
        #expect(try kind.plain(argument) == plain)
    }

    @Test(
        arguments: [
            (.count, ["", "-1", "1.5", "5x", "5 ", "x", "0x10", "1e3", "99999999999999999999", "+", "- 5", "٣"]),
            (.limit, ["-2", "-", "1.5"]),
            (.wholeSeconds, ["1.5", "-1", "1m", "200ms"]),
            (.seconds, ["", "-1", "5x", "5 ", "5s", "nan", "inf", "x", "99999999999999999999"]),
            (.size, ["", "-0", "-1k", "1.5k", "1kb", "k", "1P", "9223372036854775808", "9007199254740992k"]),
            (.offset, ["", "-2", "-0", "1k", "x", "1e3", "1.5", "08", "0x", "0x+1", "++1", "9223372036854775808"]),
            (.ports, ["", " 5", "+5", "-1", "x", "2-1", "70000", "5-70000", "5-x"]),
            (.mode, ["", "8", "1000", "-1", "x", "5x"]),
        ] as [(CurlNumber, [String])])
    func `another text is an error`(kind: CurlNumber, arguments: [String]) {
        for argument in arguments {
            #expect(throws: UsageError.self, "\(argument)") { try kind.plain(argument) }
        }
    }

    @Test(arguments: CurlNumber.kinds.keys.sorted())
    func `the number of each option is checked`(option: String) async {
        let run = await runTool("curl", "--\(option)", "x", "http://127.0.0.1:1/")
        #expect(run.status == 2 && run.errors.contains("--\(option): expected a number"), "\(run.errors)")
    }
}
