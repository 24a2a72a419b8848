public import AFHTTP
internal import AFTransport
public import FoundationEssentials
internal import Synchronization

/// A request whose response body goes to a file.
///
/// It grows in a partial file beside its destination and gets its name once it is whole: what stands there before stays
/// until then. Another attempt goes on where the last one ended, if the server can prove that the rest belongs to it.
public final class DownloadRequest: Request, @unchecked Sendable {
    public struct Options: OptionSet, Hashable, Sendable {
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }

        public static let createIntermediateDirectories = Options(rawValue: 1 << 0)
        /// Without it, a file at the destination is an error.
        public static let removePreviousFile = Options(rawValue: 1 << 1)
    }

    /// Says where the file goes, given where it would go otherwise and the final response's head.
    ///
    /// Called on the transport's thread, before the first byte of the body: it must not wait for anything.
    public typealias Destination =
        @Sendable (_ temporaryURL: URL, _ response: HTTPURLResponse) -> (destinationURL: URL, options: Options)

    /// What is downloaded.
    public enum Downloadable: Sendable {
        case request(any URLRequestConvertible)
        case resumeData(Data)
    }

    public typealias Validation = @Sendable (URLRequest?, HTTPURLResponse, URL?) -> ValidationResult

    private struct Files {
        /// What an earlier attempt left.
        var record: DownloadRecord?
        var receiver: FileReceiver?
        var failure: DownloadFailure?
        var fileURL: URL?
        var isStartingOver = false
    }

    public let downloadable: Downloadable
    private let destination: Destination?
    private let files: Mutex<Files>

    init(_ downloadable: Downloadable, resumeData: Data?, destination: Destination?, _ origin: RequestOrigin) {
        self.downloadable = downloadable
        self.destination = destination
        files = Mutex(Files(record: resumeData.flatMap { try? DownloadRecord(json: $0) }))
        super.init(origin)
    }

    /// Where the file is, once it is whole.
    public var fileURL: URL? { files.withLock(\.fileURL) }

    /// What it takes to go on with a download that ended early; see ``DownloadRecord``. `nil` where that is impossible.
    public var resumeData: Data? {
        files.withLock { $0.record.flatMap { $0.isResumable ? $0.json : nil } }
    }

    /// The first file of every session without a destination, and what a `Destination` is offered.
    public static func temporaryURL(for id: UUID) -> URL {
        FileManager.default.temporaryDirectory.appending(path: "afcli-\(id.uuidString)")
    }

    /// A destination in a folder, named as the URL's last component.
    public static func suggestedDownloadDestination(in folder: URL, options: Options = []) -> Destination {
        { temporaryURL, response in
            let name = response.url?.lastPathComponent ?? ""
            let isName = !name.isEmpty && name != "/" && !name.hasPrefix(".")
            return (folder.appending(path: isName ? name : temporaryURL.lastPathComponent), options)
        }
    }

    /// Cancels; with `true`, ``resumeData`` is there once the request has ended.
    @discardableResult
    public func cancel(producingResumeData shouldProduceResumeData: Bool) -> Self {
        cancel()
    }

    /// Cancels, and calls back with the resume data where there is any.
    @discardableResult
    public func cancel(byProducingResumeData handler: @escaping @Sendable (_ data: Data?) -> Void) -> Self {
        appendFinishHandler { [weak self] in handler(self?.resumeData) }
        return cancel()
    }

    /// Adds a check of the response; checks run in order until one fails.
    @discardableResult
    public func validate(_ validation: @escaping Validation) -> Self {
        addValidator { request in
            guard let request = request as? DownloadRequest, let response = request.response else { return nil }
            let result = validation(request.request, response, request.fileURL)
            request.tell {
                $0.request(
                    request,
                    didValidateRequest: request.request,
                    response: response,
                    fileURL: request.fileURL,
                    withResult: result
                )
            }
            return result.validationError
        }
        return self
    }

    // The attempt.

    override func makeURLRequest() throws -> URLRequest {
        var request =
            switch downloadable {
            case .request(let convertible): try convertible.asURLRequest()
            case .resumeData(let data): try URLRequest(url: DownloadRecord(json: data).url, method: .get)
            }
        // A coded body has no ranges, and its length is not that of the file.
        if request.headers["Accept-Encoding"] == nil { request.headers["Accept-Encoding"] = "identity" }
        files.withLock(\.record)?.ask(in: &request)
        return request
    }

    override func adjusted(_ configuration: SessionConfiguration) -> SessionConfiguration {
        var configuration = configuration
        // Fewer and larger writes.
        configuration.receiveBufferSize = max(configuration.receiveBufferSize, 512 * 1024)
        return configuration
    }

    override func receive(_ response: HTTPURLResponse) {
        let record = files.withLock(\.record)
        let isContinuing = record.map { $0.isResumable && $0.isContinued(by: response) } ?? false
        do throws(DownloadFailure) {
            if let record, record.isResumable, !isContinuing, [206, 416].contains(response.statusCode) {
                throw DownloadFailure(
                    response.statusCode == 416 ? .rangeRefused : .wrongRange, path: record.partialPath)
            }
            let place = place(for: response)
            let receiver = try FileReceiver(
                response,
                continuing: isContinuing ? record : nil,
                destination: place.url.path,
                options: place.options
            )
            files.withLock { $0.receiver = receiver }
        } catch {
            files.withLock { $0.failure = error }
        }
    }

    private func place(for response: HTTPURLResponse) -> (url: URL, options: Options) {
        let temporaryURL = Self.temporaryURL(for: id)
        guard let destination else { return (temporaryURL, [.removePreviousFile]) }
        let (url, options) = destination(temporaryURL, response)
        tell { $0.request(self, didCreateDestinationURL: url) }
        return (url, options)
    }

    override func receive(_ bytes: UnsafeRawBufferPointer) -> Flow {
        guard let receiver = files.withLock({ $0.failure == nil ? $0.receiver : nil }) else { return .stop }
        do throws(DownloadFailure) {
            try receiver.receive(bytes)
        } catch {
            files.withLock { $0.failure = error }
            return .stop
        }
        didReceive(
            TransferProgress(
                completedUnitCount: receiver.receivedBytes,
                totalUnitCount: receiver.length ?? 0,
                resumedUnitCount: receiver.resumedBytes
            )
        )
        return .proceed
    }

    override func settle(after error: AFError?) -> AFError? {
        let (receiver, failure) = files.withLock { ($0.receiver.take(), $0.failure) }
        guard error == nil, failure == nil, let receiver else {
            let record = receiver?.interrupt()
            files.withLock { $0.record = record ?? $0.record }
            return failure.map { .sessionTaskFailed(error: $0) }
        }
        do throws(DownloadFailure) {
            try receiver.complete()
            let url = URL(filePath: receiver.destination)
            files.withLock { ($0.fileURL, $0.record) = (url, nil) }
            tell { [task] in $0.request(self, didFinishDownloadingUsing: task, with: .success(url)) }
            return nil
        } catch {
            let source = URL(filePath: PartialFile.path(for: receiver.destination))
            let moveError = AFError.downloadedFileMoveFailed(
                error: error,
                source: source,
                destination: URL(filePath: receiver.destination)
            )
            tell { [task] in $0.request(self, didFinishDownloadingUsing: task, with: .failure(moveError)) }
            return moveError
        }
    }

    /// A server that cannot continue the file is asked once for all of it.
    override func startsOver(after error: AFError) -> Bool {
        guard let failure = error.underlyingError as? DownloadFailure,
            [.wrongRange, .rangeRefused].contains(failure.reason)
        else { return false }
        return files.withLock { files in
            defer { (files.record, files.isStartingOver) = (nil, true) }
            return !files.isStartingOver
        }
    }

    override func resetForRetry() {
        files.withLock { ($0.failure, $0.fileURL) = (nil, nil) }
    }
}
