public import AFHTTP
public import FoundationEssentials

/// Asynchronous results of data requests. Each method starts the request.
///
/// `automaticallyCancelling` cancels the request when the awaiting task is canceled.
extension DataRequest {
    /// Returns the response, serialized by a serializer.
    public func serializingResponse<Serializer: DataResponseSerializerProtocol>(
        using serializer: Serializer,
        automaticallyCancelling: Bool = true
    ) -> DataTask<Serializer.SerializedObject> {
        dataTask(serializer, automaticallyCancelling)
    }

    /// Returns the response, serialized by a serializer such as `.data`.
    public func serializingResponse<Serializer: ResponseSerializer>(
        using serializer: Serializer,
        automaticallyCancelling: Bool = true
    ) -> DataTask<Serializer.SerializedObject> {
        dataTask(serializer, automaticallyCancelling)
    }

    private func dataTask<Serializer: DataResponseSerializerProtocol>(
        _ serializer: Serializer,
        _ automaticallyCancelling: Bool
    ) -> DataTask<Serializer.SerializedObject> {
        let reply = PendingResponse<AFDataResponse<Serializer.SerializedObject>>(
            to: self, automaticallyCancelling: automaticallyCancelling)
        respond(.inline, using: serializer) { reply.fulfill($0) }
        return DataTask(request: self, reply: reply)
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

    /// Returns the body as untyped JSON.
    public func serializingJSON(
        automaticallyCancelling: Bool = true,
        dataPreprocessor: any DataPreprocessor = JSONResponseSerializer.defaultDataPreprocessor,
        emptyResponseCodes: Set<Int> = JSONResponseSerializer.defaultEmptyResponseCodes,
        emptyRequestMethods: Set<HTTPMethod> = JSONResponseSerializer.defaultEmptyRequestMethods,
        options: JSONResponseSerializer.ReadingOptions = .allowFragments
    ) -> DataTask<any Sendable> {
        let serializer = JSONResponseSerializer(
            dataPreprocessor: dataPreprocessor,
            emptyResponseCodes: emptyResponseCodes,
            emptyRequestMethods: emptyRequestMethods,
            options: options
        )
        return serializingResponse(using: serializer, automaticallyCancelling: automaticallyCancelling)
    }
}
