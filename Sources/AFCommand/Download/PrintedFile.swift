internal import AFFormatting
internal import AFHTTP
internal import FoundationEssentials
internal import Glibc
internal import Synchronization

/// A file that receives what is printed, and replaces an existing file when it is complete.
final class PrintedFile: ByteOutput {
    private enum State {
        /// Nothing was written.
        case unopened
        case open(TemporaryFile)
        /// A device, a FIFO, or a file that cannot be replaced: it is written to directly.
        case device(DescriptorOutput)
        case ended
    }

    let path: String
    private let download: DownloadPlan
    /// Whether the file starts with the contents of the existing one.
    private let appends: Bool
    /// Whether the contents have colors, and are thus escaped already if the file is a terminal.
    private let isColored: Bool
    private let waits: WaitLimits
    private let state = Mutex(State.unopened)
    /// The length at the last ``mark()``.
    private let markedLength = Mutex<off_t>(0)

    /// Creates a file at the destination of a download; `nil` if the response determines its name.
    ///
    /// - Throws: ``FileProblem`` if the file cannot be created.
    init?(_ download: DownloadPlan, appends: Bool, isColored: Bool, waits: WaitLimits) throws(FileProblem) {
        switch download.target {
        case .directory: return nil
        case .file(let path):
            if !path.isWrittenInPlace || download.keepsExisting { try download.checkDestination(path) }
            self.path = path
        case .device(let path): self.path = path
        }
        self.download = download
        self.appends = appends
        self.isColored = isColored
        self.waits = waits
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(OutputFailure) {
        try output().write(bytes)
    }

    /// Whether what was written may be dropped: not if it is a device.
    var isRewindable: Bool { !path.isWrittenDirectly }

    /// Records the length, to which ``rewind()`` returns.
    func mark() { markedLength.withLock { $0 = descriptor.map { lseek($0, 0, SEEK_END) } ?? 0 } }

    /// Drops what was written since ``mark()``.
    ///
    /// - Throws: ``OutputFailure`` for an error of the system.
    func rewind() throws(OutputFailure) {
        guard let descriptor else { return }
        let length = markedLength.withLock(\.self)
        let isCut = uninterrupted { ftruncate(descriptor, length) } == 0
        guard isCut, lseek(descriptor, length, SEEK_SET) == length else { throw .failed(errno: errno) }
    }

    /// The descriptor of the incomplete file; `nil` if nothing was written, or to a device.
    private var descriptor: Int32? {
        state.withLock { state in
            if case .open(let temporary) = state { temporary.descriptor } else { nil }
        }
    }

    /// Ends the file.
    ///
    /// - Parameters:
    ///   - isComplete: Whether the contents are saved.
    ///   - hasContents: Whether a response without a byte is an empty file, and not an error whose body is hidden.
    ///   - response: The last response.
    /// - Returns: The path of the saved file; `nil` if it was not saved.
    /// - Throws: ``OutputFailure`` for an error of the system.
    func end(
        isComplete: Bool,
        hasContents: Bool = true,
        after response: HTTPURLResponse?
    ) throws(OutputFailure) -> String? {
        // A file to which nothing is appended stays as it is.
        let isUnchanged = appends && FileStatus(path) != nil
        if isComplete, hasContents, !isUnchanged { _ = try output() }
        let last = state.withLock { state in
            defer { state = .ended }
            return state
        }
        let date =
            download.keepsRemoteTime
            ? response?.value(forHTTPHeaderField: "Last-Modified").flatMap { HTTPDate(ofFile: $0) } : nil
        if case .device(let output) = last {
            try output.finish()
            withExtendedLifetime(output) {
                guard let date, FileStatus(output.descriptor)?.isRegular == true else { return }
                TemporaryFile.setModificationDate(date, of: output.descriptor)
            }
        }
        guard case .open(let temporary) = last else {
            return isComplete && hasContents ? download.typedPath(of: path) : nil
        }
        defer { close(temporary.descriptor) }
        guard isComplete else {
            unlink(temporary.path)
            return nil
        }
        if let date { TemporaryFile.setModificationDate(date, of: temporary.descriptor) }
        // The file must be on disk before it replaces another one.
        let isStored = uninterrupted { fsync(temporary.descriptor) } == 0 || errno == EINVAL || errno == EROFS
        guard isStored, let saved = move(temporary) else {
            let number = errno
            unlink(temporary.path)
            throw .failed(errno: number)
        }
        return download.typedPath(of: saved)
    }

    /// Renames the file.
    ///
    /// - Returns: Its path; `nil` for an error of the system, which `errno` has.
    private func move(_ temporary: TemporaryFile) -> String? {
        guard download.keepsExisting, !appends else { return rename(temporary.path, path) == 0 ? path : nil }
        var unused = UnusedPath(path, of: download)
        while true {
            let name = unused.next(for: "")
            if temporary.move(toUnused: name) { return name }
            guard errno == EEXIST else { return nil }
        }
    }

    private func output() throws(OutputFailure) -> DescriptorOutput {
        try state.withLock { state throws(OutputFailure) in
            switch state {
            case .open(let temporary): return DescriptorOutput(temporary.descriptor)
            case .device(let output): return output
            case .ended: throw .closed
            case .unopened:
                let isInPlace = path.isWrittenInPlace && !download.keepsExisting
                if isInPlace || path.isWrittenDirectly {
                    let output = try isInPlace ? overwritten() : device()
                    state = .device(output)
                    return output
                }
                let temporary = try temporaryFile()
                state = .open(temporary)
                return DescriptorOutput(temporary.descriptor)
            }
        }
    }

    private func device() throws(OutputFailure) -> DescriptorOutput {
        do throws(FileProblem) {
            return try DescriptorOutput(writingTo: path, waits: waits, option: "--output", escapes: !isColored)
        } catch {
            throw .failed(errno: EIO)
        }
    }

    private func overwritten() throws(OutputFailure) -> DescriptorOutput {
        do throws(FileProblem) {
            return try DescriptorOutput(overwriting: path, appends: appends, option: "--output")
        } catch {
            throw .failed(errno: EIO)
        }
    }

    private func temporaryFile() throws(OutputFailure) -> TemporaryFile {
        if download.createsDirectories { path.createDirectories(mode: download.rules.directoryMode) }
        TemporaryFile.removeAbandoned(for: path)
        guard let temporary = TemporaryFile(for: path, mode: 0o666) else { throw .failed(errno: errno) }
        if !download.keepsExisting { temporary.copyMode(of: path) }
        guard !appends || copyExisting(to: temporary.descriptor) else {
            let number = errno
            close(temporary.descriptor)
            unlink(temporary.path)
            throw .failed(errno: number)
        }
        return temporary
    }

    /// Returns whether the contents of the existing file were copied, or there are none.
    private func copyExisting(to descriptor: Int32) -> Bool {
        let source = uninterrupted { open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW) }
        guard source >= 0 else { return errno == ENOENT }
        defer { close(source) }
        while true {
            let count = uninterrupted { sendfile(descriptor, source, nil, 1 << 20) }
            if count <= 0 { return count == 0 }
        }
    }
}
