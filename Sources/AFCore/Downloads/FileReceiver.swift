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
    /// What becomes of the bytes should the transfer not come to its end.
    enum Kind {
        /// They are kept, with a record that tells how to go on, unless the server says that nobody can. Bytes without
        /// a validator are kept too: their owner may know better. The record is the one that could not be continued.
        case resumable(DownloadRecord?)
        /// They are kept, behind those of the record.
        case continuing(DownloadRecord, VerifiedFile)
        /// They are thrown away: another answer than the file, or a part that was asked for by hand.
        case passing

        var isPassing: Bool { if case .passing = self { true } else { false } }
    }

    struct Contents {
        var record: DownloadRecord
        /// Bytes from the first on, where they come one after the other.
        var received: Int64
        /// Those of them that are not in the file yet.
        var waiting = 0
        /// What is missing, where they come in several places.
        var segments: SegmentMap?
        var isSaving = false
        var lastSave = ContinuousClock.now
        var isDigesting = false
        /// Up to where the digests have read.
        var digested: Int64 = 0
        var isOver = false
        /// The file as an interruption left it.
        var left: VerifiedFile?
        /// Up to where bytes come that are there already.
        var compared: Int64

        /// Bytes that are there, wherever.
        var receivedBytes: Int64 { segments?.presentCount ?? received }
        /// Up to where nothing is missing in the file.
        var prefix: Int64 { segments?.prefix ?? (received - Int64(waiting)) }

        /// Whether it is time to bring the record up to date: after a second, or for so many bytes. However fast they come,
        /// it stands for a while, as each new one makes the disk wait for all of them.
        var isSaveDue: Bool {
            guard !isSaving else { return false }
            let age = ContinuousClock.now - lastSave
            return age >= .seconds(1) || (age >= .milliseconds(100) && receivedBytes - record.savedBytes >= 16 << 20)
        }

        /// The record as it is once all of these bytes are on the disk.
        var upToDate: DownloadRecord {
            var record = record
            guard let segments else {
                record.completedBytes = max(record.completedBytes, prefix)
                return record
            }
            record.note(segments)
            return record
        }

        /// The next record during the run. Its digest reads what is new, so that it lags behind while bytes come faster than
        /// 160 MB/s: a second of such a download costs less to repeat than the reading.
        var nextRecord: DownloadRecord {
            var next = upToDate
            let new = next.completedBytes - record.completedBytes
            if segments == nil { next.completedBytes -= max(0, new - max(16 << 20, new / 32)) }
            return next
        }
    }

    let destination: String
    let resumedBytes: Int64
    /// The record that was not continued, if the response has its entity tag.
    private let sameVersion: DownloadRecord?
    /// Whether there is a record beside the file.
    let isRecorded: Bool
    /// Whether the bytes can be of use when the rest is missing.
    private let isContinuable: Bool
    /// For whatever waits for the disk.
    let queue = DispatchQueue(label: "org.afcli.download")
    private let options: DownloadOptions
    let file: PartialFile
    private let blocks = BlockWriter()
    let contents: Mutex<Contents>
    /// When the resource was changed, as far as the server knows.
    private let modified: HTTPDate?
    /// What the whole must add up to, and who says so.
    private let expected: [(checksum: Checksum, source: DownloadFailure.ChecksumSource)]
    private let digests: Mutex<FileDigests>
    /// Of the bytes that the record vouches for.
    private let fingerprint: Mutex<RangesDigest>
    /// Bytes after which they read on.
    private static let digestStep: Int64 = 8 << 20
    /// What is given back to a full disk, so that the record finds room.
    private static let reserve: Int64 = 64 << 10

    init(
        _ response: HTTPURLResponse,
        to url: String,
        kind: Kind,
        destination: String,
        checksums: [Checksum],
        options: DownloadOptions
    ) throws(DownloadFailure) {
        self.destination = destination
        self.options = options
        for checksum in checksums where !checksum.algorithm.isAvailable {
            throw DownloadFailure(.unsupportedChecksum(checksum.algorithm), path: destination)
        }
        if options.contains(.createIntermediateDirectories) { try createFolders(for: destination) }
        var record: DownloadRecord
        var digest = RangesDigest()
        var sameVersion: DownloadRecord?
        switch kind {
        case .continuing(let old, let verified):
            try checkPlace(destination, options)
            file = try PartialFile(continuing: old, verified: verified.state)
            (record, digest) = (old, verified.digest)
            record.length = old.length ?? response.contentRange?.total
            (isRecorded, isContinuable) = (true, true)
        case .resumable(let old):
            try checkPlace(destination, options)
            file = try PartialFile(creating: PartialFile.path(for: destination))
            record = DownloadRecord(url: url, partialPath: file.path, response: response)
            if let old, old.hasEntityTag(of: response) { sameVersion = old }
            _ = record.identify(file.descriptor, &digest)
            (isRecorded, isContinuable) = (true, response.mayHaveRanges)
        case .passing:
            file = try PartialFile(creating: PartialFile.temporaryPath(for: destination))
            record = DownloadRecord(url: url, partialPath: file.path, response: response)
            (isRecorded, isContinuable) = (false, false)
        }
        let start = record.resumeOffset
        contents = Mutex(Contents(record: record, received: start, compared: start + record.comparedBytes))
        resumedBytes = record.savedBytes - (record.completedBytes - start)
        self.sameVersion = sameVersion
        fingerprint = Mutex(digest)
        modified = response.value(forHTTPHeaderField: "Last-Modified").flatMap { HTTPDate(parsing: $0) }
        // An error's page and a part of a file have no say.
        let announced = isRecorded ? record.announcedChecksums + response.announcedChecksums : []
        expected = checksums.map { ($0, .caller) } + announced.map { ($0, .server) }
        digests = Mutex(FileDigests(Set(expected.map(\.checksum.algorithm))))
        guard isRecorded else { return }
        do throws(DownloadFailure) {
            try file.keep(record)
        } catch {
            if case .resumable = kind { file.discard() }
            throw error
        }
    }

    var path: String { file.path }
    /// Of the whole in bytes; `nil` where it is not known.
    var length: Int64? { contents.withLock({ $0.record.length }) }
    private var receivedBytes: Int64 { contents.withLock({ $0.receivedBytes }) }

    /// - Returns: The bytes of the whole so far, those of earlier attempts included.
    func receive(_ bytes: UnsafeRawBufferPointer) throws(DownloadFailure) -> Int64 {
        let new = try bytesBehindCompared(bytes)
        let (start, mayWait) = contents.withLock { ($0.received, !isRecorded || !$0.isSaveDue) }
        let offset = start + Int64(bytes.count - new.count)
        let waiting = try blocks.write(new, at: offset, mayWait: mayWait, to: file)
        return note { ($0.received, $0.waiting) = ($0.received + Int64(bytes.count), waiting) }
    }

    /// Bytes have come: brings record and digests up to date, where it is time for that.
    ///
    /// - Returns: The bytes of the whole so far.
    func note(_ change: (inout Contents) -> Void) -> Int64 {
        let (received, isDue) = contents.withLock { contents in
            change(&contents)
            let received = contents.receivedBytes
            guard isRecorded, contents.isSaveDue else { return (received, false) }
            contents.isSaving = true
            return (received, true)
        }
        if isDue { queue.async { self.save() } }
        if !expected.isEmpty, isDigestDue() { queue.async { self.digestSome() } }
        return received
    }

    /// Compares what comes once more with what is there.
    ///
    /// - Returns: What is new.
    private func bytesBehindCompared(
        _ bytes: UnsafeRawBufferPointer
    ) throws(DownloadFailure) -> UnsafeRawBufferPointer {
        let (offset, end) = contents.withLock { ($0.received, $0.compared) }
        let count = Int(max(0, min(end - offset, Int64(bytes.count))))
        guard count > 0 else { return bytes }
        let old = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
        defer { old.deallocate() }
        var filled = 0
        while filled < count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: old[filled...])
            let read = try file.read(into: rest, at: offset + Int64(filled))
            guard read > 0 else { throw DownloadFailure(.rangeRefused, path: file.path) }
            filled += read
        }
        guard old.elementsEqual(bytes[..<count]) else { throw DownloadFailure(.differentBytes, path: file.path) }
        return UnsafeRawBufferPointer(rebasing: bytes[count...])
    }

    private func isDigestDue() -> Bool {
        contents.withLock { contents in
            guard !contents.isDigesting, !contents.isOver, contents.prefix - contents.digested >= Self.digestStep else {
                return false
            }
            contents.isDigesting = true
            return true
        }
    }

    /// Lets the digests read on for a while, and again behind whatever else waits by then. On the queue.
    private func digestSome() {
        let offset = contents.withLock { $0.isOver ? nil : min($0.prefix, $0.digested + 4 * Self.digestStep) }
        guard let offset else { return }
        // What cannot be read shows at the end.
        let isRead = (try? digest(upTo: offset)) != nil
        contents.withLock { ($0.digested, $0.isDigesting) = (offset, !isRead) }
        if isDigestDue() { queue.async { self.digestSome() } }
    }

    private func digest(upTo offset: Int64) throws(DownloadFailure) {
        try digests.withLock { digests throws(DownloadFailure) in try digests.advance(to: offset, in: file) }
    }

    /// - Throws: ``DownloadFailure/Reason/wrongChecksum(expected:found:source:)``.
    private func check() throws(DownloadFailure) {
        guard !expected.isEmpty else { return }
        try digest(upTo: contents.withLock { $0.prefix })
        let found = digests.withLock { $0.finish() }
        for (checksum, source) in expected {
            guard let actual = found.first(where: { $0.algorithm == checksum.algorithm }) else {
                // What a server announces beyond what is known proves nothing either way.
                if source == .server { continue }
                throw DownloadFailure(.unsupportedChecksum(checksum.algorithm), path: file.path)
            }
            guard actual == checksum else {
                throw DownloadFailure(
                    .wrongChecksum(expected: checksum, found: actual, source: source), path: file.path)
            }
        }
    }

    /// Writes what waits for the rest of its block. What cannot be written has not come.
    ///
    /// To be called when nothing comes any more.
    func flush() throws(DownloadFailure) {
        let (end, written) = contents.withLock { ($0.received, $0.received - Int64($0.waiting)) }
        guard written < end else { return }
        do throws(DownloadFailure) {
            try blocks.flush(upTo: end, to: file)
            contents.withLock { $0.waiting = 0 }
        } catch {
            // A full disk takes the beginning.
            let taken = min(end, max(written, file.size ?? 0))
            contents.withLock { ($0.received, $0.waiting) = (taken, 0) }
            throw error
        }
    }

    // The end; on the queue, where nothing else is being saved.

    /// The file as an interruption left it; `nil` if its record is older.
    var left: VerifiedFile? { contents.withLock { $0.left } }

    /// The body is whole: gives the file its name.
    func complete() throws(DownloadFailure) {
        let (received, record) = contents.withLock { ($0.receivedBytes, $0.record) }
        contents.withLock { $0.isOver = true }
        try flush()
        if let length = record.length, length != received {
            throw DownloadFailure(.wrongLength(expected: length, received: received), path: file.path)
        }
        if let reason = sameVersion?.contradiction(received) { throw DownloadFailure(reason, path: file.path) }
        guard file.size == received else { throw DownloadFailure(.changedFile, path: file.path) }
        try check()
        if options.contains(.remoteModificationDate), let modified { file.setModificationDate(modified.date) }
        try file.move(
            to: destination,
            replaces: options.contains(.removePreviousFile),
            isPrivate: options.contains(.ownerOnly),
            remembering: isRecorded && options.contains(.rememberOrigin) ? record : nil
        )
        file.release()
    }

    /// The body has not come to its place: keeps what there is, where that can be of use.
    ///
    /// Once it returns, another attempt may take the file over.
    ///
    /// - Parameter isWhole: Whether nothing is missing but the name.
    func interrupt(isWhole: Bool) -> DownloadRecord? {
        contents.withLock { $0.isOver = true }
        defer { file.release() }
        try? flush()
        let isOfUse = (isContinuable || (isWhole && isRecorded)) && file.hasItsName && file.isComplete
        if isOfUse, receivedBytes > 0, !save(isLast: true), giveBack() { save(isLast: true) }
        let record = contents.withLock({ $0.record })
        guard isOfUse, record.savedBytes > 0 else {
            file.discard()
            return nil
        }
        return record
    }

    func discard() {
        contents.withLock { $0.isOver = true }
        file.discard()
        file.release()
    }

    /// Brings the record up to date: first the bytes, then the claim that they are there.
    ///
    /// - Returns: `false` where the disk did not take it. Then the old record stands: less to resume from, but true.
    @discardableResult
    private func save(isLast: Bool = false) -> Bool {
        var record = contents.withLock { isLast ? $0.upToDate : $0.nextRecord }
        let digest = fingerprint.withLock { digest in
            record.identify(file.descriptor, &digest) && file.hasItsName ? digest : nil
        }
        let isSaved =
            digest != nil && (try? file.synchronize()) != nil && (try? file.keep(record, waits: true)) != nil
        let state = FileState(file.descriptor)
        contents.withLock { contents in
            if isSaved { contents.record = record }
            if isSaved, isLast, let digest, let state, let fingerprint = record.fingerprint {
                contents.left = VerifiedFile(state: state, fingerprint: fingerprint, digest: digest)
            }
            contents.isSaving = false
            contents.lastSave = .now
        }
        return isSaved
    }

    /// Makes room on a full disk. One on which all of the file has its place is left alone, and so is what the record
    /// claims.
    private func giveBack() -> Bool {
        let (isDivided, claimed) = contents.withLock { ($0.segments != nil, $0.record.savedBytes) }
        let length = receivedBytes - Self.reserve
        guard !isDivided, length > claimed, (try? file.cut(to: length)) != nil else { return false }
        contents.withLock { $0.received = length }
        return true
    }
}

/// Looks for reasons to refuse before anything is fetched. The last word is the move's.
private func checkPlace(_ destination: String, _ options: DownloadOptions) throws(DownloadFailure) {
    var status = stat()
    guard lstat(destination, &status) == 0 else {
        // Nothing there yet is as it should be; a name that cannot be is not.
        guard errno == ENOENT else { throw DownloadFailure(.system(errno), path: destination) }
        return
    }
    if status.st_mode & S_IFMT == S_IFDIR { throw DownloadFailure(.destinationIsDirectory, path: destination) }
    guard options.contains(.removePreviousFile) else { throw DownloadFailure(.destinationExists, path: destination) }
}

private func createFolders(for destination: String) throws(DownloadFailure) {
    let path = destination.utf8
    for slash in path.indices.dropFirst() where path[slash] == UInt8(ascii: "/") {
        let folder = String(destination[..<slash])
        guard mkdir(folder, 0o777) == 0 || errno == EEXIST else { throw DownloadFailure(.system(errno), path: folder) }
    }
}
