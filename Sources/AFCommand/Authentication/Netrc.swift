internal import AFHTTP

/// The credentials of a netrc file, by curl's rules.
///
/// Words are separated by spaces and line ends. A word in double quotes may contain those, and the escapes `\"`, `\\`,
/// `\n`, `\r` and `\t`. A comment starts with `#` at the beginning of a word and ends with the line. `macdef` is
/// skipped up to the next empty line. Unlike for curl, other words are an error: one may be a misspelled `password`.
struct Netrc: Equatable, Sendable {
    struct Entry: Equatable, Sendable {
        /// The machine name; `nil` for `default`.
        var machine: String?
        var login: String?
        var password: String?

        fileprivate func isFor(_ names: [String]) -> Bool {
            guard let machine else { return true }
            let address = HTTPURL.canonicalHost("[\(machine)]").map { String($0.withoutBrackets) }
            return Safety.requires(
                "11-host",
                names.contains { $0.isSameFieldName(as: address ?? machine) || $0.isSameFieldName(as: machine) })
        }
    }

    enum SyntaxError: Error, Equatable, Sendable {
        /// An unclosed quote in this line; the first one is 1.
        case unclosedQuote(line: Int)
        /// A word in this line that is neither a keyword nor the value of one.
        ///
        /// - Parameter keyword: The keyword that was probably meant; `nil` if the word may be a part of a secret.
        case unknownWord(line: Int, keyword: String?)
        /// A keyword in this line has no value: the file ends.
        case missingValue(line: Int, keyword: String)
        /// A keyword in this line belongs to no entry.
        case noEntry(line: Int, keyword: String)
    }

    private(set) var entries: [Entry] = []

    init(parsing bytes: [UInt8]) throws(SyntaxError) {
        var words = Words(rest: bytes[...])
        while let word = try words.next() {
            switch word.lowercased() {
            case "machine": entries.append(Entry(machine: try words.value(of: "machine")))
            case "default": entries.append(Entry())
            case "macdef": words.skipMacro()
            case "login": try set(\.login, "login", &words)
            case "password": try set(\.password, "password", &words)
            // Their values may look like keywords. Emacs writes `port`.
            case "account": _ = try words.value(of: "account")
            case "port": _ = try words.value(of: "port")
            case let other: throw .unknownWord(line: words.wordLine, keyword: Self.keyword(near: other))
            }
        }
    }

    private mutating func set(
        _ member: WritableKeyPath<Entry, String?>, _ keyword: String, _ words: inout Words
    ) throws(SyntaxError) {
        guard !entries.isEmpty else { throw .noEntry(line: words.wordLine, keyword: keyword) }
        entries[entries.count - 1][keyPath: member] = try words.value(of: keyword)
    }

    private static func keyword(near word: String) -> String? {
        ["machine", "default", "login", "password", "account", "macdef"].first { editDistance($0, word) <= 2 }
    }

    /// Returns the first credential for a host, preferably one with a password. An entry without user matches every
    /// user.
    ///
    /// - Parameters:
    ///   - names: The names of the host, without brackets and port.
    ///   - user: The required user; `nil` for any.
    func login(for names: [String], user: String?) -> URLCredential? {
        var (userAlone, passwordAlone): (String?, String?)
        for entry in entries where entry.isFor(names) {
            guard let name = user ?? entry.login else {
                passwordAlone = passwordAlone ?? entry.password
                continue
            }
            guard Safety.requires("11-user", (entry.login ?? name) == name) else { continue }
            if let password = entry.password { return URLCredential(user: name, password: password) }
            userAlone = userAlone ?? entry.login
        }
        // As in curl: the user may be empty.
        return userAlone.map { URLCredential(user: $0, password: "") }
            ?? passwordAlone.map { URLCredential(user: "", password: $0) }
    }
}

extension Netrc {
    private struct Words {
        var rest: ArraySlice<UInt8>
        private var line = 1
        /// The line in which the latest word starts.
        private(set) var wordLine = 1

        init(rest: ArraySlice<UInt8>) { self.rest = rest }

        mutating func next() throws(SyntaxError) -> String? {
            while let byte = rest.first {
                if byte == UInt8(ascii: "#") {
                    skipLine()
                } else if Self.isSpace(byte) {
                    drop()
                } else {
                    wordLine = line
                    return byte == UInt8(ascii: "\"") ? try quoted() : plain()
                }
            }
            return nil
        }

        mutating func value(of keyword: String) throws(SyntaxError) -> String {
            let line = wordLine
            guard let value = try next() else { throw .missingValue(line: line, keyword: keyword) }
            return value
        }

        /// Skips to the next empty line.
        mutating func skipMacro() {
            skipLine()
            while let byte = rest.first {
                if byte == UInt8(ascii: "\n") || rest.starts(with: [0x0D, 0x0A]) { return }
                skipLine()
            }
        }

        private mutating func skipLine() {
            while let byte = rest.first, byte != UInt8(ascii: "\n") { drop() }
            if !rest.isEmpty { drop() }
        }

        private mutating func plain() -> String {
            let word = rest.prefix { !Self.isSpace($0) }
            rest = rest[word.endIndex...]
            return String(octets: word)
        }

        private mutating func quoted() throws(SyntaxError) -> String {
            let start = line
            var word: [UInt8] = []
            drop()
            while let byte = rest.first {
                drop()
                if byte == UInt8(ascii: "\"") { return String(octets: word) }
                guard byte == UInt8(ascii: "\\") else {
                    word.append(byte)
                    continue
                }
                guard let escaped = rest.first else { break }
                drop()
                word.append(Self.meaning(of: escaped))
            }
            throw .unclosedQuote(line: start)
        }

        private mutating func drop() {
            if rest.popFirst() == UInt8(ascii: "\n") { line += 1 }
        }

        private static func meaning(of escaped: UInt8) -> UInt8 {
            switch escaped {
            case UInt8(ascii: "n"): 0x0A
            case UInt8(ascii: "r"): 0x0D
            case UInt8(ascii: "t"): 0x09
            default: escaped
            }
        }

        private static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }
    }
}
