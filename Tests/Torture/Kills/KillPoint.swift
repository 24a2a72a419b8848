/// A system call before which a process is killed, with strace's fault injection.
struct KillPoint: Sendable {
    let call: String
    /// The number of the call in its thread, starting with 1.
    let number: Int
    /// The file in the working directory that the call must name first; `nil` for any.
    var file: String?

    init(_ call: String, _ number: Int, of file: String? = nil) {
        self.call = call
        self.number = number
        self.file = file
    }

    var text: String { "before `\(call)` no. \(number)\(file.map { " of `\($0)`" } ?? "")" }

    /// The record is created and updated every second: bytes are synced, the new record is written and renamed.
    static let record = [
        KillPoint("rename", 1), KillPoint("fdatasync", 1), KillPoint("rename", 2), KillPoint("fdatasync", 2),
    ]

    /// The last steps: attributes, mode, sync, rename, sync of the directory, removal of the record.
    static let finish = [
        KillPoint("fsetxattr", 1), KillPoint("fsetxattr", 3), KillPoint("fchmod", 1), KillPoint("fsync", 1),
        KillPoint("rename", 1, of: "f.part"), KillPoint("unlink", 1, of: "f.part.json"), KillPoint("fsync", 2),
    ]

    /// Returns the arguments of strace before the command.
    func words(in folder: String, log: String) -> [String] {
        let path = file.map { ["-P", "\(folder)/\($0)"] } ?? []
        return ["-f", "-qq", "-o", log] + path
            + ["-e", "trace=\(call)", "-e", "inject=\(call):signal=KILL:when=\(number)"]
    }
}
