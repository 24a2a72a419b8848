/// A profile of the AWS files `~/.aws/credentials` and `~/.aws/config`.
///
/// Keys that a role, single sign-on or program must provide are not supported.
struct AmazonProfile: Sendable {
    typealias Keys = (id: String, secret: String, token: String?)

    /// The value of `AWS_PROFILE`, else `default`.
    let name: String
    let region: String?
    /// The keys; `nil` if the profile has none.
    let keys: Keys?

    private typealias Settings = [String: String]

    /// Reads the profile.
    ///
    /// - Throws: ``UsageError`` if `AWS_PROFILE` names a profile that neither file has; ``FileProblem`` for an
    ///   unreadable file.
    init(_ sources: SecretSources) throws {
        let named = sources.setVariable("AWS_PROFILE")
        let name = named ?? "default"
        let credentials = try Self.file("credentials", "AWS_SHARED_CREDENTIALS_FILE", sources)[name]
        let sections = try Self.file("config", "AWS_CONFIG_FILE", sources)
        let configuration = sections["profile \(name)"] ?? (name == "default" ? sections[name] : nil)
        guard named == nil || credentials != nil || configuration != nil else {
            throw UsageError(
                "AWS_PROFILE is an unknown profile: '\(name)'",
                argument: "--auth-type",
                hint: "'aws configure list-profiles' lists the profiles"
            )
        }
        self.name = name
        region = configuration?["region"] ?? credentials?["region"]
        // The credentials file takes precedence; an incomplete pair is ignored.
        keys = Self.keys(credentials) ?? Self.keys(configuration)
    }

    private static func keys(_ settings: Settings?) -> Keys? {
        guard let settings, let id = settings["aws_access_key_id"], let secret = settings["aws_secret_access_key"]
        else { return nil }
        return (id, secret, settings["aws_session_token"])
    }

    /// Returns the sections of a file; empty if the file is missing.
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
            // An indented line belongs to the previous setting.
            guard let first = line.first, !first.isWhitespace, first != "#", first != ";" else { continue }
            if first == "[" {
                section = line.dropFirst().prefix { $0 != "]" }.filter { $0 != "\"" && $0 != "'" }
                    .split(whereSeparator: \.isWhitespace).joined(separator: " ")
                sections[section] = sections[section] ?? [:]
            } else if let (name, value) = line.halves(around: "=") {
                // `#` and `;` start a comment only after white space.
                let words = value.split(whereSeparator: \.isWhitespace).prefix { $0.first != "#" && $0.first != ";" }
                let name = name.filter { !$0.isWhitespace }.lowercased()
                if !words.isEmpty { sections[section, default: [:]][name] = words.joined(separator: " ") }
            }
        }
        return sections
    }
}

extension SecretSources {
    /// Returns the value of a variable; `nil` if it is unset or empty.
    func setVariable(_ name: String) -> String? {
        credentials.variable(name).flatMap { $0.isEmpty ? nil : $0 }
    }
}
