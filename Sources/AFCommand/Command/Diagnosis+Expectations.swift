extension Diagnosis {
    /// All that was expected and did not come, at once.
    ///
    /// - Parameter complaints: A sentence each; at least one.
    init(unmet complaints: [String]) {
        let isOne = complaints.count == 1
        self.init(
            isOne ? complaints[0] : "\(complaints.count) expectations failed",
            hint: "-v shows the whole exchange",
            status: .expectation
        )
        if !isOne { excerpt = complaints }
    }
}
