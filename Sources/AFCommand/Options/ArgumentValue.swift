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

extension StringProtocol {
    /// Whether this is one ASCII digit or more and nothing else.
    var isDecimal: Bool {
        !isEmpty && utf8.allSatisfy { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
    }
}

/// Places of ASCII characters in text, compared byte by byte: a combining mark after a separator is a part of the text,
/// and does not hide the separator.
extension StringProtocol {
    /// What stands before and after the first occurrence of an ASCII character.
    func halves(around separator: UnicodeScalar) -> (before: SubSequence, after: SubSequence)? {
        guard let index = utf8.firstIndex(of: UInt8(ascii: separator)) else { return nil }
        return (self[..<index], self[utf8.index(after: index)...])
    }

    /// Where the first of these ASCII characters stands.
    func firstIndex(ofAny characters: String) -> Index? { utf8.firstIndex { characters.utf8.contains($0) } }

    /// Where the last of these ASCII characters stands.
    func lastIndex(ofAny characters: String) -> Index? {
        unicodeScalars.lastIndex { characters.unicodeScalars.contains($0) }
    }
}
