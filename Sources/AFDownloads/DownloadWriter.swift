internal import AFHTTP
internal import AFRequests
internal import AFTransport
internal import Dispatch
internal import FoundationEssentials
internal import Glibc
internal import Synchronization

/// Writes a response body to a partial file and keeps the record beside it up to date.
///
/// The transport's threads write bytes as they are received: one, unless segments are redirected to other origins. The
/// request's queue creates the file, writes the bytes that arrived before, updates the record, computes the digests, and
/// completes the file after the last byte. One lock protects what all use: a chunk takes it once, for the time of its
/// write, and the queue never holds it while it syncs the file or computes digests. No other lock is taken inside it.
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
        case discardable

        var isDiscardable: Bool { if case .discardable = self { true } else { false } }
    }

    /// The number of bytes of the file so far, including earlier attempts, and its length, if it is known.
    struct Progress: Equatable {
        let received: Int64
        let length: Int64?
    }

    struct MutableState: OrderedState {
        static var outerState: (any OrderedState.Type)? { SegmentedDownload.MutableState.self }

        var record: DownloadRecord
        /// The number of bytes from the start, for a sequential download.
        var received: Int64
        /// Writes them, and buffers the last ones.
        var blocks = BlockWriter()
        /// The missing ranges, for a segmented download.
        var segments: SegmentMap?
        var isSaving = false
        var lastSave = ContinuousClock.now
        var isDigesting = false
        /// The end of the bytes that the digests have read.
        var digested: Int64 = 0
        var isOver = false
        /// The partial file after an interruption.
        var interrupted: VerifiedFile?
        /// The number of overlapping bytes before ``received`` that are not yet compared.
        var overlap: Int64

        /// The number of received bytes, at any position.
        var receivedBytes: Int64 { segments?.presentCount ?? received }
        /// The length of the contiguous prefix of the file.
        var prefix: Int64 { segments?.prefix ?? (received - Int64(blocks.waiting)) }

        /// The progress of the file.
        var progress: Progress { Progress(received: receivedBytes, length: record.length) }

        /// Whether to update the record: after a second, or after a number of bytes. The interval has a minimum, as
        /// each update makes the disk write all pending bytes.
        ///
        /// - Parameter count: The number of bytes that are about to be written.
        func isSaveDue(before count: Int = 0) -> Bool {
            guard !isSaving else { return false }
            let age = ContinuousClock.now - lastSave
            return age >= .seconds(1)
                || (age >= .milliseconds(100) && receivedBytes + Int64(count) - record.savedBytes >= 16 << 20)
        }

        /// Whether the digests have to read on.
        var isDigestDue: Bool { !isDigesting && !isOver && prefix - digested >= DownloadWriter.digestStep }

        /// The record after all of these bytes are on disk.
        var upToDate: DownloadRecord {
            var record = record
            guard let segments else {
                record.completedBytes = max(record.completedBytes, prefix)
                return record
            }
            record.update(from: segments)
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
    /// The number of bytes in the response's range of the file; `nil` for a complete response.
    let rangeLength: Int64?
    /// Whether the bytes can be used if the rest is missing.
    let isContinuable: Bool
    /// The request's queue, for operations that wait for the disk.
    let queue: DispatchQueue
    let options: DownloadOptions
    let file: PartialFile
    let mutableState: OrderedMutex<MutableState>
    /// The modification date of the resource; `nil` if the file does not get it.
    let modified: HTTPDate?
    /// The expected checksums with their sources.
    let expected: [(checksum: Checksum, source: DownloadFailure.ChecksumSource)]
    /// Whether the digests of a response are those of the file.
    let usesAnnouncedDigests: Bool
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
        isFile = !kind.isDiscardable
        rangeLength = kind.isDiscardable ? nil : response.partLength
        self.options = options
        for checksum in checksums where !checksum.algorithm.isAvailable {
            throw DownloadFailure(.unsupportedChecksum(checksum.algorithm), path: destination)
        }
        let opened = try creatingDirectories(for: destination, options) { () throws(DownloadFailure) in
            try Self.open(response, to: url, kind, destination, options, isDecoded: isDecoded, isComplete: isComplete)
        }
        let record = opened.record
        (file, sameVersion) = (opened.file, opened.sameVersion)
        (isRecorded, isContinuable) = (opened.isRecorded, opened.isContinuable)
        let overlap = record.completedBytes - record.resumeOffset
        mutableState = OrderedMutex(MutableState(record: record, received: record.completedBytes, overlap: overlap))
        resumedBytes = record.savedBytes
        if case .resumable = kind, record.validator == nil { completeOnly = response } else { completeOnly = nil }
        fingerprint = Mutex(opened.digest)
        let setsDate = options.contains(.remoteModificationDate)
        modified = setsDate ? response.value(forHTTPHeaderField: "Last-Modified").flatMap { HTTPDate(ofFile: $0) } : nil
        // Digests of error pages and partial responses do not apply; those of a decoded body are not of the file.
        usesAnnouncedDigests = isFile && isDecoded != true
        let announced = usesAnnouncedDigests ? record.announcedChecksums + response.announcedChecksums : []
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
    func receive(_ bytes: UnsafeRawBufferPointer) throws(DownloadFailure) -> Progress {
        let (progress, work) = try mutableState.withLock { mutableState throws(DownloadFailure) in
            let end = mutableState.received
            let count = Int(min(mutableState.overlap, Int64(bytes.count)))
            if count > 0 {
                try compare(UnsafeRawBufferPointer(rebasing: bytes[..<count]), at: end - mutableState.overlap)
            }
            let new = UnsafeRawBufferPointer(rebasing: bytes[count...])
            let saves = isRecorded && mutableState.isSaveDue(before: new.count)
            try mutableState.blocks.write(new, at: end, mayWait: !saves, to: file)
            mutableState.overlap -= Int64(count)
            mutableState.received = end + Int64(new.count)
            return (mutableState.progress, takeWork(&mutableState, saves: saves))
        }
        enqueue(work)
        return progress
    }

    /// Work for the queue that is due after a write.
    struct Work {
        let saves: Bool
        let digests: Bool
    }

    /// Returns the work that is due, which is then in progress.
    func takeWork(_ mutableState: inout MutableState, saves: Bool) -> Work {
        let digests = !expected.isEmpty && mutableState.isDigestDue
        if saves { mutableState.isSaving = true }
        if digests { mutableState.isDigesting = true }
        return Work(saves: saves, digests: digests)
    }

    func enqueue(_ work: Work) {
        if work.saves { queue.async { self.save() } }
        if work.digests { queue.async { self.digestSome() } }
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
        try mutableState.withLock { mutableState throws(DownloadFailure) in
            let waiting = Int64(mutableState.blocks.waiting)
            guard waiting > 0 else { return }
            do throws(DownloadFailure) {
                try mutableState.blocks.flush(upTo: mutableState.received, to: file)
            } catch {
                // Before the disk was full, a part of the bytes may have been written.
                mutableState.received = min(mutableState.received, max(mutableState.received - waiting, file.size ?? 0))
                mutableState.blocks.discard()
                throw error
            }
        }
    }
}

extension DownloadWriter {
    /// The opened file of a writer.
    private struct Opened {
        let file: PartialFile
        var record: DownloadRecord
        var digest = RangesDigest()
        var sameVersion: DownloadRecord?
        var isRecorded = false
        var isContinuable = false
    }

    private static func open(
        _ response: HTTPURLResponse,
        to url: String,
        _ kind: Kind,
        _ destination: String,
        _ options: DownloadOptions,
        isDecoded: Bool?,
        isComplete: Bool
    ) throws(DownloadFailure) -> Opened {
        func record(at path: String) -> DownloadRecord {
            var record = DownloadRecord(url: url, partialPath: path, response: response, isDecoded: isDecoded)
            if options.contains(.chosenName) { record.hasChosenName = true }
            return record
        }
        switch kind {
        case .continuing(let old, let verified):
            try checkDestination(destination, options)
            let file = try PartialFile(continuing: old, verified: verified.state)
            var opened = Opened(
                file: file, record: old, digest: verified.digest, isRecorded: true, isContinuable: true)
            opened.record.length = old.length ?? response.contentRange?.total
            return opened
        case .resumable(let old):
            let ownPath = PartialFile.path(for: destination)
            let isTaken = options.contains(.avoidForeignFile) && PartialFile.isForeign(ownPath)
            let path = isTaken ? PartialFile.temporaryPath(for: destination) : ownPath
            // The link to its destination checks that one.
            if isComplete, !isTaken, let unnamed = try PartialFile.unnamed(for: path) {
                return Opened(file: unnamed, record: record(at: path))
            }
            try checkDestination(destination, options)
            var opened = Opened(file: try PartialFile(creating: path), record: record(at: path), isRecorded: !isTaken)
            if let old, old.hasEntityTag(of: response) { opened.sameVersion = old }
            _ = opened.record.identify(opened.file.descriptor, &opened.digest)
            opened.isContinuable = !isTaken && response.mayHaveRanges && isDecoded != true
            return opened
        case .discardable:
            let file = try PartialFile(creating: PartialFile.temporaryPath(for: destination))
            return Opened(file: file, record: record(at: file.path))
        }
    }

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

/// Calls a closure that creates a file, again after its missing directories were created if that is an option.
private func creatingDirectories<Result>(
    for destination: String, _ options: DownloadOptions, _ create: () throws(DownloadFailure) -> Result
) throws(DownloadFailure) -> Result {
    do throws(DownloadFailure) {
        return try create()
    } catch {
        // A parent that is no directory is named by the second error.
        let mayLackDirectory = [.system(ENOENT), .system(ENOTDIR)].contains(error.reason)
        guard mayLackDirectory, options.contains(.createIntermediateDirectories) else { throw error }
        try createDirectories(for: destination)
        return try create()
    }
}

private func createDirectories(for destination: String) throws(DownloadFailure) {
    let path = destination.utf8
    for slash in path.indices.dropFirst() where path[slash] == UInt8(ascii: "/") {
        let parent = String(destination[..<slash])
        guard mkdir(parent, 0o777) == 0 || errno == EEXIST else { throw DownloadFailure(.system(errno), path: parent) }
    }
}
