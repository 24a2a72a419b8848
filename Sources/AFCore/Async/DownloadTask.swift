public import AFHTTP
public import FoundationEssentials

/// A file that is on its way: awaiting it never starts anything, as making the task did.
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

    /// The whole response, once all retries are spent.
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

    /// The value, or what went wrong.
    public var result: Result<Value, AFError> { get async { await response.result } }

    /// - Throws: ``AFError`` once all retries are spent.
    public var value: Value { get async throws { try await result.get() } }

    /// Cancels the request, and keeps what has come for another download to go on with.
    public func cancel() { request.cancel() }
    /// Starts the request, or lets it go on.
    public func resume() { request.resume() }
    /// Stops the transfer until ``resume()``.
    public func suspend() { request.suspend() }
}

/// The awaited face of downloads. Each call starts the request.
///
/// `automaticallyCancelling` cancels the request when the awaiting task is cancelled.
extension DownloadRequest {
    /// What a serializer makes of the file.
    public func serializingDownload<Serializer: DownloadResponseSerializerProtocol>(
        using serializer: Serializer,
        automaticallyCancelling: Bool = true
    ) -> DownloadTask<Serializer.SerializedObject> {
        // Nobody will want the answer: nothing is sent.
        if automaticallyCancelling, Task.isCancelled { cancel() }
        let promise = Promise<AFDownloadResponse<Serializer.SerializedObject>>()
        respond(.inline, using: serializer) { promise.fulfil($0) }
        return DownloadTask(self, promise, automaticallyCancelling: automaticallyCancelling)
    }

    /// Gives the file's place.
    public func serializingDownloadedFileURL(automaticallyCancelling: Bool = true) -> DownloadTask<URL> {
        serializingDownload(using: URLResponseSerializer(), automaticallyCancelling: automaticallyCancelling)
    }

    /// The whole file as bytes.
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

    /// The whole file as text; see ``StringResponseSerializer``.
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

    /// The whole file decoded, as JSON unless another decoder is given.
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
