internal import AFCore
internal import Glibc

extension FileAccess {
    /// The files of the system.
    static func system(homeDirectory: String?) -> FileAccess {
        FileAccess(read: readFile, describe: describeFile, homeDirectory: homeDirectory)
    }

    /// Everything from a descriptor's position to its end.
    ///
    /// - Parameter path: What messages call it.
    static func readToEnd(_ descriptor: Int32, path: String, sizeHint: Int64 = 0) throws(FileProblem) -> [UInt8] {
        var content: [UInt8] = []
        content.reserveCapacity(Int(clamping: sizeHint) + 1)
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let count = buffer.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
            if count == 0 { return content }
            if count > 0 {
                content.append(contentsOf: buffer[..<count])
            } else if errno != EINTR {
                throw FileProblem(path: path, reason: systemMessage(errno))
            }
        }
    }
}

private func readFile(_ path: String) throws(FileProblem) -> [UInt8] {
    let descriptor = try openFile(path)
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw FileProblem(path: path, reason: systemMessage(errno)) }
    let description = try describe(status, path)
    return try FileAccess.readToEnd(descriptor, path: path, sizeHint: description.size ?? 0)
}

private func describeFile(_ path: String) throws(FileProblem) -> FileAccess.Description {
    var status = stat()
    guard stat(path, &status) == 0 else { throw FileProblem(path: path, reason: systemMessage(errno)) }
    var description = try describe(status, path)
    // Opening a FIFO to see whether it can be opened would wake its writer.
    guard access(path, R_OK) == 0 else { throw FileProblem(path: path, reason: systemMessage(errno)) }
    // What takes no room on a disk may be made up while it is read, and then says nothing true about its size.
    if description.kind == .regular, status.st_blocks == 0 {
        do throws(TransferFailure) {
            description.size = try BodySource.file(path: path).length()
        } catch {
            throw FileProblem(path: path, reason: error.osErrorNumber.map(systemMessage) ?? error.detail)
        }
    }
    return description
}

private func openFile(_ path: String) throws(FileProblem) -> Int32 {
    while true {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        if descriptor >= 0 { return descriptor }
        if errno != EINTR { throw FileProblem(path: path, reason: systemMessage(errno)) }
    }
}

private func describe(_ status: stat, _ path: String) throws(FileProblem) -> FileAccess.Description {
    switch status.st_mode & S_IFMT {
    case S_IFDIR: throw FileProblem(path: path, reason: FileProblem.isDirectory)
    case S_IFREG:
        FileAccess.Description(
            kind: .regular,
            size: Int64(status.st_size),
            isOpenToOthers: status.st_mode & (S_IRGRP | S_IROTH) != 0
        )
    case S_IFIFO: FileAccess.Description(kind: .pipe, size: nil)
    default: FileAccess.Description(kind: .other, size: nil)
    }
}
