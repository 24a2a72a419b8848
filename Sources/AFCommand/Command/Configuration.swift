internal import AFHTTP
internal import AFJSON

/// The choice of the configuration file.
enum ConfigurationChoice: Equatable, Sendable, ArgumentValue {
    case file(String)
    case none

    static var hint: ArgumentHint { .file }

    init(argument: String) { self = .file(argument) }
}

/// The contents of the configuration file.
///
/// Its options precede those of the command line; environment variables take precedence over them.
struct Configuration: Equatable, Sendable {
    /// The path, for messages.
    let path: String
    let defaultOptions: [String]
    let defaultScheme: HTTPURL.Scheme?
    /// The settings for hosts, of which the later ones take precedence.
    let hosts: [HostSettings]
    /// Warnings about unknown settings. They are not errors, as they may be meant for a later version.
    let warnings: [String]

    /// Reads the configuration file.
    ///
    /// - Parameter level: The messages to print.
    /// - Returns: `nil` if there is no file and none was specified.
    /// - Throws: ``FileProblem`` for an unreadable file, ``UsageError`` for an invalid one.
    static func load(
        _ choice: ConfigurationChoice?, _ environment: Environment, level: Messages.Level = .notes
    ) throws -> Configuration? {
        let directory = ConfigurationDirectory(variables: environment.variables, files: environment.files)
        let path: String
        switch choice {
        case ConfigurationChoice.none?: return nil
        case .file(let named)?: path = environment.files.expanding(named)
        case nil:
            guard let directory = directory.path else { return nil }
            path = "\(directory)/config.json"
        }
        let content: [UInt8]
        do throws(FileProblem) {
            content = try environment.files.read(path, .configuration)
        } catch {
            if choice == nil, error.reason == .isMissing { return nil }
            // A directory that cannot be searched has no file for this user.
            if choice == nil, FileStatus(path) == nil {
                Messages(environment, level: level).note("no configuration: \(error.problem)")
                return nil
            }
            let problem = choice == nil ? error : error.naming("--config")
            // A typed path may have a typing error.
            throw error.reason == .isMissing ? problem : problem.hinting("--no-config ignores the configuration")
        }
        return try Configuration(content, path: path)
    }

    private init(_ content: [UInt8], path: String) throws(UsageError) {
        self.path = path
        do throws(JSONFileProblem) {
            let root = try JSONText(file: content)
            guard root.members != nil else { throw JSONFileProblem("the file is not a JSON object") }
            defaultOptions = try Self.options(root["default_options"], "default_options")
            defaultScheme = try Self.scheme(root["default_scheme"])
            let members = try Self.hosts(root["hosts"])
            let hosts = members.compactMap { HostSettings(name: $0.name, $0.value) }
            let names = Set(hosts.map(\.name))
            // The standard library's sort is stable.
            self.hosts = hosts.sorted(by: <)
            warnings =
                Self.unknown(in: root).map { Self.warning(of: $0, in: "the configuration '\(path)'", Self.keys) }
                + members.filter { !names.contains($0.name) }.map {
                    "'\(Redaction(revealsSecrets: false).url(String($0.name.prefix(80))))' in 'hosts' of the configuration '\(path)' is ignored: it is neither "
                        + "a host such as *.example.org nor an alias of letters, digits, - and _"
                }
        } catch {
            throw UsageError(
                "the configuration '\(known: path)' cannot be used: \(error.reason)",
                hint: "correct it, or ignore it with --no-config"
            )
        }
    }

    private static let keys = ["default_options", "default_scheme", "hosts"]

    private static func warning(of key: String, in section: String, _ keys: [String]) -> String {
        let suggestion = nearestWord(to: key, in: keys).map { "; did you mean '\($0)'?" }
        return "\(section) has the unknown setting '\(key)'\(suggestion ?? "")"
    }

    private static func hosts(_ text: JSONText?) throws(JSONFileProblem) -> [JSONText.Member] {
        guard let text, text != .null else { return [] }
        guard let members = text.members else { throw JSONFileProblem("'hosts' is not a JSON object") }
        return members
    }

