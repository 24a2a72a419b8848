internal import AFHTTP
internal import AFTransport
internal import Dispatch
internal import FoundationEssentials
internal import Glibc
internal import Synchronization

/// Puts one response body into a partial file and keeps the record beside it true.
///
/// Writing happens where the bytes arrive. Making sure that they are on the disk takes longer, and has a queue.
final class FileReceiver: Sendable {
    private struct Contents {
        var record: DownloadRecord
        var received: Int64
        var isSaving = false
        var lastSave = ContinuousClock.now
    }

    let destination: String
    let options: DownloadRequest.Options
    let resumedBytes: Int64
    private let file: PartialFile
    private let contents: Mutex<Contents>
    private static let queue = DispatchQueue(label: "org.afcli.download.records")
    /// Bytes and time after which the record is brought up to date.
    private static let step: (bytes: Int64, time: Duration) = (16 << 20, .seconds(1))

    /// Starts a file, or goes on with the one of the record.
    init(
        _ response: HTTPURLResponse,
        continuing record: DownloadRecord?,
        destination: String,
        options: DownloadRequest.Options
    ) throws(DownloadFailure) {
        self.destination = destination
        self.options = options
        if options.contains(.createIntermediateDirectories) { try createFolders(for: destination) }
        if let record {
            file = try PartialFile(continuing: record)
            resumedBytes = record.completedBytes
            contents = Mutex(Contents(record: record, received: record.completedBytes))
        } else {
            try checkPlace(destination, options)
            file = try PartialFile(creating: PartialFile.path(for: destination))
            resumedBytes = 0
            let url = response.url?.absoluteString ?? ""
            contents = Mutex(
                Contents(record: DownloadRecord(url: url, partialPath: file.path, response: response), received: 0)
            )
            try file.keep(contents.withLock(\.record))
        }
    }

    /// Bytes of the whole, those of earlier attempts included.
    var receivedBytes: Int64 { contents.withLock(\.received) }
    /// Of the whole in bytes; `nil` where it is not known.
    var length: Int64? { contents.withLock(\.record.length) }

    func receive(_ bytes: UnsafeRawBufferPointer) throws(DownloadFailure) {
        try file.write(bytes)
        let isDue = contents.withLock { contents in
            contents.received += Int64(bytes.count)
            guard !contents.isSaving else { return false }
            let isDue =
                contents.received - contents.record.completedBytes >= Self.step.bytes
                || ContinuousClock.now - contents.lastSave >= Self.step.time
            contents.isSaving = isDue
            return isDue
        }
        if isDue { Self.queue.async { self.save() } }
    }

    /// The body is whole: gives the file its name.
    func complete() throws(DownloadFailure) {
        let (received, length) = contents.withLock { ($0.received, $0.record.length) }
        if let length, length != received {
            throw DownloadFailure(.wrongLength(expected: length, received: received), path: file.path)
        }
        // A save under way would put the record back after it was taken away.
        Self.queue.sync {}
        try file.move(to: destination, replaces: options.contains(.removePreviousFile))
    }

    /// The body is not whole: keeps what there is.
    func interrupt() -> DownloadRecord? {
        Self.queue.sync { self.save() }
        let record = contents.withLock(\.record)
        guard record.completedBytes > 0 else {
            file.discard()
            return nil
        }
        return record
    }

    func discard() {
        Self.queue.sync {}
        file.discard()
    }

    /// Brings the record up to date: first the bytes, then the claim that they are there.
    private func save() {
        let received = contents.withLock(\.received)
        let isSafe = (try? file.synchronize()) != nil
        let record = contents.withLock { contents in
            if isSafe { contents.record.completedBytes = received }
            contents.isSaving = false
            contents.lastSave = .now
            return contents.record
        }
        // A record that cannot be written is an old one: less to resume from, but still true.
        if isSafe { try? file.keep(record) }
    }
}

/// Looks for reasons to refuse before anything is fetched. The last word is the move's.
private func checkPlace(_ destination: String, _ options: DownloadRequest.Options) throws(DownloadFailure) {
    var status = stat()
    guard lstat(destination, &status) == 0 else { return }
    if status.st_mode & S_IFMT == S_IFDIR { throw DownloadFailure(.destinationIsDirectory, path: destination) }
    guard options.contains(.removePreviousFile) else { throw DownloadFailure(.destinationExists, path: destination) }
}

private func createFolders(for destination: String) throws(DownloadFailure) {
    guard let slash = destination.utf8.lastIndex(of: UInt8(ascii: "/")), slash > destination.startIndex else { return }
    let folder = String(destination[..<slash])
    do {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
        throw DownloadFailure(.system(errno), path: folder)
    }
}
