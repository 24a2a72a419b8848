internal import AFHTTP
internal import AFTransport
internal import Dispatch
internal import FoundationEssentials
internal import Glibc
internal import Synchronization

/// Writes a response body to a partial file and keeps the record beside it up to date.
///
/// The thread that receives bytes writes them. Creating the file, writing the bytes that arrived before, and syncing run on
/// the request's queue.
final class DownloadWriter: Sendable {
    /// The treatment of the received bytes if the transfer fails.
    enum Kind {
        /// The bytes are kept with a record for resuming, unless the server does not support that. Bytes without a
        /// validator are kept too, for resuming with `proof`. The associated record is the one that could not be
        /// resumed.
        case resumable(DownloadRecord?)
        /// The bytes are appended to those of the record.
        case continuing(DownloadRecord, VerifiedFile)
        /// The bytes are discarded: the response is not the file, or the caller requested a range.
        case passing

        var isPassing: Bool { if case .passing = self { true } else { false } }
    }

    struct MutableState {
        var record: DownloadRecord
        /// The number of bytes from the start, for a sequential download.
        var received: Int64
        /// The number of them that are buffered.
        var waiting = 0
        /// The missing ranges, for a segmented download.
        var segments: SegmentMap?
        var isSaving = false
        var lastSave = ContinuousClock.now
        var isDigesting = false
        /// The end of the bytes that the digests have read.
        var digested: Int64 = 0
        var isOver = false
        /// The partial file after an interruption.
        var left: VerifiedFile?
        /// The number of bytes before ``received`` that are still to be received again and compared.
        var overlap: Int64

        /// The number of received bytes, at any position.
        var receivedBytes: Int64 { segments?.presentCount ?? received }
        /// The length of the contiguous prefix of the file.
        var prefix: Int64 { segments?.prefix ?? (received - Int64(waiting)) }

        /// Whether to update the record: after a second, or after a number of bytes. The interval has a minimum, as
        /// each update makes the disk write all pending bytes.
        var isSaveDue: Bool {
            guard !isSaving else { return false }
            let age = ContinuousClock.now - lastSave
            return age >= .seconds(1) || (age >= .milliseconds(100) && receivedBytes - record.savedBytes >= 16 << 20)
        }

        /// The record after all of these bytes are on disk.
        var upToDate: DownloadRecord {
            var record = record
            guard let segments else {
                record.completedBytes = max(record.completedBytes, prefix)
                return record
            }
            record.note(segments)
            return record
        }

        /// The next record during the transfer. Its digest reads the new bytes, so that it lags behind above 160 MB/s:
        /// repeating a second of such a download costs less than reading it.
        var nextRecord: DownloadRecord {
            var next = upToDate
            let new = next.completedBytes - record.completedBytes
            if segments == nil { next.completedBytes -= max(0, new - max(16 << 20, new / 32)) }
            return next
        }
    }

    let destination: String
    let resumedBytes: Int64
    /// The record that was not resumed, if the response has its entity tag.
    let sameVersion: DownloadRecord?
    /// Whether there is a record beside the file.
    let isRecorded: Bool
    /// Whether the response is the requested file.
    let isFile: Bool
    /// Whether the bytes can be used if the rest is missing.
    let isContinuable: Bool
    /// The request's queue, for operations that wait for the disk.
    let queue: DispatchQueue
    let options: DownloadOptions
    let file: PartialFile
    private let blocks = BlockWriter()
    let mutableState: Mutex<MutableState>
    /// The modification date of the resource.
    let modified: HTTPDate?
    /// The expected checksums with their sources.
    let expected: [(checksum: Checksum, source: DownloadFailure.ChecksumSource)]
    let digests: Mutex<FileDigests>
    /// The digest of the recorded bytes.
    let fingerprint: Mutex<RangesDigest>
    /// The complete response whose bytes cannot be resumed, such as a decoded one; its validators identify the complete
    /// file only.
    let completeOnly: HTTPURLResponse?

    /// Creates a writer and its file.
    ///
    /// - Parameter isComplete: Whether the complete body was received: its file needs neither a temporary name nor a
    ///   record.
    init(
        _ response: HTTPURLResponse,
        to url: String,
        kind: Kind,
        destination: String,
        checksums: [Checksum],
        options: DownloadOptions,
        isDecoded: Bool? = nil,
        queue: DispatchQueue,
        isComplete: Bool = false
    ) throws(DownloadFailure) {
        self.destination = destination
        self.queue = queue
        isFile = !kind.isPassing
        self.options = options
        for checksum in checksums where !checksum.algorithm.isAvailable {
            throw DownloadFailure(.unsupportedChecksum(checksum.algorithm), path: destination)
        }
        if options.contains(.createIntermediateDirectories) { try createDirectories(for: destination) }
        var record: DownloadRecord
        var digest = RangesDigest()
        var sameVersion: DownloadRecord?
        switch kind {
        case .continuing(let old, let verified):
            try Self.checkDestination(destination, options)
            file = try PartialFile(continuing: old, verified: verified.state)
            (record, digest) = (old, verified.digest)
            record.length = old.length ?? response.contentRange?.total
            (isRecorded, isContinuable) = (true, true)
        case .resumable(let old):
            try Self.checkDestination(destination, options)
            let path = PartialFile.path(for: destination)
            record = DownloadRecord(url: url, partialPath: path, response: response, isDecoded: isDecoded)
            if isComplete, let unnamed = try PartialFile.unnamed(for: path) {
                file = unnamed
                (isRecorded, isContinuable) = (false, false)
                break
            }
            file = try PartialFile(creating: path)
            if let old, old.hasEntityTag(of: response) { sameVersion = old }
            _ = record.identify(file.descriptor, &digest)
            (isRecorded, isContinuable) = (true, response.mayHaveRanges && isDecoded != true)
        case .passing:
            file = try PartialFile(creating: PartialFile.temporaryPath(for: destination))
            record = DownloadRecord(url: url, partialPath: file.path, response: response, isDecoded: isDecoded)
            (isRecorded, isContinuable) = (false, false)
        }
        let overlap = record.completedBytes - record.resumeOffset
        mutableState = Mutex(MutableState(record: record, received: record.completedBytes, overlap: overlap))
        resumedBytes = record.savedBytes
        self.sameVersion = sameVersion
        if case .resumable = kind, record.validator == nil { completeOnly = response } else { completeOnly = nil }
        fingerprint = Mutex(digest)
        modified = response.value(forHTTPHeaderField: "Last-Modified").flatMap { HTTPDate(ofFile: $0) }
        // Digests of error pages and partial responses do not apply; those of a decoded body are not of the file.
        let announced = isFile && isDecoded != true ? record.announcedChecksums + response.announcedChecksums : []
        expected = checksums.map { ($0, .caller) } + announced.map { ($0, .server) }
        digests = Mutex(FileDigests(Set(expected.map(\.checksum.algorithm))))
        guard isRecorded else { return }
        do throws(DownloadFailure) {
            try file.store(record)
        } catch {
            if case .resumable = kind { file.discard() }
            throw error
        }
    }

