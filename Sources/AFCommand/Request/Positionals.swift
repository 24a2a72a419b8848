internal import AFHTTP
internal import AFJSON

/// The positional arguments: `[METHOD] URL [ITEM ...]`.
struct Positionals: Equatable, Sendable {
    /// The method as sent; `nil` if it was omitted.
    private(set) var method: HTTPMethod?
    /// The method as typed, if it is a positional argument.
    private let wordTakenForMethod: String?
    var address: String
    let items: [RequestItem]
    /// The number of positional arguments before the first item.
    let itemOffset: Int

    /// Parses the arguments. The first one is a method if it consists of ASCII letters and another one follows; it is
    /// converted to upper case.
    ///
    /// - Parameters:
    ///   - method: The value of `--method`, sent as written; then no argument is a method.
    ///   - isCompressed: Whether `--compress` was typed, whose letter is that of curl's proxy.
    /// - Throws: ``UsageError`` for a missing URL or an invalid item.
    init(_ words: [String], method: String?, isCompressed: Bool = false) throws(UsageError) {
        var rest = words[...]
        var wordTakenForMethod: String?
        if let method {
            self.method = try Self.checked(method: method)
            if rest.count > 1, let word = rest.first, Self.methods.contains(where: word.isName(of:)) {
                throw UsageError.withoutHint("'\(word)' cannot be combined with --method")
            }
        } else if Self.addressIndex(of: words, hasMethod: false) == 1, let first = rest.first {
            self.method = HTTPMethod(rawValue: first.uppercased())
            wordTakenForMethod = rest.removeFirst()
        } else {
            self.method = nil
        }
        guard let address = rest.popFirst() else {
            throw UsageError("no URL given", hint: "try 'afcli example.org', or 'afcli --help'")
        }
        guard !address.isEmpty else {
            throw UsageError("the URL is empty", hint: rest.isEmpty ? Positionals.usage : nil)
        }
        // Resolving a host of that name would fail with a misleading error.
        if method == nil, self.method == nil, rest.isEmpty, Self.methods.contains(where: address.isName(of:)) {
            throw UsageError(
                "no URL given: '\(address)' is a method",
                hint: "\(Positionals.usage); if it is the host, write \(address)/"
            )
        }
        self.address = address
        self.wordTakenForMethod = wordTakenForMethod
        itemOffset = words.count - rest.count
        items = try Self.items(rest, after: address, isCompressed)
    }

    /// Creates the arguments for a URL that is not among them: no argument is a method.
    ///
    /// - Throws: ``UsageError`` for an invalid item or method.
    init(url: String, items words: [String], method: String?) throws(UsageError) {
        self.method = try method.map { (method) throws(UsageError) in try Self.checked(method: method) }
        (address, wordTakenForMethod, itemOffset) = (url, nil, 1)
        items = try Self.items(words[...], after: url, false)
    }

    private static func items(
        _ words: ArraySlice<String>, after address: String, _ isCompressed: Bool
    ) throws(UsageError) -> [RequestItem] {
        try words.map { (word) throws(UsageError) in
            if word.isWebURL {
                throw UsageError(
                    "is a second URL: the first is '\(known: address.withoutSecrets)'",
                    argument: Redaction(revealsSecrets: false).url(word),
                    hint: isCompressed
                        ? Positionals.proxyHint
                        : "a request has one URL, which goes before the items; --input FILE requests several"
                )
            }
            if word.isJSONContainer {
                throw UsageError("is not an item", argument: word, hint: "use --raw to send JSON: --raw '{...}'")
            }
            do throws(UsageError) {
                return try RequestItem(word)
            } catch {
                // Neither a header field nor data begins with a slash.
                if word.hasPrefix("/") { throw error.hinting("write the path behind the host, without a space") }
                let isURL = !address.isItem || (try? Address(address)) != nil
                throw !isURL ? error.hinting("the URL precedes the items: \(Positionals.usage)") : error
            }
        }
    }

    /// Returns the index of the URL: the first word is a method if it consists of letters and another one follows.
    ///
    /// - Parameter hasMethod: Whether `--method` was typed; then no word is a method.
    static func addressIndex(of words: [String], hasMethod: Bool) -> Int {
        !hasMethod && words.count > 1 && words[0].isMethod ? 1 : 0
    }

    /// Whether the method is among the arguments.
    var hasMethodWord: Bool { wordTakenForMethod != nil }

    /// Sets the value of `--method`.
    mutating func set(method: String?) throws(UsageError) {
        self.method = try method.map { (method) throws(UsageError) in try Self.checked(method: method) }
    }

