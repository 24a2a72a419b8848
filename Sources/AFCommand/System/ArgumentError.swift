/// An error about an argument of the command line.
protocol ArgumentError: Error {
    /// The option, item or word, as typed; `nil` if it is not known yet.
    var argument: String? { get set }
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
    func naming(_ argument: String) -> Self {
        var named = self
        named.argument = self.argument ?? argument
        return named
    }
}

/// Adds the argument to an error that lacks it.
func naming(_ argument: String, _ error: any Error) -> any Error {
    guard let error = error as? any ArgumentError else { return error }
    return error.naming(argument)
}

/// Adds the argument to the errors of a closure.
func naming<Result>(_ argument: String, _ steps: () throws -> Result) throws -> Result {
    do {
        return try steps()
    } catch {
        throw naming(argument, error)
    }
}
