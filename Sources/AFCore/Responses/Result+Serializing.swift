/// Runs a closure and measures it, in seconds.
func measured<Value>(_ body: () -> Value) -> (value: Value, seconds: Double) {
    let clock = ContinuousClock()
    let start = clock.now
    let value = body()
    let duration = (clock.now - start).components
    return (value, Double(duration.seconds) + Double(duration.attoseconds) * 1e-18)
}

extension Result where Failure == AFError {
    /// What a serializer made or threw, with every error as one of ours.
    init(serializing body: () throws -> Success) {
        do {
            self = .success(try body())
        } catch {
            self = .failure(
                error.asAFError(or: .responseSerializationFailed(reason: .customSerializationFailed(error: error)))
            )
        }
    }

    var failure: AFError? { if case .failure(let error) = self { error } else { nil } }
}
