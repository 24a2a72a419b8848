internal import AFFormatting
internal import AFJSON

/// The diagnoses of bodies that cannot be filtered.
extension Diagnosis {
    private static func hint(toOmit filter: BodySelection) -> String {
        let option = if case .text = filter { "--filter-text" } else { "--filter" }
        return "omit \(option) to show the complete body"
    }

    private static let textHint = "--filter-text /REGEX/ searches text, HTML and XML"

    private static let elementsHint = "omit --output to show bodies that are not JSON"

    /// Returns the hint for an expression of jq.
    private static func hintForJQ(_ typed: String) -> String? {
        let name = typed.prefix { $0.isLetter || $0 == "_" }
        let isCall = !name.isEmpty && typed.dropFirst(name.count).hasPrefix("(") && typed.hasSuffix(")")
        if isCall || typed.contains(" | ") {
            return "a path is a.b, a[0], a[].b, a[1:3], a[?b>1] or ..b; pipes and functions need jq"
        }
        return nil
    }

    /// Creates the diagnosis of a body that cannot be filtered.
    ///
    /// - Parameter filter: The filter; `nil` if the body is only searched.
    init(_ problem: SelectionProblem, filter: BodySelection?) {
        switch problem {
        case .invalid(let error):
            self.init(
                error.isAtEnd
                    ? "the body is incomplete JSON: it ends where \(error.expectation) is expected"
                    : "the body is not JSON: expected \(error.expectation) at byte \(error.offset + 1)",
                hint: filter == .elements
                    ? Self.elementsHint
                    : filter.map { error.offset == 0 ? Self.textHint : Self.hint(toOmit: $0) },
                status: .broken
            )
        case .tooLarge(let limit):
            self.init(
                "a selected value that must be held has more than \(HumanUnits.limit(Int64(limit)))",
                hint: "increase --max-formatted, or select a smaller value",
                status: .broken
            )
        case .lineTooLong(let limit):
            self.init(
                "a line of the body has more than \(HumanUnits.limit(Int64(limit)))",
                hint: "save the body with -o FILE, and search the file",
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
    ///
    /// - Parameter hasBody: Whether there is a body, of which a stream may have had no event for the filter.
    init?(_ result: SelectionResult?, _ filter: BodySelection?, hasBody: Bool) {
        guard let filter else { return nil }
        if let problem = result?.problem {
            self.init(problem, filter: filter)
            return
        }
        guard result?.matchCount ?? 0 == 0 else { return nil }
        guard hasBody || result?.isEmpty == false else {
            self.init("the filter \(filter.description) selected nothing: there is no body", status: .expectation)
            return
        }
        self.init(
            "the filter \(filter.description) selected nothing",
            hint: filter.path.flatMap(Self.hintForJQ) ?? Self.hint(toOmit: filter),
            status: .expectation
        )
    }
}
