/// The relations of an option to others, and to the sources of options.
///
/// A class, as the options of the table are copied at the start of the program.
final class OptionRelations: Sendable {
    /// The sources in which it may be set.
    let scope: OptionScope
    /// The options of a later source that replace it.
    let yieldsTo: [String]
    /// The options that cannot be combined with it.
    let excludes: [String]
    /// The error about a repetition; `nil` if it may be repeated.
    let repetition: OptionRepetition?
    /// The spellings in curl; empty if it has no such option.
    let curl: [CurlSpelling]
    /// Whether curl lacks it, so that a curl command is not complete.
    let isMissingInCurl: Bool
    /// Whether a curl command has it as it was typed.
    let isCopiedToCurl: Bool
    /// Whether it selects what is shown of a response, so that the responses to the URLs of a list are not saved.
    let showsResponse: Bool
    /// Whether it is possible for a WebSocket URL.
    let isForWebSockets: Bool
    /// Whether the first argument that matches is used, so that those of later sources come first.
    let isFirstDecisive: Bool
    /// The files that it writes; `nil` if the option writes no files.
    let writes: WrittenFiles?
    /// The secrets in its argument; `nil` if the argument is not secret.
    let secrets: ArgumentSecrets?
    /// Whether it has or names credentials; those that the configuration has for a host are for its origin only.
    let holdsCredentials: Bool

    init(
        scope: OptionScope, yieldsTo: [String], excludes: [String], repetition: OptionRepetition?,
        curl: [CurlSpelling], isMissingInCurl: Bool, isCopiedToCurl: Bool, showsResponse: Bool, isForWebSockets: Bool,
        isFirstDecisive: Bool, writes: WrittenFiles?, secrets: ArgumentSecrets?, holdsCredentials: Bool
    ) {
        (self.scope, self.yieldsTo, self.excludes, self.repetition) = (scope, yieldsTo, excludes, repetition)
        (self.curl, self.isMissingInCurl, self.isCopiedToCurl) = (curl, isMissingInCurl, isCopiedToCurl)
        (self.showsResponse, self.isForWebSockets) = (showsResponse, isForWebSockets)
        (self.isFirstDecisive, self.writes, self.secrets) = (isFirstDecisive, writes, secrets)
        self.holdsCredentials = holdsCredentials
    }
}

/// The sources in which an option may be set.
enum OptionScope: Sendable {
    /// The command line, the default options, and the settings for a host.
    case host
    /// The command line and the default options.
    case run
    /// The command line.
    case commandLine
}

/// The error about a repeated option: an argument that names a file or a body is never ignored.
struct OptionRepetition: Sendable {
    /// The remedy; `nil` if the message says what to do.
    let hint: String?
    /// Returns the kind of an argument; `nil` for one that may be repeated. Arguments of different kinds are no repetition.
    let kind: @Sendable (_ argument: String) -> String?

    static let error = Self(hint: nil) { _ in "" }

    static func error(hint: String, kind: @escaping @Sendable (_ argument: String) -> String? = { _ in "" }) -> Self {
        Self(hint: hint, kind: kind)
    }
}

/// A fact about a request that its options do not decide.
enum RequestFact: Sendable {
    /// The credentials that a session has for the URL.
    case storedCredentials
    /// The scheme of the URL.
    case scheme
}

/// A condition without which an option has no effect.
struct OptionRequirement<Values>: Sendable {
    /// Whether it also concerns configured options. Others are for the requests in which they have an effect.
    var concernsConfigured = false
    /// The fact with which it is checked again; `nil` if the options decide it.
    var dependsOn: RequestFact?
    /// Returns the error about values that do not meet it.
    let failure: @Sendable (Values) -> UsageError?
}

/// The files that an option writes.
struct WrittenFiles: Sendable {
    struct File: Sendable {
        let path: String
        /// The role of the file; `nil` for that of the argument.
        var role: String?
    }

    /// Returns the files for an argument.
    let files: @Sendable (_ argument: String, _ access: FileAccess) -> [File]

    /// The file of the argument.
    static let argument = Self { argument, _ in [File(path: argument)] }
}

/// The environment variables that set an option.
struct OptionVariables<Values>: Sendable {
    struct Setting: Sendable {
        /// The name of the variable.
        let name: String
        /// The argument of the option.
        let argument: String
        let store: Option<Values>.Store
    }

    /// Returns the settings of the variables; the later ones take precedence.
    let settings: @Sendable (Variables) -> [Setting]
}

extension OptionVariables {
    /// Variables on which the default of the option depends: the first one that is not empty restores it.
    static func ofDefault(_ names: String..., restoring restore: @escaping Option<Values>.Store) -> Self {
        Self { variables in
            guard let name = names.first(where: { variables.isAnySet([$0]) }) else { return [] }
            return [Setting(name: name, argument: variables[name] ?? "", store: restore)]
        }
    }
}

extension Variables {
    /// Whether one of the variables is set and not empty.
    func isAnySet(_ names: [String]) -> Bool { names.contains { self[$0]?.isEmpty == false } }

    /// Returns the variable with this name, else with the name in upper case; `nil` if it is empty.
    func inEitherCase(_ name: String) -> (name: String, value: String)? {
        let spelling = self[name] == nil ? name.uppercased() : name
        return self[spelling].flatMap { $0.isEmpty ? nil : (spelling, $0) }
    }
}
