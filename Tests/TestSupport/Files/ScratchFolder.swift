internal import Glibc

/// An empty directory for one test, removed with its contents at deinitialization.
///
/// ```swift
/// let folder = try ScratchFolder()
/// try folder.write("hello", to: "in/a.txt")
/// #expect(folder.list("in") == ["a.txt"])
/// ```
public final class ScratchFolder: Sendable {
    /// Absolute, without a slash at the end.
    public let path: String

    /// Makes it in `TMPDIR`, else in `/tmp`, unless another place is given.
    public init(in parent: String? = nil) throws {
        let parent = parent ?? environmentVariable("TMPDIR") ?? "/tmp"
        var template = Array("\(parent)/afcli-test-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { throw SystemFailure("mkdtemp in \(parent)") }
        path = String(cString: made)
    }

    deinit { removeTree(path) }

    /// The path of something in the folder.
    public func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes a file, making the folders that its name mentions; an existing file is replaced.
    ///
    /// - Returns: The path of the file.
    @discardableResult
    public func write(_ text: String, to name: String, permissions: UInt32 = 0o644) throws -> String {
        try write(Array(text.utf8), to: name, permissions: permissions)
    }

    /// Writes a file, making the folders that its name mentions; an existing file is replaced.
    ///
    /// - Returns: The path of the file.
    @discardableResult
    public func write(_ bytes: [UInt8], to name: String, permissions: UInt32 = 0o644) throws -> String {
        let file = file(name)
        if let slash = file.lastIndex(of: "/") { try makeFolder(String(file[..<slash])) }
        try writeBytes(bytes, to: file, permissions: permissions)
        return file
    }

    /// Makes a folder and those above it.
    ///
    /// - Returns: The path of the folder.
    @discardableResult
    public func folder(_ name: String) throws -> String {
        try makeFolder(file(name))
        return file(name)
    }

    /// The bytes of a file.
    public func bytes(of name: String) throws -> [UInt8] { try readBytes(file(name)) }

    /// The bytes of a file anywhere.
    public static func bytes(at path: String) throws -> [UInt8] { try readBytes(path) }

    /// A file as text.
    public func text(of name: String) throws -> String { String(decoding: try bytes(of: name), as: UTF8.self) }

    /// Whether the name exists, even as a dangling link.
    public func has(_ name: String) -> Bool {
        var information = stat()
        return lstat(file(name), &information) == 0
    }

    /// The size of a file in bytes.
    public func size(of name: String) throws -> Int { Int(try information(name).st_size) }

    /// The number of the file system that the folder is on.
    public func fileSystem() throws -> UInt64 { UInt64(try information("").st_dev) }

    /// The permission bits, such as `0o600`; those of a link's target.
    public func permissions(of name: String) throws -> UInt32 { try information(name).st_mode & 0o7777 }

    /// Returns the inode, which differs for a file that replaced this one.
    public func fileNumber(of name: String) throws -> UInt64 { UInt64(try information(name).st_ino) }

    public func setPermissions(_ permissions: UInt32, of name: String) throws {
        try checked("chmod \(name)", chmod(file(name), permissions))
    }

    /// Makes a symbolic link.
    public func link(_ name: String, to target: String) throws {
        try checked("symlink \(name)", symlink(target, file(name)))
    }

    /// The names in the folder or in one below it, sorted, hidden ones included.
    public func list(_ name: String = "") -> [String] { namesInFolder(file(name)).sorted() }

    private func information(_ name: String) throws -> stat {
        var information = stat()
        try checked("stat \(name)", stat(file(name), &information))
        return information
    }
}
