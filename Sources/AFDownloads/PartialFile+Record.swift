internal import AFHTTP
internal import FoundationEssentials
internal import Glibc

/// The record beside a partial file.
extension PartialFile {
    /// Writes the record beside the file, atomically.
    ///
    /// - Parameter waits: Whether to return only after the record is on disk, which takes a while.
    func store(_ record: DownloadRecord, waits: Bool = false) throws(DownloadFailure) {
        let target = Self.recordPath(for: path)
        let draft = newDraftPath()
        let file = try Self.open(draft, O_WRONLY | O_CREAT | O_EXCL)
        defer { close(file) }
        do throws(DownloadFailure) {
            let json = Array(record.json)
            try json.withUnsafeBufferPointer { bytes throws(DownloadFailure) in
                try Self.write(UnsafeRawBufferPointer(bytes), to: file, target)
            }
            // Otherwise the name could reach the disk before the contents.
            guard !waits || uninterrupted({ fdatasync(file) }) == 0, Glibc.rename(draft, target) == 0 else {
                throw DownloadFailure(.system(errno), path: target)
            }
        } catch {
            unlink(draft)
            throw error
        }
    }

    /// Returns a path for writing a record before the rename: unpredictable, but recognizable, as a killed process
    /// leaves it behind.
    func newDraftPath() -> String {
        "\(Self.draftBeginning(descriptor, path))\(String(UInt64.random(in: 0 ... .max), radix: 16))\(Self.draftEnding)"
    }

    private static let draftEnding = suffix + ".json"

    private static func draftBeginning(_ file: Int32, _ path: String) -> String {
        var status = stat()
        fstat(file, &status)
        return split(path).directory + ".afcli-\(String(status.st_ino, radix: 16))-"
    }

    /// Removes the temporary record files of killed processes.
    static func removeDrafts(of file: Int32, at path: String) {
        let directory = String(split(path).directory)
        let names = try? FileManager.default.contentsOfDirectory(atPath: directory.isEmpty ? "." : directory)
        let beginning = draftBeginning(file, path)
        for draft in (names ?? []).map({ directory + $0 }) {
            guard draft.hasPrefix(beginning), draft.hasSuffix(draftEnding), let file = try? open(draft, O_RDONLY) else {
                continue
            }
            if isOwnFile(file) { unlink(draft) }
            close(file)
        }
    }
}
