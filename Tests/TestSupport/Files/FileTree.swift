internal import Glibc

/// Returns the names in a directory without `.` and `..`, unordered; empty if the directory cannot be read.
func namesInFolder(_ path: String) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
            $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if name != "." && name != ".." { names.append(name) }
    }
    return names
}

/// Removes a file or a directory with its contents, regardless of permissions; links are not followed.
func removeTree(_ path: String) {
    var information = stat()
    guard lstat(path, &information) == 0 else { return }
    guard information.st_mode & S_IFMT == S_IFDIR else {
        unlink(path)
        return
    }
    chmod(path, 0o700)
    namesInFolder(path).forEach { removeTree("\(path)/\($0)") }
    rmdir(path)
}

/// Returns the bytes of a file, also in `/proc`, where the reported size is 0.
func readBytes(_ path: String) throws -> [UInt8] {
    let descriptor = try checked("open \(path)", open(path, O_RDONLY | O_CLOEXEC))
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    while true {
        var count = 0
        let piece = [UInt8](unsafeUninitializedCapacity: 64 << 10) { buffer, filled in
            count = read(descriptor, buffer.baseAddress, buffer.count)
            filled = max(0, count)
        }
        try checked("read \(path)", count)
        if piece.isEmpty { return bytes }
        bytes += piece
    }
}

/// Returns a file's contents as text; `nil` if it cannot be read.
func fileText(_ path: String) -> String? {
    (try? readBytes(path)).map { String(decoding: $0, as: UTF8.self) }
}

/// Creates a file or replaces its contents.
func writeBytes(_ bytes: [UInt8], to path: String, permissions: UInt32 = 0o644) throws {
    let descriptor = try checked("open \(path)", open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, permissions))
    defer { close(descriptor) }
    var written = 0
    while written < bytes.count {
        let count = bytes[written...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        written += try checked("write \(path)", count)
    }
}

/// Creates a directory and its missing parents.
func makeFolder(_ path: String) throws {
    if mkdir(path, 0o755) == 0 || errno == EEXIST { return }
    guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex else {
        throw SystemFailure("mkdir \(path)")
    }
    try makeFolder(String(path[..<slash]))
    try checked("mkdir \(path)", mkdir(path, 0o755))
}
