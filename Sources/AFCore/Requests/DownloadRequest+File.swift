internal import AFHTTP
internal import AFTransport
internal import Dispatch
internal import FoundationEssentials
internal import Synchronization

/// A response whose file is not created yet.
struct PendingFile: Sendable {
    /// The caller's choice.
    struct Destination: Sendable {
        let url: URL
        let options: DownloadOptions
        let checksums: [Checksum]
    }

    let response: HTTPURLResponse
    let kind: DownloadWriter.Kind
    /// The length of a body that may arrive in one chunk; `nil` for any other, and after a smaller chunk.
    ///
    /// The file is then created after its end: it needs neither a partial file nor a record, which take longer than the
    /// transfer.
    private(set) var length: Int?
    /// The body that arrived in one chunk.
    private(set) var body: [UInt8]?
    var destination: Destination?
    /// Whether the transfer is paused until the file is ready.
    private(set) var isAwaited = false

    /// - Parameter mayBeWhole: Whether the requested file may be created after the end of the body.
    init(_ response: HTTPURLResponse, _ kind: DownloadWriter.Kind, mayBeWhole: Bool) {
        self.response = response
        self.kind = kind
        let length = response.expectedContentLength
        guard !response.isEncoded, length > 0, length <= Self.maximumLength else { return }
        switch kind {
        case .passing: self.length = Int(length)
        case .resumable(nil) where mayBeWhole: self.length = Int(length)
        case .resumable, .continuing: break
        }
    }

    /// CURL_MAX_WRITE_SIZE
    static let maximumLength: Int64 = 16 << 10

    /// Accepts a complete body; other bytes wait for the file.
    mutating func receive(_ bytes: UnsafeRawBufferPointer) -> Flow {
        if body == nil, bytes.count == length {
            body = Array(bytes)
            return .proceed
        }
        (length, isAwaited) = (nil, true)
        return .pause
    }
}

/// Creating the file of a response. These methods run on the request's queue, as the disk may be slow; bytes that arrive
/// meanwhile pause the transfer.
extension DownloadRequest {
    /// Chooses the destination, and creates the file unless its body may arrive in one chunk.
    func prepareFile(_ pending: PendingFile) {
        do throws(DownloadFailure) {
            let (url, options) = place(for: pending.response)
            if options.contains(.keepPreviousFile) {
                keepFile(at: url, options, pending.response)
                return endPreparation()
            }
            try checkLength(of: pending.response, pending.kind)
            let checksums = options.contains(.skipChecksums) ? [] : try checksums(of: url)
            let (waits, body) = files.withLock { files in
                files.pending?.destination = PendingFile.Destination(url: url, options: options, checksums: checksums)
                return (files.pending?.length != nil, files.pending?.body)
            }
            if let body { report(whole: body.count) }
            if !waits { createFile() }
        } catch {
            endPreparation(error)
        }
    }

    /// Accepts bytes until the file is ready, on the transport's thread; `nil` after that.
    func receiveBeforeFile(_ bytes: UnsafeRawBufferPointer) -> Flow? {
        let (flow, hasDestination) = files.withLock { ($0.pending?.receive(bytes), $0.pending?.destination != nil) }
        switch flow {
        case .proceed where hasDestination: report(whole: bytes.count)
        // It has no effect if the file is created already.
        case .pause where hasDestination: queue.async { self.createFile() }
        default: break
        }
        return flow
    }

    private func report(whole count: Int) {
        if let task { report(count, upTo: Int64(count), of: Int64(count), from: task) }
    }

    /// Creates the file, unless it is ready or the preparation has failed.
    ///
    /// - Parameter isComplete: Whether the complete body was received.
    func createFile(isComplete: Bool = false) {
        guard let pending = files.withLock({ $0.pending }), let destination = pending.destination else { return }
        do throws(DownloadFailure) {
            let receiver = try makeWriter(pending, destination, isComplete: isComplete)
            let left = files.withLock { files -> DownloadRecord? in
                files.receiver = receiver
                guard case .resumable = pending.kind else { return nil }
                return files.record.take()
            }
            // A changed destination leaves the partial file of the earlier attempt: remove it.
            if let left, left.partialPath != receiver.path { left.discardCopy() }
            if case .continuing = pending.kind {
                notifyTask { monitor, task in
                    monitor.request(
                        self,
                        task: task,
                        didResumeAtOffset: receiver.resumedBytes,
                        expectedTotalBytes: receiver.length ?? 0
                    )
                }
            }
            if let body = pending.body {
                _ = try body.span.bytes.withUnsafeBytes { bytes throws(DownloadFailure) in
                    try receiver.receive(bytes)
                }
            } else if !pending.kind.isPassing {
                try divide(receiver, after: pending.response)
            }
            endPreparation()
        } catch {
            // A file without a name leaves no partial file to be resumed.
            let isUnnamed = files.withLock { $0.receiver?.file.isUnnamed == true }
            endPreparation(isUnnamed ? DownloadFailure(error.reason, path: destination.url.path) : error)
        }
    }

    private func makeWriter(
        _ pending: PendingFile,
        _ destination: PendingFile.Destination,
        isComplete: Bool
    ) throws(DownloadFailure) -> DownloadWriter {
        let requested = files.withLock { $0.url }
        let create = { (url: URL) throws(DownloadFailure) in
            try DownloadWriter(
                pending.response,
                to: requested,
                kind: pending.kind,
                destination: url.path,
                checksums: destination.checksums,
                options: destination.options,
                queue: self.queue,
                isComplete: isComplete
            )
        }
        if case .continuing = pending.kind { return try create(destination.url) }
        return try withFreeDestination(destination.url, create)
    }

    /// Lets the transfer continue, or ends it with a failure.
    private func endPreparation(_ failure: DownloadFailure? = nil) {
        let isAwaited = files.withLock { files in
            if let failure { files.failure = failure }
            return files.pending.take()?.isAwaited ?? false
        }
        if isAwaited { task?.drain() }
    }
}
