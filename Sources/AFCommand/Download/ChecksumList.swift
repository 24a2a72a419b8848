internal import AFCore
internal import AFHTTP

/// A checksum file in the formats of `sha256sum`, `b2sum`, `cksum`, `md5`, `openssl dgst` and similar tools, or of
/// Debian: `Release`, `.dsc` and `.changes`.
struct ChecksumList: Hashable, Sendable {
    /// One line of the file.
    struct Entry: Hashable, Sendable {
        /// The checksum; its algorithm follows from the line, the list's name or the digest's length.
        let checksum: Checksum
        /// The file name as written, including directories; `nil` for a lone digest.
        let name: String?
    }

    /// A line whose algorithm is not supported.
    struct UnsupportedEntry: Hashable, Sendable {
        /// The name of the algorithm as written.
        let algorithm: String
        let name: String
    }

    /// The result of a search by name.
    enum Match: Equatable {
        case checksums([Checksum])
        /// Files with other directories have the name, and their checksums differ.
        case ambiguous(names: [String])
        case unsupported(algorithm: String)
        case none
    }

    /// The checksums in order.
    let entries: [Entry]
    /// The lines of other algorithms; not empty if there are no checksums.
    let unsupported: [UnsupportedEntry]

    /// Parses lines of the forms `HEX  NAME`, `HEX *NAME`, `ALGORITHM (NAME) = HEX` and `HEX`; comments begin with `#`.
    /// Instead of the digits, `ALGORITHM:HEX` or a digest of Subresource Integrity (`sha256-BASE64`) may be there, and
    /// after a field of Debian's control files, such as `Checksums-Sha256:`, ` HEX SIZE NAME`.
    ///
    /// The grammar is that of `digest.c` in coreutils: lines end with LF or CRLF, exactly two characters separate a
    /// digest and a name, a backslash before either form means that the name is escaped, and the last parenthesis ends
    /// the name of a tagged line. The blanks beside the parentheses may be missing, as in the lines of `openssl dgst`. A
    /// line that is not UTF-8 is read as ISO-8859-1.
    ///
    /// - Parameters:
    ///   - name: The list's name, which determines the algorithm of digests without one if their length is ambiguous:
    ///     `B2SUMS` contains BLAKE2b digests. Otherwise, SHA-2 is assumed.
    ///   - algorithm: The algorithm of digests without one.
    /// - Returns: `nil` if no line is a checksum.
    init?(_ content: [UInt8], name: String = "", _ algorithm: Checksum.Algorithm? = nil) {
        let usual: [Checksum.Algorithm] = [.md5, .sha1, .sha224, .sha256, .sha384, .sha512]
        let candidates = algorithm.map { [$0] } ?? [Self.algorithm(named: name)].compactMap(\.self) + usual
        var (entries, unsupported): ([Entry], [UnsupportedEntry]) = ([], [])
        var section: Checksum.Algorithm?
        for line in content.withoutByteOrderMark.split(separator: UInt8(ascii: "\n")) {
            let line = ChecksumLine(line)
            if !line.isIndented { section = line.section }
            if let entry = section.flatMap(line.entry(inSection:)) ?? line.entry(candidates) {
                entries.append(entry)
            } else if let entry = line.unsupportedEntry {
                unsupported.append(entry)
            }
        }
        if entries.isEmpty, unsupported.isEmpty { return nil }
        (self.entries, self.unsupported) = (entries, unsupported)
    }

    /// Returns the checksums of a file, else those without a file name.
    ///
    /// - Parameters:
    ///   - path: The path, whose end is compared with the list's names. The name that matches the most directories wins;
    ///     if none matches with its directories, the path of the URL decides, and else the name alone, unless it is
    ///     ambiguous.
    ///   - url: The URL of the file; `nil` if it is not downloaded.
    func checksums(of path: String, from url: HTTPURL? = nil) -> [Checksum] {
        if case .checksums(let found) = match(for: path, from: url) { found } else { [] }
    }

