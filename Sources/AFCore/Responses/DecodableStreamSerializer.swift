public import FoundationEssentials

/// Decodes each piece of a streamed body by itself.
public struct DecodableStreamSerializer<Value: Decodable & Sendable>: DataStreamSerializer {
    /// What makes the values.
    public let decoder: any DataDecoder
    /// What each piece passes before.
    public let dataPreprocessor: any DataPreprocessor

    /// A serializer of JSON, unless another decoder is given.
    public init(
        decoder: any DataDecoder = JSONDecoder(),
        dataPreprocessor: any DataPreprocessor = PassthroughPreprocessor()
    ) {
        self.decoder = decoder
        self.dataPreprocessor = dataPreprocessor
    }

    /// - Throws: `decodingFailed`, or what the preprocessor throws.
    public func serialize(_ data: Data) throws -> Value {
        let piece = try dataPreprocessor.preprocess(data)
        do {
            return try decoder.decode(Value.self, from: piece)
        } catch {
            throw AFError.responseSerializationFailed(reason: .decodingFailed(error: error))
        }
    }
}

extension DataStreamSerializer {
    /// Decodes each piece by itself, as JSON unless another decoder is given.
    public static func decodable<Value: Decodable & Sendable>(
        of type: Value.Type,
        decoder: any DataDecoder = JSONDecoder(),
        dataPreprocessor: any DataPreprocessor = PassthroughPreprocessor()
    ) -> Self where Self == DecodableStreamSerializer<Value> {
        DecodableStreamSerializer<Value>(decoder: decoder, dataPreprocessor: dataPreprocessor)
    }
}
