internal import AFHTTP

/// What the final response must be like.
struct Expectations: Sendable {
    let checksStatus: Bool
    let statuses: StatusList?
    let types: [MediaType]
    let headers: [HeaderExpectation]
    let values: [JSONExpectation]
    let budgets: [TimeBudget]

    init(_ typed: ValidationArguments) {
        checksStatus = typed.checksStatus ?? true
        statuses = typed.expectedStatus
        types = typed.expectedTypes
        headers = typed.expectedHeaders
        values = typed.expectedValues
        budgets = typed.budgets
    }

    /// Whether the answer may be that nothing has changed.
    var acceptsNotModified: Bool {
        types.isEmpty && headers.isEmpty && values.isEmpty && statuses?.contains(304) != false
    }
}
