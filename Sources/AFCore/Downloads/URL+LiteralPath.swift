package import FoundationEssentials

extension URL {
    /// The URL of a file whose path is meant as it is: Foundation takes a `~` at the beginning for a home directory, and
    /// servers choose names too.
    package init(literalPath path: String) { self.init(filePath: path.hasPrefix("~") ? "./\(path)" : path) }
}
