import Foundation

/// A name with its value, from a query or a URL-encoded form.
struct FormField {
    let name: String
    let value: String

    /// Parses `a=1&b=2`, preserving order and repetition.
    static func parse(_ text: some StringProtocol) -> [FormField] {
        text.split(separator: "&").map { field in
            let halves = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return FormField(name: decode(halves[0]), value: halves.count > 1 ? decode(halves[1]) : "")
        }
    }

    private static func decode(_ text: some StringProtocol) -> String {
        let spaced = text.replacingOccurrences(of: "+", with: " ")
        return spaced.removingPercentEncoding ?? spaced
    }
}
