extension BodyPlanner.Draft {
    /// Gives standard input of unknown length the typed one, so that it is not sent in chunks.
    mutating func announce(_ length: Int64?) {
        guard case .standardInput(var input) = body, input.size == nil else { return }
        input.size = length
        body = .standardInput(input)
    }
}
