public import AFHTTP
public import FoundationEssentials

/// The asynchronous result of a download, which is started when the task is created.
public struct DownloadTask<Value: Sendable>: Sendable {
    private let request: DownloadRequest
    private let promise: Promise<AFDownloadResponse<Value>>
    private let isCancelling: Bool

    fileprivate init(
        _ request: DownloadRequest,
        _ promise: Promise<AFDownloadResponse<Value>>,
        automaticallyCancelling isCancelling: Bool
    ) {
        self.request = request
        self.promise = promise
        self.isCancelling = isCancelling
    }

    /// The response, after all retries.
    public var response: AFDownloadResponse<Value> {
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

    /// Cancels the request and keeps the received bytes, so that another download can resume.
    public func cancel() { request.cancel() }
    /// Starts or resumes the request.
    public func resume() { request.resume() }
    /// Suspends the transfer until ``resume()``.
    public func suspend() { request.suspend() }
}

/// Asynchronous results of downloads. Each method starts the request.
///
/// `automaticallyCancelling` cancels the request when the awaiting task is cancelled.
extension DownloadRequest {
    /// Returns the file, serialized by a serializer.
    public func serializingDownload<Serializer: DownloadResponseSerializerProtocol>(
        using serializer: Serializer,
        automaticallyCancelling: Bool = true
    ) -> DownloadTask<Serializer.SerializedObject> {
        // The response would not be read, so that no request is sent.
        if automaticallyCancelling, Task.isCancelled { cancel() }
        let promise = Promise<AFDownloadResponse<Serializer.SerializedObject>>()
        respond(.inline, using: serializer) { promise.fulfil($0) }
        return DownloadTask(self, promise, automaticallyCancelling: automaticallyCancelling)
    }

    /// Returns the URL of the file.
    public func serializingDownloadedFileURL(automaticallyCancelling: Bool = true) -> DownloadTask<URL> {
        serializingDownload(using: URLResponseSerializer(), automaticallyCancelling: automaticallyCancelling)
    }

    /// Returns the contents of the file as bytes.
    public func serializingData(
        automaticallyCancelling: Bool = true,
        dataPreprocessor: any DataPreprocessor = DataResponseSerializer.defaultDataPreprocessor,
        emptyResponseCodes: Set<Int> = DataResponseSerializer.defaultEmptyResponseCodes,
        emptyRequestMethods: Set<HTTPMethod> = DataResponseSerializer.defaultEmptyRequestMethods
    ) -> DownloadTask<Data> {
        let serializer = DataResponseSerializer(
            dataPreprocessor: dataPreprocessor,
            emptyResponseCodes: emptyResponseCodes,
            emptyRequestMethods: emptyRequestMethods
        )
        return serializingDownload(using: serializer, automaticallyCancelling: automaticallyCancelling)
    }

    /// Returns the contents of the file as text; see ``StringResponseSerializer``.
    public func serializingString(
        automaticallyCancelling: Bool = true,
        dataPreprocessor: any DataPreprocessor = StringResponseSerializer.defaultDataPreprocessor,
        encoding: String.Encoding? = nil,
        emptyResponseCodes: Set<Int> = StringResponseSerializer.defaultEmptyResponseCodes,
        emptyRequestMethods: Set<HTTPMethod> = StringResponseSerializer.defaultEmptyRequestMethods
    ) -> DownloadTask<String> {
        let serializer = StringResponseSerializer(
            dataPreprocessor: dataPreprocessor,
            encoding: encoding,
            emptyResponseCodes: emptyResponseCodes,
            emptyRequestMethods: emptyRequestMethods
        )
        return serializingDownload(using: serializer, automaticallyCancelling: automaticallyCancelling)
    }

    /// Returns a value decoded from the file, by default from JSON.
    public func serializingDecodable<Value: Decodable & Sendable>(
        _ type: Value.Type = Value.self,
        automaticallyCancelling: Bool = true,
        dataPreprocessor: any DataPreprocessor = DecodableResponseSerializer<Value>.defaultDataPreprocessor,
        decoder: any DataDecoder = JSONDecoder(),
        emptyResponseCodes: Set<Int> = DecodableResponseSerializer<Value>.defaultEmptyResponseCodes,
        emptyRequestMethods: Set<HTTPMethod> = DecodableResponseSerializer<Value>.defaultEmptyRequestMethods
    ) -> DownloadTask<Value> {
        let serializer = DecodableResponseSerializer<Value>(
            dataPreprocessor: dataPreprocessor,
            decoder: decoder,
            emptyResponseCodes: emptyResponseCodes,
            emptyRequestMethods: emptyRequestMethods
        )
        return serializingDownload(using: serializer, automaticallyCancelling: automaticallyCancelling)
    }
}
