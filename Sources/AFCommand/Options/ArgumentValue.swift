/// What a shell may offer after an option.
enum ArgumentHint: Equatable, Sendable {
    case anything, file, directory
    /// A part: `name=@file`, where a semicolon in the name begins something else unless it is quoted.
    case part
    /// One of these words and nothing else.
    case choice([String])
    /// These words among others.
    case suggestion([String])
    /// A file, or one of these words.
    case fileOr([String])
    /// `Name: value`
    case header
    /// The name of an option, without its dashes.
    case option
}

/// A value that an option's argument spells.
protocol ArgumentValue: Sendable {
    /// What a shell may offer for it.
    static var hint: ArgumentHint { get }

    /// - Throws: ``UsageError`` that says what was expected; the parser adds the option's name.
    init(argument: String) throws(UsageError)
}

extension ArgumentValue {
    static var hint: ArgumentHint { .anything }
}

extension ArgumentValue where Self: RawRepresentable<String> & CaseIterable {
    static var hint: ArgumentHint { .choice(allCases.map(\.rawValue)) }

    init(argument: String) throws(UsageError) {
        guard let value = Self(rawValue: argument.lowercased()) else {
            let choices = Self.allCases.map(\.rawValue).joined(separator: ", ")
            throw UsageError("expected one of \(choices), got '\(argument)'")
        }
        self = value
    }
}

extension String: ArgumentValue {
    /// Any text but the empty one, which a script's variable that is not set leaves behind.
    init(argument: String) throws(UsageError) {
        guard !argument.isEmpty else { throw UsageError("the argument is empty") }
        self = argument
    }
}

extension Int: ArgumentValue {
    /// Digits only: options count things, and nothing is counted below zero.
    init(argument: String) throws(UsageError) {
        guard argument.isDecimal, let value = Int(argument) else {
            throw UsageError("expected a whole number, got '\(argument)'")
        }
        self = value
    }
}
