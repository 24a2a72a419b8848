public import FoundationEssentials
internal import Glibc

extension DownloadRecord {
    /// What an interrupted download to this destination left: its record, where there is one that can be read.
    ///
    /// What is in the partial file is looked at when the download goes on.
    public static func left(at destination: URL) -> DownloadRecord? {
        let partialPath = PartialFile.path(for: destination.path)
        // A process that ended between giving the file its name and taking the record away leaves a record of nothing.
        var status = stat()
        guard lstat(partialPath, &status) == 0,
            case .record(var record)? = try? kept(at: PartialFile.recordPath(for: partialPath))
        else { return nil }
        // The folder may have been moved since, and the record with it.
        record.partialPath = partialPath
        return record
    }

    /// Whether the partial file is there with all of the bytes that the record speaks of.
    public var isWhereItWas: Bool { PartialFile.holds(self) }

    /// Makes sure that a new download may replace what an earlier one left at this destination.
    ///
    /// - Throws: ``DownloadFailure`` with ``DownloadFailure/Reason/foreignFile`` if it is not what the record describes,
    ///   ``DownloadFailure/Reason/notOwnFile`` if it is not a regular file of this user, ``DownloadFailure/Reason/busy`` if
    ///   another download is writing to it, ``DownloadFailure/Reason/system(_:)`` if it cannot be read.
    public static func checkPlace(of destination: URL) throws(DownloadFailure) {
        try PartialFile.checkPlace(PartialFile.path(for: destination.path))
    }

    /// Where a download of this URL into a folder was going, or went, whatever the name of its file; see ``left(at:)`` and
    /// ``whole(at:)``. Copies and renamed files are their owner's.
    public static func destination(of url: String, in folder: URL) -> URL? {
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
        let ending = PartialFile.recordPath(for: PartialFile.path(for: ""))
        let begun = names.filter { $0.hasSuffix(ending) }.map { String($0.dropLast(ending.count)) }
        return begun.map { folder.appending(path: $0) }.first { left(at: $0)?.url == url }
            ?? names.lazy.map { folder.appending(path: $0) }.first { file in
                hasOwnName(file) && whole(at: file)?.isOf(url) == true
            }
    }

    /// The contents of a record file.
    enum Kept: Equatable {
        case nothing
        /// As a power failure may leave it.
        case empty
        case record(DownloadRecord)
    }

    /// Reads a record. Its name is as predictable as the partial file's, and as little is trusted.
    static func kept(at path: String) throws(DownloadFailure) -> Kept {
        guard let bytes = try content(of: path) else { return .nothing }
        if bytes.isEmpty { return .empty }
        guard let record = try? DownloadRecord(json: bytes) else {
            throw DownloadFailure(.foreignFile, path: path)
        }
        return .record(record)
    }

    /// `nil` where there is no such file.
    private static func content(of path: String) throws(DownloadFailure) -> Data? {
        let file: Int32
        do throws(DownloadFailure) {
            file = try PartialFile.open(path, O_RDONLY)
        } catch {
            if error.reason == .system(ENOENT) { return nil }
            throw error
        }
        defer { close(file) }
        guard isOwnFile(file) else { throw DownloadFailure(.notOwnFile, path: path) }
        var bytes = [UInt8](repeating: 0, count: maximumSize)
        let count = read(file, &bytes, bytes.count)
        guard count >= 0 else { throw DownloadFailure(.system(errno), path: path) }
        return Data(bytes.prefix(count))
    }

    /// In bytes. Next to the ranges, which have a limit of their own, it has room for any URL that a server takes.
    private static let maximumSize = 256 << 10
}
