internal import AFCore
internal import AFFormatting
internal import AFHTTP
internal import CLinux
internal import Glibc

extension FileAccess {
    /// Returns the access to the system's files.
    static func system(homeDirectory: String?, waits: WaitLimits = WaitLimits()) -> FileAccess {
        FileAccess(
            read: { (path, limit) throws(FileProblem) in try readFile(path, limit, waits) },
            describe: describeFile,
            homeDirectory: homeDirectory,
            waits: waits
        )
    }

    /// Reads from a descriptor's position to its end.
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
    /// The maximum size of a copy in memory, in bytes, as in curl.
    private static let largestCopy: Int64 = 16 << 30

    /// Reads a descriptor to its end into a file in memory, which has a length and can be read again.
    ///
    /// - Parameters:
    ///   - path: The name in messages.
    ///   - start: The bytes that were already read.
    ///   - isOwnFIFO: As for ``LocalWait/read(_:into:isOwnFIFO:)``.
    /// - Returns: The descriptor of the copy, at its start, and its size in bytes.
    static func copyToMemory(
        _ descriptor: Int32, path: String, after start: [UInt8] = [], _ waits: WaitLimits, isOwnFIFO: Bool = false
    ) throws(FileProblem) -> (descriptor: Int32, size: Int64) {
        // MFD_CLOEXEC of linux/memfd.h
        let copy = memfd_create("afcli", 1)
        guard copy >= 0 else { throw FileProblem(path: path, reason: .system(errno)) }
        do throws(FileProblem) {
            var (size, chunk) = (Int64(0), start)
            repeat {
                guard chunk.withUnsafeBytes({ Descriptor(copy).write($0) }) else {
                    throw FileProblem(path: path, reason: .system(errno))
                }
                size += Int64(chunk.count)
                guard size <= largestCopy else {
                    throw FileProblem(
                        path: path, reason: .other("it is longer than \(HumanUnits.limit(largestCopy))"),
                        hint: "send it as it is read: -T -")
                }
                chunk = try readChunk(descriptor, path: path, size: 256 * 1024, waits: waits, isOwnFIFO: isOwnFIFO)
            } while !chunk.isEmpty
            guard lseek(copy, 0, SEEK_SET) == 0 else { throw FileProblem(path: path, reason: .system(errno)) }
            return (copy, size)
        } catch {
            close(copy)
            throw error
        }
    }

    /// Opens a file for reading.
    static func open(_ path: String) throws(FileProblem) -> Int32 {
        // Without O_NONBLOCK, a FIFO without a writer would block the thread indefinitely.
        let descriptor = uninterrupted { Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
        guard descriptor >= 0 else { throw FileProblem(path: path, reason: .system(errno)) }
        return descriptor
    }

    /// Reads the next bytes of a descriptor; empty at its end.
    ///
    /// - Parameters:
    ///   - path: The name in messages.
    ///   - waits: The limits of the wait for data; `nil` for none.
    ///   - isOwnFIFO: Whether the descriptor is a FIFO that was opened with `O_NONBLOCK`.
    static func readChunk(
        _ descriptor: Int32,
        path: String,
        size: Int,
        waits: WaitLimits?,
        isOwnFIFO: Bool = false
    ) throws(FileProblem) -> [UInt8] {
        var problem: FileProblem?
        let chunk = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            do throws(WaitFailure) {
                let target = UnsafeMutableRawBufferPointer(buffer)
                count = try LocalWait(waits).read(descriptor, into: target, isOwnFIFO: isOwnFIFO)
            } catch {
                problem = FileProblem(path: path, error)
            }
        }
        if let problem { throw problem }
        return chunk
    }
}

private func readFile(_ path: String, _ limit: ReadLimit, _ waits: WaitLimits) throws(FileProblem) -> [UInt8] {
    let descriptor = try FileAccess.open(path)
    defer { close(descriptor) }
    guard let status = FileStatus(descriptor) else { throw FileProblem(path: path, reason: .system(errno)) }
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
    guard let status = FileStatus(path) else { throw FileProblem(path: path, reason: .system(errno)) }
    var description = try describe(status, path)
    // Opening a FIFO as a test would wake its writer.
    guard access(path, R_OK) == 0 else { throw FileProblem(path: path, reason: .system(errno)) }
    // A file without disk blocks may be generated by the kernel, which then reports no correct size.
    if description.kind == .regular, status.fields.st_blocks == 0 {
        do throws(TransferFailure) {
            description.size = try BodySource.file(path: path).length()
        } catch {
            throw FileProblem(path: path, reason: error.osErrorNumber.map { .system($0) } ?? .other(error.detail))
        }
    }
    return description
}

private func describe(_ status: FileStatus, _ path: String) throws(FileProblem) -> FileAccess.Description {
    switch status.kind {
    case S_IFDIR: throw FileProblem(path: path, reason: .isDirectory)
    case S_IFREG:
        FileAccess.Description(
            kind: .regular,
            size: status.size,
            isOpenToOthers: status.fields.st_mode & (S_IRGRP | S_IROTH) != 0
        )
    case S_IFIFO: FileAccess.Description(kind: .pipe, size: nil)
    default: FileAccess.Description(kind: .other, size: nil)
    }
}
