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
    /// Warnings about unknown settings. They are no errors, as they may be meant for a later version.
    let warnings: [String]

    /// Reads the configuration file.
    ///
    /// - Returns: `nil` if there is no file and none was specified.
    /// - Throws: ``FileProblem`` for an unreadable file, ``UsageError`` for an invalid one.
    static func load(_ choice: ConfigurationChoice?, _ environment: Environment) throws -> Configuration? {
        let folder = ConfigurationFolder(variables: environment.variables, files: environment.files)
        let path: String
        switch choice {
        case ConfigurationChoice.none?: return nil
        case .file(let named)?: path = environment.files.expanding(named)
        case nil:
            guard let folder = folder.path else { return nil }
            path = "\(folder)/config.json"
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
            guard root.members != nil else { throw JSONFileProblem("it is not a JSON object") }
            defaultOptions = try Self.options(root["default_options"])
            defaultScheme = try Self.scheme(root["default_scheme"])
            warnings = Self.unknown(in: root).map { key in
                let suggestion = nearestWord(to: key, in: Self.keys).map { "; did you mean '\($0)'?" }
                return "the configuration '\(path)' has the unknown setting '\(key)'\(suggestion ?? "")"
            }
        } catch {
            throw UsageError(
                "the configuration '\(known: path)' cannot be used: \(error.reason)",
                hint: "correct it, or ignore it with --no-config"
            )
        }
    }

    private static let keys = ["default_options", "default_scheme"]

    /// HTTPie writes `__meta__` into its files.
    private static func unknown(in root: JSONText) -> [String] {
        (root.members ?? []).map { String($0.name.prefix(80)) }.filter { !(keys + ["__meta__"]).contains($0) }
    }

    private static func options(_ text: JSONText?) throws(JSONFileProblem) -> [String] {
        guard let text, text != .null else { return [] }
        let words = text.elements?.map(\.string)
        guard let words, !words.contains(nil) else {
            throw JSONFileProblem("'default_options' is not an array of strings such as [\"--follow\"]")
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
            if let word = invocation.positionals.first {
                throw UsageError("'\(word)' is not an option", hint: "a header is --header=NAME:VALUE")
            }
            guard invocation.other.help == nil, !invocation.other.showsVersion, invocation.other.configuration == nil
            else { throw UsageError("--help, --version, --config and --no-config are for the command line") }
            invocation.yield(to: variables)
            return invocation
        } catch {
            throw UsageError(
                "the configuration '\(known: path)' cannot be used: 'default_options': \(error.message)",
                hint: error.hint ?? "correct it, or ignore it with --no-config"
            )
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
