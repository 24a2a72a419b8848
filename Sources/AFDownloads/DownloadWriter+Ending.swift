internal import AFHTTP
internal import AFRequests
internal import Dispatch
internal import Synchronization

/// The record and the digests of a file that grows, and its end. All of it runs on the request's queue.
extension DownloadWriter {
    /// The number of bytes after which the digests read on.
    static let digestStep: Int64 = 8 << 20
    /// The bytes that are freed on a full disk, so that the record can be written.
    private static let reserve: Int64 = 64 << 10

    /// The partial file after an interruption; `nil` if its record is older.
    var interrupted: VerifiedFile? { mutableState.withLock { $0.interrupted } }

    /// Checks the complete file.
    func check() throws(DownloadFailure) {
        let (received, length) = mutableState.withLock { mutableState in
            mutableState.isOver = true
            return (mutableState.receivedBytes, mutableState.record.length)
        }
        try flush()
        if let length, Safety.refuses("09-length", length != received) {
            throw DownloadFailure(.wrongLength(expected: length, received: received), path: file.path)
        }
        if let reason = sameVersion?.contradiction(received) { throw DownloadFailure(reason, path: file.path) }
        guard Safety.requires("24-final-size", file.size == received) else {
            throw DownloadFailure(.changedFile, path: file.path)
        }
        try checkDigests()
        if let modified { file.setModificationDate(modified.date) }
    }

    /// Renames the complete file to its destination.
    func move(to destination: String) throws(DownloadFailure) {
        var record = mutableState.withLock { $0.record }
        if let completeOnly { record.setValidators(of: completeOnly) }
        try file.move(
            to: destination,
            replaces: options.contains(.removePreviousFile),
            isPrivate: options.contains(.ownerOnly),
            remembering: isFile && options.contains(.rememberOrigin) ? record : nil
        )
        file.unlock()
    }

    /// Keeps the partial file after a failure, if it can be used.
    ///
    /// After the return another attempt may continue the file.
    ///
    /// - Parameter isComplete: Whether only the rename is missing.
    func interrupt(isComplete: Bool) -> DownloadRecord? {
        mutableState.withLock { $0.isOver = true }
        defer { file.unlock() }
        try? flush()
        let isUsable = (isContinuable || (isComplete && isRecorded)) && file.isLinked && file.isIntact
        mutableState.withLock { $0.record.limitOverlap(after: $0.receivedBytes - resumedBytes) }
        if isUsable, receivedBytes > 0, !save(isLast: true), releaseReserve() { save(isLast: true) }
        let record = mutableState.withLock({ $0.record })
        guard isUsable, record.savedBytes > 0 else {
            file.discard()
            return nil
        }
        return record
    }

    func discard() {
        mutableState.withLock { $0.isOver = true }
        file.discard()
        file.unlock()
    }

    /// Updates the record: first syncs the bytes, then records them.
    ///
    /// - Returns: `false` if the disk refused. The old record remains, which allows resuming from an earlier position.
    @discardableResult
    func save(isLast: Bool = false) -> Bool {
        var record = mutableState.withLock { isLast ? $0.upToDate : $0.nextRecord }
        let digest = fingerprint.withLock { digest in
            record.identify(file.descriptor, &digest) && file.isLinked ? digest : nil
        }
        let isSaved =
            digest != nil && Safety.requires("08-synchronized", (try? file.synchronize()) != nil)
            && (try? file.store(record, waits: true)) != nil
        let state = FileState(file.descriptor)
        mutableState.withLock { mutableState in
            if isSaved { mutableState.record = record }
            if isSaved, isLast, let digest, let state, let fingerprint = record.fingerprint {
                mutableState.interrupted = VerifiedFile(state: state, fingerprint: fingerprint, digest: digest)
            }
            mutableState.isSaving = false
            mutableState.lastSave = .now
        }
        return isSaved
    }

    /// Frees space on a full disk, unless the disk has space for the complete file. Recorded bytes are kept.
    private func releaseReserve() -> Bool {
        let (isDivided, claimed) = mutableState.withLock { ($0.segments != nil, $0.record.savedBytes) }
        let length = receivedBytes - Self.reserve
        guard !isDivided, length > claimed, (try? file.truncate(to: length)) != nil else { return false }
        mutableState.withLock { $0.received = length }
        return true
    }

    // Digests

    /// Lets the digests read for a limited time, then enqueues itself again, so that other work can run in between.
    /// Runs on the queue.
    func digestSome() {
        let offset = mutableState.withLock { $0.isOver ? nil : min($0.prefix, $0.digested + 4 * Self.digestStep) }
        guard let offset else { return }
        // An unreadable file is detected at the end.
        let isRead = (try? digest(upTo: offset)) != nil
        enqueue(
            mutableState.withLock { mutableState in
                (mutableState.digested, mutableState.isDigesting) = (offset, !isRead)
                return takeWork(&mutableState, saves: false)
            })
    }

    private func digest(upTo offset: Int64) throws(DownloadFailure) {
        try digests.withLock { digests throws(DownloadFailure) in try digests.advance(to: offset, in: file) }
    }

    /// Compares the digests with those of trailers, for which the file is read again.
    ///
    /// - Throws: ``DownloadFailure/Reason/wrongChecksum(expected:found:source:)``.
    func check(trailing checksums: [Checksum]) throws(DownloadFailure) {
        guard usesAnnouncedDigests, !checksums.isEmpty else { return }
        var digests = FileDigests(Set(checksums.map(\.algorithm)))
        try digests.advance(to: mutableState.withLock { $0.prefix }, in: file)
        let found = digests.finish()
        for checksum in checksums {
            guard let actual = found.first(where: { $0.algorithm == checksum.algorithm }), actual != checksum else {
                continue
            }
            throw DownloadFailure(.wrongChecksum(expected: checksum, found: actual, source: .server), path: file.path)
        }
    }

    /// Compares the digests with the expected checksums.
    ///
    /// - Throws: ``DownloadFailure/Reason/wrongChecksum(expected:found:source:)``.
    private func checkDigests() throws(DownloadFailure) {
        guard !expected.isEmpty else { return }
        try digest(upTo: mutableState.withLock { $0.prefix })
        let found = digests.withLock { $0.finish() }
        for (checksum, source) in expected {
            guard let actual = found.first(where: { $0.algorithm == checksum.algorithm }) else {
                // An unsupported algorithm in the server's response proves nothing.
                if source == .server { continue }
                throw DownloadFailure(.unsupportedChecksum(checksum.algorithm), path: file.path)
            }
            guard actual == checksum else {
                throw DownloadFailure(
                    .wrongChecksum(expected: checksum, found: actual, source: source), path: file.path)
            }
        }
    }
}
