/// What the files of Amazon's own tools, `~/.aws/credentials` and `~/.aws/config`, hold under the name of a profile.
///
/// Keys that have to be got from somewhere first, by a role, a single sign-on or a program, are not in it.
struct AmazonProfile: Sendable {
    typealias Keys = (id: String, secret: String, token: String?)

    /// What `AWS_PROFILE` says, else `default`.
    let name: String
    let region: String?
    /// `nil` where the profile has none of its own.
    let keys: Keys?

    private typealias Settings = [String: String]

    /// - Throws: ``UsageError`` for a name in `AWS_PROFILE` that neither file knows; ``FileProblem`` for a file that is there
    ///   and cannot be read.
    init(_ sources: SecretSources) throws {
        let named = sources.setVariable("AWS_PROFILE")
        let name = named ?? "default"
        let credentials = try Self.file("credentials", "AWS_SHARED_CREDENTIALS_FILE", sources)[name]
        let sections = try Self.file("config", "AWS_CONFIG_FILE", sources)
        let configuration = sections["profile \(name)"] ?? (name == "default" ? sections[name] : nil)
        guard named == nil || credentials != nil || configuration != nil else {
            throw UsageError(
                "there is no profile '\(name)', which AWS_PROFILE names",
                argument: "--auth-type",
                hint: "'aws configure list-profiles' lists those that there are"
            )
        }
        self.name = name
        region = configuration?["region"] ?? credentials?["region"]
        // The file that is for them goes first; halves of two pairs make none.
        keys = Self.keys(credentials) ?? Self.keys(configuration)
    }

    private static func keys(_ settings: Settings?) -> Keys? {
        guard let settings, let id = settings["aws_access_key_id"], let secret = settings["aws_secret_access_key"]
        else { return nil }
        return (id, secret, settings["aws_session_token"])
    }

    /// The sections of a file; none where it is missing.
    private static func file(
        _ name: String,
        _ variable: String,
        _ sources: SecretSources
    ) throws(FileProblem) -> [String: Settings] {
        let files = sources.files
        let standard = files.homeDirectory.map { "\($0)/.aws/\(name)" }
        guard let path = sources.setVariable(variable).map(files.expanding) ?? standard else { return [:] }
        do throws(FileProblem) {
            guard let text = String(validating: try files.read(path, .configuration), as: UTF8.self) else {
                throw FileProblem(path: path, reason: .isNoText)
            }
            return sections(of: text)
        } catch {
            if error.reason == .isMissing { return [:] }
            throw error.naming("--auth-type")
        }
    }

    private static func sections(of text: String) -> [String: Settings] {
        var sections: [String: Settings] = [:]
        var section = ""
        for line in text.split(whereSeparator: \.isNewline) {
            // What is indented belongs to the setting before it.
            guard let first = line.first, !first.isWhitespace, first != "#", first != ";" else { continue }
            if first == "[" {
                section = line.dropFirst().prefix { $0 != "]" }.filter { $0 != "\"" && $0 != "'" }
                    .split(whereSeparator: \.isWhitespace).joined(separator: " ")
                sections[section] = sections[section] ?? [:]
            } else if let (name, value) = line.halves(around: "=") {
                // A comment begins after a blank.
                let words = value.split(whereSeparator: \.isWhitespace).prefix { $0.first != "#" && $0.first != ";" }
                let name = name.filter { !$0.isWhitespace }.lowercased()
                if !words.isEmpty { sections[section, default: [:]][name] = words.joined(separator: " ") }
            }
        }
        return sections
    }
}

extension SecretSources {
    /// The value of a variable; `nil` where it is not set, or empty.
    func setVariable(_ name: String) -> String? {
        credentials.variable(name).flatMap { $0.isEmpty ? nil : $0 }
    }
}
