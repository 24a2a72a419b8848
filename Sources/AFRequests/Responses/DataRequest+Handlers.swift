public import AFHTTP
internal import AFTransport
public import Dispatch
public import FoundationEssentials
internal import Synchronization

/// Response handlers. Each has its own serializer; they are called in the order they were added, after all serializers
/// have run. Adding one starts the request.
extension DataRequest {
    /// Calls the handler with the response without serialization.
    @discardableResult
    public func response(
        queue: DispatchQueue = .main,
        completionHandler: @escaping @Sendable (AFDataResponse<Data?>) -> Void
    ) -> Self {
        respond(unserialized: CallbackQueue(queue), completionHandler)
        return self
    }

    /// Calls the handler with the response, serialized by a serializer.
    @discardableResult
    public func response<Serializer: DataResponseSerializerProtocol>(
        queue: DispatchQueue = .main,
        responseSerializer: Serializer,
        completionHandler: @escaping @Sendable (AFDataResponse<Serializer.SerializedObject>) -> Void
    ) -> Self {
        respond(CallbackQueue(queue), using: responseSerializer, completionHandler)
        return self
    }

    /// Calls the handler with the response, serialized by a static serializer: `.data`, `.string`, `.decodable(of:)`,
    /// `.json`.
    @discardableResult
    public func response<Serializer: ResponseSerializer>(
        queue: DispatchQueue = .main,
        responseSerializer: Serializer,
        completionHandler: @escaping @Sendable (AFDataResponse<Serializer.SerializedObject>) -> Void
    ) -> Self {
        respond(CallbackQueue(queue), using: responseSerializer, completionHandler)
        return self
    }

    /// Calls the handler with the body as bytes.
    @discardableResult
    public func responseData(
        queue: DispatchQueue = .main,
        dataPreprocessor: any DataPreprocessor = DataResponseSerializer.defaultDataPreprocessor,
        emptyResponseCodes: Set<Int> = DataResponseSerializer.defaultEmptyResponseCodes,
        emptyRequestMethods: Set<HTTPMethod> = DataResponseSerializer.defaultEmptyRequestMethods,
        completionHandler: @escaping @Sendable (AFDataResponse<Data>) -> Void
    ) -> Self {
        let serializer = DataResponseSerializer(
            dataPreprocessor: dataPreprocessor,
            emptyResponseCodes: emptyResponseCodes,
            emptyRequestMethods: emptyRequestMethods
        )
        return response(queue: queue, responseSerializer: serializer, completionHandler: completionHandler)
    }

    /// Calls the handler with the body as text.
    ///
    /// - Parameter encoding: Overrides the response's `charset`; without either, ISO-8859-1.
    @discardableResult
    public func responseString(
        queue: DispatchQueue = .main,
        dataPreprocessor: any DataPreprocessor = StringResponseSerializer.defaultDataPreprocessor,
        encoding: String.Encoding? = nil,
        emptyResponseCodes: Set<Int> = StringResponseSerializer.defaultEmptyResponseCodes,
        emptyRequestMethods: Set<HTTPMethod> = StringResponseSerializer.defaultEmptyRequestMethods,
        completionHandler: @escaping @Sendable (AFDataResponse<String>) -> Void
    ) -> Self {
        let serializer = StringResponseSerializer(
            dataPreprocessor: dataPreprocessor,
            encoding: encoding,
            emptyResponseCodes: emptyResponseCodes,
            emptyRequestMethods: emptyRequestMethods
        )
        return response(queue: queue, responseSerializer: serializer, completionHandler: completionHandler)
    }

