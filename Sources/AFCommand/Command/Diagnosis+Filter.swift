internal import AFFormatting
internal import AFJSON

/// The diagnoses of bodies that cannot be filtered.
extension Diagnosis {
    private static let filterHint = "omit --filter to show the complete body"

    /// Returns the hint for an expression of jq or JSONPath.
    private static func hintForJQ(_ typed: String) -> String? {
        if typed.hasPrefix("$") { return "omit the $: the path of a member is 'name'" }
        if typed.firstRange(of: "[?") != nil { return "conditions such as [?a>1] need jq" }
        if typed.contains(" | ") { return "a path is a.b, a[0], a[].b, a[1:3] or ..b; pipes and functions need jq" }
        return nil
    }

    init(_ problem: JSONFilter.Problem) {
        switch problem {
        case .invalid(let error):
            self.init(
                error.isAtEnd
                    ? "the body is incomplete JSON: it ends where \(error.expectation) is expected"
                    : "the body is not JSON: expected \(error.expectation) at byte \(error.offset + 1)",
                hint: Self.filterHint,
                status: .broken
            )
        case .tooLarge(let limit):
            self.init(
                "a selected value that must be held has more than \(HumanUnits.limit(Int64(limit)))",
                hint: "increase --max-formatted, or select a smaller value",
                status: .broken
            )
        case .tooNested:
            self.init(
                "more than \(JSONFilter.maximumNesting) selected values contain each other",
                hint: "select a value further outside",
                status: .broken
            )
        }
    }

    /// Creates the diagnosis of the result of a filter; `nil` if it selected something, or if there was no filter.
    init?(_ result: JSONFilter?, _ filter: BodyFilter?) {
        guard let filter else { return nil }
        if let problem = result?.problem {
            self.init(problem)
            return
        }
        guard result?.matchCount ?? 0 == 0 else { return nil }
        let reason = result?.isEmpty ?? true ? ": there is no body" : ""
        self.init(
            "the filter '\(filter.typed.shortened)' selected nothing\(reason)",
            hint: Self.hintForJQ(filter.typed) ?? Self.filterHint,
            status: .expectation
        )
    }
}
