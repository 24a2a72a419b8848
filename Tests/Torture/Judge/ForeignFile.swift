import Glibc
import TestSupport

/// A file of another program, which the client must not change.
struct ForeignFile: Sendable {
    static let neighbor = "neighbor"

    let path: String
    /// The name in the table.
    let name: String
    /// The contents of a regular file; `nil` for other types.
    private let bytes: [UInt8]?
    private let kind: mode_t
    private let number: UInt64
    /// Whether a successful client may replace the file, as the user requested it.
    private let mayGoOnSuccess: Bool

    init(_ path: String, named name: String, mayGoOnSuccess: Bool = false) throws {
        self.path = path
        self.name = name
        self.mayGoOnSuccess = mayGoOnSuccess
        guard let status = Self.status(of: path) else { throw Tools.Missing(name: path, remedy: "a mistake here") }
        kind = status.st_mode & S_IFMT
        number = UInt64(status.st_ino)
        bytes = kind == S_IFREG ? try ScratchFolder.bytes(at: path) : nil
    }

    /// Returns the change of the file, if there is one.
    func damage(by status: Int32) -> String? {
        if mayGoOnSuccess, status == 0 { return nil }
        guard let now = Self.status(of: path) else { return "\(name) is gone" }
        guard now.st_mode & S_IFMT == kind, UInt64(now.st_ino) == number else { return "\(name) was replaced" }
        guard let bytes else { return nil }
        return (try? ScratchFolder.bytes(at: path)) == bytes ? nil : "\(name) was written to"
    }

    private static func status(of path: String) -> stat? {
        var status = stat()
        return lstat(path, &status) == 0 ? status : nil
    }
}