    /// Searches for a file by name.
    func match(for path: String, from url: HTTPURL? = nil) -> Match {
        var named = entries.named(path.lastComponent, by: \.name)
        // Lists that align their names have more blanks before them.
        if named.isEmpty { named = entries.named(path.lastComponent, by: \.alignedName) }
        guard !named.isEmpty else {
            if let other = unsupported.first(where: { $0.name.lastComponent.isSame(as: path.lastComponent) }) {
                return .unsupported(algorithm: other.algorithm)
            }
            let alone = entries.filter { $0.name == nil }.map(\.checksum)
            return alone.isEmpty ? .none : .checksums(alone)
        }
        func matches(in components: [[UInt8]]) -> [Int] {
            named.map { _, name in
                let parts = name.components.drop { $0 == Array(".".utf8) }
                return components.suffix(parts.count).elementsEqual(parts) ? parts.count : 0
            }
        }
        var lengths = matches(in: path.components)
        // Of Debian's Release, for example: main/binary-amd64/Packages, contrib/binary-amd64/Packages.
        if let url, lengths.allSatisfy({ $0 == 0 }) {
            lengths = matches(in: (String(url.path).percentDecoded ?? "").components)
        }
        let longest = lengths.max() ?? 0
        let best = zip(named, lengths).filter { $0.1 == longest }.map(\.0)
        if longest == 0 {
            let files = Dictionary(grouping: best) { Array($0.name.utf8) }
            let digests = Set(files.values.map { file in Set(file.map(\.entry.checksum)) })
            guard digests.count == 1 else {
                return .ambiguous(names: files.keys.map { String(decoding: $0, as: UTF8.self) }.sorted())
            }
        }
        return .checksums(best.map(\.entry.checksum))
    }

    private static func algorithm(named name: String) -> Checksum.Algorithm? {
        let word = name.lastComponent.lowercased()
        if word.hasPrefix("b2") || word.contains("blake2b") { return .blake2b }
        return Checksum.Algorithm.allCases.first {
            word.hasPrefix($0.rawValue + "sum") || word.hasSuffix("." + $0.rawValue)
        }
    }
}

extension [ChecksumList.Entry] {
    /// Returns the entries of files with a name in any directory, and their names.
    fileprivate func named(_ file: String, by name: (Element) -> String?) -> [(entry: Element, name: String)] {
        compactMap { entry in
            guard let name = name(entry), name.lastComponent.isSame(as: file) else { return nil }
            return (entry, name)
        }
    }
}

extension ChecksumList.Entry {
    fileprivate var alignedName: String? { name.map { String($0.unicodeScalars.drop { $0 == " " || $0 == "\t" }) } }
}

/// A line of a checksum file.
private struct ChecksumLine {
    /// The line without the mark of an escaped name.
    private let text: Substring
    private let isEscaped: Bool
    let isIndented: Bool

    init(_ line: ArraySlice<UInt8>) {
        isIndented = line.first?.isBlank == true
        let content = (line.last == UInt8(ascii: "\r") ? line.dropLast() : line).drop(while: \.isBlank)
        isEscaped = content.first == UInt8(ascii: "\\")
        let bytes = isEscaped ? content.dropFirst() : content
        text = Substring(String(validating: bytes, as: UTF8.self) ?? String(octets: bytes).legible)
    }

