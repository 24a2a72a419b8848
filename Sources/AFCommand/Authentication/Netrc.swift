internal import AFHTTP

/// The credentials of a netrc file, by curl's rules.
///
/// Words are separated by spaces and line ends. A word in double quotes may contain those, and the escapes `\"`, `\\`,
/// `\n`, `\r` and `\t`. A comment starts with `#` at the beginning of a word and ends with the line. `macdef` is
/// skipped up to the next empty line.
struct Netrc: Equatable, Sendable {
    struct Entry: Equatable, Sendable {
        /// The machine name; `nil` for `default`.
        var machine: String?
        var login: String?
        var password: String?

        fileprivate func isFor(_ names: [String]) -> Bool {
            guard let machine else { return true }
            return names.contains { $0.isSameFieldName(as: machine) }
        }
    }

    enum SyntaxError: Error, Equatable, Sendable {
        /// An unclosed quote in this line; the first one is 1.
        case unclosedQuote(line: Int)
        /// There is text, but no entry.
        case noEntry
    }

    private(set) var entries: [Entry] = []

    init(parsing text: String) throws(SyntaxError) {
        var words = Words(rest: Array(text.utf8)[...])
        var hasOtherWords = false
        while let word = try words.next() {
            switch word.lowercased() {
            case "machine": try words.next().map { entries.append(Entry(machine: $0)) }
            case "default": entries.append(Entry())
            case "macdef": words.skipMacro()
            case "login": change(\.login, try words.next())
            case "password": change(\.password, try words.next())
            // Skips the value, which may look like a keyword.
            case "account": _ = try words.next()
            default: hasOtherWords = true
            }
        }
        if entries.isEmpty, hasOtherWords { throw .noEntry }
    }

    private mutating func change(_ member: WritableKeyPath<Entry, String?>, _ value: String?) {
        guard !entries.isEmpty else { return }
        entries[entries.count - 1][keyPath: member] = value
    }

    /// Returns the first credential for a host, preferably one with a password. An entry without user matches every
    /// user.
    ///
    /// - Parameters:
    ///   - names: The names of the host, without brackets and port.
    ///   - user: The required user; `nil` for any.
    func login(for names: [String], user: String?) -> URLCredential? {
        var userAlone: String?
        for entry in entries where entry.isFor(names) {
            guard let name = user ?? entry.login, (entry.login ?? name) == name else { continue }
            if let password = entry.password { return URLCredential(user: name, password: password) }
            userAlone = userAlone ?? entry.login
        }
        return userAlone.map { URLCredential(user: $0, password: "") }
    }
}

extension Netrc {
    private struct Words {
        var rest: ArraySlice<UInt8>
        private var line = 1

        init(rest: ArraySlice<UInt8>) { self.rest = rest }

        mutating func next() throws(SyntaxError) -> String? {
            while let byte = rest.first {
                if byte == UInt8(ascii: "#") {
                    skipLine()
                } else if Self.isSpace(byte) {
                    drop()
                } else {
                    return byte == UInt8(ascii: "\"") ? try quoted() : plain()
                }
            }
            return nil
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
            return String(decoding: word, as: UTF8.self)
        }

        private mutating func quoted() throws(SyntaxError) -> String {
            let start = line
            var word: [UInt8] = []
            drop()
            while let byte = rest.first {
                drop()
                if byte == UInt8(ascii: "\"") { return String(decoding: word, as: UTF8.self) }
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
