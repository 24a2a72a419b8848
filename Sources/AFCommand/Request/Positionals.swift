internal import AFHTTP

/// The words that are no options, told apart: `[METHOD] URL [ITEM ...]`.
struct Positionals: Equatable, Sendable {
    /// As it goes on the wire; `nil` where it was left out.
    let method: HTTPMethod?
    /// The method as typed, where it is a word of its own.
    private let wordTakenForMethod: String?
    let address: String
    let items: [RequestItem]
    /// How many words stand before the first item.
    let itemOffset: Int

    /// The first word is a method if it is made of ASCII letters alone and another word follows; it is upper-cased.
    ///
    /// - Parameter method: From `--method`, spelled as it is sent; then no word is a method.
    /// - Throws: ``UsageError`` where there is no URL, or for a word that is no item.
    init(_ words: [String], method: String?) throws(UsageError) {
        var rest = words[...]
        var wordTakenForMethod: String?
        if let method {
            self.method = HTTPMethod(rawValue: method)
            guard HTTPMethod(rawValue: method).isValid else {
                throw UsageError("'\(method)' cannot be a method", argument: "--method")
            }
        } else if rest.count > 1, let first = rest.first, first.isMethod {
            self.method = HTTPMethod(rawValue: first.uppercased())
            wordTakenForMethod = rest.removeFirst()
        } else {
            self.method = nil
        }
        guard let address = rest.popFirst() else {
            throw UsageError("no URL given", hint: "try 'afcli example.org', or 'afcli --help'")
        }
        // Looking up a host of that name would end in an error that says nothing about what is missing.
        if method == nil, self.method == nil, rest.isEmpty, Self.methods.contains(where: address.isName(of:)) {
            throw UsageError(
                "no URL given: '\(address)' is a method",
                hint: "\(Positionals.usage); if it is the host, write \(address)/"
            )
        }
        self.address = address
        self.wordTakenForMethod = wordTakenForMethod
        itemOffset = words.count - rest.count
        items = try rest.map { (word) throws(UsageError) in
            do throws(UsageError) {
                return try RequestItem(word)
            } catch {
                throw address.isItem ? error.hinting("if it is the URL, it goes first: \(Positionals.usage)") : error
            }
        }
    }

    /// The error of a bad URL, with a hint where another word was perhaps meant to be the URL. A secret that stands in
    /// its place is not shown.
    func explaining(_ error: UsageError) -> UsageError {
        if let wordTakenForMethod, let method, !Self.methods.contains(method) {
            return error.hinting(
                "'\(wordTakenForMethod)' was taken for the method; if it is the host, write \(wordTakenForMethod)/")
        }
        if let item = try? RequestItem(address), address.isItem, SecretNames().contains(item.name) {
            return UsageError(
                "is an item and no URL",
                argument: "\(item.name)\(item.separator.rawValue)•••",
                hint: "the URL goes before the items: \(Positionals.usage)"
            )
        }
        if error.hint != nil { return error }
        return error.hinting(
            items.isEmpty || !address.isItem
                ? "\(Positionals.usage); for example: afcli example.org/path"
                : "the URL goes before the items: \(Positionals.usage)"
        )
    }

    private static let methods: [HTTPMethod] = [
        .connect, .delete, .get, .head, .options, .patch, .post, .put, .query, .trace,
    ]

    static let usage = "afcli [METHOD] URL [ITEM ...]"
}

extension String {
    /// Whether this could be an item as well as a URL.
    fileprivate var isItem: Bool { !contains("://") && !hasPrefix(":") && (try? RequestItem(self)) != nil }

    fileprivate func isName(of method: HTTPMethod) -> Bool { isMethod && uppercased() == method.rawValue }

    /// Whether this is a method where another word follows.
    var isMethod: Bool {
        !isEmpty && utf8.allSatisfy { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0.asciiLowercased }
    }
}
