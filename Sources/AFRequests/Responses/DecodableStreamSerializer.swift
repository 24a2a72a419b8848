public import FoundationEssentials

/// A serializer that decodes each chunk of a streamed body separately.
public struct DecodableStreamSerializer<Value: Decodable & Sendable>: DataStreamSerializer {
    /// The decoder of the chunks.
    public let decoder: any DataDecoder
    /// The preprocessor of the chunks.
    public let dataPreprocessor: any DataPreprocessor

    /// Creates a serializer; by default of JSON.
    public init(
        decoder: any DataDecoder = JSONDecoder(),
        dataPreprocessor: any DataPreprocessor = PassthroughPreprocessor()
    ) {
        self.decoder = decoder
        self.dataPreprocessor = dataPreprocessor
    }

    /// Returns the decoded value.
    ///
    /// - Throws: `decodingFailed`, or errors of the preprocessor.
    public func serialize(_ data: Data) throws -> Value {
        let preprocessed = try dataPreprocessor.preprocess(data)
        do {
            return try decoder.decode(Value.self, fromReceived: preprocessed)
        } catch {
            throw AFError.responseSerializationFailed(reason: .decodingFailed(error: error))
        }
    }
}

extension DataStreamSerializer {
    /// Returns a serializer that decodes each chunk separately, by default from JSON.
    public static func decodable<Value: Decodable & Sendable>(
        of type: Value.Type,
        decoder: any DataDecoder = JSONDecoder(),
        dataPreprocessor: any DataPreprocessor = PassthroughPreprocessor()
    ) -> Self where Self == DecodableStreamSerializer<Value> {
        DecodableStreamSerializer<Value>(decoder: decoder, dataPreprocessor: dataPreprocessor)
    }
}
