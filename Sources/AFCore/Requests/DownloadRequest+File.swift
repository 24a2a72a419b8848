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
        /// Whether the content codings of the body are decoded; `nil` if it has none, or that of the file itself.
        let isDecoded: Bool?
    }

    let response: HTTPURLResponse
    let kind: DownloadWriter.Kind
    /// The length of a body that may arrive in one chunk; `nil` for any other, and after a smaller chunk.
    ///
    /// The file is then created after its end: it needs neither a partial file nor a record, which take longer than the
    /// transfer.
    private(set) var length: Int?
    /// The bytes that arrived meanwhile.
    private(set) var body: [UInt8] = []
    var destination: Destination?
    /// Whether the transfer is paused until the file is ready.
    private(set) var isAwaited = false

    /// The maximum length of a body that may arrive in one chunk: `CURL_MAX_WRITE_SIZE`.
    static let maximumLength = 16 << 10
    /// The number of bytes that are buffered; a single chunk may be larger.
    private static let capacity = 256 << 10

    /// - Parameter mayWaitForEnd: Whether the requested file may be created after the end of the body.
    init(_ response: HTTPURLResponse, _ kind: DownloadWriter.Kind, mayWaitForEnd: Bool) {
        self.response = response
        self.kind = kind
        let length = response.expectedContentLength
        guard response.headers.contentCodings.isEmpty, length > 0, length <= Self.maximumLength else { return }
        switch kind {
        case .passing: self.length = Int(length)
        case .resumable(nil) where mayWaitForEnd: self.length = Int(length)
        case .resumable, .continuing: break
        }
    }

    /// Buffers bytes.
    ///
    /// - Returns: `.pause` if there is no space.
    mutating func receive(_ bytes: UnsafeRawBufferPointer) -> Flow {
        guard body.isEmpty || body.count + bytes.count <= Self.capacity else {
            isAwaited = true
            return .pause
        }
        body.append(contentsOf: bytes)
        if body.count != length || bytes.count != length { length = nil }
        return .proceed
    }

    /// Returns the buffered bytes, which are then forgotten.
    mutating func takeBody() -> [UInt8] {
        defer { body = [] }
        return body
    }
}

/// Creating the file of a response. These methods run on the request's queue, as the disk may be slow; bytes that arrive
/// meanwhile are buffered, and the transfer pauses if there are too many.
extension DownloadRequest {
    /// Chooses the destination, and creates the file unless its body may arrive in one chunk.
    func prepareFile(_ pending: PendingFile) {
        do throws(DownloadFailure) {
            let (url, options) = fileDestination(for: pending.response)
            if options.contains(.keepPreviousFile) {
                keepFile(at: url, options, pending.response)
                return endPreparation()
            }
            try checkLength(of: pending.response, pending.kind)
            let checksums = options.contains(.skipChecksums) ? [] : try checksums(of: url)
            let isDecoded = decodesFile(at: url, options, pending)
            let waitsForEnd = files.withLock { files in
                files.pending?.destination = PendingFile.Destination(
                    url: url, options: options, checksums: checksums, isDecoded: isDecoded)
                return files.pending?.length != nil
            }
            letBodyBegin(isDecoded == true)
            if !waitsForEnd { createFile() }
        } catch {
            endPreparation(error)
        }
    }

    /// Whether a file has the body without its content codings; `nil` if the coding is the file's own, as that of an
    /// archive, and for the rest of a file.
    private func decodesFile(at url: URL, _ options: Options, _ pending: PendingFile) -> Bool? {
        if case .continuing = pending.kind { return nil }
        guard let session, !DecodableCoding.decoded(of: pending.response.headers.contentCodings).isEmpty,
            // Pages that are not the file are shown.
            options.contains(.skipChecksums) || !pending.response.isCodedFile(named: url.lastPathComponent)
        else { return nil }
        return session.configuration.decodesContent
    }

