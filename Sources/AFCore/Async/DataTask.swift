public import AFHTTP
public import FoundationEssentials

/// The asynchronous result of a data request, which is started when the task is created.
public struct DataTask<Value: Sendable>: Sendable {
    private let request: DataRequest
    private let promise: Promise<AFDataResponse<Value>>
    private let isCancelling: Bool

    fileprivate init(
        _ request: DataRequest,
        _ promise: Promise<AFDataResponse<Value>>,
        automaticallyCancelling isCancelling: Bool
    ) {
        self.request = request
        self.promise = promise
        self.isCancelling = isCancelling
    }

    /// The response, after all retries.
    public var response: AFDataResponse<Value> {
        get async {
            guard isCancelling else { return await promise.value }
            return await withTaskCancellationHandler {
                await promise.value
            } onCancel: {
                request.cancel()
            }
        }
    }

    /// The value or the error.
    public var result: Result<Value, AFError> { get async { await response.result } }

    /// The value.
    ///
    /// - Throws: ``AFError`` after all retries.
    public var value: Value { get async throws { try await result.get() } }

    /// Cancels the request: awaiting tasks receive `AFError.explicitlyCancelled`, unless it failed before.
    public func cancel() { request.cancel() }
    /// Starts or resumes the request.
    public func resume() { request.resume() }
    /// Suspends the transfer until ``resume()``.
    public func suspend() { request.suspend() }
}

/// Asynchronous results of data requests. Each method starts the request.
///
/// `automaticallyCancelling` cancels the request when the awaiting task is cancelled.
extension DataRequest {
    /// Returns the response, serialized by a serializer.
    public func serializingResponse<Serializer: DataResponseSerializerProtocol>(
        using serializer: Serializer,
        automaticallyCancelling: Bool = true
    ) -> DataTask<Serializer.SerializedObject> {
        // The response would not be read, so that no request is sent.
        if automaticallyCancelling, Task.isCancelled { cancel() }
        let promise = Promise<AFDataResponse<Serializer.SerializedObject>>()
        respond(.inline, using: serializer) { promise.fulfil($0) }
        return DataTask(self, promise, automaticallyCancelling: automaticallyCancelling)
    }

    /// Returns the body as bytes.
    public func serializingData(
        automaticallyCancelling: Bool = true,
        dataPreprocessor: any DataPreprocessor = DataResponseSerializer.defaultDataPreprocessor,
        emptyResponseCodes: Set<Int> = DataResponseSerializer.defaultEmptyResponseCodes,
        emptyRequestMethods: Set<HTTPMethod> = DataResponseSerializer.defaultEmptyRequestMethods
    ) -> DataTask<Data> {
        let serializer = DataResponseSerializer(
            dataPreprocessor: dataPreprocessor,
            emptyResponseCodes: emptyResponseCodes,
            emptyRequestMethods: emptyRequestMethods
        )
        return serializingResponse(using: serializer, automaticallyCancelling: automaticallyCancelling)
    }

    /// Returns the body as text; see ``StringResponseSerializer``.
    public func serializingString(
        automaticallyCancelling: Bool = true,
        dataPreprocessor: any DataPreprocessor = StringResponseSerializer.defaultDataPreprocessor,
        encoding: String.Encoding? = nil,
        emptyResponseCodes: Set<Int> = StringResponseSerializer.defaultEmptyResponseCodes,
        emptyRequestMethods: Set<HTTPMethod> = StringResponseSerializer.defaultEmptyRequestMethods
    ) -> DataTask<String> {
        let serializer = StringResponseSerializer(
            dataPreprocessor: dataPreprocessor,
            encoding: encoding,
            emptyResponseCodes: emptyResponseCodes,
            emptyRequestMethods: emptyRequestMethods
        )
        return serializingResponse(using: serializer, automaticallyCancelling: automaticallyCancelling)
    }

    /// Returns a value decoded from the body, by default from JSON.
    public func serializingDecodable<Value: Decodable & Sendable>(
        _ type: Value.Type = Value.self,
        automaticallyCancelling: Bool = true,
        dataPreprocessor: any DataPreprocessor = DecodableResponseSerializer<Value>.defaultDataPreprocessor,
        decoder: any DataDecoder = JSONDecoder(),
        emptyResponseCodes: Set<Int> = DecodableResponseSerializer<Value>.defaultEmptyResponseCodes,
        emptyRequestMethods: Set<HTTPMethod> = DecodableResponseSerializer<Value>.defaultEmptyRequestMethods
    ) -> DataTask<Value> {
        let serializer = DecodableResponseSerializer<Value>(
            dataPreprocessor: dataPreprocessor,
            decoder: decoder,
            emptyResponseCodes: emptyResponseCodes,
            emptyRequestMethods: emptyRequestMethods
        )
        return serializingResponse(using: serializer, automaticallyCancelling: automaticallyCancelling)
    }
}
