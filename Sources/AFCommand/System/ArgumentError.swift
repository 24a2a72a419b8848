/// An error about an argument of the command line.
protocol ArgumentError: Error {
    /// The option, item or word, as typed; `nil` if it is not known yet.
    var argument: String? { get set }
    /// The value of an option whose values add up; `nil` if the last one counts.
    var value: String? { get set }
    /// The path of the configuration file that contains the option; `nil` if it was typed.
    var source: String? { get set }
    /// The message without the argument.
    var problem: String { get }
}

extension ArgumentError {
    /// The message: the argument and the problem.
    var message: String {
        guard let argument else { return problem }
        return "\(argument.isEmpty ? "''" : argument)\(source.map { " in '\($0)'" } ?? ""): \(problem)"
    }

    /// Returns the error with an argument, unless it has one.
    ///
    /// - Parameter value: The value of an option whose values add up.
    func naming(_ argument: String, value: String? = nil) -> Self {
        var named = self
        named.argument = self.argument ?? argument
        if named.argument == argument { named.value = self.value ?? value }
        return named
    }
}

/// Adds the argument to an error that lacks it.
func naming(_ argument: String, value: String? = nil, _ error: any Error) -> any Error {
    guard let error = error as? any ArgumentError else { return error }
    return error.naming(argument, value: value)
}

/// Adds the argument to the errors of a closure.
func naming<Result>(_ argument: String, value: String? = nil, _ steps: () throws -> Result) throws -> Result {
    do {
        return try steps()
    } catch {
        throw naming(argument, value: value, error)
    }
}
