public import FoundationEssentials

/// A response whose value was made from a downloaded file.
public typealias AFDownloadResponse<Success: Sendable> = DownloadResponse<Success, AFError>

/// How a download ended, with all that is known about it.
public struct DownloadResponse<Success: Sendable, Failure: Error>: Sendable {
    /// What was sent last, after adapters and redirects.
    public let request: URLRequest?
    /// The final response's head; `nil` where none came.
    public let response: HTTPURLResponse?
    /// Where the download is.
    public let fileURL: URL?
    /// What is needed to go on with the download, if it was interrupted.
    public let resumeData: Data?
    /// Of the last attempt.
    public let metrics: TransferMetrics?
    /// What making the value took, in seconds.
    public let serializationDuration: Double
    /// The value, or what went wrong.
    public let result: Result<Success, Failure>

    /// A response of these parts.
    public init(
        request: URLRequest?,
        response: HTTPURLResponse?,
        fileURL: URL?,
        resumeData: Data?,
        metrics: TransferMetrics?,
        serializationDuration: Double,
        result: Result<Success, Failure>
    ) {
        self.request = request
        self.response = response
        self.fileURL = fileURL
        self.resumeData = resumeData
        self.metrics = metrics
        self.serializationDuration = serializationDuration
        self.result = result
    }

    /// The value; `nil` where something went wrong.
    public var value: Success? { try? result.get() }

    /// What went wrong; `nil` where nothing did.
    public var error: Failure? {
        if case .failure(let error) = result { error } else { nil }
    }

    /// The response with another value in place of its own.
    public func map<NewSuccess: Sendable>(
        _ transform: (Success) -> NewSuccess
    ) -> DownloadResponse<NewSuccess, Failure> {
        with(result.map(transform))
    }

    /// The response with another value in place of its own, or with the error that making it threw.
    public func tryMap<NewSuccess: Sendable>(
        _ transform: (Success) throws -> NewSuccess
    ) -> DownloadResponse<NewSuccess, any Error> {
        with(result.tryMap(transform))
    }

    /// The response with another error in place of its own.
    public func mapError<NewFailure: Error>(
        _ transform: (Failure) -> NewFailure
    ) -> DownloadResponse<Success, NewFailure> {
        with(result.mapError(transform))
    }

    /// The response with another error in place of its own, or with the one that making it threw.
    public func tryMapError<NewFailure: Error>(
        _ transform: (Failure) throws -> NewFailure
    ) -> DownloadResponse<Success, any Error> {
        with(result.tryMapError(transform))
    }

    private func with<NewSuccess: Sendable, NewFailure: Error>(
        _ result: Result<NewSuccess, NewFailure>
    ) -> DownloadResponse<NewSuccess, NewFailure> {
        DownloadResponse<NewSuccess, NewFailure>(
            request: request,
            response: response,
            fileURL: fileURL,
            resumeData: resumeData,
            metrics: metrics,
            serializationDuration: serializationDuration,
            result: result
        )
    }
}

extension DownloadResponse: CustomStringConvertible, CustomDebugStringConvertible {
    /// The result in words.
    public var description: String { "\(result)" }

    /// Several lines for people. Values of headers that hold secrets are not in it; the request's body is.
    public var debugDescription: String {
        var report = ResponseReport()
        report.add(request)
        report.add(response, body: nil)
        report.add("File URL", fileURL?.path ?? "None")
        report.add("Resume Data", resumeData.map { "\($0.count) bytes" } ?? "None")
        report.add(metrics: metrics, serializationDuration: serializationDuration, result: description)
        return report.text
    }
}
