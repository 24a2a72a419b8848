internal import FoundationEssentials
internal import Glibc

/// A pattern of paths: `*` and `?` within a name, and `**` for any folders.
struct FilePattern: Sendable {
    private let text: String

    init(_ text: String) { self.text = text }

    /// Returns the matching paths in order.
    ///
    /// - Throws: ``UsageError`` if there are none.
    func paths() throws(UsageError) -> [String] {
        let parts = text.split(separator: "/").map(String.init)
        var paths: Set<String> = []
        Self.find(parts[...], below: text.hasPrefix("/") ? "/" : "", &paths)
        guard !paths.isEmpty else { throw UsageError("no file matches '\(text)'") }
        return paths.sorted()
    }

    private static func find(_ parts: ArraySlice<String>, below folder: String, _ paths: inout Set<String>) {
        guard let part = parts.first else { return }
        let rest = parts.dropFirst()
        if part == "." || part == ".." { return find(rest, below: "\(folder)\(part)/", &paths) }
        if part == "**" { find(rest, below: folder, &paths) }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)) ?? []
        for name in names where part == "**" || fnmatch(part, name, 0) == 0 {
            let path = folder + name
            // Without links, the search for `**` ends.
            let kind = part == "**" ? FileStatus(path, followsLinks: false)?.kind : FileStatus(path)?.kind
            if kind == S_IFDIR {
                find(part == "**" ? parts : rest, below: path + "/", &paths)
            } else if rest.isEmpty, part != "**" {
                paths.insert(path)
            }
        }
    }
}
