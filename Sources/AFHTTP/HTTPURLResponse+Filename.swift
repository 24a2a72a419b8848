internal import FoundationEssentials

extension HTTPURLResponse {
    /// A file name for the body: from `Content-Disposition`, else the last component of the URL; `nil` if neither has a
    /// usable name.
    ///
    /// The name is a last path component without leading dots, dashes and tildes, and without characters that are
    /// special to a file system, a shell or a terminal. It is no longer than file systems allow.
    public var suggestedFilename: String? {
        announcedFilename ?? url.flatMap { try? HTTPURL(parsing: $0.absoluteString) }?.filename
    }

    /// The safe part of the name in `Content-Disposition`: `filename*` before `filename` (RFC 6266 §4.3), and the first of
    /// several. Some servers omit the type before it, or write single quotes.
    package var announcedFilename: String? {
        guard let disposition = value(forHTTPHeaderField: "Content-Disposition") else { return nil }
        var plain: String?
        for field in Array(disposition.utf8)[...].splitOutsideQuotes(at: UInt8(ascii: ";")) {
            guard let (name, value) = field.pair else { continue }
            let key = String(decoding: name, as: UTF8.self).lowercased()
            if key == "filename*", let name = Self.extendedValue(value.unquoted)?.harmlessFilename { return name }
            if key == "filename", plain == nil { plain = value.plainName }
        }
        return plain?.withoutEncodedWords.harmlessFilename
    }

    /// Decodes `UTF-8''na%C3%AFve` (RFC 8187 §3.2), also with ISO-8859-1 (RFC 5987 §3.2.1) and other known charsets.
    private static func extendedValue(_ text: String) -> String? {
        let parts = text.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let bytes = parts[2].percentDecodedBytes else { return nil }
        return Charset(ianaName: String(parts[0]))?.decode(Data(bytes))
    }
}

extension ArraySlice<UInt8> {
    /// The text of a name without quotes. Only quotes and backslashes are escaped: servers send the path `C:\a.txt`, too.
    fileprivate var plainName: String {
        let quote = first
        guard count >= 2, quote == last, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            return String(decoding: self, as: UTF8.self).octets.nameText
        }
        var name: [UInt8] = []
        var isEscaped = false
        for byte in dropFirst().dropLast() {
            let isBackslash = byte == UInt8(ascii: "\\")
            if isEscaped, isBackslash || byte == UInt8(ascii: "\"") { name.removeLast() }
            name.append(byte)
            isEscaped = isBackslash && !isEscaped
        }
        return String(decoding: name, as: UTF8.self).octets.nameText
    }
}

extension [UInt8] {
    /// The text of a name: if it is not UTF-8, ISO-8859-1 (RFC 2616 §2.2). Bytes that are no visible character there, but letters
    /// of another charset, are percent-encoded, so that names stay different.
    fileprivate var nameText: String {
        if let text = String(validating: self, as: UTF8.self) { return text }
        return map { byte in
            let scalar = Unicode.Scalar(byte)
            return byte < 0x80 || scalar.isHarmlessInFilename
                ? String(scalar) : "%" + String(byte, radix: 16, uppercase: true)
        }
        .joined()
    }
}

extension String {
    /// The text with the encoded words of mail (RFC 2047) decoded, which some servers write and browsers decode.
    fileprivate var withoutEncodedWords: String {
        guard hasPrefix("=?"), hasSuffix("?=") else { return self }
        let words = split(separator: " ").map { word -> String? in
            let parts = word.split(separator: "?", omittingEmptySubsequences: false)
            guard parts.count == 5, parts[0] == "=", parts[4] == "=" else { return nil }
            let isBase64 = parts[2].lowercased() == "b"
            guard isBase64 || parts[2].lowercased() == "q" else { return nil }
            let quoted = parts[3].replacing("%", with: "%25").replacing("=", with: "%").replacing("_", with: "%20")
            let bytes = isBase64 ? Data(base64Encoded: String(parts[3])) : quoted.percentDecodedBytes.map { Data($0) }
            return bytes.flatMap { Charset(ianaName: String(parts[1]))?.decode($0) }
        }
        return words.contains(nil) ? self : words.compactMap(\.self).joined()
    }
}

extension HTTPURL {
    /// The safe part of the path's last component; `nil` if nothing is left.
    package var filename: String? {
        let bytes = path.utf8
        guard let end = bytes.lastIndex(where: { $0 != UInt8(ascii: "/") }) else { return nil }
        let start = bytes[..<end].lastIndex(of: UInt8(ascii: "/")).map(bytes.index(after:)) ?? bytes.startIndex
        let component = path[start...end]
        return (component.percentDecoded ?? String(component)).withoutSecretParameters.harmlessFilename
    }
}

extension String {
    /// The name up to the first parameter that is a secret, as in `f.txt;token=x`: other users may read the names of files.
    fileprivate var withoutSecretParameters: String {
        let bytes = Array(utf8)[...]
        guard let secret = QueryRedaction().secrets(inURL: bytes).first,
            let mark = bytes[..<secret.lowerBound].lastIndex(where: { ";?&#".utf8.contains($0) })
        else { return self }
        return String(decoding: bytes[..<mark], as: UTF8.self)
    }

    /// Filtered by scalars: in Swift a slash and a combining mark are one character, in a file system they are two.
    fileprivate var harmlessFilename: String? {
        // Most names.
        if isPlainFilename { return self[...].shortenedFilename.unlikeRecord }
        let visible = unicodeScalars.filter(\.isHarmlessInFilename)
        let components = visible.split { Safety.refuses("04-base-name", $0 == "/" || $0 == "\\") }
        let base = components.last ?? .init()
        var name = base.drop { Safety.refuses("04-beginning", ".-~ ".unicodeScalars.contains($0)) }
        while name.last == " " || name.last == "." { name.removeLast() }
        return name.isEmpty ? nil : String(String.UnicodeScalarView(name))[...].shortenedFilename.unlikeRecord
    }

    /// Whether the name has only ASCII letters, digits, dots, dashes and underscores, and no dot or dash at an end.
    private var isPlainFilename: Bool {
        guard let first = utf8.first, let last = utf8.last, first.isPlain, last.isPlain else { return false }
        return utf8.allSatisfy { $0.isPlain || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") }
    }

    /// The name changed so that it cannot be a resume record: `NAME.part.json` is trusted, so no server may choose that
    /// name.
    private var unlikeRecord: String { hasSuffix(".part.json") ? dropLast(5) + "_.json" : self }
}

extension Substring {
    /// The name, shortened so that a number and the suffixes of partial file and record fit; the extension stays.
    fileprivate var shortenedFilename: String {
        let limit = 240
        guard Safety.refuses("04-length", utf8.count > limit) else { return String(self) }
        let dot = utf8.lastIndex(of: UInt8(ascii: ".")) ?? endIndex
        let ending = self[dot...].utf8.count <= 20 ? self[dot...] : ""
        // An index inside a character is rounded down to its start.
        let end = utf8.index(startIndex, offsetBy: limit - ending.utf8.count)
        return String(self[..<end] + ending)
    }
}

extension UInt8 {
    /// Whether the byte is an ASCII letter, a digit or an underscore.
    fileprivate var isPlain: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}

extension Unicode.Scalar {
    fileprivate var isHarmlessInFilename: Bool {
        Safety.requires("04-controls", isVisible) && !"<>:\"|?*".unicodeScalars.contains(self)
    }

    private var isVisible: Bool {
        switch properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }
}
