internal import AFHTTP
public import FoundationEssentials
internal import Glibc

extension DownloadRecord {
    /// Returns the record of an interrupted download to this destination, if there is one.
    ///
    /// The partial file itself is checked when the download is resumed.
    public static func partial(at destination: URL) -> DownloadRecord? { partial(atPath: destination.path) }

    /// Returns the record of an interrupted download to this path, if there is one.
    package static func partial(atPath destination: String) -> DownloadRecord? {
        let partialPath = PartialFile.path(for: destination)
        // A process that ended between renaming the file and removing the record leaves a record without a partial
        // file.
        var status = stat()
        guard lstat(partialPath, &status) == 0,
            case .record(var record)? = try? stored(at: PartialFile.recordPath(for: partialPath))
        else { return nil }
        // The directory may have been moved since, together with the record.
        record.partialPath = partialPath
        return record
    }

    /// Whether the partial file exists with all of the recorded bytes.
    public var hasAllBytes: Bool { PartialFile.holds(self) }

    /// Checks that a new download may replace the remainder of an earlier one at this destination.
    ///
    /// - Throws: ``DownloadFailure`` with ``DownloadFailure/Reason/unknownFile`` if it is not what the record
    ///   describes, ``DownloadFailure/Reason/unsafeFile`` if it is not a regular file of this user,
    ///   ``DownloadFailure/Reason/busy`` if another download is writing to it, ``DownloadFailure/Reason/system(_:)`` if
    ///   it cannot be read.
    public static func checkDestination(_ destination: URL) throws(DownloadFailure) {
        try PartialFile.checkDestination(PartialFile.path(for: destination.path))
    }

    /// Returns the destinations of earlier downloads of this URL into a directory, regardless of the file names: the
    /// partial ones, then the complete ones; see ``partial(at:)`` and ``complete(at:)``. Copies, renamed files and those
    /// whose names the user chose are ignored.
    public static func destinations(of url: String, in directory: URL) -> some Sequence<URL> {
        let names = EarlierDownloads.names(in: directory)
        let destinations = [names.partial, names.all].joined().lazy.map { directory.appending(path: $0) }
        return destinations.filter { isDestination($0, of: url) }
    }

    /// Whether an earlier download of this URL has this destination.
    static func isDestination(_ destination: URL, of url: String) -> Bool {
        let partial = partial(at: destination)
        return partial?.url == url && partial?.hasChosenName != true
            || hasOwnName(destination) && complete(at: destination)?.isOf(url) == true
    }

    /// Whether another download is writing to this destination.
    public static func isBusy(_ destination: URL) -> Bool {
        do throws(DownloadFailure) { try checkDestination(destination) } catch { return error.reason == .busy }
        return false
    }

    /// Removes the partial file and its record, unless another program uses, changed or replaced it.
    ///
    /// The record may come from the program: without a fingerprint it proves nothing about the file at its path.
    func discard() {
        guard fingerprint != nil, let file = try? PartialFile(opening: self), file.isIntact,
            isRecord(of: file.descriptor)
        else { return }
        PartialFile.removeDrafts(of: file.descriptor, at: file.path)
        file.discard()
    }

    /// The contents of a record file.
    enum StoredState: Equatable {
        case nothing
        /// An empty file or one of zeros, as a power failure may leave it.
        case empty
        case record(DownloadRecord)
    }

    /// Reads a record. Its name is as predictable as the partial file's, so it is not trusted either.
    static func stored(at path: String) throws(DownloadFailure) -> StoredState {
        guard let bytes = try content(of: path) else { return .nothing }
        if bytes.allSatisfy({ $0 == 0 }) { return .empty }
        guard let record = try? DownloadRecord(json: bytes) else {
            throw DownloadFailure(.unknownFile, path: path)
        }
        return .record(record)
    }

    /// Returns `nil` if there is no such file.
    private static func content(of path: String) throws(DownloadFailure) -> Data? {
        let file: Int32
        do throws(DownloadFailure) {
            file = try PartialFile.open(path, O_RDONLY)
        } catch {
            if error.reason == .system(ENOENT) { return nil }
            throw error
        }
        defer { close(file) }
        guard isOwnFile(file) else { throw DownloadFailure(.unsafeFile, path: path) }
        var bytes = [UInt8](repeating: 0, count: maximumSize)
        let count = bytes.withUnsafeMutableBytes { Descriptor(file).read(into: $0) }
        guard count >= 0 else { throw DownloadFailure(.system(errno), path: path) }
        return Data(bytes.prefix(count))
    }

    /// The maximum size of a record in bytes: besides the ranges, which are limited, it has space for any URL that
    /// servers accept.
    private static let maximumSize = 256 << 10
}
