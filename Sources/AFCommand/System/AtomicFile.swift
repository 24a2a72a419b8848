internal import AFFormatting
internal import AFHTTP
internal import Glibc

/// Writes files atomically.
enum AtomicFile {
    /// Writes the text to a temporary file and renames it; devices and FIFOs are written to directly.
    ///
    /// - Parameter isPrivate: Whether only the owner may read the file.
    static func write(_ text: String, to path: String, isPrivate: Bool, waits: WaitLimits, option: String) throws {
        try write(Array(text.octets), to: path, isPrivate: isPrivate, waits: waits, option: option)
    }

    /// Writes bytes to a temporary file and renames it; devices and FIFOs are written to directly, and the links of
    /// this user and of root are followed.
    ///
    /// - Parameter isPrivate: Whether only the owner may read the file.
    static func write(_ bytes: [UInt8], to typed: String, isPrivate: Bool, waits: WaitLimits, option: String) throws {
        let path = typed.followingLinks
        if path.isWrittenDirectly {
            let output = try DescriptorOutput(writingTo: path, waits: waits, option: option)
            return try write(bytes, to: output, path, option)
        }
        TemporaryFile.removeAbandoned(for: path)
        guard let temporary = TemporaryFile(for: path, mode: isPrivate ? 0o600 : 0o666) else {
            throw problem(path, option: option)
        }
        defer { close(temporary.descriptor) }
        if !isPrivate { temporary.copyMode(of: path) }
        do {
            try write(bytes, to: DescriptorOutput(temporary.descriptor), path, option)
            guard rename(temporary.path, path) == 0 else { throw problem(path, option: option) }
        } catch {
            unlink(temporary.path)
            throw error
        }
    }

    /// Overwrites a file that cannot be replaced.
    static func overwrite(_ bytes: [UInt8], at path: String, option: String) throws {
        let output = try DescriptorOutput(overwriting: path, appends: false, option: option)
        try write(bytes, to: output, path, option)
    }

    private static func write(
        _ bytes: [UInt8],
        to output: DescriptorOutput,
        _ path: String,
        _ option: String
    ) throws {
        do throws(OutputFailure) {
            // Only this accessor rethrows typed errors.
            try bytes.withUnsafeBufferPointer { (bytes) throws(OutputFailure) in
                try output.write(UnsafeRawBufferPointer(bytes))
            }
            try output.finish()
        } catch {
            switch error {
            case .failed(let number): throw problem(path, number, option: option)
            case .wait(let failure): throw FileProblem(path: path, failure, argument: option, purpose: .writing)
            case .closed: throw problem(path, EPIPE, option: option)
            }
        }
        // The file must be on disk before it replaces another one.
        let isStored = uninterrupted { fsync(output.descriptor) } == 0 || errno == EINVAL || errno == EROFS
        guard isStored else { throw problem(path, option: option) }
    }

    private static func problem(_ path: String, _ number: Int32 = errno, option: String) -> FileProblem {
        .creation(of: path, number, argument: option)
    }
}
