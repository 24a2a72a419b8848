internal import AFHTTP
internal import AFJSON
internal import FoundationEssentials

/// Prints the command of afcli for a transfer of a curl command: `--show-command` and `--show-command-long`.
struct CurlPrinter {
    private let settings: [CurlSetting]
    private let url: String
    private let body: [UInt8]?
    /// The user of the URL, which is not shown with its password.
    private let user: String?
    /// Whether afcli would find credentials that curl does not look for.
    private let hasNetrc: Bool

    /// Creates a printer.
    ///
    /// - Parameters:
    ///   - revealsSecrets: Whether secrets are printed.
    ///   - hasNetrc: Whether there is a netrc file that curl does not read.
    init(_ transfer: CurlTranslation, revealsSecrets: Bool, hasNetrc: Bool) {
        let redaction = Redaction(revealsSecrets: revealsSecrets)
        let type = transfer.settings.compactMap(\.field).last { $0.name.lowercased() == "content-type" }?.value
        let mediaType = type.flatMap(MediaType.init(parsing:))
        settings = transfer.settings.map { $0.masked(redaction, mediaType) }
        body = transfer.behavior.body.map { redaction.text($0, type: mediaType)?.octets ?? $0 }
        url = revealsSecrets ? transfer.url : redaction.url(transfer.url)
        user = revealsSecrets ? nil : transfer.address?.credential?.user
        self.hasNetrc = hasNetrc
    }

    /// Returns the command for a POSIX shell.
    func text(_ form: CurlCommandLine.PrintedForm) -> String {
        let words = form == .long ? longWords : shortWords
        let command = (["afcli"] + words).map(ShellWord.quoted).joined(separator: " ")
        guard let body else { return command }
        return "\(ShellWord.printing(body)) | \(command)"
    }

    /// All options, such that the request is that of curl.
    private var longWords: [String] {
        let options = settings.filter { body == nil || $0.name != "--ignore-stdin" }.flatMap { $0.words() }
        return options + (body == nil ? [] : ["--raw", "@-"]) + userWords + [url]
    }

    private var userWords: [String] {
        user.map { name in settings.contains { $0.name == "--auth" } ? [] : ["-a", name] } ?? []
    }

    // The short form

    /// The options that change the request, a method, a short URL and items. afcli's own default fields apply.
    private var shortWords: [String] {
        var (options, items, method) = ([String](), [String](), [String]())
        let (content, replaced) = bodyItems
        for setting in settings where !isDefault(setting) {
            if let field = setting.field, replaced.contains(field.name.lowercased()) { continue }
            switch setting.name {
            case "--method":
                let value = setting.value ?? ""
                // A word would become upper case.
                if value.allSatisfy({ ("A"..."Z").contains($0) }) {
                    method = [value.lowercased()]
                } else {
                    options += ["-X", value]
                }
            case "--raw" where content != nil: break
            case "-H":
                if let item = setting.item { items.append(item) } else { options += setting.words() }
            case "--print" where setting.value == "h": options.append("-h")
            case "--auth": options += ["-a", setting.value?.withoutMaskedEnd ?? ""]
            default: options += setting.words(isShort: true)
            }
        }
        if content?.isForm == true { options.append("-f") }
        if body != nil { options += ["--raw", "@-"] }
        return options + userWords + method + [shortURL] + (content?.items ?? []) + items
    }

    private var hasBody: Bool { body != nil || settings.contains { $0.name == "--raw" } }

    /// Whether the setting only suppresses a default of afcli, or selects one.
    private func isDefault(_ setting: CurlSetting) -> Bool {
        switch (setting.name, setting.value) {
        case ("-H", let value?):
            ["Accept: */*", "Accept-Encoding:", "Connection:", "Content-Length:"].contains(value)
                || value == "Content-Type:" && !hasBody || value.hasPrefix("Accept-Encoding: deflate")
        case ("--no-decode", _), ("--ignore-stdin", _), ("--check-status", "errors"), ("--progress", _): true
        case ("--max-redirects", "50"): true
        case ("--all", _), ("--history-print", _): !settings.contains { $0.name == "--follow" }
        case ("--ignore-netrc", _): !hasNetrc
        case ("--expect100", _): true
        default: false
        }
    }

    /// The body as items, and the fields that they imply; `nil` if items cannot express it.
    private var bodyItems: (content: (items: [String], isForm: Bool)?, fields: Set<String>) {
        guard body == nil, let text = settings.last(where: { $0.name == "--raw" })?.value, !text.hasPrefix("@") else {
            return (nil, [])
        }
        let type = settings.compactMap(\.field).last { $0.name.lowercased() == "content-type" }?.value.lowercased()
        switch type {
        case "application/json":
            let items = Self.items(ofJSON: text)
            // Without items, afcli guesses the type from the text.
            guard items != nil || ContentGuess.contentType(of: text.utf8, isComplete: true) == BodyPlanner.json else {
                return (nil, [])
            }
            let accept = settings.compactMap(\.field).last { $0.name.lowercased() == "accept" }?.value
            var fields: Set = ["content-type"]
            if accept == "application/json" { fields.insert("accept") }
            return (items.map { ($0, false) }, fields)
        case "application/x-www-form-urlencoded":
            guard let items = Self.items(ofForm: text) else { return (nil, []) }
            return ((items, true), ["content-type"])
        default: return (nil, [])
        }
    }

