public import AFHTTP
public import AFRequests
public import Dispatch
public import FoundationEssentials

/// Download handlers. Serializers read the complete file. Each handler has its own serializer; they are called in the
/// order they were added, after all serializers have run. Adding one starts the request.
extension DownloadRequest {
    /// Calls the handler with the response without serialization.
    @discardableResult
    public func response(
        queue: DispatchQueue = .main,
        completionHandler: @escaping @Sendable (AFDownloadResponse<URL?>) -> Void
    ) -> Self {
        respond(unserialized: CallbackQueue(queue), completionHandler)
        return self
    }

    /// Calls the handler with the response, serialized by a serializer.
    @discardableResult
    public func response<Serializer: DownloadResponseSerializerProtocol>(
        queue: DispatchQueue = .main,
        responseSerializer: Serializer,
        completionHandler: @escaping @Sendable (AFDownloadResponse<Serializer.SerializedObject>) -> Void
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
        completionHandler: @escaping @Sendable (AFDownloadResponse<Serializer.SerializedObject>) -> Void
    ) -> Self {
        respond(CallbackQueue(queue), using: responseSerializer, completionHandler)
        return self
    }

    /// Calls the handler with the URL of the file.
    @discardableResult
    public func responseURL(
        queue: DispatchQueue = .main,
        completionHandler: @escaping @Sendable (AFDownloadResponse<URL>) -> Void
    ) -> Self {
        response(queue: queue, responseSerializer: URLResponseSerializer(), completionHandler: completionHandler)
    }

    /// Calls the handler with the contents of the file as bytes.
    @discardableResult
    public func responseData(
        queue: DispatchQueue = .main,
        dataPreprocessor: any DataPreprocessor = DataResponseSerializer.defaultDataPreprocessor,
        emptyResponseCodes: Set<Int> = DataResponseSerializer.defaultEmptyResponseCodes,
        emptyRequestMethods: Set<HTTPMethod> = DataResponseSerializer.defaultEmptyRequestMethods,
        completionHandler: @escaping @Sendable (AFDownloadResponse<Data>) -> Void
    ) -> Self {
        let serializer = DataResponseSerializer(
            dataPreprocessor: dataPreprocessor,
            emptyResponseCodes: emptyResponseCodes,
            emptyRequestMethods: emptyRequestMethods
        )
        return response(queue: queue, responseSerializer: serializer, completionHandler: completionHandler)
    }

    /// Calls the handler with the contents of the file as text.
    ///
    /// - Parameter encoding: Overrides the response's `charset`; without either, ISO-8859-1.
    @discardableResult
    public func responseString(
        queue: DispatchQueue = .main,
        dataPreprocessor: any DataPreprocessor = StringResponseSerializer.defaultDataPreprocessor,
        encoding: String.Encoding? = nil,
        emptyResponseCodes: Set<Int> = StringResponseSerializer.defaultEmptyResponseCodes,
        emptyRequestMethods: Set<HTTPMethod> = StringResponseSerializer.defaultEmptyRequestMethods,
        completionHandler: @escaping @Sendable (AFDownloadResponse<String>) -> Void
    ) -> Self {
        let serializer = StringResponseSerializer(
            dataPreprocessor: dataPreprocessor,
            encoding: encoding,
            emptyResponseCodes: emptyResponseCodes,
            emptyRequestMethods: emptyRequestMethods
        )
        return response(queue: queue, responseSerializer: serializer, completionHandler: completionHandler)
    }

    /// Calls the handler with a value decoded from the file.
    @discardableResult
    public func responseDecodable<Value: Decodable & Sendable>(
        of type: Value.Type = Value.self,
        queue: DispatchQueue = .main,
        dataPreprocessor: any DataPreprocessor = DecodableResponseSerializer<Value>.defaultDataPreprocessor,
        decoder: any DataDecoder = JSONDecoder(),
        emptyResponseCodes: Set<Int> = DecodableResponseSerializer<Value>.defaultEmptyResponseCodes,
        emptyRequestMethods: Set<HTTPMethod> = DecodableResponseSerializer<Value>.defaultEmptyRequestMethods,
        completionHandler: @escaping @Sendable (AFDownloadResponse<Value>) -> Void
    ) -> Self {
        let serializer = DecodableResponseSerializer<Value>(
            dataPreprocessor: dataPreprocessor,
            decoder: decoder,
            emptyResponseCodes: emptyResponseCodes,
            emptyRequestMethods: emptyRequestMethods
        )
        return response(queue: queue, responseSerializer: serializer, completionHandler: completionHandler)
    }

    func respond(unserialized queue: CallbackQueue, _ handler: @escaping @Sendable (AFDownloadResponse<URL?>) -> Void) {
        append { [unowned self] in endUnserialized(queue, handler) }
    }

    private func endUnserialized(
        _ queue: CallbackQueue, _ handler: @escaping @Sendable (AFDownloadResponse<URL?>) -> Void
    ) {
        let fileURL = fileURL
        let result: Result<URL?, AFError> = error.map(Result.failure) ?? .success(fileURL)
        serializerDidEnd(nil) { [self] _ in
            let response = downloadResponse(result, fileURL, seconds: 0)
            // The monitor's method for this type: generic code calls another one.
            observers?.notifyOfDownload { $0.request(self, didParseResponse: response) }
            queue.async { handler(response) }
        }
    }

    func respond<Serializer: DownloadResponseSerializerProtocol>(
        _ queue: CallbackQueue,
        using serializer: Serializer,
        _ handler: @escaping @Sendable (AFDownloadResponse<Serializer.SerializedObject>) -> Void
    ) {
        let serializer = configured(serializer)
        append { [unowned self] in run(serializer, queue, handler) }
    }

    private func run<Serializer: DownloadResponseSerializerProtocol>(
        _ serializer: Serializer,
        _ queue: CallbackQueue,
        _ handler: @escaping @Sendable (AFDownloadResponse<Serializer.SerializedObject>) -> Void
    ) {
        serializationQueue.async { [self] in
            let fileURL = fileURL
            let (result, seconds) = measured {
                Result(serializing: {
                    try serializer.serializeDownload(
                        request: request, response: response, fileURL: fileURL, error: error)
                })
            }
            serializerDidEnd(result.failure) { [self] replacement in
                let response = downloadResponse(replacement.map(Result.failure) ?? result, fileURL, seconds: seconds)
                observers?.notifyOfDownload { $0.request(self, didParseResponse: response) }
                queue.async { handler(response) }
            }
        }
    }

    private func downloadResponse<Value>(
        _ result: Result<Value, AFError>,
        _ fileURL: URL?,
        seconds: Double
    ) -> AFDownloadResponse<Value> {
        DownloadResponse(
            request: request,
            response: response,
            fileURL: fileURL,
            resumeData: resumeData,
            metrics: metrics,
            serializationDuration: seconds,
            result: result
        )
    }
}
