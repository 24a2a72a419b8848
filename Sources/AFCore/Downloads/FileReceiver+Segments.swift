internal import Synchronization

/// A file that is filled in several places at once.
extension FileReceiver {
    /// Divides what is missing among several transfers, and makes room for all of it.
    ///
    /// - Returns: What the response at hand is to bring of it; `nil` where nothing is missing.
    /// - Throws: ``DownloadFailure`` where the disk has no room.
    func divide(into count: Int, ofAtLeast minimum: Int64) throws(DownloadFailure) -> SegmentMap.Piece? {
        let record = contents.withLock { $0.record }
        guard let length = record.length else { return nil }
        var map = SegmentMap(length: length, present: record.present)
        map.divide(into: count, ofAtLeast: minimum)
        guard let piece = map.take(ofAtLeast: minimum) else { return nil }
        try file.reserve(length)
        contents.withLock { $0.segments = map }
        return piece
    }

    /// What another transfer can fetch.
    func takePiece(ofAtLeast minimum: Int64) -> SegmentMap.Piece? {
        contents.withLock { $0.segments?.take(ofAtLeast: minimum) }
    }

    /// Nobody fetches the rest of a piece any more.
    func giveBackPiece(_ number: Int) { contents.withLock { $0.segments?.giveBack(number) } }

    /// What a piece lacks; `nil` where that is nothing.
    func rest(ofPiece number: Int) -> Range<Int64>? { contents.withLock { $0.segments?.rest(of: number) } }

    /// Puts bytes where a piece goes on; those behind its end are another piece's.
    ///
    /// The end may come nearer while they are written. Then somebody else brings the same bytes again.
    ///
    /// - Returns: The bytes of the whole so far, those of earlier attempts included.
    func receive(_ bytes: UnsafeRawBufferPointer, ofPiece number: Int) throws(DownloadFailure) -> Int64 {
        guard let rest = rest(ofPiece: number) else { return contents.withLock { $0.receivedBytes } }
        let wanted = UnsafeRawBufferPointer(rebasing: bytes.prefix(rest.count))
        try file.write(wanted, at: rest.lowerBound)
        return note { $0.segments?.advance(number, by: Int64(wanted.count)) }
    }

    /// What proves to the server which version is meant, and the length of the whole.
    var version: DownloadRecord { contents.withLock { $0.record } }
}
