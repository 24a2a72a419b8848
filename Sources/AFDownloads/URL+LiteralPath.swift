package import FoundationEssentials

extension URL {
    /// Creates the URL of a file with an unmodified path: Foundation interprets a leading `~` as a home directory, and
    /// servers choose names, too.
    package init(literalPath path: String) { self.init(filePath: path.hasPrefix("~") ? "./\(path)" : path) }
}

extension String {
    /// The path of ``Foundation/URL/init(literalPath:)``; a URL only for a path that is not a plain one.
    var absolutePath: String {
        let bytes = utf8
        guard let first = bytes.first, first != UInt8(ascii: "~"), bytes.last != UInt8(ascii: "/"),
            bytes.allSatisfy({ $0 < 0x80 && $0 != 0 }), !mayNeedNormalization
        else { return URL(literalPath: self).path }
        if first == UInt8(ascii: "/") { return self }
        let directory = FileManager.default.currentDirectoryPath
        return directory.hasPrefix("/") && directory != "/" ? "\(directory)/\(self)" : URL(literalPath: self).path
    }

    /// Whether a component is empty or starts with a dot.
    private var mayNeedNormalization: Bool {
        var isAfterSlash = utf8.first != UInt8(ascii: "/")
        for byte in utf8 {
            let isSlash = byte == UInt8(ascii: "/")
            if isAfterSlash, isSlash || byte == UInt8(ascii: ".") { return true }
            isAfterSlash = isSlash
        }
        return false
    }
}
