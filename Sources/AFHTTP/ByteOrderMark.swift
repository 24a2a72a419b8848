internal import FoundationEssentials

/// The mark at the start of a text, which shows its encoding and is not a part of the text.
///
/// It takes precedence over any declared charset (WHATWG Encoding, "BOM sniff").
package enum ByteOrderMark: CaseIterable, Sendable {
    // The mark of UTF-32LE starts with that of UTF-16LE, whose next character would be NUL.
    case utf8, utf32BigEndian, utf32LittleEndian, utf16BigEndian, utf16LittleEndian

    /// Finds the mark of a text; `nil` if it has none.
    package init?(startOf text: some Collection<UInt8>) {
        guard let mark = Self.allCases.first(where: { text.starts(with: $0.bytes) }) else { return nil }
        self = mark
    }

    /// Whether the bytes are the start of a mark, so that more bytes are needed.
    package static func mayStart(with bytes: some Collection<UInt8>) -> Bool {
        allCases.contains { bytes.count < $0.bytes.count && $0.bytes.starts(with: bytes) }
    }

    package var bytes: [UInt8] {
        switch self {
        case .utf8: [0xEF, 0xBB, 0xBF]
        case .utf32BigEndian: [0, 0, 0xFE, 0xFF]
        case .utf32LittleEndian: [0xFF, 0xFE, 0, 0]
        case .utf16BigEndian: [0xFE, 0xFF]
        case .utf16LittleEndian: [0xFF, 0xFE]
        }
    }

    /// The name of the charset of the bytes after the mark.
    package var charset: String {
        switch self {
        case .utf8: "UTF-8"
        case .utf32BigEndian: "UTF-32BE"
        case .utf32LittleEndian: "UTF-32LE"
        case .utf16BigEndian: "UTF-16BE"
        case .utf16LittleEndian: "UTF-16LE"
        }
    }
}

extension [UInt8] {
    /// The bytes of a text file without a byte order mark, which editors and shells of Windows write; UTF-16 and
    /// UTF-32 with a mark become UTF-8.
    package var withoutByteOrderMark: [UInt8] {
        guard let mark = ByteOrderMark(startOf: self) else { return self }
        let rest = dropFirst(mark.bytes.count)
        if mark == .utf8 { return Array(rest) }
        return Charset(ianaName: mark.charset)?.decode(Data(rest)).map { Array($0.utf8) } ?? self
    }
}
