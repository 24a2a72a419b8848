internal import Glibc

extension ScratchFolder {
    /// Creates a sparse file of zeros, which uses no disk space.
    ///
    /// - Returns: The path of the file.
    @discardableResult
    public func writeSparse(_ name: String, size: Int) throws -> String {
        let file = try write([], to: name)
        try checked("truncate \(file)", truncate(file, size))
        return file
    }

    /// Creates a file without two equal blocks of 64 KiB, so that a misplaced block is detected.
    ///
    /// - Returns: The path of the file.
    @discardableResult
    public func writePattern(_ name: String, size: Int) throws -> String {
        let file = try write([], to: name)
        let descriptor = try checked("open \(file)", open(file, O_WRONLY | O_CLOEXEC))
        defer { close(descriptor) }
        var random = SystemRandomNumberGenerator()
        var piece = [UInt64](repeating: 0, count: 8 << 10).map { _ in random.next() }
        for start in stride(from: 0, to: size, by: 64 << 10) {
            piece[0] = UInt64(start)
            let length = min(64 << 10, size - start)
            let written = piece.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, length) }
            guard try checked("write \(file)", written) == length else {
                throw SystemFailure("write \(file)", errorNumber: ENOSPC)
            }
        }
        return file
    }
}

/// Whether two files of any size have the same bytes; uses constant memory.
public func haveSameBytes(_ first: String, _ second: String) throws -> Bool {
    let descriptors = [
        try checked("open \(first)", open(first, O_RDONLY | O_CLOEXEC)),
        try checked("open \(second)", open(second, O_RDONLY | O_CLOEXEC)),
    ]
    defer { descriptors.forEach { close($0) } }
    let size = 1 << 20
    let buffers = descriptors.map { _ in UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16) }
    defer { buffers.forEach { $0.deallocate() } }
    while true {
        // A short read of a regular file occurs only at its end.
        let counts = zip(descriptors, buffers).map { read($0, $1, size) }
        guard counts[0] == counts[1], memcmp(buffers[0], buffers[1], max(0, counts[0])) == 0 else { return false }
        if counts[0] <= 0 { return counts[0] == 0 }
    }
}
