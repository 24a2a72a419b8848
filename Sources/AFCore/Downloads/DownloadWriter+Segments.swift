internal import Synchronization

/// Receiving a file in several segments at once.
extension DownloadWriter {
    /// Divides the missing ranges among transfers and reserves disk space.
    ///
    /// - Returns: The part for the current response; `nil` if nothing is missing.
    /// - Throws: ``DownloadFailure`` if the disk is full.
    func divide(into count: Int, ofAtLeast minimum: Int64) throws(DownloadFailure) -> SegmentMap.Piece? {
        let record = mutableState.withLock { $0.record }
        guard let length = record.length else { return nil }
        var map = SegmentMap(length: length, present: record.present)
        map.divide(into: count, ofAtLeast: minimum)
        guard let piece = map.take(ofAtLeast: minimum) else { return nil }
        try file.reserve(length)
        mutableState.withLock { $0.segments = map }
        return piece
    }

    /// Returns a part for another transfer.
    func takePiece(ofAtLeast minimum: Int64) -> SegmentMap.Piece? {
        mutableState.withLock { $0.segments?.take(ofAtLeast: minimum) }
    }

    /// Returns the rest of a part to the pool.
    func giveBackPiece(_ number: Int) { mutableState.withLock { $0.segments?.giveBack(number) } }

    /// Returns the missing range of a part; `nil` if it is complete.
    func rest(ofPiece number: Int) -> Range<Int64>? { mutableState.withLock { $0.segments?.rest(of: number) } }

    /// Writes bytes at the position of a part; bytes after its end belong to another part.
    ///
    /// The end may move during the write; then another transfer downloads the same bytes.
    ///
    /// - Returns: The number of bytes of the file so far, including earlier attempts.
    func receive(_ bytes: UnsafeRawBufferPointer, ofPiece number: Int) throws(DownloadFailure) -> Int64 {
        guard let rest = rest(ofPiece: number) else { return mutableState.withLock { $0.receivedBytes } }
        let wanted = UnsafeRawBufferPointer(rebasing: bytes.prefix(rest.count))
        try file.write(wanted, at: rest.lowerBound)
        return note { $0.segments?.advance(number, by: Int64(wanted.count)) }
    }

    /// The validators and the length of the file.
    var version: DownloadRecord { mutableState.withLock { $0.record } }
}
