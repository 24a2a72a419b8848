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
    /// - Returns: `nil` if there is no file and none was specified.
    /// - Throws: ``FileProblem`` for an unreadable file, ``UsageError`` for an invalid one.
    static func load(_ choice: ConfigurationChoice?, _ environment: Environment) throws -> Configuration? {
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
            let problem = choice == nil ? error : error.naming("--config")
            throw problem.hinting("--no-config ignores the configuration")
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
                    "'\($0.name.prefix(80))' in 'hosts' of the configuration '\(path)' is ignored: it is neither "
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

    /// Returns the options as if they were typed, without those that environment variables override.
    ///
    /// - Throws: ``UsageError`` with the name of the file.
    func invocation(variables: Variables) throws(UsageError) -> Invocation {
        var base = Invocation()
        base.request.defaultScheme = defaultScheme
        do throws(UsageError) {
            var invocation = try Invocation(parsing: defaultOptions, over: base)
            try Self.check(invocation, over: base)
            invocation.yield(to: variables)
            return invocation
        } catch {
            throw problem("'default_options'", error)
        }
    }

    /// Checks that the options are allowed in a configuration file.
    static func check(_ invocation: Invocation, over base: Invocation) throws(UsageError) {
        if let word = invocation.positionals.first {
            throw UsageError("'\(word)' is not an option", hint: "a header is --header=NAME:VALUE")
        }
        let forbidden = [
            ("--help", invocation.other.help != nil), ("--version", invocation.other.showsVersion),
            ("--config", invocation.other.configuration.map { $0 != ConfigurationChoice.none } ?? false),
            ("--no-config", invocation.other.configuration.map { $0 == ConfigurationChoice.none } ?? false),
        ]
        if let (option, _) = forbidden.first(where: \.1) {
            throw UsageError("\(known: option) is possible only on the command line")
        }
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
    ///   - base: The default options, to which the options for the host are added.
    ///   - typed: The command line without the configuration file.
    /// - Returns: The applied settings, and the URL with its alias expanded and its index among the positionals.
    /// - Throws: ``UsageError`` with the names of the file and the host.
    func addHostOptions(
        to base: inout Invocation,
        for typed: Invocation
    ) throws(UsageError) -> (applied: [HostSettings], url: (text: String, position: Int)?) {
        guard typed.download.input == nil, base.download.input == nil,
            let words = try? Positionals(typed.positionals, method: typed.request.method)
        else { return ([], nil) }
        let reading = Address.Reading(
            defaultScheme: typed.request.defaultScheme ?? base.request.defaultScheme ?? .http)
        var url: (text: String, position: Int)?
        var applied: [HostSettings] = []
        for settings in hosts {
            guard let text = try naming(settings, { try settings.expanding(words.address) }) else { continue }
            url = (text, words.itemOffset - 1)
            applied = [settings]
        }
        guard let address = try? Address(url?.text ?? words.address, reading) else { return (applied, url) }
        applied = hosts.filter { $0.matches(address.url) } + applied
        for settings in applied { try naming(settings) { try settings.apply(to: &base) } }
        // Typed credentials take precedence over those of the file; a typed user alone is completed by the same user's.
        let isOfOther = address.credential.map { address.hasPassword || !base.authentication.isFor(user: $0.user) }
        if isOfOther == true || words.mentionAuthorization(typed.request.headers) {
            base.authentication.removeCredentials()
        }
        return (applied, url)
    }

    /// The warnings about applied settings.
    func warnings(of applied: [HostSettings]) -> [String] {
        applied.flatMap { settings in
            settings.unknown.map {
                Self.warning(of: $0, in: "'\(settings.name)' in the configuration '\(path)'", HostSettings.keys)
            }
        }
    }

    /// Returns a sentence for each source in the file, with the options it sets.
    func sources(of applied: [HostSettings]) -> [String] {
        func sentence(_ words: [String], _ headers: [String], _ section: String) -> String? {
            let options = (try? Invocation(parsing: words))?.typedOptions ?? []
            let names = options + headers.map { "the header \($0)" }
            return names.isEmpty ? nil : "\(section) in '\(path)' sets \(names.joined(separator: ", "))"
        }
        return
            ([sentence(defaultOptions, [], "'default_options'")]
            + applied.map { sentence($0.options, $0.headerNames, "'\($0.name)'") }).compactMap(\.self)
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

extension Invocation {
    /// Removes options that environment variables override.
    fileprivate mutating func yield(to variables: Variables) {
        func isSet(_ names: String...) -> Bool { names.contains { !(variables[$0] ?? "").isEmpty } }
        if isSet("NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE") { output.color = nil }
        if isSet("no_proxy", "NO_PROXY") { network.noProxy = nil }
        if isSet("NETRC") { authentication.netrcFile = nil }
        if isSet("SSL_CERT_FILE", "CURL_CA_BUNDLE", "SSL_CERT_DIR") {
            (tls.authorityFile, tls.authorityDirectory) = (nil, nil)
            if case .authorities = tls.verification { tls.verification = nil }
        }
        let open = [ProxyChoice.TargetScheme.http, .https]
            .filter { !ProxySelection.isInEnvironment(scheme: $0.rawValue, variables) }
        guard open.count < 2 else { return }
        network.proxies = network.proxies.flatMap { choice in
            open.filter { choice.scheme == .all || choice.scheme == $0 }
                .map { ProxyChoice(scheme: $0, url: choice.url) }
        }
    }
}
