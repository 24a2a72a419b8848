internal import Synchronization

/// Receiving a file in several segments at once.
extension DownloadWriter {
    /// Divides the missing ranges among transfers and reserves disk space.
    ///
    /// - Returns: The segment for the current response; `nil` if nothing is missing.
    /// - Throws: ``DownloadFailure`` if the disk is full.
    func divide(into count: Int, ofAtLeast minimum: Int64) throws(DownloadFailure) -> SegmentMap.Segment? {
        let record = mutableState.withLock { $0.record }
        guard let length = record.length else { return nil }
        var map = SegmentMap(length: length, present: record.present)
        map.divide(into: count, ofAtLeast: minimum)
        guard let segment = map.take(ofAtLeast: minimum) else { return nil }
        try file.reserve(length)
        mutableState.withLock { $0.segments = map }
        return segment
    }

    /// Returns a segment for another transfer.
    func takeSegment(ofAtLeast minimum: Int64) -> SegmentMap.Segment? {
        mutableState.withLock { $0.segments?.take(ofAtLeast: minimum) }
    }

    /// Makes the missing range of a segment available to other transfers.
    func returnSegment(_ number: Int) { mutableState.withLock { $0.segments?.returnSegment(number) } }

    /// Returns the missing range of a segment; `nil` if it is complete.
    func rest(ofSegment number: Int) -> Range<Int64>? { mutableState.withLock { $0.segments?.rest(of: number) } }

    /// Writes bytes at the position of a segment; bytes after its end belong to another segment.
    ///
    /// The end may move during the write; then another transfer downloads the same bytes.
    ///
    /// - Returns: The number of bytes of the file so far, including earlier attempts.
    func receive(_ bytes: UnsafeRawBufferPointer, ofSegment number: Int) throws(DownloadFailure) -> Int64 {
        guard let rest = rest(ofSegment: number) else { return mutableState.withLock { $0.receivedBytes } }
        let accepted = UnsafeRawBufferPointer(rebasing: bytes.prefix(rest.count))
        try file.write(accepted, at: rest.lowerBound)
        return note { $0.segments?.advance(number, by: Int64(accepted.count)) }
    }

    /// The validators and the length of the file.
    var version: DownloadRecord { mutableState.withLock { $0.record } }
}