    private func letBodyBegin(_ isDecoded: Bool) {
        let isAwaited = files.withLock { files in
            files.decodesBody = files.decodesBody ?? isDecoded
            defer { files.isDecodingAwaited = false }
            return files.isDecodingAwaited
        }
        if isAwaited { task?.drain() }
    }

    /// Buffers bytes until the file is ready, on the transport's thread; `nil` after that.
    func receiveBeforeFile(_ bytes: UnsafeRawBufferPointer) -> Flow? {
        let (flow, isSplit) = files.withLock { files in
            let length = files.pending?.length
            return (files.pending?.receive(bytes), length != nil && files.pending?.length == nil)
        }
        // It has no effect if the file is created already.
        if isSplit { queue.async { self.createFile() } }
        return flow
    }

    /// Reports the progress of a body whose file is created later.
    func reportBody() {
        guard let task, let count = files.withLock({ $0.pending?.body.count }), count > 0 else { return }
        report(count, DownloadWriter.Progress(received: Int64(count), length: Int64(count)), from: task)
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
            if case .continuing = pending.kind, let task, let observers {
                let (offset, total) = (receiver.resumedBytes, receiver.length ?? 0)
                observers.notify {
                    $0.request(self, task: task, didResumeAtOffset: offset, expectedTotalBytes: total)
                }
            }
            if !pending.kind.isPassing, !isComplete { try divide(receiver, after: pending.response) }
            try writeBody(to: receiver, isReported: isComplete)
        } catch {
            // A file without a name leaves no partial file to be resumed.
            let (hasFile, isUnnamed) = files.withLock { ($0.receiver != nil, $0.receiver?.file.isUnnamed == true) }
            let isUnusable = !hasFile && error.reason.isOfDestination
            endPreparation(
                isUnnamed ? DownloadFailure(error.reason, path: destination.url.path) : error,
                unusableDestination: isUnusable ? destination.url : nil
            )
        }
    }

    /// Writes the buffered bytes until there are none, and lets the transfer continue.
    private func writeBody(to receiver: DownloadWriter, isReported: Bool) throws(DownloadFailure) {
        let segment = files.withLock { $0.segmented?.ownSegment }
        var isAwaited = false
        while let body = files.withLock({ files -> [UInt8]? in
            if let body = files.pending?.takeBody(), !body.isEmpty { return body }
            // Further bytes go to the file.
            isAwaited = files.pending.take()?.isAwaited ?? false
            return nil
        }) {
            let progress = try body.span.bytes.withUnsafeBytes { bytes throws(DownloadFailure) in
                if let segment { return try receiver.receive(bytes, ofSegment: segment).progress }
                let progress = try receiver.receive(bytes)
                // Other bytes may not follow soon.
                try receiver.flush()
                return progress
            }
            guard !isReported, let task else { continue }
            report(body.count, progress, from: task, resumed: receiver.resumedBytes)
        }
        if isAwaited { task?.drain() }
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
                isDecoded: destination.isDecoded,
                queue: self.queue,
                isComplete: isComplete
            )
        }
        if case .continuing = pending.kind { return try create(destination.url) }
        return try withFreeDestination(destination.url, create)
    }

    /// Ends the preparation without a file.
    private func endPreparation(_ failure: DownloadFailure? = nil, unusableDestination: URL? = nil) {
        files.withLock { files in
            if let failure { (files.failure, files.unusableDestination) = (failure, unusableDestination) }
            files.pending = nil
        }
        if unusableDestination != nil, let ownFailure { notifyMoveFailure(ownFailure) }
        letBodyBegin(true)
        // The rest of the body may take long.
        if failure != nil { task?.cancel() }
    }
}

extension DownloadRequest.Files {
    /// The failure of this side of the transfer. A destination that cannot have the file is a failure to move it, even
    /// if that is known before the end of the transfer.
    var ownFailure: AFError? {
        guard let failure else { return nil }
        guard let unusableDestination else { return .sessionTaskFailed(error: failure) }
        let source = URL(literalPath: PartialFile.path(for: unusableDestination.path))
        return .downloadedFileMoveFailed(error: failure, source: source, destination: unusableDestination)
    }
}