    private static func items(ofJSON text: String) -> [String]? {
        guard case .object(let members)? = (try? JSONText(text))?.opened, !members.isEmpty,
            Set(members.map(\.name)).count == members.count
        else { return nil }
        var items: [String] = []
        for member in members {
            let raw = member.value.text
            guard member.name.isPlainName, !raw.contains("\\") || member.value.kind == .string else { return nil }
            if raw.contains("\\u0000") { return nil }
            if member.value.kind == .string, case let value = JSONText.unquoted(raw), value.isPlainValue {
                items.append("\(member.name)=\(value)")
            } else if !raw.contains("\\") {
                items.append("\(member.name):=\(raw)")
            } else {
                return nil
            }
        }
        return items
    }

    private static func items(ofForm text: String) -> [String]? {
        var items: [String] = []
        for pair in text.split(separator: "&", omittingEmptySubsequences: false) {
            guard let (name, value) = pair.halves(around: "="), String(name).isPlainName else { return nil }
            let decoded = value.replacing("+", with: "%20").percentDecoded ?? ""
            let isSame = FormEncoding.encode(decoded) == value || value == Redaction.mask
            guard isSame, decoded.isPlainValue else { return nil }
            items.append("\(name)=\(decoded)")
        }
        return items
    }

    /// The URL without `http://`, and without `localhost`, as far as that is unambiguous.
    private var shortURL: String {
        guard url.lowercased().hasPrefix("http://") else { return url }
        let rest = url.dropFirst("http://".count)
        let host = rest.prefix { !"/?#".contains($0) }
        let isLocal = host == "localhost" || host.hasPrefix("localhost:")
        if isLocal { return (host == "localhost" ? ":" : "") + rest.dropFirst("localhost".count) }
        return host.contains(".") || host.hasPrefix("[") ? String(rest) : url
    }
}

extension CurlSetting {
    /// The header field of `-H`; `nil` for other options and for fields that are removed.
    fileprivate var field: (name: String, value: String)? {
        guard name == "-H", let (name, value) = value?.halves(around: ":"), !value.allSatisfy(\.isWhitespace) else {
            return nil
        }
        return (String(name), String(value.trimmed))
    }

    /// The field as an item; `nil` if the option is needed.
    fileprivate var item: String? {
        guard let value, HTTPHeader(name: String(value.prefix { $0 != ":" && $0 != ";" }), value: "").isValid else {
            return nil
        }
        guard let field else { return value }
        return field.value.isPlainValue ? "\(field.name):\(field.value)" : nil
    }

    /// The option as words of a command line.
    ///
    /// - Parameter isShort: Whether a letter replaces the name.
    fileprivate func words(isShort: Bool = false) -> [String] {
        let entry = Invocation.options.option(named: name)?.entry
        let spelling = isShort ? entry?.spellings.min { $0.utf8.count < $1.utf8.count } ?? name : name
        guard let value else { return [spelling] }
        return entry?.argument?.isOptional == true ? ["\(name)=\(value)"] : [spelling, value]
    }

    /// Returns the setting without secrets.
    fileprivate func masked(_ redaction: Redaction, _ type: MediaType?) -> CurlSetting {
        guard !redaction.revealsSecrets, let value else { return self }
        var masked = self
        if name == "--raw" {
            if !value.hasPrefix("@") { masked.value = redaction.text(Array(value.utf8), type: type) ?? Redaction.mask }
            return masked
        }
        if name == "--auth", let (user, _) = value.halves(around: ":"), !value.hasPrefix("text:") {
            masked.value = "\(user):\(Redaction.mask)"
            return masked
        }
        var bytes = Array(value.utf8)
        let secrets = Invocation.options.option(named: name)?.relations.secrets?.ranges(value) ?? []
        for range in secrets.reversed() { bytes.replaceSubrange(range, with: Array(Redaction.mask.utf8)) }
        masked.value = String(decoding: bytes, as: UTF8.self)
        return masked
    }
}

extension String {
    /// Whether an item can have this name without escaping.
    fileprivate var isPlainName: Bool {
        guard let first = utf8.first, first != UInt8(ascii: "-") else { return false }
        return utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || "_-.".utf8.contains(byte)
        }
    }

    /// Whether an item can have this value as a string.
    fileprivate var isPlainValue: Bool { !contains("\\") && first.map("@=".contains) != true }

    /// A user without the masked password, for which afcli prompts.
    fileprivate var withoutMaskedEnd: String {
        hasSuffix(":\(Redaction.mask)") ? String(dropLast(Redaction.mask.count + 1)) : self
    }
}