    var path: String { file.path }
    /// The length of the file in bytes; `nil` if it is unknown.
    var length: Int64? { mutableState.withLock({ $0.record.length }) }
    var receivedBytes: Int64 { mutableState.withLock({ $0.receivedBytes }) }

    /// Writes bytes at the end.
    ///
    /// - Returns: The number of bytes of the file so far, including earlier attempts.
    func receive(_ bytes: UnsafeRawBufferPointer) throws(DownloadFailure) -> Int64 {
        let (end, overlap, mayWait) = mutableState.withLock { ($0.received, $0.overlap, !isRecorded || !$0.isSaveDue) }
        let count = Int(min(overlap, Int64(bytes.count)))
        if count > 0 { try compare(UnsafeRawBufferPointer(rebasing: bytes[..<count]), at: end - overlap) }
        let new = UnsafeRawBufferPointer(rebasing: bytes[count...])
        let waiting = try blocks.write(new, at: end, mayWait: mayWait, to: file)
        return note { mutableState in
            mutableState.overlap -= Int64(count)
            (mutableState.received, mutableState.waiting) = (end + Int64(new.count), waiting)
        }
    }

    /// Applies a change and updates record and digests if they are due.
    ///
    /// - Returns: The number of bytes of the file so far.
    func note(_ change: (inout MutableState) -> Void) -> Int64 {
        let (received, isDue) = mutableState.withLock { mutableState in
            change(&mutableState)
            let received = mutableState.receivedBytes
            guard isRecorded, mutableState.isSaveDue else { return (received, false) }
            mutableState.isSaving = true
            return (received, true)
        }
        if isDue { queue.async { self.save() } }
        if !expected.isEmpty, isDigestDue() { queue.async { self.digestSome() } }
        return received
    }

    /// Compares bytes that were downloaded again with those on disk.
    func compare(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(DownloadFailure) {
        let old = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
        defer { old.deallocate() }
        var filled = 0
        while filled < bytes.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: old[filled...])
            let read = try file.read(into: rest, at: offset + Int64(filled))
            guard read > 0 else { throw DownloadFailure(.rangeRefused, path: file.path) }
            filled += read
        }
        guard Safety.requires("08-joint", old.elementsEqual(bytes)) else {
            throw DownloadFailure(.differentBytes, path: file.path)
        }
    }

    /// Writes the buffered bytes; bytes that cannot be written count as not received.
    ///
    /// Called after the last byte, and after bytes that were received before the file existed.
    func flush() throws(DownloadFailure) {
        let (end, written) = mutableState.withLock { ($0.received, $0.received - Int64($0.waiting)) }
        guard written < end else { return }
        do throws(DownloadFailure) {
            try blocks.flush(upTo: end, to: file)
            mutableState.withLock { $0.waiting = 0 }
        } catch {
            // Before the disk was full, a part of the bytes may have been written.
            let taken = min(end, max(written, file.size ?? 0))
            mutableState.withLock { ($0.received, $0.waiting) = (taken, 0) }
            throw error
        }
    }
}

extension DownloadWriter {
    /// Checks the destination before the file is created; the rename checks again.
    private static func checkDestination(_ destination: String, _ options: DownloadOptions) throws(DownloadFailure) {
        var status = stat()
        guard lstat(destination, &status) == 0 else {
            // A missing destination is fine, or a missing directory that will be created; other errors are not.
            guard errno == ENOENT else { throw DownloadFailure(.system(errno), path: destination) }
            return
        }
        if status.st_mode & S_IFMT == S_IFDIR { throw DownloadFailure(.destinationIsDirectory, path: destination) }
        guard options.contains(.removePreviousFile) else {
            throw DownloadFailure(.destinationExists, path: destination)
        }
    }
}

private func createDirectories(for destination: String) throws(DownloadFailure) {
    let directory = String(PartialFile.split(destination).directory)
    if access(directory, F_OK) == 0 { return }
    let path = destination.utf8
    for slash in path.indices.dropFirst() where path[slash] == UInt8(ascii: "/") {
        let parent = String(destination[..<slash])
        guard mkdir(parent, 0o777) == 0 || errno == EEXIST else { throw DownloadFailure(.system(errno), path: parent) }
    }
}
