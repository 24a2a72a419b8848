internal import AFHTTP
internal import AFTransport
internal import FoundationEssentials
internal import Synchronization

/// A part of a file, fetched beside the transfer of a ``DownloadRequest`` that is ``DownloadRequest/segmented(into:ofAtLeast:)``.
///
/// The download makes it, starts it, and ends with its failure. Otherwise it is a request like any other: adapters,
/// retriers and monitors of session and download hear of it by itself, and its redirects are followed from the first URL
/// on, so that the rules of credentials hold for it as well.
///
/// `@unchecked` as its superclass is; every property added here is immutable or a `Mutex`.
public final class SegmentRequest: Request, @unchecked Sendable {
    private struct Attempt {
        /// What was asked for.
        var range: Range<Int64>?
        var failure: AFError?
    }

    /// Whose part it is; `nil` once that is gone.
    public weak let download: DownloadRequest?
    /// What it fetches, by the number that the file's map knows it by.
    let piece: Int
    private let attempt = Mutex(Attempt())

    init(_ piece: Int, of download: DownloadRequest, in session: Session) {
        self.piece = piece
        self.download = download
        super.init(RequestOrigin(session: session, interceptor: download.interceptor, shouldAutomaticallyResume: false))
        let (credential, handler, monitor) = download.contents.withLock { contents in
            (contents.credential, contents.redirectHandler, contents.eventMonitor)
        }
        contents.withLock { contents in
            (contents.credential, contents.redirectHandler, contents.eventMonitor) = (credential, handler, monitor)
        }
    }

    override func makeURLRequest() throws -> URLRequest {
        guard let download, let range = download.rest(ofPiece: piece) else { throw AFError.explicitlyCancelled }
        attempt.withLock { $0.range = range }
        return try download.makeURLRequest(for: range)
    }

    override var receiveBufferSize: Int { download?.receiveBufferSize ?? 0 }
    override var sharedRate: SharedRate? { download?.sharedRate }

    override func receive(_ response: HTTPURLResponse) {
        guard let range = attempt.withLock({ $0.range }), let download else { return }
        if download.isPart(response, of: range) { return }
        let failure: AFError =
            switch response.statusCode {
            // Another version, or a server that does not do what it promised.
            case 200, 206, 412, 416: .sessionTaskFailed(error: DownloadFailure(.wrongRange, path: ""))
            case let code: .responseValidationFailed(reason: .unacceptableStatusCode(code: code))
            }
        attempt.withLock { $0.failure = failure }
    }

    override func receive(_ bytes: UnsafeRawBufferPointer) -> Flow {
        guard let task, let download, attempt.withLock({ $0.failure == nil }) else { return .stop }
        return download.receive(bytes, ofPiece: piece, from: task)
    }

    override var ownFailure: AFError? { attempt.withLock { $0.failure } }

    /// Another segment may have taken over the end of it.
    override var needsNoBody: Bool {
        attempt.withLock({ $0.failure == nil }) && download?.rest(ofPiece: piece) == nil
    }

    override func conclude(after error: AFError?, then goOn: @escaping @Sendable (AFError?) -> Void) {
        let isWhole = download?.rest(ofPiece: piece) == nil
        goOn(error ?? (isWhole ? nil : .shortSegment))
    }

    /// What the disk, or the server's other version, is to blame for.
    override var isBeyondRetry: Bool {
        download?.hasFailed != false || attempt.withLock({ $0.failure?.underlyingError is DownloadFailure })
    }

    override func resetForRetry() { attempt.withLock { $0 = Attempt() } }
}

extension AFError {
    /// A response that said it was the whole of a range, and was not.
    static var shortSegment: AFError {
        .sessionTaskFailed(error: TransferFailure(.truncated, "the server sent less than the range that it announced"))
    }
}
