package import FoundationEssentials

/// A charset for decoding text: UTF-8 and Latin-1 directly, all others with glibc's iconv.
package struct Charset: Hashable, Sendable {
    /// The name in upper case, for iconv.
    package let name: String

    /// Creates the charset with an IANA name, in any case; `nil` if glibc, as installed, does not support it.
    package init?(ianaName: String) {
        let name = ianaName.uppercased()
        // A slash would pass options to iconv.
        guard name.utf8.allSatisfy({ $0.isTokenByte || $0 == UInt8(ascii: ":") }), !name.isEmpty else { return nil }
        let codePage = name.hasPrefix("X-CP") ? "CP\(name.dropFirst(4))" : nil
        self.name = Self.aliases[name] ?? codePage ?? name
        guard isBuiltIn || CharsetDecoder(self) != nil else { return nil }
    }

    /// Creates the charset of an encoding; `nil` for the few that have no IANA name.
    package init?(_ encoding: String.Encoding) {
        guard let name = Self.names.first(where: { $0.encoding == encoding })?.name else { return nil }
        self.name = name
    }

    /// Foundation's encoding for this charset; `nil` if Foundation does not have it.
    package var encoding: String.Encoding? { Self.names.first { $0.name == name }?.encoding }

    /// Returns the decoded text without a byte order mark; `nil` if the bytes are invalid.
    package func decode(_ data: Data) -> String? {
        switch name {
        case "UTF-8":
            let hasMark = data.starts(with: [0xEF, 0xBB, 0xBF])
            return String(validating: hasMark ? data.dropFirst(3) : data, as: UTF8.self)
        case "ISO-8859-1" where data.allSatisfy({ $0 < 0x80 }): return String(decoding: data, as: UTF8.self)
        case "ISO-8859-1": return String(String.UnicodeScalarView(data.lazy.map { Unicode.Scalar($0) }))
        default:
            guard let decoder = CharsetDecoder(self) else { return nil }
            var text = data.withUnsafeBytes { decoder.decode($0) }
            text += decoder.finish()
            return decoder.hasReplaced ? nil : String(decoding: text, as: UTF8.self)
        }
    }

    private var isBuiltIn: Bool { name == "UTF-8" || name == "ISO-8859-1" }

    /// Names that servers use and glibc does not know, or interprets differently.
    private static let aliases = [
        "UTF8": "UTF-8", "UNICODE-1-1-UTF-8": "UTF-8", "LATIN1": "ISO-8859-1", "ISO8859-1": "ISO-8859-1",
        "ISO_8859-1": "ISO-8859-1", "UNICODE-1-1": "UTF-16", "ISO-10646-UCS-2": "UTF-16", "UTF16": "UTF-16",
        "UTF32": "UTF-32", "ASCII": "US-ASCII", "ISO-8859-8-I": "ISO-8859-8", "X-EUC-JP": "EUC-JP",
        "X-MAC-ROMAN": "MACINTOSH", "X-MAC-CYRILLIC": "MS-MAC-CYRILLIC", "LATIN-1": "ISO-8859-1", "DOS-874": "CP874",
        // Supersets of the charset with the name, which pages use (WHATWG encoding standard).
        "GB2312": "GB18030", "GB_2312-80": "GB18030", "CHINESE": "GB18030", "GBK": "GB18030", "X-GBK": "GB18030",
        "SHIFT_JIS": "CP932", "SHIFT-JIS": "CP932", "SJIS": "CP932", "X-SJIS": "CP932", "MS_KANJI": "CP932",
        "WINDOWS-31J": "CP932", "EUC-KR": "CP949", "KOREAN": "CP949", "KS_C_5601-1987": "CP949",
        "BIG5": "BIG5-HKSCS", "X-X-BIG5": "BIG5-HKSCS",
    ]

    private static let names: [(encoding: String.Encoding, name: String)] = [
        (.utf8, "UTF-8"), (.isoLatin1, "ISO-8859-1"), (.ascii, "US-ASCII"), (.isoLatin2, "ISO-8859-2"),
        (.utf16, "UTF-16"), (.utf16BigEndian, "UTF-16BE"), (.utf16LittleEndian, "UTF-16LE"), (.utf32, "UTF-32"),
        (.utf32BigEndian, "UTF-32BE"), (.utf32LittleEndian, "UTF-32LE"), (.windowsCP1250, "WINDOWS-1250"),
        (.windowsCP1251, "WINDOWS-1251"), (.windowsCP1252, "WINDOWS-1252"), (.windowsCP1253, "WINDOWS-1253"),
        (.windowsCP1254, "WINDOWS-1254"), (.japaneseEUC, "EUC-JP"), (.shiftJIS, "CP932"),
        (.iso2022JP, "ISO-2022-JP"), (.macOSRoman, "MACINTOSH"),
    ]
}
