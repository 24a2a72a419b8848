/// The completion for an argument.
package enum ArgumentHint: Equatable, Sendable {
    case anything, file, directory
    /// A form part: `name=@file`, in which a semicolon must be quoted.
    case part
    /// One of these words.
    case choice([String])
    /// One of these words or another.
    case suggestion([String])
    /// A file or one of these words.
    case fileOr([String])
    /// A header field: `Name: value`.
    case header
    /// The name of an option, without dashes.
    case option
}

/// A value that can be parsed from an option's argument.
protocol ArgumentValue: Sendable {
    /// The completion of the value.
    static var hint: ArgumentHint { get }

    /// Parses an argument.
    ///
    /// - Throws: ``UsageError`` with the expected format; the parser adds the option's name.
    init(argument: String) throws(UsageError)
}

extension ArgumentValue {
    static var hint: ArgumentHint { .anything }
}

extension ArgumentValue where Self: RawRepresentable<String> & CaseIterable {
    static var hint: ArgumentHint { .choice(allCases.map(\.rawValue)) }

    init(argument: String) throws(UsageError) {
        self = try chosen(argument, from: Self.allCases.map { ($0.rawValue, $0) })
    }
}

/// Returns the value that an argument names, in either case.
func chosen<Value>(_ argument: String, from choices: [(name: String, value: Value)]) throws(UsageError) -> Value {
    guard let choice = choices.first(where: { $0.name == argument.lowercased() }) else {
        let names = choices.map(\.name).joined(separator: ", ")
        throw UsageError("expected one of \(names), got '\(argument)'")
    }
    return choice.value
}

extension String: ArgumentValue {
    /// Accepts any text but the empty one, which is often an unset variable of a script.
    init(argument: String) throws(UsageError) {
        guard !argument.isEmpty else { throw UsageError("the argument is empty") }
        self = argument
    }
}

extension Int: ArgumentValue {
    /// Accepts digits only: no count is negative.
    init(argument: String) throws(UsageError) {
        guard argument.isDecimal else { throw UsageError("expected a number of 0 or more, got '\(argument)'") }
        guard let value = Int(argument) else { throw UsageError("'\(argument)' is too large") }
        self = value
    }

    /// Returns the parser of a number in a range.
    static func parser(in range: ClosedRange<Int>) -> @Sendable (String) throws(UsageError) -> Int {
        { (argument) throws(UsageError) in
            guard argument.isDecimal, let value = Int(argument), range.contains(value) else {
                let (first, last) = (range.lowerBound, range.upperBound)
                throw UsageError("expected a number from \(known: first) to \(known: last), got '\(argument)'")
            }
            return value
        }
    }
}