    /// Returns the names of unknown settings. HTTPie writes `__meta__` into its files.
    private static func unknown(in root: JSONText) -> [String] {
        (root.members ?? []).map { String($0.name.prefix(80)) }.filter { !(keys + ["__meta__"]).contains($0) }
    }

    static func options(_ text: JSONText?, _ name: String) throws(JSONFileProblem) -> [String] {
        guard let text, text != .null else { return [] }
        let words = text.elements?.map(\.string)
        guard let words, !words.contains(nil) else {
            throw JSONFileProblem("'\(name)' is not an array of strings such as [\"--follow\"]")
        }
        return words.compactMap(\.self)
    }

    private static func scheme(_ text: JSONText?) throws(JSONFileProblem) -> HTTPURL.Scheme? {
        guard let text, text != .null else { return nil }
        guard let scheme = text.string.flatMap({ HTTPURL.Scheme(rawValue: $0.lowercased()) }) else {
            throw JSONFileProblem("'default_scheme' is neither \"http\" nor \"https\"")
        }
        return scheme
    }

    /// Returns the options for all requests, and those of environment variables, which take precedence.
    ///
    /// - Throws: ``UsageError`` with the name of the file.
    func assignments(variables: Variables) throws(UsageError) -> Assignments {
        var assignments = Assignments()
        if let scheme = defaultScheme?.rawValue, let option = Invocation.options.option(named: "--default-scheme") {
            let source = AssignmentSource.configuration(path: path, key: "default_scheme")
            let assignment = try Assignment(option, scheme, spelling: option.entry.name, source)
            assignments.add(ParsedArguments(assignments: [assignment]))
        }
        do throws(UsageError) {
            let source = AssignmentSource.configuration(path: path, key: "default_options")
            assignments.add(try Self.parsed(defaultOptions, from: source))
        } catch {
            throw problem("'default_options'", error)
        }
        assignments.add(ParsedArguments(variables))
        return assignments
    }

    /// Parses options of a configuration file.
    ///
    /// - Throws: ``UsageError`` for invalid options, and for those that are not allowed there.
    static func parsed(_ words: [String], from source: AssignmentSource) throws(UsageError) -> ParsedArguments {
        let options = Invocation.parsed(words, from: source)
        if let error = options.error { throw error }
        if let word = options.words.first?.text {
            // It may be an argument of the option before it.
            let item = (try? RequestItem(word)).map { "\($0.name)\($0.separator.rawValue)..." }
            throw UsageError(
                "'\(known: item ?? Redaction(revealsSecrets: false).url(word))' is not an option",
                hint: "a header is --header=NAME:VALUE")
        }
        for assignment in options.assignments {
            switch assignment.option.relations.scope {
            case .commandLine: throw UsageError("\(known: assignment.name) is possible only on the command line")
            case .run where source.isHost: throw UsageError("\(known: assignment.name) is not possible for a host")
            case .run, .host: break
            }
        }
        return options
    }

    private func problem(_ section: String, _ error: UsageError) -> UsageError {
        let reason: UsageError.Problem = error.argument.map { "\(known: $0): \(error.statement)" } ?? error.statement
        return UsageError(
            "the configuration '\(known: path)' cannot be used: \(known: section): \(reason)",
            hint: error.hint ?? "correct it, or ignore it with --no-config"
        )
    }
}

