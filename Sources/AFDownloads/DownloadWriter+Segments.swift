internal import AFRequests
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
        var map = SegmentMap(
            length: length, present: record.present, overlap: record.overlap ?? DownloadRecord.maximumOverlap)
        map.divide(into: count, ofAtLeast: minimum)
        guard let segment = map.take(ofAtLeast: minimum) else { return nil }
        try file.reserve(length)
        mutableState.withLock { $0.segments = map }
        return segment
    }

    /// Makes the rest of a sequential download available to other transfers, after ``flush()``.
    func openRest() {
        mutableState.withLock { mutableState in
            guard let length = mutableState.record.length else { return }
            mutableState.segments = SegmentMap(
                length: length, present: [0..<mutableState.received], overlap: mutableState.overlap)
        }
    }

    /// Lets the transfer of a segment begin before its missing range, so that the bytes on disk are compared.
    ///
    /// - Parameter new: The number of bytes that the segment's latest transfer received.
    func rejoin(_ number: Int, after new: Int64) {
        // So that each transfer receives new bytes.
        let overlap = min(DownloadRecord.maximumOverlap, max(1, new / 2))
        mutableState.withLock { $0.segments?.rejoin(number, overlap: overlap) }
    }

    /// Returns a segment for another transfer.
    func takeSegment(ofAtLeast minimum: Int64) -> SegmentMap.Segment? {
        mutableState.withLock { $0.segments?.take(ofAtLeast: minimum) }
    }

    /// Makes the missing range of a segment available to other transfers.
    func returnSegment(_ number: Int) { mutableState.withLock { $0.segments?.returnSegment(number) } }

    /// Returns the missing range of a segment; `nil` if it is complete.
    func rest(ofSegment number: Int) -> SegmentMap.Missing? { mutableState.withLock { $0.segments?.rest(of: number) } }

    /// Writes bytes at the position of a segment; bytes after its end belong to another segment.
    ///
    /// The end may move during the write; then another transfer downloads the same bytes.
    ///
    /// - Returns: The progress of the file, and whether the segment is complete.
    func receive(
        _ bytes: UnsafeRawBufferPointer,
        ofSegment number: Int
    ) throws(DownloadFailure) -> (progress: Progress, isComplete: Bool) {
        guard let rest = rest(ofSegment: number) else { return (mutableState.withLock { $0.progress }, true) }
        let accepted = UnsafeRawBufferPointer(rebasing: bytes.prefix(rest.requested.count))
        let overlap = Int(min(rest.range.lowerBound - rest.start, Int64(accepted.count)))
        if overlap > 0 { try compare(UnsafeRawBufferPointer(rebasing: accepted[..<overlap]), at: rest.start) }
        let new = UnsafeRawBufferPointer(rebasing: accepted[overlap...])
        try file.write(new, at: rest.start + Int64(overlap))
        let (progress, isComplete, work) = mutableState.withLock { mutableState in
            mutableState.segments?.advance(number, by: Int64(accepted.count))
            let work = takeWork(&mutableState, saves: isRecorded && mutableState.isSaveDue())
            return (mutableState.progress, mutableState.segments?.rest(of: number) == nil, work)
        }
        enqueue(work)
        return (progress, isComplete)
    }

    /// The validators and the length of the file.
    var version: DownloadRecord { mutableState.withLock { $0.record } }
}
