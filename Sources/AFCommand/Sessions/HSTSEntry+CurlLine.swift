internal import AFHTTP
internal import FoundationEssentials

extension HSTSEntry {
    /// Creates an entry from a line of curl's HSTS file: `.example.org "20301231 23:59:59"`; the dot includes
    /// subdomains.
    init?(curlLine line: some StringProtocol) {
        let words = line.split(maxSplits: 1) { $0 == " " || $0 == "\t" }
        guard words.count == 2, !line.hasPrefix("#") else { return nil }
        let date = String(words[1].filter { $0 != "\"" })
        let host = words[0].drop { $0 == "." }
        guard !host.isEmpty, let expires = date == "unlimited" ? .distantFuture : Self.date(date) else { return nil }
        self.init(
            host: String(host),
            includesSubdomains: words[0].hasPrefix("."),
            expiresDate: expires
        )
    }

    /// The entry as a line of curl's HSTS file.
    var curlLine: String {
        "\(includesSubdomains ? "." : "")\(host) \"\(expiresDate == .distantFuture ? "unlimited" : dateText)\""
    }

    private var dateText: String {
        let parts = HTTPDate(expiresDate).parts
        return "\(parts.year)\(parts.month)\(parts.day) \(parts.hour):\(parts.minute):\(parts.second)"
    }

    private static func date(_ text: some StringProtocol) -> Date? {
        let digits = text.utf8.filter { $0.isASCIIDigit }.map { Int($0 - UInt8(ascii: "0")) }
        guard digits.count == 14, text.utf8.count == 17 else { return nil }
        func number(_ range: Range<Int>) -> Int { digits[range].reduce(0) { $0 * 10 + $1 } }
        let time = number(8..<10) * 3600 + number(10..<12) * 60 + number(12..<14)
        return HTTPDate.seconds(year: number(0..<4), month: number(4..<6) - 1, day: number(6..<8), time: time)
            .map { Date(timeIntervalSince1970: Double($0)) }
    }
}
