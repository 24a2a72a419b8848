internal import AFHTTP

/// A file of checksums, as `sha256sum`, `b2sum`, `md5` and their kin write them.
public struct ChecksumList: Hashable, Sendable {
    /// One line.
    public struct Entry: Hashable, Sendable {
        /// The digest, with the algorithm that the line, the list's name or its length tells.
        public let checksum: Checksum
        /// As it stands there, folders included; `nil` for a digest alone.
        public let name: String?
    }

    /// One for each line that is a checksum, in order; never empty.
    public let entries: [Entry]

    /// Reads `HEX  NAME`, `HEX *NAME`, `ALGORITHM (NAME) = HEX` and a lone `HEX`, one to a line; comments begin with `#`.
    ///
    /// The length of a digest tells its algorithm where nothing else does, and of several the SHA-2 one is meant, unless
    /// the list's name says otherwise: `B2SUMS` is a list of BLAKE2b.
    ///
    /// - Returns: `nil` where no line is a checksum.
    public init?(_ text: String, name: String = "") {
        let hint = Self.algorithm(named: name)
        entries = text.split(whereSeparator: \.isNewline).compactMap { Entry(line: $0, hint) }
        if entries.isEmpty { return nil }
    }

    /// Those of a file, else those that name no file at all.
    ///
    /// - Parameter path: The names of the list are looked for at its end. Of several, the one with the most folders counts;
    ///   where none is there with its folders, the name alone does, unless it stands for different files.
    public func checksums(of path: String) -> [Checksum] {
        let folders = path.split(separator: "/" as Character)
        let named = entries.filter { $0.name?.lastComponent == path.lastComponent }
        let lengths = named.map { entry in
            let parts = (entry.name ?? "").split(separator: "/" as Character).drop { $0 == "." }
            return folders.suffix(parts.count).elementsEqual(parts) ? parts.count : 0
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
        // A name with a backslash or a line break in it is escaped, and its line begins with a backslash.
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

    /// `SHA256 (name) = hex`
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
    fileprivate var lastComponent: Substring {
        self[(utf8.lastIndex(of: UInt8(ascii: "/")).map(utf8.index(after:)) ?? startIndex)...]
    }
}

extension String {
    /// With `\\` for a backslash, `\n` for a line feed and `\r` for a carriage return, as sha256sum writes them.
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