    private static func checked(method: String) throws(UsageError) -> HTTPMethod {
        guard HTTPMethod(rawValue: method).isValid else {
            throw UsageError("invalid method '\(method)'", argument: "--method")
        }
        return HTTPMethod(rawValue: method)
    }

    /// The hint about a word that is probably the host, or an alias; `nil` for a registered method.
    var hintAboutMethod: String? {
        guard let word = wordTakenForMethod, let method, !Self.methods.contains(method) else { return nil }
        return "'\(word)' was taken for the method; if it is the host, write \(word)/"
    }

    /// The warning about a method that is probably misspelled.
    var warning: String? {
        guard let word = wordTakenForMethod, let method, !Self.methods.contains(method) else { return nil }
        let letters = method.rawValue.sorted()
        let known = Self.methods.map(\.rawValue)
        let nearest = known.first { editDistance($0, method.rawValue) == 1 || $0.sorted() == letters }
        return nearest.map { "the method is '\(word.uppercased())'; did you mean \($0)?" }
    }

    /// Returns the error of an invalid URL, with a hint if another argument may be the URL. Secrets in its place are
    /// not shown.
    func explaining(_ error: UsageError) -> UsageError {
        if let hintAboutMethod { return error.hinting(hintAboutMethod) }
        if let item = try? RequestItem(address), address.isItem, SecretNames().contains(item.name) {
            return UsageError(
                "is an item and not a URL",
                argument: "\(item.name)\(item.separator.rawValue)\(Redaction.mask)",
                hint: "the URL goes before the items: \(Positionals.usage)"
            )
        }
        // The form of a command explains no part of a URL.
        if error.hint != nil || address.contains("://") || address.hasPrefix(":") { return error }
        return error.hinting(
            items.isEmpty || !address.isItem
                ? "\(Positionals.usage); for example: afcli example.org/path"
                : "the URL goes before the items: \(Positionals.usage)"
        )
    }

    private static let methods: [HTTPMethod] = [
        .connect, .delete, .get, .head, .options, .patch, .post, .put, .query, .trace,
    ]

    /// The hint for `-x`, which is curl's option for a proxy.
    static let proxyHint = "-x is --compress; for a proxy: --proxy http://HOST:PORT"

    static let usage = "afcli [METHOD] URL [ITEM ...]"
}

extension String {
    /// Whether the argument could be an item as well as a URL.
    fileprivate var isItem: Bool { !contains("://") && !hasPrefix(":") && (try? RequestItem(self)) != nil }

    /// The argument for messages: a URL without secrets, or an item without its value.
    fileprivate var withoutSecrets: String {
        guard isItem, !isWebURL, let item = try? RequestItem(self) else {
            return Redaction(revealsSecrets: false).url(self)
        }
        return "\(item.name)\(item.separator.rawValue)..."
    }

    /// Whether the argument is a URL and no item: with a scheme, or with only a port, such as `:3000/path`.
    var isWebURL: Bool {
        let start = prefix(8).lowercased()
        if start.hasPrefix("http://") || start == "https://" { return true }
        guard let colon = firstIndex(of: ":") else { return false }
        let port = self[index(after: colon)...].prefix { $0 != "/" }
        guard port.isDecimal else { return false }
        // A header whose name is a host: only the host of a URL has a dot or is localhost.
        let host = self[..<colon]
        return host.isEmpty || host == "localhost" || host.contains(".") && UInt16(port) != nil
    }

    /// Whether the argument is a complete JSON object or array, which may contain separators.
    fileprivate var isJSONContainer: Bool {
        (hasPrefix("{") && hasSuffix("}") || hasPrefix("[") && hasSuffix("]")) && (try? JSONText(self)) != nil
    }

    fileprivate func isName(of method: HTTPMethod) -> Bool { isMethod && uppercased() == method.rawValue }

    /// Whether the argument is a method if another one follows.
    var isMethod: Bool {
        !isEmpty && utf8.allSatisfy { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0.asciiLowercased }
    }
}

extension Positionals {
    /// Whether an item or an option sets or removes `Authorization`.
    func setsAuthorization(_ options: [RequestArguments.TypedHeader]) -> Bool {
        let kinds: [RequestItem.Separator] = [.header, .emptyHeader, .headerFromFile]
        let names = items.filter { kinds.contains($0.separator) }.map(\.name) + options.map(\.edit.name)
        return names.contains { $0.isSameFieldName(as: "Authorization") }
    }
}
