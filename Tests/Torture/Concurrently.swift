/// Runs tasks in a number of concurrent lanes; returns their results in order.
func concurrently<Input: Sendable, Output: Sendable>(
    _ inputs: [Input],
    lanes: Int,
    _ work: @escaping @Sendable (Input) async throws -> Output
) async -> [(Input, Result<Output, any Error>)] {
    await withTaskGroup(of: (Int, Result<Output, any Error>).self) { group in
        var results = [Result<Output, any Error>?](repeating: nil, count: inputs.count)
        for (index, input) in inputs.enumerated() {
            if index >= lanes, let (done, result) = await group.next() { results[done] = result }
            group.addTask {
                do { return (index, .success(try await work(input))) } catch { return (index, .failure(error)) }
            }
        }
        for await (done, result) in group { results[done] = result }
        return zip(inputs, results).compactMap { input, result in result.map { (input, $0) } }
    }
}
