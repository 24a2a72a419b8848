/// The names of a partial file and of its record.
extension PartialFile {
    /// The name of the partial file for a destination; cut so that it and its record's name fit the file system, and
    /// then with a digest, so that long names that begin alike stay apart.
    static func path(for destination: String) -> String {
        let (folder, name) = split(destination)
        let limit = 245
        guard name.utf8.count > limit else { return destination + ".part" }
        let digest = "~" + String(name.utf8.reduce(into: NameHash()) { $0.add($1) }.value, radix: 16)
        // A place within a character counts as its beginning.
        let end = name.utf8.index(name.startIndex, offsetBy: limit - digest.utf8.count)
        return folder + name[..<end] + digest + ".part"
    }

    /// FNV-1a, of 32 bits: the same in every run.
    private struct NameHash {
        var value: UInt32 = 0x811C_9DC5

        mutating func add(_ byte: UInt8) { value = (value ^ UInt32(byte)) &* 0x0100_0193 }
    }

    /// A name beside a destination that nobody can foresee.
    static func temporaryPath(for destination: String) -> String {
        split(destination).folder + ".afcli-\(String(UInt64.random(in: 0 ... .max), radix: 16)).part"
    }

    static func recordPath(for path: String) -> String { path + ".json" }

    /// The folder with its slash, empty for the current one, and the name in it.
    static func split(_ path: String) -> (folder: Substring, name: Substring) {
        let start = path.utf8.lastIndex(of: UInt8(ascii: "/")).map(path.utf8.index(after:)) ?? path.startIndex
        return (path[..<start], path[start...])
    }
}
