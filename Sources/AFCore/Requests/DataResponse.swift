public import FoundationEssentials

/// A response whose value was made from a body in memory.
public typealias AFDataResponse<Success: Sendable> = DataResponse<Success, AFError>

/// How a request ended, with all that is known about it.
public struct DataResponse<Success: Sendable, Failure: Error>: Sendable {
    /// What was sent last, after adapters and redirects.
    public let request: URLRequest?
    /// The final response's head; `nil` where none came.
    public let response: HTTPURLResponse?
    /// `nil` where the body was empty.
    public let data: Data?
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

    /// The value; `nil` where something went wrong.
    public var value: Success? { try? result.get() }

    /// What went wrong; `nil` where nothing did.
    public var error: Failure? {
        if case .failure(let error) = result { error } else { nil }
    }

    /// The response with another value in place of its own.
    public func map<NewSuccess: Sendable>(
        _ transform: (Success) -> NewSuccess
    ) -> DataResponse<NewSuccess, Failure> {
        with(result.map(transform))
    }

    /// The response with another value in place of its own, or with the error that making it threw.
    public func tryMap<NewSuccess: Sendable>(
        _ transform: (Success) throws -> NewSuccess
    ) -> DataResponse<NewSuccess, any Error> {
        with(result.tryMap(transform))
    }

    /// The response with another error in place of its own.
    public func mapError<NewFailure: Error>(
        _ transform: (Failure) -> NewFailure
    ) -> DataResponse<Success, NewFailure> {
        with(result.mapError(transform))
    }

    /// The response with another error in place of its own, or with the one that making it threw.
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

extension DataResponse: CustomStringConvertible, CustomDebugStringConvertible {
    /// The result in words.
    public var description: String { "\(result)" }

    /// Several lines for people. Values of headers that hold secrets are not in it; bodies are.
    public var debugDescription: String {
        var report = ResponseReport()
        report.add(request)
        report.add(response, body: data ?? Data())
        report.add(metrics: metrics, serializationDuration: serializationDuration, result: description)
        return report.text
    }
}
