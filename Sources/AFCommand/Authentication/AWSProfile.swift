internal import AFHTTP

/// A profile of the AWS files `~/.aws/credentials` and `~/.aws/config`.
///
/// Keys of a role or of single sign-on are not supported.
struct AWSProfile: Sendable {
    typealias Keys = (id: String, secret: String, token: String?)

    /// The source of the keys, in the order of Amazon's tools.
    enum Source: Sendable {
        case keys(Keys)
        /// A key without its secret, which Amazon's tools refuse.
        case incomplete
        /// A program that writes the keys.
        case process(String)
        /// A setting that selects keys which only Amazon's tools obtain.
        case other(setting: String)
        case none
    }

    /// The value of `AWS_PROFILE`, else of `AWS_DEFAULT_PROFILE`, else `default`.
    let name: String
    let region: String?
    let source: Source

    private typealias Settings = [String: String]

    /// Reads the profile.
    ///
    /// - Throws: ``UsageError`` if a variable names a profile that neither file has; ``FileProblem`` for an unreadable
    ///   file.
    init(_ sources: SecretSources) throws {
        let variable = ["AWS_PROFILE", "AWS_DEFAULT_PROFILE"].first { sources.setVariable($0) != nil }
        let name = variable.flatMap(sources.setVariable) ?? "default"
        let credentials = try Self.file("credentials", "AWS_SHARED_CREDENTIALS_FILE", sources)[name]
        let sections = try Self.file("config", "AWS_CONFIG_FILE", sources)
        let configuration = sections["profile \(name)"] ?? (name == "default" ? sections[name] : nil)
        if let variable, credentials == nil, configuration == nil {
            throw UsageError(
                "\(known: variable) is an unknown profile: '\(name)'",
                argument: "--auth-type",
                hint: "'aws configure list-profiles' lists the profiles"
            )
        }
        self.name = name
        region = [configuration?["region"], credentials?["region"]].compactMap(\.self).first { !$0.isEmpty }
        source = Self.source(credentials ?? [:], configuration ?? [:])
    }

    private static func source(_ credentials: Settings, _ configuration: Settings) -> Source {
        let all = configuration.merging(credentials) { $1 }
        for setting in ["role_arn", "web_identity_token_file", "sso_account_id", "sso_role_name"]
        where all[setting] != nil {
            return .other(setting: setting)
        }
        if let keys = keys(credentials) { return keys }
        if all["login_session"] != nil { return .other(setting: "login_session") }
        if let command = all["credential_process"] { return .process(command) }
        return keys(configuration) ?? .none
    }

    /// Returns the pair of one file; `nil` if it has no key. A secret alone is ignored.
    private static func keys(_ settings: Settings) -> Source? {
        guard let id = settings["aws_access_key_id"] else { return nil }
        guard let secret = settings["aws_secret_access_key"], !id.isEmpty, !secret.isEmpty else { return .incomplete }
        // In the order of Amazon's tools, which read the old name first.
        let token = settings["aws_security_token"] ?? settings["aws_session_token"]
        return .keys((id, secret, token?.isEmpty == true ? nil : token))
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
            return sections(of: try files.text(path, .configuration))
        } catch {
            if error.reason == .isMissing { return [:] }
            throw error.naming("--auth-type")
        }
    }

    /// Parses a file as Python's `configparser`, which Amazon's tools use.
    private static func sections(of text: String) -> [String: Settings] {
        var sections: [String: Settings] = [:]
        var section = ""
        var settingIndent: Int?
        for line in text.split(whereSeparator: \.isNewline) {
            let content = line.drop(while: \.isWhitespace)
            guard let first = content.first, first != "#", first != ";" else { continue }
            let indent = line.count - content.count
            // A deeper line belongs to the value of the setting above.
            if let settingIndent, indent > settingIndent { continue }
            settingIndent = nil
            if first == "[" {
                section = content.dropFirst().prefix { $0 != "]" }.filter { $0 != "\"" && $0 != "'" }
                    .split(whereSeparator: \.isWhitespace).joined(separator: " ")
                sections[section] = sections[section] ?? [:]
            } else if let sign = content.firstIndex(where: { $0 == "=" || $0 == ":" }) {
                settingIndent = indent
                let name = content[..<sign].filter { !$0.isWhitespace }.lowercased()
                sections[section, default: [:]][name] = String(content[sign...].dropFirst().withoutComment.trimmed)
            }
        }
        return sections
    }
}

extension Substring {
    /// The text before a comment: `#` or `;` after white space, outside of quotes.
    fileprivate var withoutComment: Substring {
        var quote: Character?
        var isAfterBlank = true
        for index in indices {
            let character = self[index]
            if let open = quote {
                if character == open { quote = nil }
            } else if character == "\"" || character == "'" {
                quote = character
            } else if isAfterBlank, character == "#" || character == ";" {
                return self[..<index]
            }
            isAfterBlank = character.isWhitespace
        }
        return self
    }
}

extension SecretSources {
    /// Returns the value of a variable; `nil` if it is unset or empty.
    func setVariable(_ name: String) -> String? {
        credentials.variable(name).flatMap { $0.isEmpty ? nil : $0 }
    }
}
