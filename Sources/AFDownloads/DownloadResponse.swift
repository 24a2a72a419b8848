public import AFRequests
public import FoundationEssentials

/// A response with a value that was serialized from a downloaded file.
public typealias AFDownloadResponse<Success: Sendable> = DownloadResponse<Success, AFError>

/// The result of a download with its response and metrics.
public struct DownloadResponse<Success: Sendable, Failure: Error>: SerializedResponse {
    /// The last request, after adapters and redirects.
    public let request: URLRequest?
    /// The final response's header; `nil` if none was received.
    public let response: HTTPURLResponse?
    /// The URL of the downloaded file.
    public let fileURL: URL?
    /// The data for resuming an interrupted download.
    public let resumeData: Data?
    /// The metrics of the last attempt.
    public let metrics: TransferMetrics?
    /// The duration of serialization in seconds.
    public let serializationDuration: Double
    /// The value or the error.
    public let result: Result<Success, Failure>

    /// Creates a response.
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

    /// Returns the response with its value transformed.
    public func map<NewSuccess: Sendable>(
        _ transform: (Success) -> NewSuccess
    ) -> DownloadResponse<NewSuccess, Failure> {
        with(result.map(transform))
    }

    /// Returns the response with its value transformed, or with the error that the closure throws.
    public func tryMap<NewSuccess: Sendable>(
        _ transform: (Success) throws -> NewSuccess
    ) -> DownloadResponse<NewSuccess, any Error> {
        with(result.tryMap(transform))
    }

    /// Returns the response with its error transformed.
    public func mapError<NewFailure: Error>(
        _ transform: (Failure) -> NewFailure
    ) -> DownloadResponse<Success, NewFailure> {
        with(result.mapError(transform))
    }

    /// Returns the response with its error transformed, or with the error that the closure throws.
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

extension DownloadResponse {
    /// The trailer fields, received after the body (RFC 9110 §6.5).
    public var trailers: HTTPHeaders { metrics?.trailers ?? HTTPHeaders() }
}

extension DownloadResponse: CustomStringConvertible, CustomDebugStringConvertible {
    /// A description of the result.
    public var description: String { "\(result)" }

    /// A description of several lines. Secret header fields are omitted; the request's body is included.
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
