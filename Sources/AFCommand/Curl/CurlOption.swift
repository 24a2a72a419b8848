/// An option of curl and its translation.
struct CurlOption: Sendable {
    typealias Slot<Value> = @Sendable () -> WritableKeyPath<CurlArguments, Value>

    enum Effect: Sendable {
        /// An option without an effect on requests of HTTP and their output.
        case ignored(takesArgument: Bool)
        /// An option of another protocol.
        case foreign(takesArgument: Bool)
        /// An option without an effect here, which is reported, with the reason.
        case ineffective(takesArgument: Bool, reason: String)
        /// A flag; `--no-OPTION` resets it.
        case flag(Slot<Bool>)
        /// A text, the last of which counts.
        case text(Slot<String?>)
        /// A text that can be repeated.
        case list(Slot<[String]>)
        /// The option of afcli with the same meaning.
        case same(OptionEntry, CurlSpelling)
        /// A flag with another effect, and whether it is set or reset.
        case setting(@Sendable (inout CurlArguments, _ isOn: Bool) -> Void)
        /// An argument with another effect.
        case argument(@Sendable (inout CurlArguments, String) throws(UsageError) -> Void)
        /// An option that afcli does not support, with the reason.
        ///
        /// - Parameter number: curl's exit number.
        case unsupported(takesArgument: Bool, reason: String, number: Int32 = 2)
    }

    let name: String
    let letter: Character?
    let effect: Effect
    /// The secrets in its argument; `nil` if the argument is not secret.
    let secrets: ArgumentSecrets?

    init(_ name: String, _ letter: Character? = nil, secrets: ArgumentSecrets? = nil, _ effect: Effect) {
        (self.name, self.letter, self.effect, self.secrets) = (name, letter, effect, secrets)
    }

    var takesArgument: Bool {
        switch effect {
        case .ignored(let takesArgument), .foreign(let takesArgument), .ineffective(let takesArgument, _),
            .unsupported(let takesArgument, _, _):
            takesArgument
        case .flag, .setting: false
        case .text, .list, .argument: true
        case .same(let option, _): option.argument != nil
        }
    }

    /// Whether `--no-OPTION` resets the option. As in curl, an option that selects a version cannot be negated.
    private var isBoolean: Bool { !takesArgument && !Self.selections.contains(name) }

    /// The options without an argument that are no boolean ones in curl.
    private static let selections: Set = [
        "http1.0", "http1.1", "http2", "http2-prior-knowledge", "http3", "http3-only", "ipv4", "ipv6", "metalink",
        "next", "out-null", "proxy-tlsv1", "sslv2", "sslv3", "tlsv1", "tlsv1.0", "tlsv1.1", "tlsv1.2", "tlsv1.3",
    ]

    /// The options that an empty argument resets, often an unset variable of a script. Not those of certificates, keys and
    /// signatures: curl connects to no server without them.
    private static let optional = [
        "cert-type", "connect-to", "doh-url", "interface", "key-type", "preproxy", "proxy-header",
    ]

    /// Removes the earlier value of the option; with an empty `--preproxy`, curl uses no proxy of the environment either.
    private func reset(_ values: inout CurlArguments) {
        if case .same(let option, let spelling) = effect, !spelling.isRepeatable { values.remove(option) }
        if name == "preproxy", values.proxy == nil { values.proxy = ("", "--preproxy") }
    }

    /// Applies the option.
    ///
    /// - Parameters:
    ///   - argument: The argument; empty for a flag.
    ///   - isOn: `false` for `--no-OPTION`.
    /// - Throws: ``UsageError`` with the option.
    func apply(_ argument: String, isOn: Bool = true, to values: inout CurlArguments) throws(UsageError) {
        do throws(UsageError) {
            guard isOn || isBoolean else { throw UsageError("cannot be negated") }
            if isOn, argument.isEmpty, Self.optional.contains(name) { return reset(&values) }
            switch effect {
            case .ignored, .foreign: break
            // Nothing is reset.
            case .ineffective where !isOn, .unsupported where !isOn: break
            case .ineffective(_, let reason):
                values.ineffective.append("--\(name) has no effect: \(reason)")
            case .flag(let slot): values[keyPath: slot()] = isOn
            case .text(let slot): values[keyPath: slot()] = argument
            case .list(let slot): values[keyPath: slot()].append(argument)
            case .same(let option, let spelling): values.assign(option, spelling, argument, isOn: isOn)
            case .setting(let set): set(&values, isOn)
            case .argument(let set): try set(&values, argument)
            case .unsupported(_, let reason, let number):
                throw UsageError("is not supported by afcli", hint: reason).numbered(number)
            }
        } catch {
            throw error.naming("--\(name)")
        }
    }
}

extension CurlOption {
    /// Creates the option with the meaning of one of afcli.
    init(_ spelling: CurlSpelling, of option: OptionEntry, secrets: ArgumentSecrets?) {
        let name = spelling.name ?? String(option.name.dropFirst(2))
        self.init(name, spelling.letter, secrets: secrets, .same(option, spelling))
    }

    /// The error about an unknown option.
    static let unknown = UsageError(
        "unknown or unsupported option of curl", hint: "afcli --help lists the options of afcli, for use without 'curl'"
    )
}

extension [CurlOption] {
    /// Returns the option of a long name, which may be abbreviated.
    ///
    /// - Throws: ``UsageError`` for an unknown or ambiguous name.
    func find(long name: String) throws(UsageError) -> CurlOption {
        if let option = first(where: { $0.name == name }) { return option }
        let matches = name.isEmpty ? [] : filter { $0.name.hasPrefix(name) }
        guard let match = matches.first else {
            guard let end = name.firstIndex(where: \.isWhitespace) else { throw CurlOption.unknown }
            throw UsageError.space(after: "--\(name[..<end])")
        }
        guard matches.count == 1 else {
            throw UsageError("is ambiguous", hint: "curl has \(matches.map { "--\($0.name)" }.joined(separator: ", "))")
        }
        return match
    }

    func find(letter: Character) -> CurlOption? { first { $0.letter == letter } }
}
