internal import AFCore
internal import AFHTTP

/// A checksum file in the formats of `sha256sum`, `b2sum`, `md5` and similar tools.
struct ChecksumList: Hashable, Sendable {
    /// One line of the file.
    struct Entry: Hashable, Sendable {
        /// The checksum; its algorithm follows from the line, the list's name or the digest's length.
        let checksum: Checksum
        /// The file name as written, including directories; `nil` for a lone digest.
        let name: String?
    }

    /// The checksums in order; never empty.
    let entries: [Entry]

    /// Parses lines of the forms `HEX  NAME`, `HEX *NAME`, `ALGORITHM (NAME) = HEX` and `HEX`; comments begin with `#`.
    ///
    /// The digest's length determines the algorithm if nothing else does. If it is ambiguous, SHA-2 is assumed, unless
    /// the list's name says otherwise: `B2SUMS` contains BLAKE2b digests.
    ///
    /// - Returns: `nil` if no line is a checksum.
    init?(_ text: String, name: String = "") {
        let hint = Self.algorithm(named: name)
        entries = text.split(whereSeparator: \.isNewline).compactMap { Entry(line: $0, hint) }
        if entries.isEmpty { return nil }
    }

    /// Returns the checksums of a file, else those without a file name.
    ///
    /// - Parameter path: The path, whose end is compared with the list's names. The name that matches the most
    ///   directories wins; if none matches with its directories, the name alone is used, unless it is ambiguous.
    func checksums(of path: String) -> [Checksum] {
        let directories = path.split(separator: "/" as Character)
        let named = entries.filter { $0.name?.lastComponent == path.lastComponent }
        let lengths = named.map { entry in
            let parts = (entry.name ?? "").split(separator: "/" as Character).drop { $0 == "." }
            return directories.suffix(parts.count).elementsEqual(parts) ? parts.count : 0
        }
        let longest = lengths.max() ?? 0
        let best = zip(named, lengths).filter { $0.1 == longest }.map(\.0)
        if named.isEmpty { return entries.filter { $0.name == nil }.map(\.checksum) }
        return longest > 0 || Set(best.map(\.name)).count == 1 ? best.map(\.checksum) : []
    }

    private static func algorithm(named name: String) -> Checksum.Algorithm? {
        let word = name.lastComponent.lowercased()
        if word.hasPrefix("b2") || word.contains("blake2b") { return .blake2b }
        return Checksum.Algorithm.allCases.first {
            word.hasPrefix($0.rawValue + "sum") || word.hasSuffix("." + $0.rawValue)
        }
    }
}

extension ChecksumList.Entry {
    fileprivate init?(line: Substring, _ hint: Checksum.Algorithm?) {
        let text = line.drop { $0 == " " || $0 == "\t" }
        guard text.first != "#" else { return nil }
        if let entry = Self.tagged(text) {
            self = entry
            return
        }
        // A name with a backslash or a line break is escaped, and its line begins with a backslash.
        let isEscaped = text.first == "\\"
        let body = isEscaped ? text.dropFirst() : text
        let digits = body.prefix { $0 != " " && $0 != "\t" }
        guard let checksum = Self.checksum(digits, hint) else { return nil }
        var rest = body[digits.endIndex...].drop { $0 == " " || $0 == "\t" }
        if rest.first == "*" { rest.removeFirst() }
        self.checksum = checksum
        let name = rest.isEmpty ? nil : String(rest)
        self.name = isEscaped ? name?.unescaped : name
    }

    /// Parses `SHA256 (name) = hex`.
    private static func tagged(_ line: Substring) -> Self? {
        guard let open = line.firstRange(of: " ("), let close = line.ranges(of: ") = ").last,
            open.upperBound <= close.lowerBound,
            let algorithm = Checksum.Algorithm(name: String(line[..<open.lowerBound])),
            let checksum = Checksum(algorithm, hexadecimal: line[close.upperBound...].prefix { $0 != " " })
        else { return nil }
        return ChecksumList.Entry(checksum: checksum, name: String(line[open.upperBound..<close.lowerBound]))
    }

    private static func checksum(_ digits: Substring, _ hint: Checksum.Algorithm?) -> Checksum? {
        if let hint, let checksum = Checksum(hint, hexadecimal: digits) { return checksum }
        let usual: [Checksum.Algorithm] = [.md5, .sha1, .sha224, .sha256, .sha384, .sha512]
        return usual.lazy.compactMap { Checksum($0, hexadecimal: digits) }.first
    }
}

extension String {
    /// The name with `\\`, `\n` and `\r` unescaped, as sha256sum escapes them.
    fileprivate var unescaped: String {
        var (text, isEscape) = ("", false)
        for scalar in unicodeScalars {
            if isEscape {
                text.unicodeScalars.append(scalar == "n" ? "\n" : scalar == "r" ? "\r" : scalar)
                isEscape = false
            } else if scalar == "\\" {
                isEscape = true
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