    /// Returns the checksum; its algorithm is the first candidate with a digest of this length if the line names none.
    func entry(_ candidates: [Checksum.Algorithm]) -> ChecksumList.Entry? {
        if text.utf8.first == UInt8(ascii: "#"), !isEscaped { return nil }
        if let tagged, let algorithm = Checksum.Algorithm(name: tagged.algorithm),
            let checksum = Checksum(algorithm, digest: tagged.digest)
        {
            return ChecksumList.Entry(checksum: checksum, name: name(tagged.name))
        }
        let digits = text[..<(text.utf8.firstIndex(where: \.isBlank) ?? text.endIndex)]
        let known = candidates.lazy.compactMap { Checksum($0, hexadecimal: digits) }.first
        guard let checksum = known ?? Checksum(String(digits)) else { return nil }
        // A blank; then a blank or `*` for the type, which BSD's `md5 -r` omits.
        var rest = text.utf8[digits.endIndex...].dropFirst()
        if let type = rest.first, type.isBlank || type == UInt8(ascii: "*") { rest.removeFirst() }
        return ChecksumList.Entry(checksum: checksum, name: rest.isEmpty ? nil : name(Substring(rest)))
    }

    /// The algorithm of the following lines if the line is a field such as `Checksums-Sha256:`, `SHA256:` or `MD5Sum:`;
    /// `Files:` are MD5 (Debian Policy §5.6.21).
    var section: Checksum.Algorithm? {
        guard let (name, value) = text.halves(around: ":"), value.utf8.allSatisfy(\.isBlank) else { return nil }
        var word = name.lowercased()[...]
        if word == "files" { return .md5 }
        if word.hasPrefix("checksums-") { word.removeFirst("checksums-".count) }
        if word.hasSuffix("sum") { word.removeLast("sum".count) }
        return Checksum.Algorithm(name: String(word))
    }

    /// Returns the checksum of ` HEX SIZE NAME`; MD5 lines of `.changes` have section and priority before the name.
    func entry(inSection algorithm: Checksum.Algorithm) -> ChecksumList.Entry? {
        let words = text.utf8.split(whereSeparator: \.isBlank).map { Substring($0) }
        guard isIndented, words.count == 3 || words.count == 5 && algorithm == .md5,
            words[1].utf8.allSatisfy(\.isASCIIDigit), let checksum = Checksum(algorithm, hexadecimal: words[0])
        else { return nil }
        return ChecksumList.Entry(checksum: checksum, name: String(words[words.count - 1]))
    }

    /// The algorithm and the name if the line is tagged with an algorithm that is not supported.
    var unsupportedEntry: ChecksumList.UnsupportedEntry? {
        guard let tagged, !tagged.algorithm.isEmpty, !tagged.digest.isEmpty,
            Checksum.Algorithm(name: tagged.algorithm) == nil,
            tagged.algorithm.utf8.allSatisfy({ $0.isASCIILetter || $0.isASCIIDigit || "-_/".utf8.contains($0) }),
            tagged.digest.utf8.allSatisfy({ $0.hexadecimalValue != nil })
        else { return nil }
        return ChecksumList.UnsupportedEntry(algorithm: tagged.algorithm, name: name(tagged.name))
    }

    /// The parts of `SHA256 (name) = digest` and `SHA256(name)= digest`.
    private var tagged: (algorithm: String, name: Substring, digest: Substring)? {
        guard let open = text.utf8.firstIndex(of: UInt8(ascii: "(")),
            let close = text.utf8.lastIndex(of: UInt8(ascii: ")")), open < close,
            let (gap, value) = text[text.utf8.index(after: close)...].halves(around: "="),
            gap.utf8.allSatisfy(\.isBlank)
        else { return nil }
        var word = text[..<open].utf8
        while let last = word.last, last.isBlank { word.removeLast() }
        let digest = value.utf8.drop(while: \.isBlank).prefix { !$0.isBlank }
        return (String(Substring(word)), text[text.utf8.index(after: open)..<close], Substring(digest))
    }

    private func name(_ text: Substring) -> String { isEscaped ? String(text).unescaped : String(text) }
}

extension UInt8 {
    fileprivate var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
}

extension String {
    /// The components of a path in UTF-8.
    fileprivate var components: [[UInt8]] { utf8.split(separator: UInt8(ascii: "/")).map(Array.init) }

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
