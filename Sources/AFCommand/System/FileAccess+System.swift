internal import AFCore
internal import Glibc

extension FileAccess {
    /// The files of the system.
    static func system(homeDirectory: String?, waits: WaitLimits = WaitLimits()) -> FileAccess {
        FileAccess(
            read: { (path, limit) throws(FileProblem) in try readFile(path, limit, waits) },
            describe: describeFile,
            homeDirectory: homeDirectory,
            waits: waits
        )
    }

    /// Everything from a descriptor's position to its end.
    ///
    /// - Parameters:
    ///   - path: The name in messages.
    ///   - isOwnFIFO: As for ``LocalWait/read(_:into:isOwnFIFO:)``.
    static func readToEnd(
        _ descriptor: Int32,
        path: String,
        limit: ReadLimit,
        waits: WaitLimits,
        sizeHint: Int64 = 0,
        isOwnFIFO: Bool = false
    ) throws(FileProblem) -> [UInt8] {
        guard sizeHint <= limit.bytes else { throw limit.problem(path) }
        var content: [UInt8] = []
        content.reserveCapacity(Int(sizeHint) + 1)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 1)
        defer { buffer.deallocate() }
        while true {
            let count: Int
            do throws(WaitFailure) {
                count = try LocalWait(waits).read(descriptor, into: buffer, isOwnFIFO: isOwnFIFO)
            } catch {
                throw FileProblem(path: path, error)
            }
            if count == 0 { return content }
            content.append(contentsOf: buffer[..<count])
            if content.count > limit.bytes { throw limit.problem(path) }
        }
    }
}

extension FileAccess {
    /// Reads the next bytes of a descriptor, none at its end.
    ///
    /// - Parameters:
    ///   - path: What messages call it.
    ///   - isOwnFIFO: Whether the descriptor is a FIFO that was opened with `O_NONBLOCK`.
    static func readChunk(
        _ descriptor: Int32,
        path: String,
        size: Int,
        waits: WaitLimits,
        isOwnFIFO: Bool = false
    ) throws(FileProblem) -> [UInt8] {
        var problem: FileProblem?
        let chunk = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            do throws(WaitFailure) {
                let room = UnsafeMutableRawBufferPointer(buffer)
                count = try LocalWait(waits).read(descriptor, into: room, isOwnFIFO: isOwnFIFO)
            } catch {
                problem = FileProblem(path: path, error)
            }
        }
        if let problem { throw problem }
        return chunk
    }
}

private func readFile(_ path: String, _ limit: ReadLimit, _ waits: WaitLimits) throws(FileProblem) -> [UInt8] {
    let descriptor = try openFile(path)
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw FileProblem(path: path, reason: .system(errno)) }
    let description = try describe(status, path)
    return try FileAccess.readToEnd(
        descriptor,
        path: path,
        limit: limit,
        waits: waits,
        sizeHint: description.size ?? 0,
        isOwnFIFO: description.kind == .pipe
    )
}

private func describeFile(_ path: String) throws(FileProblem) -> FileAccess.Description {
    var status = stat()
    guard stat(path, &status) == 0 else { throw FileProblem(path: path, reason: .system(errno)) }
    var description = try describe(status, path)
    // Opening a FIFO to see whether it can be opened would wake its writer.
    guard access(path, R_OK) == 0 else { throw FileProblem(path: path, reason: .system(errno)) }
    // What takes no room on a disk may be made up while it is read, and then says nothing true about its size.
    if description.kind == .regular, status.st_blocks == 0 {
        do throws(TransferFailure) {
            description.size = try BodySource.file(path: path).length()
        } catch {
            throw FileProblem(path: path, reason: error.osErrorNumber.map { .system($0) } ?? .other(error.detail))
        }
    }
    return description
}

private func openFile(_ path: String) throws(FileProblem) -> Int32 {
    while true {
        // Without O_NONBLOCK, a FIFO without a writer would block the process for ever.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        if descriptor >= 0 { return descriptor }
        if errno != EINTR { throw FileProblem(path: path, reason: .system(errno)) }
    }
}

private func describe(_ status: stat, _ path: String) throws(FileProblem) -> FileAccess.Description {
    switch status.st_mode & S_IFMT {
    case S_IFDIR: throw FileProblem(path: path, reason: .isDirectory)
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
