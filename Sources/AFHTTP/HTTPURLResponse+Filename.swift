internal import FoundationEssentials

extension HTTPURLResponse {
    /// A name for the body as a file: of `Content-Disposition`, else the last component of the URL; `nil` where neither
    /// leaves one.
    ///
    /// Only a last path component survives, without leading dots, dashes and tildes, without what a file system, a shell or a
    /// terminal could take for something else, and no longer than a file system takes.
    public var suggestedFilename: String? {
        announcedFilename ?? url.flatMap { try? HTTPURL(parsing: $0.absoluteString) }?.filename
    }

    /// The harmless part of what `Content-Disposition` says: `filename*` before `filename` (RFC 6266 §4.3).
    package var announcedFilename: String? {
        guard let disposition = value(forHTTPHeaderField: "Content-Disposition") else { return nil }
        var plain: String?
        for field in Array(disposition.utf8)[...].splitOutsideQuotes(at: UInt8(ascii: ";")).dropFirst() {
            guard let equals = field.firstIndex(of: UInt8(ascii: "=")) else { continue }
            let key = String(decoding: field[..<equals].trimmed, as: UTF8.self).lowercased()
            let value = field[field.index(after: equals)...].trimmed.unquoted
            if key == "filename*", let name = Self.extendedValue(value)?.harmlessFilename { return name }
            if key == "filename" { plain = value }
        }
        return plain?.harmlessFilename
    }

    /// `UTF-8''na%C3%AFve` (RFC 8187 §3.2); other charsets are not used.
    private static func extendedValue(_ text: String) -> String? {
        let pieces = text.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
        guard pieces.count == 3, pieces[0].lowercased() == "utf-8" else { return nil }
        return pieces[2].percentDecoded
    }
}

extension HTTPURL {
    /// The harmless part of the path's last component; `nil` where there is none.
    package var filename: String? {
        path.split(separator: "/").last.flatMap { ($0.percentDecoded ?? String($0)).harmlessFilename }
    }
}

extension String {
    /// Scalar by scalar: to Swift a slash and the mark behind it are one character, to a file system they are two.
    fileprivate var harmlessFilename: String? {
        let visible = unicodeScalars.filter(\.isHarmlessInFilename)
        let base = visible.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last ?? []
        var name = base.drop { ".-~ ".unicodeScalars.contains($0) }
        while name.last == " " || name.last == "." { name.removeLast() }
        return name.isEmpty ? nil : String(String.UnicodeScalarView(name))[...].shortenedFilename.unlikeRecord
    }

    /// What is known of a half file lies beside it as `NAME.part.json`, and is believed: nobody may send such a record.
    private var unlikeRecord: String { hasSuffix(".part.json") ? dropLast(5) + "_.json" : self }
}

extension Substring {
    /// At most so many bytes as leave room for a number and the endings of partial file and record; the extension stays.
    fileprivate var shortenedFilename: String {
        let limit = 240
        guard utf8.count > limit else { return String(self) }
        let dot = utf8.lastIndex(of: UInt8(ascii: ".")) ?? endIndex
        let ending = self[dot...].utf8.count <= 20 ? self[dot...] : ""
        // A place within a character counts as its beginning.
        let end = utf8.index(startIndex, offsetBy: limit - ending.utf8.count)
        return String(self[..<end] + ending)
    }
}

extension Unicode.Scalar {
    fileprivate var isHarmlessInFilename: Bool {
        switch properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
        default: !"<>:\"|?*".unicodeScalars.contains(self)
        }
    }
}
