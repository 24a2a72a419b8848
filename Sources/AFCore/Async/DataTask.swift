public import AFHTTP
public import FoundationEssentials

/// A value that is on its way: awaiting it never starts anything, as making the task did.
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

    /// The whole response, once all retries are spent.
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

    /// The value, or what went wrong.
    public var result: Result<Value, AFError> { get async { await response.result } }

    /// - Throws: ``AFError`` once all retries are spent.
    public var value: Value { get async throws { try await result.get() } }

    /// Cancels the request: whoever waits gets `AFError.explicitlyCancelled`, unless it failed before.
    public func cancel() { request.cancel() }
    /// Starts the request, or lets it go on.
    public func resume() { request.resume() }
    /// Stops the transfer until ``resume()``.
    public func suspend() { request.suspend() }
}

/// The awaited face of data requests. Each call starts the request.
///
/// `automaticallyCancelling` cancels the request when the awaiting task is cancelled.
extension DataRequest {
    /// What a serializer makes of the response.
    public func serializingResponse<Serializer: DataResponseSerializerProtocol>(
        using serializer: Serializer,
        automaticallyCancelling: Bool = true
    ) -> DataTask<Serializer.SerializedObject> {
        // Nobody will want the answer: nothing is sent.
        if automaticallyCancelling, Task.isCancelled { cancel() }
        let promise = Promise<AFDataResponse<Serializer.SerializedObject>>()
        respond(.inline, using: serializer) { promise.fulfil($0) }
        return DataTask(self, promise, automaticallyCancelling: automaticallyCancelling)
    }

    /// The body as it is.
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

    /// The body as text; see ``StringResponseSerializer``.
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

    /// The body decoded, as JSON unless another decoder is given.
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
