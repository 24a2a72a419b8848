import Glibc

extension HTTPHeaders {
    /// The header fields of every request by default: `Accept-Encoding`, `Accept-Language` and `User-Agent`.
    public static let `default`: HTTPHeaders = [
        .defaultAcceptEncoding, .defaultAcceptLanguage, .defaultUserAgent,
    ]
}

extension HTTPHeader {
    /// The content codings that the transport decodes, in order of preference.
    public static let defaultAcceptEncoding = acceptEncoding(["br", "gzip", "deflate"].withFallingQuality)

    /// The languages of the process's locale, in order of preference; any language if the locale names none.
    public static let defaultAcceptLanguage = acceptLanguage(
        languages { name in getenv(name).map { String(cString: $0) } }.withFallingQuality
    )

    /// `tool (Linux 6.1.0) afcli-core/0.1.0`: the running program, the kernel, this library.
    public static let defaultUserAgent = userAgent(
        "\(programName(CommandLine.arguments.first)) (\(kernel)) afcli-core/\(AFInfo.version)"
    )

    /// Returns the language tags (RFC 5646) of the locale variables, at most six, by gettext's rules: `LC_ALL`,
    /// `LC_MESSAGES`, `LANG` in that order name the locale, and `LANGUAGE` refines it unless it is `C`.
    package static func languages(environment: (String) -> String?) -> [String] {
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap(environment).first { !$0.isEmpty }
        guard let language = locale.flatMap(languageTag) else { return ["*"] }
        let preferred = (environment("LANGUAGE") ?? "").split(separator: ":").compactMap { languageTag(String($0)) }
        return Array((preferred.isEmpty ? [language] : preferred).prefix(6))
    }

    /// Converts `de_AT.UTF-8@euro` to `de-AT`; `nil` for the C locale and for text that names no language.
    private static func languageTag(_ locale: String) -> String? {
        let name = locale.prefix { $0 != "." && $0 != "@" }
        guard !name.isEmpty, name != "C", name != "POSIX" else { return nil }
        let subtags = name.split(omittingEmptySubsequences: false) { $0 == "_" || $0 == "-" }
        let areValid = subtags.allSatisfy { subtag in
            (1...8).contains(subtag.utf8.count) && subtag.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
        }
        return areValid ? subtags.joined(separator: "-") : nil
    }

    /// Returns the last path component of the program's name, without characters that a product token must not contain.
    package static func programName(_ argument: String?) -> String {
        let name = argument?.split(separator: "/").last ?? ""
        let token = String(decoding: name.utf8.filter(\.isTokenByte), as: UTF8.self)
        return token.isEmpty ? "Unknown" : token
    }

    private static var kernel: String {
        var names = utsname()
        guard uname(&names) == 0 else { return "Linux" }
        let release = withUnsafeBytes(of: &names.release) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        return "Linux \(release.prefix { $0 == "." || ("0"..."9").contains($0) })"
    }
}

extension [String] {
    /// The values with quality values (RFC 9110 §12.4.2) from 1.0 down in steps of 0.1; for at most ten values.
    fileprivate var withFallingQuality: String {
        enumerated().map { "\($0.element);q=\($0.offset == 0 ? "1.0" : "0.\(10 - $0.offset)")" }.joined(separator: ", ")
    }
}
