internal import AFHTTP

/// The numbers of test cases in a JUnit report, and their time.
struct JUnitCounts: Equatable, Sendable {
    var tests = 0
    var failures = 0
    var errors = 0
    var skipped = 0
    /// In seconds.
    var time = 0.0

    static func + (left: Self, right: Self) -> Self {
        Self(
            tests: left.tests + right.tests, failures: left.failures + right.failures,
            errors: left.errors + right.errors, skipped: left.skipped + right.skipped, time: left.time + right.time)
    }

    /// Returns the attributes of an element, with a space before each.
    func attributes(name: String) -> String {
        Self.attributes([
            ("name", name), ("tests", "\(tests)"), ("failures", "\(failures)"), ("errors", "\(errors)"),
            ("skipped", "\(skipped)"), ("time", Self.seconds(time)),
        ])
    }

    static func attributes(_ pairs: [(String, String)]) -> String {
        pairs.map { " \($0)=\"\($1.xmlEscaped)\"" }.joined()
    }

    static func seconds(_ time: Double) -> String { HumanUnits.decimal(time, places: 6) }
}

/// A JUnit report as it is in its file: test suites, each in lines, with their total.
struct JUnitDocument: Sendable {
    let name: String
    var counts: JUnitCounts
    var suites: [String]

    private static let declaration = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    private static let end = "</testsuites>\n"
    /// The maximum number of test cases, and of seconds, in a report that is extended.
    private static let maximumCount = 1_000_000_000_000

    var text: String {
        let start = "<testsuites\(counts.attributes(name: name))>".legible
        return Self.declaration + start + "\n" + suites.map { $0 + "\n" }.joined() + Self.end
    }

    /// Returns the text with one more suite. The report has no test cases if it is only checked.
    func adding(_ report: JUnitReport) -> String {
        JUnitDocument(name: "afcli", counts: counts + report.counts, suites: suites + [report.suite]).text
    }
}

extension JUnitDocument {
    /// Reads a report that was written by this program: its suites remain as they are.
    ///
    /// - Throws: ``ReportMismatch`` for any other text.
    init(_ text: String) throws(ReportMismatch) {
        guard text.hasPrefix(Self.declaration + "<testsuites "), text.hasSuffix("  </testsuite>\n" + Self.end),
            let (line, rest) = text.dropFirst(Self.declaration.count).halves(around: "\n")
        else { throw ReportMismatch() }
        func value<Number: LosslessStringConvertible & Comparable>(
            _ name: String, in range: ClosedRange<Number>
        ) throws(ReportMismatch) -> Number {
            // Quotation marks in the value of another attribute are escaped.
            let values = line.split(separator: "\"", omittingEmptySubsequences: false)
            guard let index = values.firstIndex(of: " \(name)="), index + 1 < values.count,
                let number = Number(String(values[index + 1])), range.contains(number)
            else { throw ReportMismatch() }
            return number
        }
        let counts = 0...Self.maximumCount
        name = "afcli"
        self.counts = JUnitCounts(
            tests: try value("tests", in: counts), failures: try value("failures", in: counts),
            errors: try value("errors", in: counts), skipped: try value("skipped", in: counts),
            time: try value("time", in: 0...Double(Self.maximumCount)))
        suites = [String(rest.dropLast(Self.end.count + 1))]
    }
}
