/// The names of a partial file and of its record.
extension PartialFile {
    package static let suffix = ".part"

    /// Returns the name of the partial file for a destination, shortened so that it and its record's name fit the file
    /// system. A shortened name contains a digest, so that names with the same start differ.
    package static func path(for destination: String) -> String {
        let (directory, name) = split(destination)
        let limit = 245
        guard name.utf8.count > limit else { return destination + suffix }
        let digest = "~" + String(name.utf8.reduce(into: NameHash()) { $0.add($1) }.value, radix: 16)
        // An index inside a character is rounded down to its start.
        let end = name.utf8.index(name.startIndex, offsetBy: limit - digest.utf8.count)
        return directory + name[..<end] + digest + suffix
    }

    /// The 32-bit FNV-1a hash, which is the same in every process.
    private struct NameHash {
        var value: UInt32 = 0x811C_9DC5

        mutating func add(_ byte: UInt8) { value = (value ^ UInt32(byte)) &* 0x0100_0193 }
    }

    /// Returns an unpredictable name beside a destination.
    static func temporaryPath(for destination: String) -> String {
        split(destination).directory + ".afcli-\(String(UInt64.random(in: 0 ... .max), radix: 16))" + suffix
    }

    package static func recordPath(for path: String) -> String { path + ".json" }

    /// Splits a path into the directory with its slash, empty for the current one, and the file name.
    static func split(_ path: String) -> (directory: Substring, name: Substring) {
        let start = path.utf8.lastIndex(of: UInt8(ascii: "/")).map(path.utf8.index(after:)) ?? path.startIndex
        return (path[..<start], path[start...])
    }
}