/// The settings for hosts.
extension Configuration {
    /// Adds the settings that apply to the typed URL.
    ///
    /// - Parameters:
    ///   - assignments: The default options, to which the options for the host are added.
    ///   - typed: The command line without the configuration file.
    /// - Returns: The applied settings, the arguments with an alias expanded if they are valid, and whether there was one.
    /// - Throws: ``UsageError`` with the names of the file and the host.
    func addHostOptions(
        to assignments: inout Assignments,
        for typed: Invocation
    ) throws(UsageError) -> (applied: [HostSettings], target: RequestTarget?, isAlias: Bool) {
        let base = Invocation(assignments)
        // A configured method gives way to one among the arguments.
        let method = typed.request.method
        guard typed.download.input == nil, base.download.input == nil,
            var words = try? Positionals(
                typed.positionals, method: method, isCompressed: typed.request.compression > 0)
        else { return ([], nil, false) }
        let options = Address.Options(
            defaultScheme: typed.request.defaultScheme ?? base.request.defaultScheme ?? .http)
        var applied: [HostSettings] = []
        let word = words.address
        for settings in hosts {
            guard let text = try naming(settings, { try settings.expanding(word) }) else { continue }
            words.address = text
            applied = [settings]
        }
        let isAlias = !applied.isEmpty
        guard let address = try? Address(words.address, options) else { return (applied, nil, isAlias) }
        applied = hosts.filter { $0.matches(address.url) } + applied
        for settings in applied {
            for layer in try naming(settings, { try settings.layers(path: path) }) { assignments.add(layer) }
            let hasSecret = assignments.all.contains { assignment in
                assignment.option.relations.holdsCredentials && assignment.source.isHost
                    && assignment.source.key == settings.name
            }
            if settings.hasAuthorization, !hasSecret { assignments.removeCredentials() }
        }
        // Typed credentials take precedence over those of the file; a typed user alone is completed by the same user's.
        let isOfOther = address.credential.map { credential in
            address.hasPassword || !Invocation(assignments).authentication.isFor(user: credential.user)
        }
        let hasTyped = isOfOther == true || words.setsAuthorization(typed.request.headers)
        if Safety.refuses("11-configured", hasTyped) { assignments.removeCredentials() }
        return (applied, RequestTarget(words, address, method: method), isAlias)
    }

    /// Returns the values for a request: of the default options, of the settings for the host of its URL, and typed.
    ///
    /// - Parameters:
    ///   - assignments: The default options, to which the settings for the host are added.
    ///   - line: The command line.
    ///   - typed: The values of the command line with the URL.
    /// - Returns: The values, the applied settings, and whether the URL has an alias.
    /// - Throws: ``UsageError`` with the names of the file and the host.
    func invocation(
        _ assignments: inout Assignments, _ line: ParsedArguments, for typed: Invocation
    ) throws(UsageError) -> (values: Invocation, applied: [HostSettings], isAlias: Bool) {
        let (applied, target, isAlias) = try addHostOptions(to: &assignments, for: typed)
        var all = assignments
        all.add(line)
        var values = Invocation(all)
        values.knownTarget = target
        if let address = target?.positionals.address, !isAlias { values.nearestAlias = alias(nearestTo: address) }
        return (values, applied, isAlias)
    }

    /// Returns the alias that a typed URL may misspell; `nil` if no alias is similar.
    func alias(nearestTo url: String) -> String? {
        let host = url.prefix { !"/?#".contains($0) }
        // An alias has neither a dot nor a port.
        return host.contains { ".:".contains($0) } ? nil : nearestWord(to: host, in: hosts.compactMap(\.alias))
    }

    /// The warnings about the settings of hosts.
    func warnings(of read: [HostSettings]) -> [String] {
        read.flatMap { settings in
            settings.unknown.map {
                Self.warning(of: $0, in: "'\(settings.name)' in the configuration '\(path)'", HostSettings.keys)
            }
        }
    }

    private func naming<Value>(_ settings: HostSettings, _ body: () throws -> Value) throws(UsageError) -> Value {
        do {
            return try body()
        } catch let error as JSONFileProblem {
            throw problem("'\(settings.name)'", UsageError("\(error.reason)"))
        } catch let error as UsageError {
            throw problem("'\(settings.name)'", error)
        } catch {
            throw problem("'\(settings.name)'", UsageError("\(error)"))
        }
    }
}

extension Assignments {
    /// Removes the credentials, so that those of the URL or a header field are used.
    fileprivate mutating func removeCredentials() {
        removeAll { AuthenticationArguments.isCredential($0.option.entry) }
    }
}
