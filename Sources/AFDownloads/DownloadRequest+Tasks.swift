public import AFHTTP
public import AFRequests
public import FoundationEssentials

/// Asynchronous results of downloads. Each method starts the request.
///
/// `automaticallyCancelling` cancels the request when the awaiting task is canceled.
extension DownloadRequest {
    /// Returns the file, serialized by a serializer.
    public func serializingDownload<Serializer: DownloadResponseSerializerProtocol>(
        using serializer: Serializer,
        automaticallyCancelling: Bool = true
    ) -> DownloadTask<Serializer.SerializedObject> {
        downloadTask(serializer, automaticallyCancelling)
    }

    /// Returns the file, serialized by a serializer such as `.data`.
    public func serializingDownload<Serializer: ResponseSerializer>(
        using serializer: Serializer,
        automaticallyCancelling: Bool = true
    ) -> DownloadTask<Serializer.SerializedObject> {
        downloadTask(serializer, automaticallyCancelling)
    }

    private func downloadTask<Serializer: DownloadResponseSerializerProtocol>(
        _ serializer: Serializer,
        _ automaticallyCancelling: Bool
    ) -> DownloadTask<Serializer.SerializedObject> {
        let reply = PendingResponse<AFDownloadResponse<Serializer.SerializedObject>>(
            to: self, automaticallyCancelling: automaticallyCancelling)
        respond(.inline, using: serializer) { reply.fulfill($0) }
        return DownloadTask(request: self, reply: reply)
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

    /// Returns the contents of the file as untyped JSON.
    public func serializingJSON(
        automaticallyCancelling: Bool = true,
        dataPreprocessor: any DataPreprocessor = JSONResponseSerializer.defaultDataPreprocessor,
        emptyResponseCodes: Set<Int> = JSONResponseSerializer.defaultEmptyResponseCodes,
        emptyRequestMethods: Set<HTTPMethod> = JSONResponseSerializer.defaultEmptyRequestMethods,
        options: JSONResponseSerializer.ReadingOptions = .allowFragments
    ) -> DownloadTask<any Sendable> {
        let serializer = JSONResponseSerializer(
            dataPreprocessor: dataPreprocessor,
            emptyResponseCodes: emptyResponseCodes,
            emptyRequestMethods: emptyRequestMethods,
            options: options
        )
        return serializingDownload(using: serializer, automaticallyCancelling: automaticallyCancelling)
    }
}
