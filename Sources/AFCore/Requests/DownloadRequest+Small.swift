internal import AFHTTP
internal import AFTransport
internal import Dispatch
internal import FoundationEssentials
internal import Synchronization

/// A file that may arrive in one chunk.
///
/// Then it is written at its end, outside of the transport's thread, and needs neither a partial file nor a record, which
/// take longer than the transfer.
struct SmallDownload: Sendable {
    let length: Int
    let destination: URL
    /// Creates the writer; see ``DownloadWriter``.
    let open: @Sendable (_ destination: URL, _ isComplete: Bool) throws(DownloadFailure) -> DownloadWriter
    var bytes: [UInt8] = []

    /// Returns the length of a body that fits into one chunk; `nil` for any other.
    static func length(of response: HTTPURLResponse, _ kind: DownloadWriter.Kind) -> Int? {
        guard case .resumable(nil) = kind, !response.isEncoded, response.statusCode == 200 else { return nil }
        let length = response.expectedContentLength
        // CURL_MAX_WRITE_SIZE
        return length > 0 && length <= 16 << 10 ? Int(length) : nil
    }
}

extension DownloadRequest {
    /// Keeps the complete body in memory.
    func hold(_ bytes: UnsafeRawBufferPointer) -> Flow {
        files.withLock { $0.small?.bytes = Array(bytes) }
        if let task { report(bytes.count, upTo: Int64(bytes.count), of: Int64(bytes.count), from: task) }
        return .proceed
    }

    /// Creates the file and writes the bytes received so far.
    ///
    /// - Returns: The writer; `nil` after a failure, which is recorded.
    @discardableResult
    func openFile(of small: SmallDownload, isComplete: Bool) -> DownloadWriter? {
        do throws(DownloadFailure) {
            let receiver = try withFreeDestination(small.destination) { (url) throws(DownloadFailure) in
                try small.open(url, isComplete)
            }
            files.withLock { ($0.receiver, $0.small) = (receiver, nil) }
            if !small.bytes.isEmpty {
                _ = try small.bytes.span.bytes.withUnsafeBytes { bytes throws(DownloadFailure) in
                    try receiver.receive(bytes)
                }
            }
            return receiver
        } catch {
            files.withLock { files in
                // A file without a name leaves no partial file to be resumed.
                let path = files.receiver?.file.isUnnamed == true ? small.destination.path : error.path
                (files.failure, files.small) = (DownloadFailure(error.reason, path: path), nil)
            }
            return nil
        }
    }

    /// Completes a download of one chunk.
    func conclude(_ small: SmallDownload, then completion: @escaping @Sendable (AFError?) -> Void) {
        // A queue of its own: syncing blocks a thread, and downloads are synced side by side.
        DispatchQueue(label: "org.afcli.download").async {
            let receiver = self.openFile(of: small, isComplete: true)
            let error = receiver.map { self.complete($0) } ?? self.ownFailure
            self.files.withLock { $0.receiver = nil }
            completion(error)
        }
    }
}
