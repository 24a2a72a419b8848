package import FoundationEssentials

extension URL {
    /// Creates the URL of a file with an unmodified path: Foundation interprets a leading `~` as a home directory, and
    /// servers choose names, too.
    package init(literalPath path: String) { self.init(filePath: path.hasPrefix("~") ? "./\(path)" : path) }
}
