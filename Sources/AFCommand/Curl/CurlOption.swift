/// An option of curl and its translation.
struct CurlOption: Sendable {
    typealias Slot<Value> = @Sendable () -> WritableKeyPath<CurlArguments, Value>

    enum Effect: Sendable {
        /// A flag without an effect on the request, or for another protocol.
        case ignored
        /// An option with an argument and without an effect.
        case ignoredArgument
        /// An option without an effect here, which is reported.
        case ineffective(takesArgument: Bool)
        /// A flag; `--no-OPTION` resets it.
        case flag(Slot<Bool>)
        /// A text, the last of which counts.
        case text(Slot<String?>)
        /// A text that can be repeated.
        case list(Slot<[String]>)
        /// The afcli flag with this name.
        case sameFlag(String)
        /// The afcli option with this name; the last one takes effect.
        case same(String)
        /// The afcli option with this name, whose argument is a path.
        case sameFile(String)
        /// The afcli option with this name; 0 selects its default.
        case positive(String)
        /// The afcli option with this name, which can be repeated.
        case sameList(String)
        /// A flag with another effect.
        case setting(@Sendable (inout CurlArguments) throws(UsageError) -> Void)
        /// An argument with another effect.
        case argument(@Sendable (inout CurlArguments, String) throws(UsageError) -> Void)
        /// An option that afcli does not support.
        case unsupported(takesArgument: Bool, hint: String? = nil)
    }

    let name: String
    let letter: Character?
    let effect: Effect
    /// The secrets in its argument; `nil` if there are none.
    let secrets: ArgumentSecrets?

    init(_ name: String, _ letter: Character? = nil, secrets: ArgumentSecrets? = nil, _ effect: Effect) {
        (self.name, self.letter, self.effect, self.secrets) = (name, letter, effect, secrets)
    }

    var takesArgument: Bool {
        switch effect {
        case .ignored, .flag, .sameFlag, .setting: false
        case .unsupported(let takesArgument, _), .ineffective(let takesArgument): takesArgument
        case .ignoredArgument, .text, .list, .same, .sameFile, .positive, .sameList, .argument: true
        }
    }

    /// Applies the option.
    ///
    /// - Parameters:
    ///   - argument: The argument; empty for a flag.
    ///   - isOn: `false` for `--no-OPTION`.
    /// - Throws: ``UsageError`` with the option.
    func apply(_ argument: String, isOn: Bool = true, to values: inout CurlArguments) throws(UsageError) {
        do throws(UsageError) {
            switch effect {
            case .ignored, .ignoredArgument: break
            case .ineffective: values.ineffective.append("--\(name)")
            case .flag(let slot): values[keyPath: slot()] = isOn
            case .text(let slot): values[keyPath: slot()] = argument
            case .list(let slot): values[keyPath: slot()].append(argument)
            case .sameFlag(let name): isOn ? values.set(name) : values.remove(name)
            case .same(let name): values.set(name, argument)
            case .sameFile(let name): values.set(name, argument.literalPath)
            case .positive(let name): Double(argument) == 0 ? values.remove(name) : values.set(name, argument)
            case .sameList(let name): values.append(name, argument)
            case .setting(let set):
                guard isOn else { throw UsageError("cannot be negated") }
                try set(&values)
            case .argument(let set): try set(&values, argument)
            case .unsupported(_, let hint): throw UsageError("is not supported by afcli", hint: hint)
            }
        } catch {
            throw error.naming("--\(name)")
        }
    }
}

extension CurlOption {
    /// Creates the option with the meaning of one of afcli.
    init(_ spelling: CurlSpelling, of option: OptionEntry, secrets: ArgumentSecrets?) {
        let effect: Effect =
            switch option.argument?.hint {
            case nil: .sameFlag(option.name)
            case .file?, .directory?: .sameFile(option.name)
            case _ where spelling.repetition == .all: .sameList(option.name)
            case _ where spelling.hasZeroAsDefault: .positive(option.name)
            default: .same(option.name)
            }
        let name = spelling.name ?? String(option.name.dropFirst(2))
        self.init(name, spelling.letter, secrets: secrets, effect)
    }

    /// The error about an unknown option.
    static let unknown = UsageError(
        "unknown or unsupported option of curl", hint: "afcli --help lists the options of afcli, for use without 'curl'"
    )
}

/// The options of a command line of curl.
struct CurlOptions: Sendable {
    private let all: [CurlOption]
    private let byName: [String: CurlOption]
    private let byLetter: [Character: CurlOption]

    init(_ all: [CurlOption]) {
        self.all = all
        byName = Dictionary(all.map { ($0.name, $0) }) { first, _ in first }
        byLetter = Dictionary(all.compactMap { option in option.letter.map { ($0, option) } }) { first, _ in first }
    }

    /// Returns the option of a long name, which may be abbreviated.
    ///
    /// - Throws: ``UsageError`` for an unknown or ambiguous name.
    func find(long name: String) throws(UsageError) -> CurlOption {
        if let option = byName[name] { return option }
        let matches = name.isEmpty ? [] : all.filter { $0.name.hasPrefix(name) }
        guard let match = matches.first else { throw CurlOption.unknown }
        guard matches.count == 1 else {
            throw UsageError("is ambiguous", hint: "curl has \(matches.map { "--\($0.name)" }.joined(separator: ", "))")
        }
        return match
    }

    func find(letter: Character) -> CurlOption? { byLetter[letter] }
}
