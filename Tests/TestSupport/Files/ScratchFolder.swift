internal import Glibc

/// An empty directory for one test, removed with its contents at deinitialization.
///
/// ```swift
/// let folder = try ScratchFolder()
/// try folder.write("hello", to: "in/a.txt")
/// #expect(folder.list("in") == ["a.txt"])
/// ```
public final class ScratchFolder: Sendable {
    /// The absolute path, without a trailing slash.
    public let path: String

    /// Creates a directory in `parent`; by default in `TMPDIR`, or else in `/tmp`.
    public init(in parent: String? = nil) throws {
        let parent = parent ?? environmentVariable("TMPDIR") ?? "/tmp"
        var template = Array("\(parent)/afcli-test-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { throw SystemFailure("mkdtemp in \(parent)") }
        path = String(cString: made)
    }

    deinit { removeTree(path) }

    /// Returns the path of a name in the directory.
    public func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes a file and creates its missing directories; replaces an existing file.
    ///
    /// - Returns: The path of the file.
    @discardableResult
    public func write(_ text: String, to name: String, permissions: UInt32 = 0o644) throws -> String {
        try write(Array(text.utf8), to: name, permissions: permissions)
    }

    /// Writes a file and creates its missing directories; replaces an existing file.
    ///
    /// - Returns: The path of the file.
    @discardableResult
    public func write(_ bytes: [UInt8], to name: String, permissions: UInt32 = 0o644) throws -> String {
        let file = file(name)
        if let slash = file.lastIndex(of: "/") { try makeFolder(String(file[..<slash])) }
        try writeBytes(bytes, to: file, permissions: permissions)
        return file
    }

    /// Creates a directory and its missing parents.
    ///
    /// - Returns: The path of the directory.
    @discardableResult
    public func folder(_ name: String) throws -> String {
        try makeFolder(file(name))
        return file(name)
    }

    /// Returns the bytes of a file.
    public func bytes(of name: String) throws -> [UInt8] { try readBytes(file(name)) }

    /// Returns the bytes of a file at any path.
    public static func bytes(at path: String) throws -> [UInt8] { try readBytes(path) }

    /// Returns the contents of a file as text.
    public func text(of name: String) throws -> String { String(decoding: try bytes(of: name), as: UTF8.self) }

    /// Whether the name exists, even as a dangling link.
    public func has(_ name: String) -> Bool {
        var information = stat()
        return lstat(file(name), &information) == 0
    }

    /// Returns the size of a file in bytes.
    public func size(of name: String) throws -> Int { Int(try information(name).st_size) }

    /// Returns the device number of the directory's file system.
    public func fileSystem() throws -> UInt64 { UInt64(try information("").st_dev) }

    /// Returns the permission bits, such as `0o600`; for a link, those of its target.
    public func permissions(of name: String) throws -> UInt32 { try information(name).st_mode & 0o7777 }

    /// Returns the inode, which differs for a file that replaced this one.
    public func fileNumber(of name: String) throws -> UInt64 { UInt64(try information(name).st_ino) }

    public func setPermissions(_ permissions: UInt32, of name: String) throws {
        try checked("chmod \(name)", chmod(file(name), permissions))
    }

    /// Creates a symbolic link.
    public func link(_ name: String, to target: String) throws {
        try checked("symlink \(name)", symlink(target, file(name)))
    }

    /// Returns the names in the directory or a subdirectory, sorted, including hidden ones.
    public func list(_ name: String = "") -> [String] { namesInFolder(file(name)).sorted() }

    private func information(_ name: String) throws -> stat {
        var information = stat()
        try checked("stat \(name)", stat(file(name), &information))
        return information
    }
}
