public import FoundationEssentials

/// A response with a value that was serialized from a body in memory.
public typealias AFDataResponse<Success: Sendable> = DataResponse<Success, AFError>

/// The result of a request with its response and metrics.
public struct DataResponse<Success: Sendable, Failure: Error>: SerializedResponse {
    /// The last request, after adapters and redirects.
    public let request: URLRequest?
    /// The final response's header; `nil` if none was received.
    public let response: HTTPURLResponse?
    /// The body; `nil` if it is empty.
    public let data: Data?
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
        data: Data?,
        metrics: TransferMetrics?,
        serializationDuration: Double,
        result: Result<Success, Failure>
    ) {
        self.request = request
        self.response = response
        self.data = data
        self.metrics = metrics
        self.serializationDuration = serializationDuration
        self.result = result
    }

    /// Returns the response with its value transformed.
    public func map<NewSuccess: Sendable>(
        _ transform: (Success) -> NewSuccess
    ) -> DataResponse<NewSuccess, Failure> {
        with(result.map(transform))
    }

    /// Returns the response with its value transformed, or with the error that the closure throws.
    public func tryMap<NewSuccess: Sendable>(
        _ transform: (Success) throws -> NewSuccess
    ) -> DataResponse<NewSuccess, any Error> {
        with(result.tryMap(transform))
    }

    /// Returns the response with its error transformed.
    public func mapError<NewFailure: Error>(
        _ transform: (Failure) -> NewFailure
    ) -> DataResponse<Success, NewFailure> {
        with(result.mapError(transform))
    }

    /// Returns the response with its error transformed, or with the error that the closure throws.
    public func tryMapError<NewFailure: Error>(
        _ transform: (Failure) throws -> NewFailure
    ) -> DataResponse<Success, any Error> {
        with(result.tryMapError(transform))
    }

    private func with<NewSuccess: Sendable, NewFailure: Error>(
        _ result: Result<NewSuccess, NewFailure>
    ) -> DataResponse<NewSuccess, NewFailure> {
        DataResponse<NewSuccess, NewFailure>(
            request: request,
            response: response,
            data: data,
            metrics: metrics,
            serializationDuration: serializationDuration,
            result: result
        )
    }
}

extension DataResponse {
    /// The trailer fields, received after the body (RFC 9110 §6.5).
    public var trailers: HTTPHeaders { metrics?.trailers ?? HTTPHeaders() }
}

extension DataResponse: CustomStringConvertible, CustomDebugStringConvertible {
    /// A description of the result.
    public var description: String { "\(result)" }

    /// A description of several lines. Secret header fields are omitted; bodies are included.
    public var debugDescription: String {
        var report = ResponseReport()
        report.add(request)
        report.add(response, body: data ?? Data())
        report.add(metrics: metrics, serializationDuration: serializationDuration, result: description)
        return report.text
    }
}
