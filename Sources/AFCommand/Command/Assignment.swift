/// One use of an option.
struct Assignment: Sendable {
    let option: Option<Invocation>
    /// The option as typed, for messages: `-a` or `--auth`.
    var spelling: String
    /// The argument; `nil` if the option has no argument.
    let value: String?
    /// Whether it is `--no-OPTION`, which cancels the option and its group at any position.
    let isNegated: Bool
    /// Whether it is a header field of the configuration for a host, and not an option.
    var isHostHeader = false
    let source: AssignmentSource
    /// The place of the argument; `nil` if it is not on the command line.
    var position: ArgumentPosition?
    /// The number of words before it that are not options, so that options and items keep their order.
    var precedingWords = 0
    /// Stores the parsed argument.
    let store: Option<Invocation>.Store

    /// Returns the argument with its secrets masked, unless they are revealed.
    func value(_ redaction: Redaction) -> String? {
        guard let value, !redaction.revealsSecrets, let secrets = option.relations.secrets else { return value }
        var bytes = Array(value.utf8)
        for range in secrets.ranges(value).sorted(by: { $0.lowerBound > $1.lowerBound }) {
            bytes.replaceSubrange(range, with: Array(Redaction.mask.utf8))
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The option's name, with dashes.
    var name: String { option.entry.name }

    /// Creates an assignment of an argument.
    ///
    /// - Throws: ``UsageError`` for an invalid argument.
    init(
        _ option: Option<Invocation>, _ value: String?, spelling: String, _ source: AssignmentSource
    ) throws(UsageError) {
        self.init(option, value, spelling: spelling, source, storing: try option.effect.parse(value))
    }

    /// Creates an assignment that stores something else than the parsed argument.
    init(
        _ option: Option<Invocation>, _ value: String?, spelling: String, _ source: AssignmentSource,
        isNegated: Bool = false, storing store: @escaping Option<Invocation>.Store
    ) {
        (self.option, self.value, self.spelling, self.source) = (option, value, spelling, source)
        (self.isNegated, self.store) = (isNegated, store)
    }
}

/// The source of an option's value. A later case takes precedence.
enum AssignmentSource: Equatable, Sendable {
    /// The default: the option has no assignment.
    case `default`
    /// A member of the configuration file for all requests.
    case configuration(path: String, key: String)
    /// A variable of the environment.
    case variable(String)
    /// The settings of the configuration file for a host.
    ///
    /// `isOrigin` indicates whether they are for one scheme or port of it.
    case host(path: String, key: String, isOrigin: Bool)
    /// The command line.
    case typed
    /// The command line of curl.
    case curl

    /// The path of the configuration file; `nil` for other sources.
    var path: String? {
        switch self {
        case .configuration(let path, _), .host(let path, _, _): path
        case .default, .variable, .typed, .curl: nil
        }
    }

    /// The name of the member of the configuration file; `nil` for other sources.
    var key: String? {
        switch self {
        case .configuration(_, let key), .host(_, let key, _): key
        case .default, .variable, .typed, .curl: nil
        }
    }

    var isHost: Bool { if case .host = self { true } else { false } }

    var isVariable: Bool { if case .variable = self { true } else { false } }

    /// Whether it is a command line.
    var isCommandLine: Bool { self == .typed || self == .curl }
}

extension AssignmentSource: CustomStringConvertible {
    /// The subject of a sentence.
    var description: String {
        switch self {
        case .default: "the default"
        case .configuration(let path, let key), .host(let path, let key, _): "'\(key)' in '\(path)'"
        case .variable(let name): "the variable \(name)"
        case .typed, .curl: "the command line"
        }
    }
}
