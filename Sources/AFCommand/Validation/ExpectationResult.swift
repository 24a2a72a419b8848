internal import AFHTTP
internal import AFJSON

/// An expectation with its outcome, for reports.
struct ExpectationResult: Equatable, Sendable {
    enum Outcome: Equatable, Sendable {
        case met
        /// Not met, with the reason as a sentence.
        case unmet(String)
        /// Not evaluated, for example if there was no response.
        case skipped
    }

    /// The option with its argument, without secrets.
    let name: String
    let outcome: Outcome

    /// Returns the result without the secrets of the request.
    func masked(by redaction: Redaction) -> Self {
        let name = redaction.masked(name)
        guard case .unmet(let reason) = outcome else { return Self(name: name, outcome: outcome) }
        return Self(name: name, outcome: .unmet(redaction.masked(reason)))
    }
}

/// The reason why a response does not meet the expectations.
struct UnmetExpectation: Sendable {
    /// The first failure, as a sentence.
    let sentence: String
    /// The option of the expectation with its argument; `nil` if the status is no success.
    var option: String?
    /// Whether no retry can help.
    let isFatal: Bool
}

extension Expectations {
    /// Returns all expectations with their outcomes.
    ///
    /// - Parameter response: The response; `nil` if no response was received.
    func results(in response: HTTPURLResponse?, body: CapturedBody?, times: RunTimes?) -> [ExpectationResult] {
        var results: [ExpectationResult] = []
        func add(_ name: String, _ failure: (HTTPURLResponse) -> String?) {
            let outcome = response.map { failure($0).map(ExpectationResult.Outcome.unmet) ?? .met }
            results.append(ExpectationResult(name: name, outcome: outcome ?? .skipped))
        }
        if let statuses { add("--expect-status \(statuses.text)", statusFailure) }
        if !types.isEmpty { add("--expect-type \(types.map(\.essence).joined(separator: ","))", typeFailure) }
        for header in headers { add("--expect-header \(header.shownText)") { header.failure(in: $0.headers) } }
        for value in values {
            add("--expect-json \(value.shownText)") { _ in body.flatMap { failure(of: value, in: $0) } }
        }
        for text in bodies {
            add("--expect-body \(text.pattern.description)") { _ in body.flatMap { failure(of: text, in: $0) } }
        }
        for value in fatalValues {
            add("--fail-if \(value.shownText)") { _ in body.flatMap { fatalFailure(in: $0, of: [value]) } }
        }
        for budget in budgets { add("--budget \(budget.text)") { _ in times.flatMap(budget.failure) } }
        return results
    }

    private func failure(of value: JSONExpectation, in body: CapturedBody) -> String? {
        failures(in: body, of: [value], []).first
    }

    private func failure(of text: BodyExpectation, in body: CapturedBody) -> String? {
        failures(in: body, of: [], [text]).first
    }
}

extension TimeBudget {
    /// The budget in the option's syntax.
    fileprivate var text: String { "\(phase.rawValue)=\(HumanUnits.duration(limit.value))" }
}