    /// Calls the handler with a value decoded from the body.
    @discardableResult
    public func responseDecodable<Value: Decodable & Sendable>(
        of type: Value.Type = Value.self,
        queue: DispatchQueue = .main,
        dataPreprocessor: any DataPreprocessor = DecodableResponseSerializer<Value>.defaultDataPreprocessor,
        decoder: any DataDecoder = JSONDecoder(),
        emptyResponseCodes: Set<Int> = DecodableResponseSerializer<Value>.defaultEmptyResponseCodes,
        emptyRequestMethods: Set<HTTPMethod> = DecodableResponseSerializer<Value>.defaultEmptyRequestMethods,
        completionHandler: @escaping @Sendable (AFDataResponse<Value>) -> Void
    ) -> Self {
        let serializer = DecodableResponseSerializer<Value>(
            dataPreprocessor: dataPreprocessor,
            decoder: decoder,
            emptyResponseCodes: emptyResponseCodes,
            emptyRequestMethods: emptyRequestMethods
        )
        return response(queue: queue, responseSerializer: serializer, completionHandler: completionHandler)
    }

    func respond(unserialized queue: CallbackQueue, _ handler: @escaping @Sendable (AFDataResponse<Data?>) -> Void) {
        append { [unowned self] in endUnserialized(queue, handler) }
    }

    private func endUnserialized(
        _ queue: CallbackQueue, _ handler: @escaping @Sendable (AFDataResponse<Data?>) -> Void
    ) {
        let parts = responseParts
        let result: Result<Data?, AFError> = parts.error.map(Result.failure) ?? .success(parts.data)
        serializerDidEnd(nil) { _ in
            let response = parts.response(result, seconds: 0)
            self.observers?.notify { $0.request(self, didParseResponse: response) }
            queue.call(handler, with: response)
        }
    }

    func respond<Serializer: DataResponseSerializerProtocol>(
        _ queue: CallbackQueue,
        using serializer: Serializer,
        _ handler: @escaping @Sendable (AFDataResponse<Serializer.SerializedObject>) -> Void
    ) {
        let serializer = configured(serializer)
        append { [unowned self] in run(serializer, queue, handler) }
    }

    private func run<Serializer: DataResponseSerializerProtocol>(
        _ serializer: Serializer,
        _ queue: CallbackQueue,
        _ handler: @escaping @Sendable (AFDataResponse<Serializer.SerializedObject>) -> Void
    ) {
        if serializer.isPassthrough { return serialize(using: serializer, queue, handler) }
        serializationQueue.async { self.serialize(using: serializer, queue, handler) }
    }

    private func serialize<Serializer: DataResponseSerializerProtocol>(
        using serializer: Serializer,
        _ queue: CallbackQueue,
        _ handler: @escaping @Sendable (AFDataResponse<Serializer.SerializedObject>) -> Void
    ) {
        let parts = responseParts
        let (result, seconds) = measured { Result(serializing: { try parts.serialize(using: serializer) }) }
        serializerDidEnd(result.failure) { replacement in
            let response = parts.response(replacement.map(Result.failure) ?? result, seconds: seconds)
            self.observers?.notify { $0.request(self, didParseResponse: response) }
            queue.call(handler, with: response)
        }
    }

    /// The parts of the response, read together.
    private var responseParts: ResponseParts {
        let (request, task, metrics, error) = mutableState.withLock {
            ($0.lastRequest, $0.lastTask, $0.lastMetrics, $0.error)
        }
        return ResponseParts(request: request, head: task?.response, data: data, metrics: metrics, error: error)
    }
}

/// The input of a serializer, which is also part of the ``DataResponse``.
private struct ResponseParts {
    let request: URLRequest?
    let head: HTTPURLResponse?
    let data: Data?
    let metrics: TransferMetrics?
    let error: AFError?

    func serialize<Serializer: DataResponseSerializerProtocol>(
        using serializer: Serializer
    ) throws -> Serializer.SerializedObject {
        try serializer.serialize(request: request, response: head, data: data, error: error)
    }

    func response<Value>(_ result: Result<Value, AFError>, seconds: Double) -> AFDataResponse<Value> {
        DataResponse(
            request: request,
            response: head,
            data: data,
            metrics: metrics,
            serializationDuration: seconds,
            result: result
        )
    }
}

extension DataResponseSerializerProtocol {
    /// Whether serialization returns the body unchanged and needs no queue, which costs a small request 3,700 of 220,000
    /// instructions, and 1.6 context switches more than three.
    fileprivate var isPassthrough: Bool {
        (self as? DataResponseSerializer)?.dataPreprocessor is PassthroughPreprocessor
    }
}
